/** Every kind of board is drawn, says what is on it, and can be turned. */

import assert from "node:assert/strict";
import { page } from "./harness.mjs";
import { cell, shot } from "./studio.mjs";

for (const [game, cells, shape] of [
  ["hex:4", 16, "hex"], ["go:5", 25, "points"], ["connect4", 42, "holes"], ["othello:6", 36, "felt"], ["loa:6", 36, "chequer"],
  ["lion", 12, "plain"], ["minishogi", 25, "plain"], ["awari", 12, "mancala"], ["samegame:6", 36, "tiles"], ["tictactoe", 9, "plain"],
  ["rolit:6,players=3", 36, "plain"], ["gomoku:9", 81, "points"], ["breakthrough", 36, "chequer"], ["synthetic", 4, "list"],
]) {
  page(`${game} is drawn with all its cells`, { game }, async (opened) => {
    assert.equal(await opened.locator(".cell").count(), cells);
    assert.equal(await opened.locator(".board").getAttribute("data-board"), shape);
    assert.equal(await opened.locator(".bar-row.turn").count(), 1);
    await shot(opened, `board-${game.replace(/\W/g, "-")}`);
  });
}

page("every player of a game for four has a bar", { game: "rolit:players=4" }, async (opened) => {
  assert.deepEqual(await opened.locator(".bar-row strong").allInnerTexts(), ["Yellow", "Green", "Blue", "Red"]);
});

page("the board turns", { game: "loa:6" }, async (opened) => {
  const before = await cell(opened, "a1").boundingBox();
  await opened.keyboard.press("f");
  const turned = await cell(opened, "a1").boundingBox();
  assert.ok(turned.x > before.x && turned.y < before.y);
  assert.equal(await opened.locator("#below strong").innerText(), "White");
});

page("every control has a name, and every cell says what is on it", { game: "lion", position: "start moves b3-b2 b1-b2" }, async (opened) => {
  const nameless = await opened.evaluate(() =>
    [...document.querySelectorAll("button, input, select, textarea, a[href]")]
      .filter((control) => !control.hidden && !control.getAttribute("aria-label") && !control.textContent?.trim() && !("labels" in control && control.labels?.length))
      .map((control) => control.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  assert.match(await cell(opened, "b2").getAttribute("aria-label"), /b2, Gote Lion, last move/);
  assert.equal(await opened.locator('.board [role="grid"]').getAttribute("aria-label"), "board, Sente to move");
});
