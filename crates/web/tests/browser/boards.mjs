/** Every kind of board is drawn, labelled and playable, and can be flipped. */

import assert from "node:assert/strict";
import { page } from "./harness.mjs";
import { cell, ply, shot } from "./studio.mjs";

/** The game, its cells and board style, a refused click with its message, and the clicks of a move. @type {[string, number, string, [string, RegExp] | null, string[], string][]} */
const GAMES = [
  ["hex:4", 16, "hex", null, ["b3"], "b3"],
  ["go:5", 25, "points", null, ["C3"], "C3"],
  ["connect4", 42, "holes", null, ["d6"], "4"],
  ["othello:6", 36, "felt", ["a1", /a1 is not a legal move for Black/], ["c2"], "c2"],
  ["loa:6", 36, "chequer", ["a3", /a3 does not belong to Black/], ["b1", "b3"], "b1-b3"],
  ["lion", 12, "plain", ["a1", /a1 does not belong to Sente/], ["b3", "b2"], "b3-b2"],
  ["minishogi", 25, "plain", ["c3", /Choose one of Sente's pieces first/], ["a2", "a3"], "a2-a3"],
  ["awari", 12, "mancala", ["a", /a does not belong to South/], ["A"], "A"],
  ["samegame:6", 36, "tiles", null, ["b1"], "a1"],
  ["morpion", 256, "points", ["f6", /f6 is not a legal move for Player/], ["k9"], "k9:k9-o9"],
  ["tictactoe", 9, "plain", null, ["b2"], "b2"],
  ["rolit:6,players=3", 36, "plain", ["a1", /a1 is not a legal move for Red/], ["e3"], "e3"],
  ["gomoku:9", 81, "points", null, ["e5"], "e5"],
  ["breakthrough", 36, "chequer", ["c3", /Choose one of White's pieces first/], ["b2", "a3"], "b2-a3"],
  ["synthetic", 4, "list", null, ["2"], "2"],
];

for (const [game, cells, shape, wrong, clicks, move] of GAMES) {
  page(`${game} is drawn, refuses illegal clicks, and is played by clicks`, { game }, async (opened) => {
    assert.equal(await opened.locator(".cell").count(), cells);
    assert.equal(await opened.locator(".board").getAttribute("data-board"), shape);
    assert.equal(await opened.locator(".bar-row.turn").count(), 1);
    await shot(opened, `board-${game.replace(/\W/g, "-")}`);
    if (wrong) {
      await cell(opened, wrong[0]).click();
      assert.match(await opened.locator("#status").innerText(), wrong[1]);
      await ply(opened, 0);
    }
    for (const name of clicks) await cell(opened, name).click();
    await ply(opened, 1);
    assert.match(await opened.locator(".move-list").innerText(), new RegExp(move));
  });
}

page(
  "lines are drawn between cells",
  { game: "morpion", position: "start moves k9:k9-o9 m12:i12-m12" },
  async (opened) => {
    const strokes = await opened.locator("path.drawn").getAttribute("d");
    assert.equal(strokes?.match(/M[\d.]+ [\d.]+L/g)?.length, 2, strokes ?? "");
    await shot(opened, "lines");
  },
);

page("every player of a four-player game has a bar", { game: "rolit:players=4" }, async (opened) => {
  assert.deepEqual(await opened.locator(".bar-row strong").allInnerTexts(), ["Yellow", "Green", "Blue", "Red"]);
});

page("the board can be flipped", { game: "loa:6" }, async (opened) => {
  const before = await cell(opened, "a1").boundingBox();
  await opened.keyboard.press("f");
  const flipped = await cell(opened, "a1").boundingBox();
  assert.ok(flipped.x > before.x && flipped.y < before.y);
  assert.equal(await opened.locator("#below strong").innerText(), "White");
});

page(
  "every control and every cell has an accessible name",
  { game: "lion", position: "start moves b3-b2 b1-b2" },
  async (opened) => {
    const unnamed = await opened.evaluate(() =>
      [...document.querySelectorAll("button, input, select, textarea, a[href]")]
        .filter(
          (control) =>
            !control.hidden &&
            !control.getAttribute("aria-label") &&
            !control.textContent?.trim() &&
            !("labels" in control && control.labels?.length),
        )
        .map((control) => control.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(unnamed, []);
    assert.match(await cell(opened, "b2").getAttribute("aria-label"), /b2, Gote Lion, last move/);
    assert.equal(await opened.locator('.board [role="grid"]').getAttribute("aria-label"), "board, Sente to move");
  },
);
