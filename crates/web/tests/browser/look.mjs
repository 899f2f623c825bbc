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

for (const [game, wide, high] of [
  ["hex:7", 844, 390],
  ["rolit:players=4", 844, 390],
  ["minishogi", 844, 390],
  ["samegame", 844, 390],
  ["lion", 667, 375],
]) {
  page(`${game} uses the height of a phone in landscape`, { game, width: wide, height: high }, async (opened) => {
    const { width, height } = await opened.locator(".board").boundingBox();
    assert.ok(width > wide * 0.45 && height > high * 0.8, `${width} x ${height}`);
    const size = await opened.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ]);
    assert.deepEqual(size, [wide, high]);
    const panels = await opened.locator("#panels").boundingBox();
    assert.ok(panels.height > 100, `${panels.height}`);
    await opened.getByRole("button", { name: "New game", exact: true }).click();
    await shot(opened, `landscape-${game.replace(/\W/g, "-")}`);
  });
}

page(
  "a new game can be started without scrolling, and the moves have the remaining height",
  { players: ["person", "random"], width: 1280, height: 720 },
  async (opened) => {
    const button = await opened.getByRole("button", { name: "New game", exact: true }).boundingBox();
    assert.ok(button.y + button.height < 720);
    const height = async () => (await opened.locator(".move-list").boundingBox()).height;
    const low = await height();
    await opened.setViewportSize({ width: 1280, height: 1000 });
    assert.ok((await height()) > low + 200, "the list grows with the window");
  },
);

/** The contrast of a text with its background. */
const contrast = (opened, selector) =>
  opened.locator(selector).evaluate((element) => {
    const brightness = (colour) => {
      const parts = colour.match(/[\d.]+/g).map((part) => Number(part) / 255);
      const linear = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    let behind = element;
    while (/, 0\)$|^transparent$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    const pair = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor].map(brightness);
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  });

for (const theme of ["light", "dark"]) {
  page(`small texts are readable in the ${theme} theme`, { position: "start moves a1 b2", theme }, async (opened) => {
    await opened.keyboard.press("Home");
    await ply(opened, 0);
    for (const text of [".to-move", ".who >> nth=0", ".later button >> nth=0", "#goal"]) {
      const ratio = await contrast(opened, text);
      assert.ok(ratio >= 4.5, `${text}: ${ratio.toFixed(2)}`);
    }
  });
}

page("the text of the player to move is never faded", { motion: "no-preference" }, async (opened) => {
  const animated = await opened.evaluate(() =>
    document.getAnimations().map((animation) => animation.effect.target.className),
  );
  assert.ok(animated.length > 0 && animated.every((name) => !String(name).includes("to-move")), animated.join());
});

page("no two controls have the same picture", { players: ["person", "random"] }, async (opened) => {
  await opened.keyboard.press("p");
  await opened.getByRole("button", { name: "run the engines" }).waitFor();
  const pictures = await opened
    .locator("#controls .picture path")
    .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
  assert.equal(new Set(pictures).size, pictures.length);
});

for (const game of ["rolit:players=4", "othello", "minishogi", "awari"]) {
  page(`the bars of ${game} fit a phone`, { game, width: 390, height: 844 }, async (opened) => {
    const overflowing = await opened
      .locator(".bar-row")
      .evaluateAll((bars) => bars.filter((bar) => bar.scrollWidth > bar.clientWidth).map((bar) => bar.innerText));
    assert.deepEqual(overflowing, []);
  });
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
    // Not solved at once, so that the search reports while it runs.
    game: "hex:9",
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
