/**
 * Starts a server, a browser and the studio, for the tests and the screenshots.
 *
 * `TESUJI` is the server program. `ASSETS` is a folder that replaces the embedded page, so that
 * changes can be tried without a build. `CHROMIUM` is the browser, `SHOTS` a folder for screenshots.
 */

import { execFile, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const program = process.env.TESUJI ?? "tesuji";

/** Starts the server; returns its address and a function that stops it. */
export async function serve() {
  const child = spawn(program, ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const address = line.match(/http:\/\/\S+/)?.[0];
    if (address) return { address, end: () => child.kill() };
  }
  throw new Error(`${program} ended before it printed its address`);
}

/** Runs the command line. */
export const tesuji = (...args) => promisify(execFile)(program, args);

export function browse() {
  // A page that was not loaded from the server may only access it with this check disabled.
  const args = ["--no-sandbox", ...(process.env.ASSETS ? ["--disable-features=LocalNetworkAccessChecks"] : [])];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
}

/** Browser contexts by their settings; a page in an existing context opens faster. */
const contexts = new Map();

/**
 * Opens the studio. Errors of the page are collected in `page.pageErrors`.
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {{ prepare?: (page: any) => Promise<void>, route?: (socket: import("playwright-core").WebSocketRoute) => void, game?: string, position?: string, players?: string[], seconds?: number, view?: string, width?: number, height?: number, theme?: "light" | "dark", touch?: boolean, motion?: "reduce" | "no-preference", sharp?: number }} options
 */
export async function open(
  browser,
  address,
  {
    prepare,
    route,
    game = "hex:4",
    position = "start",
    players = ["person", "person", "person", "person"],
    seconds = 0.05,
    view = "play",
    width = 1280,
    height = 800,
    theme = "light",
    touch = false,
    motion = "reduce",
    sharp = 1,
  },
) {
  const settings = {
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: motion,
    hasTouch: touch,
    deviceScaleFactor: sharp,
  };
  const key = JSON.stringify(settings);
  const context = contexts.get(key) ?? (await browser.newContext(settings));
  contexts.set(key, context);
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const assets = process.env.ASSETS;
  if (assets) {
    await page.route("**/assets/*", (request) =>
      request.fulfill({
        path: join(resolve(assets), new URL(request.request().url()).pathname.replace("/assets/", "")),
      }),
    );
    await page.route(
      (url) => url.pathname === "/",
      (request) => request.fulfill({ path: join(resolve(assets), "index.html") }),
    );
  }
  if (route) await page.routeWebSocket("**/ws", route);
  await prepare?.(page);
  page.pageErrors = [];
  page.on("pageerror", (error) => page.pageErrors.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.pageErrors.push(message.text()));
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

/** A route that changes the events of the server. @param {(event: any) => void} change */
export const changeEvents = (change) => (socket) => {
  const server = socket.connectToServer();
  server.onMessage((text) => {
    const message = JSON.parse(text);
    if (message.event) change(message);
    socket.send(JSON.stringify(message));
  });
};

/** A cell of the board. */
export const cell = (opened, name) => opened.locator(`.cell[data-click="${name}"]`);

/** The open panel. */
export const view = (opened) => opened.locator(".view:not([hidden])");

/** Waits until this many moves are played. */
export const ply = (opened, moves) => opened.locator(".place", { hasText: new RegExp(`^${moves} / `) }).waitFor();

/** Waits until a text of the page has changed. */
export const changed = (opened, selector, before) =>
  opened.waitForFunction(([place, words]) => document.querySelector(place)?.textContent !== words, [selector, before]);

/** Sets the engine of the analysis. */
export async function player(opened, spec) {
  const text = opened.locator("#panel-think").getByLabel("engine spec");
  if (!(await text.isVisible())) await opened.locator("#panel-think > .more > summary").click();
  await text.fill(spec);
  await text.press("Enter");
}

/** Starts an analysis, without a time limit by default, and waits for its first report. */
export async function think(opened, { seconds = "", player: spec = "mcts:solver,reuse" } = {}) {
  await player(opened, spec);
  await opened.locator("#panel-think .limits").getByLabel("seconds").fill(String(seconds));
  await opened.locator("#panel-think > .more > summary").click();
  await opened.locator('[data-do="think"]').click();
  await opened.locator("#panel-think .moves tbody tr").first().waitFor();
}

/** Stops the analysis. */
export async function stop(opened) {
  await opened.locator('[data-do="think"]').click();
  await opened.locator('[data-do="think"]', { hasText: "Continue" }).waitFor();
}

/** Saves a screenshot if `SHOTS` is set. */
export async function shot(opened, name) {
  if (!process.env.SHOTS) return;
  await mkdir(process.env.SHOTS, { recursive: true });
  await opened.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}
