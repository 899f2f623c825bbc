/** The studio in a real browser. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { browse, cell, ply, serve, shot, studio } from "./studio.mjs";

let browser;
let server;
before(async () => {
  server = await serve();
  browser = await browse();
});
after(async () => {
  await browser?.close();
  server?.end();
});

/** Opens the studio for one test, and checks at its end that nothing went wrong in the page. */
function page(name, wishes, run) {
  test(name, async () => {
    const opened = await studio(browser, server.address, wishes);
    try {
      await run(opened);
      assert.deepEqual(opened.faults, []);
    } finally {
      await opened.context().close();
    }
  });
}

const status = (opened) => opened.locator("#status");

for (const [game, cells, shape] of [
  ["hex:4", 16, "hex"], ["go:5", 25, "points"], ["connect4", 42, "holes"], ["othello:6", 36, "felt"], ["loa:6", 36, "chequer"],
  ["lion", 12, "plain"], ["minishogi", 25, "plain"], ["awari", 12, "mancala"], ["samegame:6", 36, "tiles"], ["tictactoe", 9, "plain"],
  ["rolit:6,players=3", 36, "plain"], ["gomoku:9", 81, "points"], ["breakthrough", 36, "chequer"], ["synthetic", 4, "list"],
]) {
  page(`${game} is drawn with all its cells`, { game }, async (opened) => {
    assert.equal(await opened.locator(".cell").count(), cells);
    assert.equal(await opened.locator(".board").getAttribute("data-board"), shape);
    assert.equal(await opened.locator(".bar-row.turn").count(), 1);
  });
}

for (const [game, clicks, move] of [
  ["hex:4", ["b3"], "b3"], ["loa:6", ["b1", "b3"], "b1-b3"], ["lion", ["b3", "b2"], "b3-b2"], ["connect4", ["d6"], "4"],
  ["othello:6", ["c2"], "c2"], ["awari", ["A"], "A"], ["samegame:6", ["b1"], "a1"], ["breakthrough", ["b2", "a3"], "b2-a3"],
]) {
  page(`a click plays ${move} in ${game}`, { game }, async (opened) => {
    for (const name of clicks) await cell(opened, name).click();
    await ply(opened, 1);
    assert.match(await opened.locator(".move-list").innerText(), new RegExp(move));
  });
}

for (const game of ["hex:4", "loa:6", "lion"]) {
  page(`an engine answers in ${game}`, { game, players: ["person", "mcts:solver"] }, async (opened) => {
    const first = { "hex:4": ["b3"], "loa:6": ["b1", "b3"], lion: ["b4", "a3"] }[game];
    for (const name of first) await cell(opened, name).click();
    await ply(opened, 2);
    await opened.locator('[data-seat="0"].turn').waitFor();
  });
}

/** Clicks through the person's turns, always the first thing that can be clicked, until the game is over. */
async function playOut(opened) {
  const ready = '[data-seat="0"].turn, .ending:not(:empty)';
  for (let turn = 0; turn < 300; turn += 1) {
    await opened.locator(ready).first().waitFor();
    if (await opened.locator(".ending").innerText()) return;
    const before = await opened.locator(".place").innerText();
    const pass = opened.locator(".choice");
    if (await opened.locator(".cell.can").count()) {
      await opened.locator(".cell.can").first().click();
      if (await opened.locator(".cell.picked").count()) await opened.locator(".cell.can:not(.picked)").first().click();
    } else {
      await pass.first().click();
    }
    await opened.waitForFunction((words) => document.querySelector(".place")?.textContent !== words, before);
  }
  assert.fail("the game does not end");
}

for (const game of ["hex:5", "loa:5", "lion"]) {
  page(`a whole game of ${game} is played against an engine`, { game, players: ["person", "mcts:solver"] }, async (opened) => {
    await playOut(opened);
    assert.match(await opened.locator(".ending").innerText(), /wins|draw/);
    assert.equal(await opened.locator(".bar-row.turn").count(), 0);
  });
}

page("two engines play each other, and are paused", { game: "connect4", players: ["mcts", "random"] }, async (opened) => {
  await ply(opened, 3);
  await opened.getByRole("button", { name: "pause the engines" }).click();
  await opened.getByRole("button", { name: "let the engines play" }).waitFor();
});

page("clocks are shown when they are asked for", { game: "hex:4" }, async (opened) => {
  await opened.locator(".players > summary").click();
  await opened.getByLabel("Clock").check();
  await opened.getByLabel("minutes").fill("3");
  await opened.getByRole("button", { name: "Change players" }).click();
  await opened.locator(".clock").first().waitFor();
  assert.match(await opened.locator('[data-clock="1"]').innerText(), /^3:00$/);
});

page("a piece is dragged to its place", { game: "loa:6" }, async (opened) => {
  const [from, to] = [await cell(opened, "b1").boundingBox(), await cell(opened, "b3").boundingBox()];
  await opened.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await opened.mouse.down();
  await opened.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  assert.equal(await opened.locator(".held .piece").count(), 1);
  await opened.mouse.up();
  await ply(opened, 1);
  assert.equal(await opened.locator(".held .piece").count(), 0);
});

page("a piece in hand is dropped", { game: "lion", position: "start moves b3-b2 b1-b2" }, async (opened) => {
  await opened.locator('[data-seat="0"] .held-piece').click();
  await cell(opened, "b3").click();
  await ply(opened, 3);
  assert.match(await opened.locator(".move-list").innerText(), /C\*b3/);
});

page("a promotion is asked for where there is a choice", { game: "minishogi", position: "4k/S4/5/5/K4 b PGBRpgsbr" }, async (opened) => {
  await cell(opened, "a4").click();
  await cell(opened, "a5").click();
  await opened.getByRole("button", { name: "Promote", exact: true }).click();
  await ply(opened, 1);
  assert.match(await opened.locator(".move-list").innerText(), /a4-a5\+/);
});

page("the pieces in hand fit on a phone", { game: "minishogi", position: "4k/5/5/5/K4 b PGBRSpgsbr", width: 360, height: 740 }, async (opened) => {
  const [bar, last] = [opened.locator('[data-seat="0"]'), opened.locator('[data-seat="0"] .held-piece').last()];
  const [outer, inner] = [await bar.boundingBox(), await last.boundingBox()];
  assert.ok(inner.x + inner.width <= outer.x + outer.width);
});

page("a promotion that must be is not asked for", { game: "minishogi", position: "4k/P4/5/5/K4 b GSBRgsbrp" }, async (opened) => {
  await cell(opened, "a4").click();
  await cell(opened, "a5").click();
  await ply(opened, 1);
  assert.match(await opened.locator(".move-list").innerText(), /a4-a5\+/);
});

page("the keyboard alone plays a move, takes it back and plays it again", { game: "tictactoe" }, async (opened) => {
  await opened.keyboard.press("b");
  await opened.keyboard.press("ArrowLeft");
  await opened.keyboard.press("ArrowUp");
  await opened.keyboard.press("Enter");
  await ply(opened, 1);
  assert.match(await opened.locator(".move-list").innerText(), /a3/);
  await opened.keyboard.press("u");
  await ply(opened, 0);
  await opened.keyboard.press("r");
  await ply(opened, 1);
  await opened.keyboard.press("?");
  assert.equal(await opened.locator("#help").evaluate((dialog) => dialog.open), true);
});

page("any move of the game can be jumped to", { game: "hex:4", position: "start moves a1 b2 c3 d4" }, async (opened) => {
  await opened.locator(".move-list button").nth(1).click();
  await ply(opened, 2);
  assert.equal(await opened.locator(".move-list .later").count(), 2);
  await opened.keyboard.press("Home");
  await ply(opened, 0);
  await opened.keyboard.press("End");
  await ply(opened, 4);
});

page("what is not allowed is refused in words, and changes nothing", { game: "othello:6" }, async (opened) => {
  await cell(opened, "a1").click();
  assert.match(await status(opened).innerText(), /X may not play a1/);
  await ply(opened, 0);
});

page("passing is a button where it is legal", { game: "go:5" }, async (opened) => {
  await opened.getByRole("button", { name: "Pass" }).click();
  await ply(opened, 1);
});

page("the board turns", { game: "loa:6" }, async (opened) => {
  const before = await cell(opened, "a1").boundingBox();
  await opened.keyboard.press("f");
  const turned = await cell(opened, "a1").boundingBox();
  assert.ok(turned.x > before.x && turned.y < before.y);
});

page("a person may resign", { game: "hex:4" }, async (opened) => {
  opened.on("dialog", (dialog) => void dialog.accept());
  await opened.getByRole("button", { name: "resign" }).click();
  await opened.locator(".verdict.win").waitFor();
});

page("a new game is made from the options of the game", { game: "hex:4" }, async (opened) => {
  await opened.locator("#game").selectOption("connect4");
  await opened.getByLabel("columns").fill("5");
  await opened.getByLabel("rows").fill("4");
  await opened.getByRole("button", { name: "New game" }).click();
  await opened.locator("#title", { hasText: "connect4:5x4" }).waitFor();
  assert.equal(await opened.locator(".cell").count(), 20);
});

page("a player is made from the options of its search", { game: "hex:4" }, async (opened) => {
  await opened.locator(".players > summary").click();
  const seat = opened.locator(".players fieldset").nth(1);
  await seat.getByLabel("who plays").selectOption("engine");
  await seat.getByLabel("Search").selectOption("mcts");
  await seat.locator(".more > summary").click();
  await seat.locator("label", { hasText: /^solver keep/ }).locator("input").check();
  assert.equal(await seat.getByLabel("player spec").inputValue(), "mcts:solver");
});

for (const game of ["hex:5", "loa:6", "awari", "connect4", "go:5", "minishogi"]) {
  page(`the thoughts of a search are shown on the board of ${game}`, { game, view: "think" }, async (opened) => {
    await opened.getByLabel("player spec").first().waitFor({ state: "attached" });
    await opened.locator('[data-do="think"]').click();
    await opened.locator(".mark").first().waitFor();
    await opened.locator(".view:not([hidden]) .moves tbody tr").first().waitFor();
    assert.notEqual(await opened.locator(".view:not([hidden]) .headline").innerText(), "–");
    await shot(opened, `think-${game.replace(/\W/g, "-")}`);
    await opened.keyboard.press("t");
    await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  });
}

page("a cell tells its numbers when the pointer is over it", { game: "hex:4", view: "think" }, async (opened) => {
  await opened.locator('[data-do="think"]').click();
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  const move = (await opened.locator(".view:not([hidden]) .moves .name").first().innerText()).trim();
  await cell(opened, move).hover();
  assert.match(await opened.locator(".tip").innerText(), new RegExp(`${move}: .*visits`));
});

page("the tree is explored move by move", { game: "hex:4", view: "think" }, async (opened) => {
  await opened.locator('[data-do="think"]').click();
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  await opened.getByRole("tab", { name: "Tree" }).click();
  const rows = opened.locator(".view:not([hidden]) .moves .name");
  await rows.first().waitFor();
  const move = (await rows.first().innerText()).trim();
  await rows.first().click();
  await opened.locator("#scene", { hasText: move }).waitFor();
  assert.equal(await cell(opened, move).locator(".piece").count(), 1);
  await opened.keyboard.press("Escape");
  await opened.locator("#scene").waitFor({ state: "hidden" });
  assert.equal(await cell(opened, move).locator(".piece").count(), 0);
});

page("a proof is found, verified, kept, walked through to its end, and loaded again", { game: "hex:4", view: "solve" }, async (opened) => {
  const view = opened.locator(".view:not([hidden])");
  await opened.locator('[data-do="solve"]').click();
  await view.locator(".headline", { hasText: "win for Black" }).waitFor();
  await opened.getByRole("button", { name: "Verify" }).click();
  await view.locator(".verdict-words", { hasText: "✓ verified: Black can force a win" }).waitFor();
  await opened.getByRole("button", { name: "Walk the proof" }).click();
  for (let steps = 0; steps < 16; steps += 1) {
    await view.locator(".walk").waitFor();
    const replies = view.locator(".reply");
    if (steps === 1) await shot(opened, "walk");
    if (!(await replies.count())) break;
    const before = await view.locator(".walk .variation").innerText();
    await replies.first().click();
    await opened.waitForFunction((words) => document.querySelector(".walk .variation")?.textContent !== words, before);
  }
  assert.match(await view.locator(".walk .headline").innerText(), /Black wins/);
  await opened.getByRole("button", { name: "Leave" }).click();
  const [download] = await Promise.all([opened.waitForEvent("download"), opened.getByRole("link", { name: "Save the certificate" }).click()]);
  const data = await readFile(await download.path());
  await opened.getByLabel("certificate").setInputFiles({ name: "hex4.proof", mimeType: "application/octet-stream", buffer: data });
  await view.locator(".verdict-words", { hasText: "✓ verified" }).waitFor();
  data[data.length >> 1] ^= 255;
  await opened.getByLabel("certificate").setInputFiles({ name: "broken.proof", mimeType: "application/octet-stream", buffer: data });
  await view.locator(".verdict-words", { hasText: "✗ not verified" }).waitFor();
});

page("a position is pasted, and what is on the board is saved", { game: "hex:4", view: "files" }, async (opened) => {
  await opened.getByLabel("text to open").fill("start moves a1 b2");
  await opened.getByRole("button", { name: "Open the text" }).click();
  await ply(opened, 2);
  await opened.locator('[data-save="moves"]').click();
  await opened.waitForFunction(() => document.querySelector("textarea[readonly]")?.value.includes("a1 b2"));
});

for (const [width, height] of [[360, 740], [820, 1180], [1280, 800], [1920, 1080]]) {
  page(`nothing sticks out at ${width} pixels, and nothing jumps while a search streams`, { game: "loa", view: "think", width, height }, async (opened) => {
    const wide = await opened.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} pixels`);
    const place = () => opened.locator(".board").evaluate((board) => {
      const box = board.getBoundingClientRect();
      return [box.left + scrollX, box.top + scrollY, box.width, box.height];
    });
    const before = await place();
    await opened.locator('[data-do="think"]').click();
    await opened.locator(".mark").first().waitFor();
    assert.deepEqual(await place(), before);
    await shot(opened, `loa-${width}`);
  });
}

page("light and dark follow the system, then the switch", { game: "hex:4", theme: "dark" }, async (opened) => {
  const theme = () => opened.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "dark");
  await opened.getByRole("button", { name: "light or dark" }).click();
  assert.equal(await theme(), "light");
  await opened.reload();
  assert.equal(await theme(), "light");
});

page("every control has a name, and every cell says what is on it", { game: "lion", position: "start moves b3-b2 b1-b2" }, async (opened) => {
  const nameless = await opened.evaluate(() =>
    [...document.querySelectorAll("button, input, select, textarea, a[href]")]
      .filter((control) => !control.hidden && !control.getAttribute("aria-label") && !control.textContent?.trim() && !("labels" in control && control.labels?.length))
      .map((control) => control.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  assert.match(await cell(opened, "b2").getAttribute("aria-label"), /b2, Gote Lion, last move/);
});

test("a game outlasts the loss of the connection", async () => {
  const lines = [];
  let again;
  const connected = new Promise((resolve) => (again = resolve));
  const route = (socket) => {
    socket.connectToServer();
    if (lines.push(socket) === 2) again();
  };
  const opened = await studio(browser, server.address, { game: "hex:4", position: "start moves a1 b2", route });
  await lines[0].close();
  await opened.locator('#line[data-how="offline"]').waitFor();
  await connected;
  await opened.locator('#line[data-how="connected"]').waitFor();
  await ply(opened, 2);
  await cell(opened, "c3").click();
  await ply(opened, 3);
  await opened.context().close();
});

page("the page asks nobody else for anything", { game: "hex:4" }, async (opened) => {
  const asked = await opened.evaluate(() => performance.getEntriesByType("resource").map((entry) => new URL(entry.name).host));
  assert.deepEqual([...new Set(asked)], [new URL(server.address).host]);
});
