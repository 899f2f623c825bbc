/** The URL holds the game: reloading, the Back button and links restore it. */

import assert from "node:assert/strict";
import { page } from "./harness.mjs";
import { cell, ply, shot } from "./studio.mjs";

/** Waits until the URL has a parameter with this value. */
const parameter = (opened, key, value) =>
  opened.waitForFunction(([name, text]) => new URLSearchParams(location.search).get(name) === text, [key, value]);

/** A server that drops the first connection when it is asked to open a game. */
function dropFirst() {
  let dropped = false;
  return (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      if (dropped || !text.includes('"open"')) return server.send(text);
      dropped = true;
      void socket.close();
    });
  };
}

page(
  "a connection lost while a game is opened loses neither moves nor players",
  { position: "start moves a1 b2", players: ["person", "random"], route: dropFirst() },
  async (opened) => {
    await ply(opened, 2);
    await opened.locator('[data-seat="1"] .who', { hasText: "random" }).waitFor();
    assert.equal(await opened.locator("#status").textContent(), "");
    assert.match(opened.url(), /moves=a1\+b2&player=person&player=random/);
  },
);

/** Loads a URL of the studio. */
async function load(opened, query) {
  await opened.goto(new URL(query, opened.url()).href);
  await opened.locator('[data-ready="true"]').waitFor();
}

const status = (opened) => opened.locator('#status[data-kind="warn"]');

page("a reload restores the position, the moves and the players", { players: ["person", "random"] }, async (opened) => {
  await cell(opened, "b2").click();
  await ply(opened, 2);
  await opened.locator(".move-list button").nth(0).click();
  await ply(opened, 1);
  await parameter(opened, "ply", "1");
  const moves = await opened.locator(".move-list").innerText();
  await opened.reload();
  await opened.locator('[data-ready="true"]').waitFor();
  await opened.locator(".place", { hasText: "1 / 2" }).waitFor();
  assert.equal(await opened.locator(".move-list").innerText(), moves);
  await opened.locator('[data-seat="1"] .who', { hasText: "random" }).waitFor();
});

page("a copied link opens the game elsewhere", { game: "lion", position: "start moves b3-b2" }, async (opened) => {
  await opened.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await opened.getByLabel("Clock").check();
  await opened.getByLabel("minutes").fill("3");
  await opened.getByRole("button", { name: "Apply" }).click();
  await parameter(opened, "clock", "180");
  await opened.getByRole("button", { name: "copy link" }).click();
  await opened.locator("#status", { hasText: "Link copied" }).waitFor();
  const link = await opened.evaluate(() => navigator.clipboard.readText());
  const other = await opened.context().newPage();
  await load(other, link);
  await ply(other, 1);
  await other.locator("[data-clock]").first().waitFor();
  assert.equal(await other.locator("#title").innerText(), "Catch the Lion · lion");
  await other.close();
});

page("a new game in the middle of a game asks first, and Back returns to the old game", {}, async (opened) => {
  await cell(opened, "b2").click();
  await ply(opened, 1);
  await parameter(opened, "moves", "b2");
  await opened.locator("#game").selectOption("tictactoe");
  const newGame = opened.getByRole("button", { name: "New game", exact: true });
  await newGame.click();
  await shot(opened, "confirm-new");
  await opened.getByRole("button", { name: "Keep playing" }).click();
  await ply(opened, 1);
  await newGame.click();
  await opened.getByRole("button", { name: "Start a new game" }).click();
  await opened.locator("#title", { hasText: "tictactoe" }).waitFor();
  await parameter(opened, "game", "tictactoe");
  await cell(opened, "a1").click();
  await parameter(opened, "moves", "a1");
  await opened.goBack();
  await opened.locator("#title", { hasText: "hex:4" }).waitFor();
  await ply(opened, 1);
  await opened.goForward();
  await opened.locator("#title", { hasText: "tictactoe" }).waitFor();
  await ply(opened, 1);
});

page("the chosen game of the form stays while the engines move", { players: ["random", "random"] }, async (opened) => {
  await opened.locator("#game").selectOption("lion");
  await opened.locator("#ending:not(:empty)").waitFor();
  assert.equal(await opened.locator("#game").inputValue(), "lion");
});

for (const [query, message, title, moves] of [
  ["?game=nonsense", /nonsense.*Opened hex:7 at the start instead/, "hex:7", 0],
  ["?game=hex:4&position=rubbish&player=person&player=person", /rubbish.*Opened hex:4 at the start/, "hex:4", 0],
  ["?game=hex:4&moves=a1+z9&player=person&player=person", /z9.*Opened hex:4 without its moves/, "hex:4", 0],
  ["?game=hex:4&moves=a1&ply=7&player=person&player=person", /ply=7 is ignored/, "hex:4", 1],
  ["?game=hex:4&player=person&player=unknown:x", /unknown.*Humans play instead/, "hex:4", 0],
  ["?game=hex:4&player=person&player=random&seconds=soon", /seconds=soon is ignored/, "hex:4", 0],
  ["?game=hex:4&player=person&player=person&player=mcts", /3 players are given; this game has 2/, "hex:4", 0],
]) {
  page(`${query} is reported`, {}, async (opened) => {
    await load(opened, query);
    assert.match(await status(opened).innerText(), message);
    assert.match(await opened.locator("#title").innerText(), new RegExp(title));
    await ply(opened, moves);
    assert.match(opened.url(), new RegExp(`game=${title}`));
  });
}
