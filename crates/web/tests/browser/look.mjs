/** Layout, themes, animations, focus, and reconnection. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { both, page } from "./harness.mjs";
import { cell, open, ply, shot, think, view } from "./studio.mjs";

for (const [width, height] of [
  [360, 740],
  [820, 1180],
  [1280, 800],
  [1920, 1080],
]) {
  page(
    `the page fits ${width} pixels and does not shift while a search runs`,
    { game: "loa", view: "think", width, height },
    async (opened) => {
      const wide = await opened.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} pixels`);
      const places = () =>
        opened.evaluate(() =>
          [".board", "#controls", "#tabs", "#panel-think .card", "#panel-think .stats", "#panel-think .moves"].map(
            (name) => {
              const box = document.querySelector(name)?.getBoundingClientRect();
              return box && [name, box.left + scrollX, box.top + scrollY, box.width];
            },
          ),
        );
      const before = await places();
      await think(opened);
      await opened.locator(".mark").first().waitFor();
      assert.deepEqual(await places(), before);
      await shot(opened, `loa-${width}`);
    },
  );
}

page("every panel fits a phone", { game: "lion", width: 360, height: 740 }, async (opened) => {
  for (const name of ["Play", "Think", "Tree", "Solve", "Files"]) {
    await opened.getByRole("tab", { name }).click();
    await opened.evaluate(() =>
      document.querySelectorAll(".view:not([hidden]) details").forEach((details) => (details.open = true)),
    );
    assert.ok((await opened.evaluate(() => document.documentElement.scrollWidth)) <= 360, name);
  }
});

page("the theme follows the system, then the user", { theme: "dark" }, async (opened) => {
  const theme = () => opened.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "dark");
  await opened.getByRole("button", { name: "switch theme" }).click();
  assert.equal(await theme(), "light");
  await opened.reload();
  assert.equal(await theme(), "light");
});

/** The number of running animations. */
const animations = (opened) => opened.evaluate(() => document.getAnimations().length);

page("reduced motion disables animations", { game: "loa:6" }, async (opened) => {
  await cell(opened, "b1").click();
  await cell(opened, "b3").click();
  await ply(opened, 1);
  assert.equal(await animations(opened), 0);
});

page("animations run by default", { game: "loa:6", motion: "no-preference" }, async (opened) => {
  assert.ok((await animations(opened)) > 0);
});

page("the keyboard focus is always visible", {}, async (opened) => {
  const seen = new Set();
  for (let steps = 0; steps < 12; steps += 1) {
    await opened.keyboard.press("Tab");
    const [what, visible] = await opened.evaluate(() => {
      const focused = document.activeElement;
      const own = getComputedStyle(focused);
      const ring = focused.querySelector(".ring");
      return [
        focused.outerHTML.slice(0, 60),
        own.outlineStyle !== "none" || (ring !== null && getComputedStyle(ring).stroke !== "none"),
      ];
    });
    assert.ok(visible, what);
    seen.add(what);
  }
  assert.ok(seen.size > 8);
});

page("the page loads nothing from other hosts", {}, async (opened, { server }) => {
  const hosts = await opened.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => new URL(entry.name).host),
  );
  assert.deepEqual([...new Set(hosts)], [new URL(server.address).host]);
});

page("the page renders without scripts", {}, async (opened, { server }) => {
  const scriptless = await opened.context().browser().newContext({ javaScriptEnabled: false });
  const page = await scriptless.newPage();
  await page.goto(server.address);
  assert.equal(await page.locator("h1").innerText(), "Tesuji");
  await scriptless.close();
});

test("a game survives the loss of the connection", async () => {
  const { browser, server } = await both();
  const sockets = [];
  const route = (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  };
  const opened = await open(browser, server.address, { position: "start moves a1 b2", route });
  await opened.evaluate(() => (document.querySelector("#stage").dataset.ready = "false"));
  await sockets[0].close();
  await opened.locator('#line[data-how="offline"]').waitFor();
  await opened.locator('[data-ready="true"]').waitFor();
  assert.equal(sockets.length, 2);
  await ply(opened, 2);
  await cell(opened, "c3").click();
  await ply(opened, 3);
  await opened.close();
});

page(
  "a lost connection ends the search on the page",
  {
    game: "hex:5",
    view: "think",
    route: (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => {
        socket.send(text);
        if (text.includes('"event":"thinking"')) void socket.close();
      });
    },
  },
  async (opened) => {
    await opened.locator('[data-do="think"]').click();
    await opened.locator('#line[data-how="offline"]').waitFor();
    await view(opened).locator('[data-do="think"][aria-pressed="false"]').waitFor();
  },
);
