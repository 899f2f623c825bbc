/** Positions, SGF and match logs are loaded, and the game is saved. */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { page } from "./harness.mjs";
import { cell, ply, tesuji, view } from "./studio.mjs";

const paste = async (opened, text) => {
  await opened.getByLabel("text to load").fill(text);
  await opened.getByRole("button", { name: "Load text" }).click();
};
const saved = async (opened, as) => {
  await opened.locator(`[data-save="${as}"]`).click();
  await opened.locator(`[data-save="${as}"][aria-pressed="true"]`).waitFor();
  return opened.getByLabel("saved text").inputValue();
};

for (const [game, line] of [
  ["hex:4", "a1 b2"],
  ["loa:6", "b1-b3"],
  ["lion", "b3-b2 b1-b2"],
  ["awari", "C"],
  ["connect4", "4 4 3"],
  ["breakthrough", "b2-a3"],
]) {
  page(
    `a game of ${game} is saved and loaded`,
    { game, position: `start moves ${line}`, view: "files" },
    async (opened) => {
      const [position, moves] = [await saved(opened, "position"), await saved(opened, "moves")];
      assert.match(moves, new RegExp(line));
      const plies = line.split(" ").length;
      await paste(opened, position);
      await ply(opened, 0);
      await paste(opened, moves);
      await opened.locator(".place", { hasText: new RegExp(` / ${plies}$`) }).waitFor();
    },
  );
}

page("one of several positions is opened", { view: "files" }, async (opened) => {
  await paste(opened, "start moves a1\nstart moves a1 b2\nstart moves a1 b2 c3");
  await view(opened).locator(".games li").nth(1).getByRole("button").click();
  await ply(opened, 2);
});

for (const [game, move, sgf] of [
  ["go:9", "E5", "(;GM[1]FF[4]SZ[9]KM[6.5];B[ee];W[gc];B[cc])"],
  ["hex:5", "c3", "(;GM[11]FF[4]SZ[5];B[c3];W[b2];B[d2])"],
]) {
  page(`an SGF game of ${game} is loaded, stepped through and saved`, { view: "files" }, async (opened) => {
    await paste(opened, sgf);
    await opened.locator("#title", { hasText: game }).waitFor();
    await opened.locator(".place", { hasText: "0 / 3" }).waitFor();
    await opened.getByRole("tab", { name: "Files" }).focus();
    await opened.keyboard.press("u");
    await opened.keyboard.press("r");
    await ply(opened, 1);
    assert.equal(await cell(opened, move).locator(".piece").count(), 1);
    assert.match(await saved(opened, "sgf"), /^\(;/);
    const [download] = await Promise.all([
      opened.waitForEvent("download"),
      opened.getByRole("button", { name: "Download" }).click(),
    ]);
    assert.match(await readFile(await download.path(), "utf8"), /^\(;/);
  });
}

page("the games of a match log are stepped through", { view: "files" }, async (opened) => {
  const folder = await mkdtemp(join(tmpdir(), "studio-"));
  const log = join(folder, "match.jsonl");
  await tesuji("match", "tictactoe", "random", "flat", "--games", "4", "--playouts", "20", "--log", log);
  await opened.getByLabel("file", { exact: true }).setInputFiles(log);
  const games = view(opened).locator(".games li");
  await games.nth(3).waitFor();
  await games.nth(2).getByRole("button").click();
  await opened.locator("#title", { hasText: "tictactoe" }).waitFor();
  await opened.locator(".place", { hasText: /^0 \/ [5-9]/ }).waitFor();
  await opened.locator(".board").click({ position: { x: 2, y: 2 } });
  await opened.keyboard.press("End");
  await opened.locator("#ending", { hasText: /wins|draw/i }).waitFor();
  await rm(folder, { recursive: true });
});

page(
  "an unreadable text is refused and changes nothing",
  { position: "start moves a1", view: "files" },
  async (opened) => {
    await paste(opened, "(;GM[99");
    await view(opened).locator(".error:not(:empty)").waitFor();
    await ply(opened, 1);
  },
);
