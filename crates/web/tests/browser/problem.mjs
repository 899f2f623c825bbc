/** Go problems: marked on the board, solved, asked about, proven and saved. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { page } from "./harness.mjs";
import { cell, changed, ply, shot, view } from "./studio.mjs";

/** White makes a second eye on D1, or Black kills there. */
const STONES = "AB[ae][be][ce][de][ee][fe][ge][af][gf][ag][gg]AW[bf][cf][df][ef][ff][bg][fg]";
const BOOK = [
  `(;GM[1]FF[4]SZ[7]GN[corner]PL[B]${STONES}TR[bf]C[goal=kill];B[dg])`,
  `(;GM[1]FF[4]SZ[7]GN[eyes]PL[W]${STONES}TR[bf]C[goal=live])`,
].join("\n");
const POSITION = "......./......./......./......./XXXXXXX/XOOOOOX/XO...OX X - 0";
const position = { game: "go:7", position: POSITION, view: "problem" };

const tool = (opened, name) => view(opened).getByRole("button", { name, exact: true });
const solve = (opened) => opened.locator('[data-do="ask"]').click();
const headline = (opened, words) => view(opened).locator(".headline", { hasText: words }).first().waitFor();
const marked = (opened, kind) => opened.locator(`.problem .${kind}`).count();
const load = async (opened) => {
  await opened.getByLabel("text to load").fill(BOOK);
  await opened.getByRole("button", { name: "Load text" }).click();
};

page("a collection is solved problem by problem", { view: "files" }, async (opened) => {
  assert.equal(await opened.getByRole("tab", { name: "Problem" }).isVisible(), false);
  await load(opened);
  await view(opened).locator(".games li").first().getByRole("button").click();
  await opened.locator('#panel-problem:not([hidden]) .turn-words', { hasText: "Black to play" }).waitFor();
  // The mark and the goal of the file are taken over, and the region that follows is shown.
  await opened.waitForFunction(() => document.querySelectorAll(".problem .target").length === 7);
  assert.equal(await view(opened).getByLabel("Goal").inputValue(), "kill");
  assert.ok((await marked(opened, "region")) >= 10);
  await solve(opened);
  await headline(opened, "Black to play kills with D1 (unconditionally)");
  await opened.locator(".problem .works").waitFor();
  await opened.getByRole("button", { name: "next problem" }).click();
  await view(opened).locator(".turn-words", { hasText: "White to play" }).waitFor();
  assert.equal(await view(opened).locator(".card .headline").first().innerText(), "");
  assert.equal(await view(opened).getByLabel("problem of the file").inputValue(), "2. eyes");
  await solve(opened);
  await headline(opened, "White to play lives with D1 (unconditionally)");
  await opened.getByRole("button", { name: "previous problem" }).click();
  await view(opened).locator(".turn-words", { hasText: "Black to play" }).waitFor();
  await opened.locator("#title", { hasText: "go:7" }).waitFor();
});

page("the position on the board is marked, solved, asked about and proven", position, async (opened) => {
  await cell(opened, "C2").click();
  await opened.waitForFunction(() => document.querySelectorAll(".problem .target").length === 7);
  await view(opened).getByLabel("Goal").selectOption("kill");
  await tool(opened, "Mark region").click();
  for (const point of ["C1", "D1", "E1"]) await cell(opened, point).click();
  assert.equal(await view(opened).getByLabel("Region").inputValue(), "points");
  await solve(opened);
  await headline(opened, "Black to play kills with D1 (unconditionally)");
  await ply(opened, 0);
  assert.match(await cell(opened, "D1").getAttribute("aria-label"), /this move works/);
  await cell(opened, "C1").click();
  await view(opened).locator('[data-move="C1"]', { hasText: "C1 fails: D1" }).waitFor();
  await opened.locator(".problem .fails").waitFor();
  await shot(opened, "problem");
  const [download] = await Promise.all([
    opened.waitForEvent("download"),
    opened.getByRole("button", { name: "Save as SGF" }).click(),
  ]);
  assert.match(await readFile(await download.path(), "utf8"), /kills with D1[^]*C1 fails: D1/);
  await opened.getByRole("button", { name: "Walk through the proof" }).click();
  await view(opened).locator(".walk .variation", { hasText: "D1" }).waitFor();
  await opened.locator("#scene", { hasText: "The proof replies D1" }).waitFor();
  const before = await view(opened).locator(".walk .variation").innerText();
  await view(opened).locator(".reply").first().click();
  await changed(opened, "#panel-problem .walk .variation", before);
  await opened.locator("#scene").getByRole("button", { name: "Back to the game" }).click();
  await view(opened).locator(".verdict-words", { hasText: "✓ Verified" }).waitFor();
  const [certificate] = await Promise.all([
    opened.waitForEvent("download"),
    opened.getByRole("button", { name: "Save certificate" }).click(),
  ]);
  assert.ok((await readFile(await certificate.path())).length > 50);
});

page("marks are set by dragging and by keyboard, removed, and cleared", position, async (opened) => {
  await opened.keyboard.press("b");
  await cell(opened, "C2").focus();
  await opened.keyboard.press("Enter");
  await opened.waitForFunction(() => document.querySelectorAll(".problem .target").length === 7);
  assert.match(await cell(opened, "B1").getAttribute("aria-label"), /in question/);
  await tool(opened, "Mark region").click();
  const drag = async (from, to) => {
    const middle = async (/** @type {string} */ name) => {
      const { x, y, width, height } = await cell(opened, name).locator(".spot").boundingBox();
      return [x + width / 2, y + height / 2];
    };
    await opened.mouse.move(...(await middle(from)));
    await opened.mouse.down();
    await opened.mouse.move(...(await middle(to)), { steps: 12 });
    await opened.mouse.up();
  };
  const region = () =>
    opened.locator('.cell[aria-label*="in the region"][aria-label*="empty"]').evaluateAll((cells) => cells.length);
  await drag("A7", "D7");
  await opened.waitForFunction(
    () => document.querySelectorAll('.cell[aria-label*="in the region"][aria-label*="empty"]').length === 4,
  );
  await drag("D7", "C7");
  await opened.waitForFunction(
    () => document.querySelectorAll('.cell[aria-label*="in the region"][aria-label*="empty"]').length === 2,
  );
  assert.equal(await region(), 2);
  await ply(opened, 0);
  await tool(opened, "Mark stones").click();
  await cell(opened, "B1").click();
  await opened.waitForFunction(() => document.querySelectorAll(".problem .target").length === 0);
  await tool(opened, "clear marks").click();
  await opened.waitForFunction(() => document.querySelectorAll(".problem .region").length === 0);
  await tool(opened, "Play").click();
  await cell(opened, "D1").click();
  await ply(opened, 1);
});

page("wrong marks get the reason", position, async (opened) => {
  await cell(opened, "A7").click();
  await opened.locator("#status", { hasText: "There is no stone on A7" }).waitFor();
  await view(opened).getByLabel("Goal").selectOption("connect");
  await cell(opened, "C2").click();
  await view(opened).locator(".error", { hasText: "of the player to move only" }).waitFor();
  await tool(opened, "clear marks").click();
  await view(opened).locator(".error:not(:empty)").waitFor({ state: "detached" });
});

page(
  "a running question shows progress and stops",
  {
    game: "go:9",
    position: "........./........./..X...X../....O..../..O....../........./..X.O.X../........./......... X - 0",
    view: "problem",
  },
  async (opened) => {
    await cell(opened, "E6").click();
    await view(opened).getByLabel("Region").selectOption("box");
    await view(opened).locator(".more > summary").first().click();
    await view(opened).getByLabel("seconds").fill("600");
    await solve(opened);
    await view(opened).locator(".card .note", { hasText: /Black: kill.*nodes/ }).waitFor();
    await shot(opened, "problem-running");
    await solve(opened);
    await headline(opened, /open|cannot/i);
    assert.equal(await opened.getByRole("button", { name: "Walk through the proof" }).isDisabled(), true);
  },
);

for (const [width, height, theme] of [
  [390, 844, "dark"],
  [1440, 900, "light"],
]) {
  page(`the Problem panel fits ${width} pixels`, { view: "files", width, height, theme }, async (opened) => {
    await load(opened);
    await view(opened).locator(".games li").first().getByRole("button").click();
    await opened.locator(".problem .target").first().waitFor();
    await shot(opened, `problem-marked-${width}-${theme}`);
    await solve(opened);
    await headline(opened, "kills with D1");
    await cell(opened, "C1").click();
    await view(opened).locator('[data-move="C1"]').waitFor();
    assert.ok((await opened.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await shot(opened, `problem-solved-${width}-${theme}`);
  });
}

page("a game of another kind has no Problem panel", { ...position, game: "hex:4", position: "start" }, async (opened) => {
  assert.equal(await opened.getByRole("tab", { name: "Problem" }).isVisible(), false);
  assert.equal(await opened.getByRole("tab", { name: "Play" }).getAttribute("aria-selected"), "true");
});
