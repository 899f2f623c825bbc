/** The analysis of a running search: on the board, in numbers, and in its tree. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { page } from "./harness.mjs";
import { cell, changed, changeEvents, player, ply, shot, stop, think, view } from "./studio.mjs";

for (const game of ["hex:5", "loa:6", "awari", "connect4", "go:5", "lion", "othello:6"]) {
  page(`an analysis of ${game} is shown while it runs`, { game, view: "think" }, async (opened) => {
    await think(opened);
    await opened.locator(".mark").first().waitFor();
    assert.match(await view(opened).locator(".headline").innerText(), /% for|proven/);
    const before = await view(opened).locator(".stats").innerText();
    await changed(opened, "#panel-think .stats", before);
    for (const name of ["nodes/s", "nodes", "memory", "time"]) {
      assert.match(
        await view(opened)
          .locator(".stats div", { hasText: new RegExp(`^${name}`) })
          .first()
          .locator("dd")
          .innerText(),
        /\d/,
      );
    }
    await shot(opened, `think-${game.replace(/\W/g, "-")}`);
    await stop(opened);
  });
}

page("a cell shows its numbers on hover and on focus", { view: "think" }, async (opened) => {
  await think(opened, { seconds: 0.2 });
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  const move = (await view(opened).locator(".moves .name").first().innerText()).trim();
  await cell(opened, move).hover();
  assert.match(await opened.locator(".tip").innerText(), new RegExp(`${move}: .*visits`));
  await opened.mouse.move(0, 0);
  assert.equal(await opened.locator(".tip").isVisible(), false);
  await cell(opened, move).focus();
  assert.match(await opened.locator(".tip").innerText(), new RegExp(`${move}: .*visits`));
});

page("candidates and the main line can be hidden", { game: "hex:5", view: "think" }, async (opened) => {
  await think(opened, { seconds: 0.3 });
  await opened.locator(".ghost").nth(1).waitFor();
  await opened.getByLabel("Show main line").uncheck();
  assert.equal(await opened.locator(".ghost").count(), 0);
  await opened.getByLabel("Show candidates").uncheck();
  assert.equal(await opened.locator(".mark").count(), 0);
});

/** Black has a wall on the left, White on the right. */
const walls = { game: "go:5", position: "start moves B1 D1 B2 D2 B3 D3 B4 D4 B5 D5", view: "think" };

for (const theme of ["light", "dark"]) {
  page(
    `the owners of the points are shown on request in the ${theme} theme`,
    { ...walls, theme },
    async (opened) => {
      const owners = opened.getByLabel("Show owners");
      const squares = opened.locator(".owner");
      assert.equal(await owners.isChecked(), false);
      await think(opened);
      await opened.locator(".mark").first().waitFor();
      assert.equal(await squares.count(), 0);
      await owners.check();
      await cell(opened, "A3").locator(".owner.tone-black").waitFor();
      await cell(opened, "E3").locator(".owner.tone-white").waitFor();
      await shot(opened, `owners-${theme}`);
      const before = await view(opened).locator(".stats").innerText();
      await changed(opened, "#panel-think .stats", before);
      assert.ok((await squares.count()) > 0, "further reports keep them");
      await owners.uncheck();
      assert.equal(await squares.count(), 0);
      await stop(opened);
      // The search has ended without them.
      await owners.check();
      await cell(opened, "A3").locator(".owner.tone-black").waitFor();
      await opened.keyboard.press("f");
      await cell(opened, "A3").locator(".owner.tone-black").waitFor();
      await cell(opened, "A1").click();
      await ply(opened, 11);
      assert.equal(await squares.count(), 0, "another position, without an analysis");
      await opened.locator('[data-do="think"]').click();
      await cell(opened, "A3").locator(".owner.tone-black").waitFor();
    },
  );
}

const sockets = [];
const reconnecting = {
  ...walls,
  route: (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  },
};
page("the owners are shown after a loss of the connection", reconnecting, async (opened) => {
  await opened.getByLabel("Show owners").check();
  await opened.evaluate(() => (document.querySelector("#stage").dataset.ready = "false"));
  await sockets[0].close();
  await opened.locator('#line[data-how="offline"]').waitFor();
  await opened.locator('[data-ready="true"]').waitFor();
  await think(opened);
  await opened.locator(".owner").first().waitFor();
});

page("a game without owners has no switch for them", { game: "hex:5", view: "think" }, async (opened) => {
  await opened.getByLabel("Show main line").waitFor();
  assert.equal(await opened.getByLabel("Show owners").isVisible(), false);
});

const puzzle = { game: "samegame:5x5,colours=3", view: "think" };
page("the solution of a puzzle is played through, and one can step through it", puzzle, async (opened) => {
  const solution = opened.locator('[data-do="solution"]');
  assert.equal(await solution.isVisible(), false);
  await think(opened, { player: "nmcs", seconds: 0.2 });
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  const headline = await view(opened).locator(".headline").innerText();
  const [score] = headline.match(/-?[0-9]+(?=(\.0)? points)/);
  const line = (await view(opened).locator(".variation").innerText()).trim().split(" ");
  await solution.click();
  await ply(opened, line.length);
  await opened.getByText(`${score} points`).first().waitFor();
  await opened.keyboard.press("ArrowLeft");
  await ply(opened, line.length - 1);
  await opened.keyboard.press("ArrowRight");
  await ply(opened, line.length);
});

page("the solution of a puzzle is saved as a certificate", puzzle, async (opened) => {
  await think(opened, { player: "nmcs", seconds: 0.2 });
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  const [score] = (await view(opened).locator(".headline").innerText()).match(/-?[0-9]+(?=(\.0)? points)/);
  const [download] = await Promise.all([
    opened.waitForEvent("download"),
    opened.locator('[data-do="save-solution"]').click(),
  ]);
  const buffer = await readFile(await download.path());
  await opened.getByRole("tab", { name: "Solve" }).click();
  const file = { name: "solution.proof", mimeType: "application/octet-stream", buffer };
  await opened.getByLabel("certificate").setInputFiles(file);
  await view(opened).locator(".verdict-words", { hasText: `a score of at least ${score}` }).waitFor();
});

page("a proven result is marked", { game: "hex:3", view: "think" }, async (opened) => {
  await think(opened, { player: "mcts:solver" });
  await view(opened).locator(".headline", { hasText: "proven: win" }).waitFor();
  await opened.locator(".mark.won").first().waitFor();
});

page("proof numbers are shown if the search has them", { game: "hex:5", view: "think" }, async (opened) => {
  await think(opened, { player: "pns" });
  assert.match(await view(opened).locator(".stats div", { hasText: "pn / dn" }).locator("dd").innerText(), /\d|∞/);
});

page("changing the engine restarts the analysis", { game: "hex:5", view: "think" }, async (opened) => {
  await think(opened);
  await player(opened, "flat");
  await view(opened).locator(".card .note", { hasText: /^flat/ }).waitFor();
  await stop(opened);
});

page("the analysis follows the game once it is started", { game: "hex:5", view: "think" }, async (opened) => {
  const follow = opened.getByLabel("Analyse after each move");
  assert.equal(await follow.isChecked(), false);
  await think(opened, { seconds: 0.3 });
  assert.equal(await follow.isChecked(), true);
  await cell(opened, "b2").click();
  await ply(opened, 1);
  await view(opened).locator(".headline", { hasText: "for White" }).waitFor();
});

page("stopping the analysis clears it at the next move", { game: "hex:5", view: "think" }, async (opened) => {
  await think(opened);
  await stop(opened);
  assert.equal(await opened.getByLabel("Analyse after each move").isChecked(), false);
  await cell(opened, "b2").click();
  await ply(opened, 1);
  assert.equal(await view(opened).locator(".headline").textContent(), "");
  assert.equal(await view(opened).locator(".moves tbody tr").count(), 0);
  assert.equal(await opened.locator(".mark").count(), 0);
});

/** The number of marks on a cell. */
const markAt = async (opened, name) => {
  const at = await cell(opened, name).getAttribute("transform");
  return opened.locator(`.heat .mark[transform^="${at}"]`).count();
};

page("at most ten candidates are marked, and the best stands out", { game: "go:9", view: "think" }, async (opened) => {
  await think(opened);
  await opened.locator(".ghost").nth(1).waitFor();
  await opened.locator(".mark").nth(1).waitFor();
  await stop(opened);
  const marks = await opened.locator(".mark").count();
  assert.ok(marks > 1 && marks <= 10, `${marks} marks`);
  assert.equal(await opened.locator(".mark.best").count(), 1);
  const second = (await view(opened).locator(".moves .name").nth(1).innerText()).trim();
  assert.equal(await markAt(opened, second), 1, "the main line hides no candidate");
  const colours = await opened
    .locator(".mark > circle:not(.halo)")
    .evaluateAll((spots) => new Set(spots.map((spot) => spot.getAttribute("fill"))).size);
  assert.ok(colours > 1, "the colours span the marked moves");
});

/** Reports as those of a search that counts no visits: two known values, and bounds. */
const withoutVisits = changeEvents((event) => {
  for (const [rank, entry] of event.report?.moves.entries() ?? []) {
    const bound = rank > 1 ? "upper" : null;
    Object.assign(entry, { visits: null, depth: 7, spread: null, value: 0.2 - rank / 10, bound });
  }
});

const depths = { game: "hex:5", view: "think", route: withoutVisits };
page("a search without visits shows depths and bounds", depths, async (opened) => {
  await think(opened, { seconds: 0.3 });
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  assert.match(await view(opened).locator(".moves thead").innerText(), /Depth/);
  const rows = await view(opened).locator(".moves tbody tr").allInnerTexts();
  assert.match(rows[0], /7\s+60\.0%/);
  assert.match(rows[2], /≤ 50\.0%/);
  assert.ok((await opened.locator(".mark").count()) <= 2);
  await opened.getByRole("tab", { name: "Tree" }).click();
  await view(opened).locator(".note", { hasText: "keeps no tree" }).waitFor();
});

page("the Tree panel says what alpha-beta keeps", { game: "hex:5", view: "think" }, async (opened) => {
  await think(opened, { player: "alphabeta", seconds: 0.5 });
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  await opened.getByRole("tab", { name: "Tree" }).click();
  await view(opened).locator(".moves tbody tr").first().locator("td").last().click();
  await opened.locator("#scene", { hasText: "In the tree:" }).waitFor();
  await view(opened).locator(".note", { hasText: /keeps no tree|does not reach|to move/ }).waitFor();
});

page("the values of a one-player game are points", { game: "samegame:6", view: "think" }, async (opened) => {
  await think(opened, { seconds: 0.5 });
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  assert.match(await view(opened).locator(".headline").innerText(), /\d points/);
  assert.match(await view(opened).locator(".moves thead").innerText(), /Points/);
  assert.doesNotMatch(await view(opened).innerText(), /%|wins/i);
  assert.match(await view(opened).locator(".graph").innerText(), /Expected -?\d+ points at the start/);
});

page(
  "the win-rate graph is drawn, and a click jumps to its ply",
  { game: "hex:5", players: ["mcts", "mcts"] },
  async (opened) => {
    await opened.locator(".ending:not(:empty)").waitFor();
    const graph = view(opened).locator(".graph svg");
    assert.match(await graph.locator(".curve").getAttribute("d"), /L/);
    await graph.click({ position: { x: 2, y: 20 } });
    await ply(opened, 0);
  },
);

page(
  "the page draws at most once per frame",
  {
    game: "hex:5",
    view: "think",
    // Every progress message is sent ten times.
    route: (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => {
        for (let copy = 0; copy < (text.includes('"event":"thinking"') ? 10 : 1); copy += 1) socket.send(text);
      });
    },
  },
  async (opened) => {
    await opened.evaluate(() => {
      const counted = { frames: 0, draws: 0 };
      Object.assign(globalThis, { counted });
      // The observer is called once per task that changed something.
      new MutationObserver(() => (counted.draws += 1)).observe(document.querySelector("#panel-think .stats"), {
        childList: true,
        subtree: true,
        characterData: true,
      });
      const frame = () => {
        counted.frames += 1;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    await think(opened);
    await opened.waitForFunction(() => globalThis.counted.draws >= 5);
    const { frames, draws } = await opened.evaluate(() => globalThis.counted);
    assert.ok(draws <= frames + 1, `${draws} draws in ${frames} frames`);
  },
);

for (const game of ["hex:5", "connect4", "loa:6"]) {
  page(`the tree of ${game} is explored while the search runs`, { game, view: "think" }, async (opened) => {
    await think(opened);
    await opened.getByRole("tab", { name: "Tree" }).click();
    const names = view(opened).locator(".moves .name");
    await names.first().waitFor();
    const visits = view(opened).locator(".moves tbody tr").first().locator("td").first();
    const before = await visits.innerText();
    const pieces = await opened.locator(".cells .piece").count();
    // The row under the pointer may change while the search runs: check the length of the line.
    await names.first().click();
    await opened.locator("#scene", { hasText: "In the tree:" }).waitFor();
    await names.first().click();
    await opened.locator("#scene", { hasText: /In the tree: \S+ \S+/ }).waitFor();
    await opened.locator(".crumbs button").nth(2).waitFor();
    await opened.locator(".mark").first().waitFor();
    await shot(opened, `tree-${game.replace(/\W/g, "-")}`);
    if (game !== "loa:6") assert.equal(await opened.locator(".cells .piece").count(), pieces + 2);
    await opened.keyboard.press("Escape");
    await opened.locator("#scene").waitFor({ state: "hidden" });
    await changed(opened, "#panel-tree .moves tbody td", before);
    await opened.getByRole("tab", { name: "Think" }).click();
    await stop(opened);
  });
}

page("a line of the tree is played", { game: "hex:5", view: "think" }, async (opened) => {
  await think(opened, { seconds: 0.3 });
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
  await opened.getByRole("tab", { name: "Tree" }).click();
  for (const depth of [1, 2]) {
    await view(opened).locator(".moves .name").first().click();
    await opened.locator(".crumbs button").nth(depth).waitFor();
  }
  await opened.getByRole("button", { name: "Play this line" }).click();
  await ply(opened, 2);
});
