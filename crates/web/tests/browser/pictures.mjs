/** Writes the screenshots of the README: `npm run pictures`. */

import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { browse, changed, open, serve, think, view } from "./studio.mjs";

const folder = fileURLToPath(new URL("../../../../docs/images/", import.meta.url));

/** The maximum size of a picture, in bytes. */
const MAX_BYTES = 150_000;

const [browser, server] = await Promise.all([browse(), serve()]);

/** Waits until a search has made this many thousand playouts. */
const playouts = (opened, thousands) =>
  opened.waitForFunction(
    (least) => {
      const entry = [...document.querySelectorAll("#panel-think .stats div")].find(
        (stat) => stat.textContent?.startsWith("playouts") && !stat.textContent.startsWith("playouts/s"),
      );
      const [, number, unit] = entry?.textContent?.match(/([\d.]+)([kM]?)$/) ?? [];
      return Number(number) * (unit === "M" ? 1000 : unit === "k" ? 1 : 0) >= least;
    },
    thousands,
    { timeout: 120_000 },
  );

/** Takes a screenshot as WebP, a third of the size of PNG. */
async function webp(opened) {
  const png = (await opened.screenshot()).toString("base64");
  const data = await opened.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.86).split(",")[1];
  }, png);
  return Buffer.from(data, "base64");
}

/** @type {[string, Parameters<typeof open>[2], (opened: any) => Promise<void>][]} */
const pictures = [
  [
    "studio-hex",
    { game: "hex:9", position: "start moves c3 f6 e4 d6 e6", view: "think" },
    async (opened) => {
      await think(opened, { player: "mcts:rave,solver,reuse" });
      await playouts(opened, 200);
    },
  ],
  [
    "studio-tree",
    { game: "othello", position: "start moves d3 c3 c4", view: "think" },
    async (opened) => {
      await think(opened);
      await playouts(opened, 50);
      await opened.getByRole("tab", { name: "Tree" }).click();
      for (const depth of [1, 2]) {
        await view(opened).locator(".moves .name").first().click();
        await opened.locator(".crumbs button").nth(depth).waitFor();
      }
      await opened.mouse.move(5, 5);
      await opened.locator(".mark text", { hasText: /\d/ }).first().waitFor();
    },
  ],
  [
    "studio-proof",
    { game: "hex:4", view: "solve" },
    async (opened) => {
      await opened.locator('[data-do="solve"]').click();
      await opened.getByRole("button", { name: "Walk through the proof" }).click();
      for (const steps of [1, 2]) {
        await opened.locator(".reply").nth(steps).waitFor();
        const before = await opened.locator("#panel-solve .walk .variation").innerText();
        await opened.locator(".reply").nth(steps).click();
        await changed(opened, "#panel-solve .walk .variation", before);
      }
    },
  ],
  [
    "studio-phone",
    { game: "lion", position: "start moves b3-b2 b1-b2", theme: "dark", width: 390, height: 640 },
    async (opened) => {
      await opened.locator('[data-seat="0"] .held-piece').click();
      await opened.locator(".cell.can").first().waitFor();
    },
  ],
];

await mkdir(folder, { recursive: true });
try {
  for (const [name, options, prepare] of pictures) {
    const opened = await open(browser, server.address, { ...options, sharp: 1.5 });
    await prepare(opened);
    const data = await webp(opened);
    await opened.close();
    if (data.length > MAX_BYTES) throw new Error(`${name} has ${data.length} bytes; at most ${MAX_BYTES} are allowed`);
    await writeFile(`${folder}${name}.webp`, data);
    console.log(`${name}.webp: ${data.length} bytes`);
  }
} finally {
  await browser.close();
  server.end();
}
