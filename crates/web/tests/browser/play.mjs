/** Playing games: by mouse, touch and keyboard, against engines, with undo and clocks. */

import assert from "node:assert/strict";
import { page } from "./harness.mjs";
import { cell, changed, ply, shot } from "./studio.mjs";

const moves = (opened) => opened.locator(".move-list").innerText();

/** Plays the human's turns, always the first possible click, until the game is over. */
async function playOut(opened) {
  for (;;) {
    await opened.locator('[data-seat="0"].turn, .ending:not(:empty)').first().waitFor();
    if (await opened.locator(".ending").innerText()) return;
    const before = await opened.locator(".place").innerText();
    if (await opened.locator(".cell.can").count()) {
      await opened.locator(".cell.can").first().click();
      if (await opened.locator(".cell.picked").count()) await opened.locator(".cell.can:not(.picked)").first().click();
    } else if (await opened.locator(".held-piece[data-click]").count()) {
      await opened.locator(".held-piece[data-click]").first().click();
      await opened.locator(".cell.can").first().click();
    } else {
      await opened.locator(".choice").first().click();
    }
    await changed(opened, ".place", before);
  }
}

for (const game of ["hex:5", "loa:6", "lion"]) {
  page(
    `a whole game of ${game} is played against an engine`,
    { game, players: ["person", "mcts:solver"] },
    async (opened) => {
      await playOut(opened);
      assert.match(await opened.locator(".ending").innerText(), /wins|draw/i);
      assert.equal(await opened.locator(".bar-row.turn").count(), 0);
      await shot(opened, `over-${game.replace(/\W/g, "-")}`);
    },
  );
}

page(
  "two engines play each other, are paused and resumed",
  { game: "hex:9", players: ["mcts", "random"], seconds: 0.2 },
  async (opened) => {
    await opened.locator(".place", { hasText: /^[3-9]/ }).waitFor();
    await opened.keyboard.press("p");
    await opened.getByRole("button", { name: "run the engines" }).waitFor();
    const before = await opened.locator(".place").innerText();
    await opened.keyboard.press("p");
    await changed(opened, ".place", before);
  },
);

page("a player is changed during a game", { game: "hex:4", position: "start moves a1 b2" }, async (opened) => {
  const seat = opened.locator(".seat").nth(0);
  await seat.getByLabel("player", { exact: true }).selectOption("engine");
  await seat.getByLabel("engine spec").fill("random");
  await opened.getByRole("button", { name: "Apply" }).click();
  await ply(opened, 3);
  await opened.locator('[data-seat="0"] .who', { hasText: "random" }).waitFor();
});

page("clocks run while the game runs", { game: "hex:4" }, async (opened) => {
  await opened.getByLabel("Clock").check();
  await opened.getByLabel("minutes").fill("3");
  await opened.getByRole("button", { name: "Apply" }).click();
  assert.match(await opened.locator('[data-clock="1"]').innerText(), /^3:00$/);
  await opened.locator('[data-clock="0"]', { hasText: "2:5" }).waitFor();
  await opened.keyboard.press("p");
  await opened.getByRole("button", { name: "run the engines" }).waitFor();
});

/** The centre of an element. */
async function centre(locator) {
  const box = await locator.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

for (const [game, position, from, to, move] of [
  ["loa:6", "start", '.cell[data-click="b1"]', "b3", "b1-b3"],
  ["breakthrough", "start", '.cell[data-click="b2"]', "a3", "b2-a3"],
  ["lion", "start moves b3-b2 b1-b2", '[data-seat="0"] .held-piece', "b3", "C*b3"],
]) {
  page(`a piece of ${game} is dragged with the mouse`, { game, position }, async (opened) => {
    const [start, end] = [await centre(opened.locator(from)), await centre(cell(opened, to))];
    await opened.mouse.move(start.x, start.y);
    await opened.mouse.down();
    await opened.mouse.move(end.x, end.y, { steps: 4 });
    assert.equal(await opened.locator(".held .piece").count(), 1);
    await opened.mouse.up();
    await opened.locator(".move-list", { hasText: move }).waitFor();
    assert.equal(await opened.locator(".held .piece").count(), 0);
  });

  page(
    `a piece of ${game} is dragged with a finger`,
    { game, position, touch: true, width: 360, height: 740 },
    async (opened) => {
      const [start, end] = [await centre(opened.locator(from)), await centre(cell(opened, to))];
      const finger = await opened.context().newCDPSession(opened);
      const touch = (type, touchPoints) => finger.send("Input.dispatchTouchEvent", { type, touchPoints });
      await touch("touchStart", [start]);
      for (const part of [0.25, 0.5, 0.75, 1])
        await touch("touchMove", [{ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }]);
      assert.equal(await opened.locator(".held .piece").count(), 1);
      await touch("touchEnd", []);
      await opened.locator(".move-list", { hasText: move }).waitFor();
      assert.equal(await opened.evaluate(() => scrollY), 0);
    },
  );
}

page("a drag off the board cancels the move", { game: "loa:6" }, async (opened) => {
  const start = await centre(cell(opened, "b1"));
  await opened.mouse.move(start.x, start.y);
  await opened.mouse.down();
  await opened.mouse.move(5, 5, { steps: 3 });
  await opened.mouse.up();
  await cell(opened, "c1").click();
  await cell(opened, "c3").click();
  await ply(opened, 1);
});

page("a piece in hand is dropped by clicks", { game: "lion", position: "start moves b3-b2 b1-b2" }, async (opened) => {
  await opened.locator('[data-seat="0"] .held-piece').click();
  await cell(opened, "b3").click();
  await ply(opened, 3);
  assert.match(await moves(opened), /C\*b3/);
});

page(
  "an optional promotion offers a choice",
  { game: "minishogi", position: "start moves d1-a4 e4-e3" },
  async (opened) => {
    await cell(opened, "a4").click();
    await cell(opened, "b5").click();
    await opened.getByRole("button", { name: "Promote", exact: true }).click();
    await ply(opened, 3);
    assert.match(await moves(opened), /a4-b5\+/);
  },
);

page("a whole game is played with the keyboard", { game: "tictactoe" }, async (opened) => {
  await opened.keyboard.press("b");
  for (const keys of [
    ["Enter"],
    ["ArrowUp", "Enter"],
    ["ArrowLeft", "Enter"],
    ["ArrowDown", "Enter"],
    ["ArrowDown", "ArrowRight", "ArrowRight", "Enter"],
  ]) {
    const before = await opened.locator(".place").innerText();
    for (const key of keys) await opened.keyboard.press(key);
    await changed(opened, ".place", before);
  }
  assert.match(await opened.locator(".ending").innerText(), /X wins/);
  await opened.keyboard.press("u");
  await ply(opened, 4);
  await opened.keyboard.press("r");
  await ply(opened, 5);
});

page("pieces and panels are reached with keys, and help lists the keys", { game: "loa:6" }, async (opened) => {
  await cell(opened, "b1").focus();
  await opened.keyboard.press("Enter");
  await opened.keyboard.press("Escape");
  assert.equal(await opened.locator(".cell.picked").count(), 0);
  for (const key of ["Enter", "ArrowUp", "ArrowUp", "Enter"]) await opened.keyboard.press(key);
  await ply(opened, 1);
  assert.match(await moves(opened), /b1-b3/);
  await opened.keyboard.press("4");
  assert.equal(await opened.getByRole("tab", { name: "Solve" }).getAttribute("aria-selected"), "true");
  await opened.keyboard.press("?");
  assert.equal(await opened.locator("#help").evaluate((dialog) => dialog.open), true);
  assert.ok((await opened.locator("#help kbd").count()) > 12);
});

page("a click in the move list jumps to that move", { position: "start moves a1 b2 c3 d4" }, async (opened) => {
  await opened.locator(".move-list button").nth(1).click();
  await ply(opened, 2);
  assert.equal(await opened.locator(".move-list .later").count(), 2);
  for (const [key, moves] of [
    ["Home", 0],
    ["End", 4],
    ["ArrowLeft", 3],
    ["ArrowRight", 4],
  ]) {
    await opened.keyboard.press(key);
    await ply(opened, moves);
  }
});

page(
  "undo against an engine takes back the human's move",
  { game: "hex:5", players: ["person", "random"] },
  async (opened) => {
    await cell(opened, "c3").click();
    await ply(opened, 2);
    await opened.keyboard.press("u");
    await ply(opened, 0);
    await cell(opened, "b2").click();
    await ply(opened, 2);
  },
);

page("a legal pass is a button, and two passes end a game of Go", { game: "go:5" }, async (opened) => {
  for (const moves of [1, 2]) {
    await opened.getByRole("button", { name: "Pass", exact: true }).click();
    await ply(opened, moves);
  }
  await opened.locator(".ending:not(:empty)").waitFor();
});

page("resigning asks for confirmation", {}, async (opened) => {
  await opened.getByRole("button", { name: "resign", exact: true }).click();
  await opened.getByRole("button", { name: "Keep playing" }).click();
  assert.equal(await opened.locator(".verdict").count(), 0);
  await opened.getByRole("button", { name: "resign", exact: true }).click();
  await opened.getByRole("button", { name: "Resign", exact: true }).click();
  await opened.locator('[data-seat="1"] .verdict.win').waitFor();
});

page("a new game uses the options of the form", {}, async (opened) => {
  await opened.locator("#game").selectOption("connect4");
  await opened.locator(".new-game summary").click();
  await opened.getByLabel("columns").fill("5");
  await opened.getByLabel("rows").fill("4");
  await opened.getByRole("button", { name: "New game" }).click();
  await opened.locator("#title", { hasText: "connect4:5x4" }).waitFor();
  assert.equal(await opened.locator(".cell").count(), 20);
});

page("an engine uses the options of the form", {}, async (opened) => {
  const seat = opened.locator(".seat").nth(1);
  await seat.getByLabel("player", { exact: true }).selectOption("engine");
  await seat.getByLabel("Search").selectOption("mcts");
  await seat.locator(".more > summary").click();
  await seat
    .locator("label", { hasText: /^solver / })
    .locator("input")
    .first()
    .check();
  assert.equal(await seat.getByLabel("engine spec").inputValue(), "mcts:solver");
});

page("an error appears beside its field until the next attempt succeeds", {}, async (opened) => {
  const seat = opened.locator(".seat").nth(1);
  await seat.getByLabel("player", { exact: true }).selectOption("engine");
  await seat.getByLabel("engine spec").fill("mcts:nonsense");
  await opened.getByRole("button", { name: "Apply" }).click();
  await seat.locator(".error", { hasText: "nonsense" }).waitFor();
  await seat.getByLabel("engine spec").fill("random");
  await opened.getByRole("button", { name: "Apply" }).click();
  await opened.locator('[data-seat="1"] .who', { hasText: "random" }).waitFor();
  assert.equal(await seat.locator(".error").textContent(), "");

  await opened.locator(".new-game summary").click();
  await opened.getByLabel("Start position").fill("nonsense");
  await opened.getByRole("button", { name: "New game" }).click();
  await opened.locator(".new-game .error", { hasText: "nonsense" }).waitFor();
  await cell(opened, "a1").click();
  await opened.locator(".move-list", { hasText: "a1" }).waitFor();
  assert.equal(await opened.locator(".new-game .error").textContent(), "", "any success removes old errors");
});

page("the message about a refused click is removed by the next move", { game: "loa:6" }, async (opened) => {
  await cell(opened, "a3").click();
  await opened.locator('#status[data-kind="warn"]', { hasText: "a3" }).waitFor();
  await cell(opened, "b1").click();
  await cell(opened, "b3").click();
  await ply(opened, 1);
  assert.equal(await opened.locator("#status").textContent(), "");
});
