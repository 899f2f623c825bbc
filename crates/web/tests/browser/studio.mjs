/**
 * A server, a browser, and the studio in it, for the tests and the pictures.
 *
 * `TESUJI` is the program that serves. `ASSETS`, a folder, takes the place of the page in it, so that a page can be tried
 * without building. `CHROMIUM` is the browser, and `SHOTS` a folder for screenshots.
 */

import { execFile, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const program = process.env.TESUJI ?? "tesuji";

/** Starts the server, and gives its address and how to end it. */
export async function serve() {
  const child = spawn(program, ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const address = line.match(/http:\/\/\S+/)?.[0];
    if (address) return { address, end: () => child.kill() };
  }
  throw new Error(`${program} ended before it told its address`);
}

/** Asks the command line. */
export const tesuji = (...words) => promisify(execFile)(program, words);

export function browse() {
  // A page that did not come from the server may ask it for something only if this check is off.
  const args = ["--no-sandbox", ...(process.env.ASSETS ? ["--disable-features=LocalNetworkAccessChecks"] : [])];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
}

/** Windows that were opened before, by what they are like: another page in one of them opens sooner than another window. */
const windows = new Map();

/**
 * Opens the studio. What goes wrong in the page is collected in `page.faults`.
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {{ route?: (socket: import("playwright-core").WebSocketRoute) => void, game?: string, position?: string, players?: string[], seconds?: number, view?: string, width?: number, height?: number, theme?: "light" | "dark", touch?: boolean, motion?: "reduce" | "no-preference", sharp?: number }} wishes
 */
export async function open(browser, address, { route, game = "hex:4", position = "start", players = ["person", "person", "person", "person"], seconds = 0.05, view = "play", width = 1280, height = 800, theme = "light", touch = false, motion = "reduce", sharp = 1 }) {
  const like = { viewport: { width, height }, colorScheme: theme, reducedMotion: motion, hasTouch: touch, deviceScaleFactor: sharp };
  const key = JSON.stringify(like);
  const context = windows.get(key) ?? (await browser.newContext(like));
  windows.set(key, context);
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const assets = process.env.ASSETS;
  if (assets) {
    await page.route("**/assets/*", (request) => request.fulfill({ path: join(resolve(assets), new URL(request.request().url()).pathname.replace("/assets/", "")) }));
    await page.route((url) => url.pathname === "/", (request) => request.fulfill({ path: join(resolve(assets), "index.html") }));
  }
  if (route) await page.routeWebSocket("**/ws", route);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  const url = new URL(address);
  url.searchParams.set("game", game);
  url.searchParams.set("position", position);
  url.searchParams.set("seconds", String(seconds));
  for (const player of players) url.searchParams.append("player", player);
  url.hash = view;
  await page.goto(url.href);
  await page.locator('[data-ready="true"]').waitFor();
  return page;
}

/** A cell of the board. */
export const cell = (opened, name) => opened.locator(`.cell[data-click="${name}"]`);

/** The view that is open. */
export const view = (opened) => opened.locator(".view:not([hidden])");

/** Waits until so many moves of the game are played. */
export const ply = (opened, moves) => opened.locator(".place", { hasText: new RegExp(`^${moves} / `) }).waitFor();

/** Waits until a text of the page is another one. */
export const changed = (opened, selector, before) =>
  opened.waitForFunction(([place, words]) => document.querySelector(place)?.textContent !== words, [selector, before]);

/** Names the player that thinks. */
export async function player(opened, spec) {
  const text = opened.locator("#panel-think").getByLabel("player spec");
  if (!(await text.isVisible())) await opened.locator("#panel-think > .more > summary").click();
  await text.fill(spec);
  await text.press("Enter");
}

/** Begins to think, without an end if no time is given, and waits until something is thought. */
export async function think(opened, { seconds = "", player: spec = "mcts:solver,reuse" } = {}) {
  await player(opened, spec);
  await opened.locator("#panel-think .limits").getByLabel("seconds").fill(String(seconds));
  await opened.locator("#panel-think > .more > summary").click();
  await opened.locator('[data-do="think"]').click();
  await opened.locator("#panel-think .moves tbody tr").first().waitFor();
}

/** Ends a search. */
export async function stop(opened) {
  await opened.locator('[data-do="think"]').click();
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
}

/** Keeps a picture, if pictures are wanted. */
export async function shot(opened, name) {
  if (!process.env.SHOTS) return;
  await mkdir(process.env.SHOTS, { recursive: true });
  await opened.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}
