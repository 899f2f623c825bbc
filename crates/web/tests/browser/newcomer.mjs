/** A first visit: the goal and the rules of the game, and its end. */

import assert from "node:assert/strict";
import { page } from "./harness.mjs";
import { cell, changeEvents, ply, shot } from "./studio.mjs";

/** Replaces the texts of all games. */
const texts = (goal, rules) => (opened) =>
  opened.route("**/api/games", async (route) => {
    const response = await route.fetch();
    const list = await response.json();
    for (const game of list.games) Object.assign(game, { goal, rules });
    await route.fulfill({ response, json: list });
  });

page(
  "the goal is beside the board, and a button opens the rules",
  { game: "loa:6", prepare: texts("Join all your pieces.", "First paragraph.\n\nSecond\nparagraph.") },
  async (opened) => {
    assert.equal(await opened.locator("#goal").innerText(), "Join all your pieces.");
    await opened.getByRole("button", { name: "Rules" }).click();
    const rules = opened.getByRole("dialog", { name: "Rules of Lines of Action" });
    assert.equal(await rules.locator("#rules-text p").count(), 3);
    await shot(opened, "rules");
    await rules.getByRole("button", { name: "Close" }).click();
    await cell(opened, "a3").click();
    assert.equal(await opened.locator("#goal").isVisible(), false, "a message takes its place");
  },
);

page("a game without rules has no button for them", { prepare: texts("", "") }, async (opened) => {
  assert.equal(await opened.locator("#rules-open").isVisible(), false);
  assert.equal(await opened.locator("#goal").innerText(), "Click a cell.");
});

for (const [game, hint] of [
  ["connect4", "Click a column."],
  ["awari", "Click a pit."],
  ["samegame:6", "Click a group of tiles."],
  ["minishogi", "Click a piece, then its target."],
]) {
  page(`${game} without a goal says how to move`, { game, prepare: texts("", "") }, async (opened) => {
    assert.equal(await opened.locator("#goal").innerText(), hint);
  });
}

page(
  "the end of a game shows the result and the decisive cells, and offers a rematch",
  {
    game: "tictactoe",
    position: "start moves b2 a1 a3 b1",
    players: ["person", "random"],
    route: changeEvents((event) => {
      if (event.ending) Object.assign(event.ending, { cells: ["a3", "b2", "c1"], words: "X wins (three in a row)" });
    }),
  },
  async (opened) => {
    assert.equal(await opened.locator("#ending").textContent(), "");
    await cell(opened, "c1").click();
    await opened.locator("#ending", { hasText: "X wins (three in a row)" }).waitFor();
    assert.equal(await opened.locator(".cell.decisive").count(), 3);
    assert.match(await cell(opened, "b2").getAttribute("aria-label"), /decides the game/);
    await shot(opened, "ending");
    await opened.getByRole("button", { name: "Rematch" }).click();
    await ply(opened, 0);
    await opened.locator('[data-seat="1"] .who', { hasText: "random" }).waitFor();
    assert.equal(await opened.locator("#ending").textContent(), "");
  },
);

for (const [game, position, counts] of [
  ["othello:6", "start moves c2", ["1 disc", "4 discs"]],
  ["rolit:6,players=3", "start", ["1 ball", "1 ball", "1 ball"]],
]) {
  page(`the bars of ${game} count the pieces`, { game, position }, async (opened) => {
    const shown = await opened.locator(".bar-row .hand").allInnerTexts();
    assert.deepEqual(shown.map((text) => text.replace(/\s+/g, " ")).sort(), counts.sort());
  });
}
