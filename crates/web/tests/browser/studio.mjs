/**
 * A browser and a server for the tests.
 *
 * `TESUJI` is the program to serve; with `MOCK=1` its other commands answer through `mock.mjs` instead. `CHROMIUM` is the
 * browser, and `SHOTS` a folder for screenshots.
 */

import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** Starts the server, and gives its address and how to end it. */
export async function serve() {
  const program = process.env.TESUJI ?? "tesuji";
  const mock = fileURLToPath(new URL("mock.mjs", import.meta.url));
  const [command, ...words] = process.env.MOCK ? ["node", mock, "0"] : [program, "serve", "--port", "0"];
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const address = line.match(/http:\/\/\S+/)?.[0];
    if (address) return { address, end: () => child.kill() };
  }
  throw new Error(`${command} ended before it told its address`);
}

export function browse() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/**
 * Opens the studio. What goes wrong in the page is collected in `page.faults`.
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {{ route?: (socket: import("playwright-core").WebSocketRoute) => void, game: string, position?: string, players?: string[], view?: string, width?: number, height?: number, theme?: "light" | "dark" }} wishes
 */
export async function studio(browser, address, { route, game, position = "start", players = ["person", "person", "person", "person"], view = "play", width = 1280, height = 800, theme = "light" }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce", acceptDownloads: true });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  if (route) await page.routeWebSocket("**/ws", route);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  const url = new URL(address);
  url.searchParams.set("game", game);
  url.searchParams.set("position", position);
  url.searchParams.set("seconds", "0.1");
  for (const player of players) url.searchParams.append("player", player);
  url.hash = view;
  await page.goto(url.href);
  await page.locator(".cell").first().waitFor();
  await page.locator(".bar-row").first().waitFor();
  return page;
}

/** A cell of the board. */
export const cell = (page, name) => page.locator(`.cell[data-click="${name}"]`);

/** Waits until the game has so many moves. */
export const ply = (page, moves) => page.locator(".place", { hasText: new RegExp(`^${moves} / `) }).waitFor();

/** Keeps a picture, if pictures are wanted. */
export async function shot(page, name) {
  if (!process.env.SHOTS) return;
  await mkdir(process.env.SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}
