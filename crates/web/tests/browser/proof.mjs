/** Solving positions and walking through proofs. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { page } from "./harness.mjs";
import { cell, changed, ply, shot, view } from "./studio.mjs";

const solve = (opened) => opened.locator('[data-do="solve"]').click();

page("a proof of hex:4 is found, verified, walked through, saved and loaded", { view: "solve" }, async (opened) => {
  await solve(opened);
  await view(opened).locator(".headline", { hasText: "win for Black" }).waitFor();
  await opened.getByRole("button", { name: "Verify" }).click();
  await view(opened).locator(".verdict-words", { hasText: "✓ Verified: Black can force a win" }).waitFor();
  await opened.getByRole("button", { name: "Walk through the proof" }).click();
  await view(opened).locator(".walk").waitFor();
  const replies = view(opened).locator(".reply");
  while (await replies.count()) {
    const before = await view(opened).locator(".walk .variation").innerText();
    await replies.first().click();
    await changed(opened, "#panel-solve .walk .variation", before);
    await shot(opened, "walk");
  }
  assert.match(await view(opened).locator(".walk .headline").innerText(), /Black wins/);
  await opened.locator("#panel-solve .walk").getByRole("button", { name: "Back to the game" }).click();
  await opened.locator("#scene").waitFor({ state: "hidden" });
  await ply(opened, 0);
  const [download] = await Promise.all([
    opened.waitForEvent("download"),
    opened.getByRole("link", { name: "Save certificate" }).click(),
  ]);
  const buffer = await readFile(await download.path());
  const give = (name) =>
    opened.getByLabel("certificate").setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  await give("hex4.proof");
  await view(opened).locator(".verdict-words", { hasText: "✓ Verified" }).waitFor();
  await opened.getByRole("button", { name: "Walk through the proof" }).click();
  await view(opened).locator(".reply").first().waitFor();
  buffer[buffer.length >> 1] ^= 255;
  await give("broken.proof");
  await view(opened).locator(".verdict-words", { hasText: "✗ Not verified" }).waitFor();
});

page("a walk is controlled on the board, and goes back", { view: "solve" }, async (opened) => {
  await solve(opened);
  await opened.getByRole("button", { name: "Walk through the proof" }).click();
  await view(opened).locator(".reply").first().waitFor();
  const first = await opened.locator("#panel-solve .walk .variation").innerText();
  await opened.locator(".cell.can").first().click();
  await changed(opened, "#panel-solve .walk .variation", first);
  await view(opened).getByRole("button", { name: "Back", exact: true }).click();
  await opened.waitForFunction((words) => document.querySelector("#panel-solve .walk .variation")?.textContent === words, first);
});

for (const [game, words] of [
  ["tictactoe", /draw/],
  ["connect4:4x4", /draw/],
  ["othello:4", /loss/],
  ["breakthrough:4x4", /loss for White/],
  ["go:3", /win for Black/],
  ["samegame:4", /^-?\d+ points$/],
  ["rolit:4,players=3", /Red: .*Yellow: /],
]) {
  page(`${game} is solved`, { game, view: "solve" }, async (opened) => {
    await solve(opened);
    await view(opened).locator(".headline", { hasText: words }).waitFor();
    await opened.locator('[data-do="solve"]', { hasText: "Solve" }).waitFor();
  });
}

page("the board shows the solution, and another position marks it as old", { view: "solve" }, async (opened) => {
  await solve(opened);
  await view(opened).locator(".headline", { hasText: "win for Black" }).waitFor();
  await opened.locator(".mark.best.won").waitFor();
  await opened.locator(".ghost").nth(1).waitFor();
  await shot(opened, "solved");
  await cell(opened, "a1").click();
  await ply(opened, 1);
  assert.equal(await opened.locator(".mark").count(), 0);
  await view(opened).locator(".stale", { hasText: "start position" }).waitFor();
  await opened.keyboard.press("Home");
  await opened.locator(".mark.best.won").waitFor();
  assert.equal(await view(opened).locator(".stale").isVisible(), false);
});

page("Solve ends a running analysis", { view: "think" }, async (opened) => {
  await opened.locator('[data-do="think"]').click();
  await view(opened).locator(".moves tbody tr").first().waitFor();
  await opened.getByRole("tab", { name: "Solve" }).click();
  await solve(opened);
  await view(opened).locator(".headline", { hasText: "win for Black" }).waitFor();
});

page("a one-player game is asked for points", { game: "samegame:4", view: "solve" }, async (opened) => {
  const offered = view(opened).getByLabel("Question").locator("option:not([hidden])");
  assert.equal(await offered.first().textContent(), "How many points?");
  assert.doesNotMatch((await offered.allTextContents()).join(" "), /win|draw/i);
});

page("a question and a solver are chosen", { view: "solve" }, async (opened) => {
  await view(opened).getByLabel("Question").selectOption("win");
  await view(opened).locator(".more > summary").first().click();
  await view(opened).getByLabel("Search").selectOption("pns");
  await solve(opened);
  await view(opened).locator(".note", { hasText: /^pns/ }).waitFor();
});

page("a solver reports progress and can be stopped", { game: "hex:7", view: "solve" }, async (opened) => {
  await solve(opened);
  const stats = view(opened).locator(".stats");
  await stats.locator("div", { hasText: "nodes/s" }).locator("dd", { hasText: /\d/ }).waitFor();
  const before = await stats.textContent();
  await changed(opened, "#panel-solve .stats", before);
  await shot(opened, "solving");
  await solve(opened);
  await view(opened).locator(".headline", { hasText: "Not solved" }).waitFor();
});

page("a move stops the solver and clears its result", { game: "hex:7", view: "solve" }, async (opened) => {
  await solve(opened);
  await view(opened).locator(".stats dd", { hasText: /\d/ }).first().waitFor();
  await cell(opened, "d4").click();
  await ply(opened, 1);
  await opened.locator('[data-do="solve"]', { hasText: "Solve" }).waitFor();
  assert.equal(await view(opened).locator(".headline").first().textContent(), "");
});

page("a certificate longer than a message is accepted", { view: "solve" }, async (opened) => {
  await opened
    .getByLabel("certificate")
    .setInputFiles({ name: "long.proof", mimeType: "application/octet-stream", buffer: Buffer.alloc(3 << 20, 7) });
  await view(opened).locator(".verdict-words", { hasText: "✗ Not verified" }).waitFor();
});
