/** The page fits every screen, keeps still, and outlasts a lost connection. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { both, page } from "./harness.mjs";
import { cell, open, ply, shot, think, view } from "./studio.mjs";

for (const [width, height] of [[360, 740], [820, 1180], [1280, 800], [1920, 1080]]) {
  page(`nothing sticks out at ${width} pixels, and nothing jumps while a search streams`, { game: "loa", view: "think", width, height }, async (opened) => {
    const wide = await opened.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} pixels`);
    const places = () => opened.evaluate(() => [".board", "#controls", "#tabs", "#panel-think .card", "#panel-think .stats", "#panel-think .moves"].map((name) => {
      const box = document.querySelector(name)?.getBoundingClientRect();
      return box && [name, box.left + scrollX, box.top + scrollY, box.width];
    }));
    const before = await places();
    await think(opened);
    await opened.locator(".mark").first().waitFor();
    assert.deepEqual(await places(), before);
    await shot(opened, `loa-${width}`);
  });
}

page("every view fits a phone", { game: "lion", width: 360, height: 740 }, async (opened) => {
  for (const name of ["Play", "Think", "Tree", "Solve", "Files"]) {
    await opened.getByRole("tab", { name }).click();
    await opened.evaluate(() => document.querySelectorAll(".view:not([hidden]) details").forEach((details) => (details.open = true)));
    assert.ok((await opened.evaluate(() => document.documentElement.scrollWidth)) <= 360, name);
  }
});

page("light and dark follow the system, then the switch", { theme: "dark" }, async (opened) => {
  const theme = () => opened.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "dark");
  await opened.getByRole("button", { name: "light or dark" }).click();
  assert.equal(await theme(), "light");
  await opened.reload();
  assert.equal(await theme(), "light");
});

/** The animations that go on after a move. */
const moving = (opened) => opened.evaluate(() => document.getAnimations().length);

page("nothing moves for those who do not like it", { game: "loa:6" }, async (opened) => {
  await cell(opened, "b1").click();
  await cell(opened, "b3").click();
  await ply(opened, 1);
  assert.equal(await moving(opened), 0);
});

page("things move gently for the others", { game: "loa:6", motion: "no-preference" }, async (opened) => {
  assert.ok((await moving(opened)) > 0);
});

page("the focus is seen wherever it is", {}, async (opened) => {
  const seen = new Set();
  for (let steps = 0; steps < 12; steps += 1) {
    await opened.keyboard.press("Tab");
    const [what, visible] = await opened.evaluate(() => {
      const focused = document.activeElement;
      const own = getComputedStyle(focused);
      const ring = focused.querySelector(".ring");
      return [focused.outerHTML.slice(0, 60), own.outlineStyle !== "none" || (ring !== null && getComputedStyle(ring).stroke !== "none")];
    });
    assert.ok(visible, what);
    seen.add(what);
  }
  assert.ok(seen.size > 8);
});

page("the page asks nobody else for anything", {}, async (opened, { server }) => {
  const asked = await opened.evaluate(() => performance.getEntriesByType("resource").map((entry) => new URL(entry.name).host));
  assert.deepEqual([...new Set(asked)], [new URL(server.address).host]);
});

page("the frame of the page is there before any script has run", {}, async (opened, { server }) => {
  const plain = await opened.context().browser().newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(server.address);
  assert.equal(await still.locator("h1").innerText(), "Tesuji");
  await plain.close();
});

test("a game outlasts the loss of the connection", async () => {
  const { browser, server } = await both();
  const lines = [];
  const route = (socket) => {
    socket.connectToServer();
    lines.push(socket);
  };
  const opened = await open(browser, server.address, { position: "start moves a1 b2", route });
  await opened.evaluate(() => (document.querySelector("#stage").dataset.ready = "false"));
  await lines[0].close();
  await opened.locator('#line[data-how="offline"]').waitFor();
  await opened.locator('[data-ready="true"]').waitFor();
  assert.equal(lines.length, 2);
  await ply(opened, 2);
  await cell(opened, "c3").click();
  await ply(opened, 3);
  await opened.close();
});

page("a search that is lost with the connection is not waited for", { game: "hex:5", view: "think", route: (socket) => {
  const server = socket.connectToServer();
  server.onMessage((text) => {
    socket.send(text);
    if (text.includes('"event":"thinking"')) void socket.close();
  });
} }, async (opened) => {
  await opened.locator('[data-do="think"]').click();
  await opened.locator('#line[data-how="offline"]').waitFor();
  await view(opened).locator('[data-do="think"][aria-pressed="false"]').waitFor();
});
