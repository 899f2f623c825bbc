/** The entry point: builds the panels and connects to the server. */

/** @import { State } from "./protocol.js" */
import { AnalysisPanel } from "./analysis.js";
import { bars } from "./bars.js";
import { controls } from "./controls.js";
import { button, byId, h, write } from "./dom.js";
import { FilesPanel } from "./files.js";
import { PlayPanel } from "./play.js";
import { SolvePanel } from "./solve.js";
import { Studio } from "./studio.js";
import { Tabs } from "./tabs.js";
import { TreePanel } from "./tree.js";

/** The game of the first visit. */
const DEFAULT_GAME = "hex:7";

/** Creates the studio with the lists of games and searches. */
async function createStudio() {
  const address = new URL("ws", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const studio = new Studio(address.href);
  byId("board").append(studio.board.element);
  studio.board.listen(byId("stage"));
  const [games, searches] = await Promise.all([fetchList("games"), fetchList("searches")]);
  studio.games = games.games;
  studio.searches = searches.searches;
  studio.autoPlayers = searches.auto ?? [];
  return studio;
}

/** @param {string} list */
async function fetchList(list) {
  const response = await fetch(`api/${list}`);
  if (!response.ok) throw new Error(`Cannot load the list of ${list}: ${response.status}`);
  return response.json();
}

/** Creates the panels and their tabs. @param {Studio} studio */
function createPanels(studio) {
  const play = new PlayPanel(studio);
  const analysis = new AnalysisPanel(studio);
  const tree = new TreePanel(studio);
  const solve = new SolvePanel(studio);
  const files = new FilesPanel(studio, (file) => {
    tabs.choose(solve);
    return solve.load(file);
  });
  const tabs = new Tabs([play, analysis, tree, solve, files], (panel) => {
    studio.showsAnalysis = panel === analysis || panel === tree;
    studio.drawAnalysis();
    panel.shown?.();
    if (studio.state) panel.state?.(studio.state);
  });
  return { play, analysis, tabs };
}

/** Keeps the title of the page, and the bar of a scene, up to date. @param {Studio} studio */
function showTitle(studio) {
  const scene = byId("scene");
  const label = h("span");
  scene.append(
    label,
    button("Back to the game", () => studio.scene?.leave()),
  );
  studio.onChange(() => {
    scene.hidden = studio.scene === null;
    write(label, studio.scene?.words ?? "");
    write(byId("title"), studio.state ? `${studio.state.title} · ${studio.state.game}` : "");
    document.title = studio.state ? `${studio.state.title} · Tesuji` : "Tesuji";
  });
}

/** Passes events of the server to the panels. @param {Studio} studio @param {Tabs} tabs @param {PlayPanel} play */
function listen(studio, tabs, play) {
  const { connection } = studio;
  let over = false;
  connection.on("state", (/** @type {State} */ state) => {
    for (const panel of tabs.panels) panel.state?.(state);
    if (state.ending || over) studio.notify(state.ending?.words ?? "");
    over = state.ending !== null;
  });
  connection.on("thinking", (thought) => tabs.open?.thought?.(thought, true));
  connection.on("thought", (thought) => {
    if (!thought.left) for (const panel of tabs.panels) panel.thought?.(thought, false);
  });
  connection.on("closed", ({ words }) => studio.notify(`The server closed the connection: ${words}.`, "warn"));
  connection.on("lost", () => {
    studio.thinking = false;
    showStatus("offline", "Server not reachable – retrying…");
  });
  connection.on("open", () => {
    showStatus("connected", "connected");
    void openGame(studio, play).then(() => (byId("stage").dataset.ready = "true"));
  });
}

/** Shows the state of the connection. @param {"connected" | "offline"} status @param {string} label */
function showStatus(status, label) {
  write(byId("line"), label);
  byId("line").dataset.how = status;
}

/**
 * Opens the current game after a reconnect; else that of the URL, or that of the last visit. The URL
 * takes `?game=SPEC&position=TEXT&player=SPEC&player=...&seconds=N`.
 * @param {Studio} studio
 * @param {PlayPanel} play
 */
async function openGame(studio, play) {
  const { state } = studio;
  if (state) {
    await play.start(state.game, [state.start, ...(state.moves.length ? ["moves", ...state.moves] : [])].join(" "));
    if (state.ply < state.moves.length) await studio.request("goto", { ply: state.ply });
    await studio.request("seats", { seats: state.seats, clock: null });
    return;
  }
  const query = new URLSearchParams(location.search);
  const game = query.get("game") ?? lastGame() ?? DEFAULT_GAME;
  const opened =
    (await play.start(game, query.get("position") ?? "start")) || (await play.start(DEFAULT_GAME, "start"));
  if (opened) await play.applySeats(query.getAll("player"), query.get("seconds"));
}

/** The game of the last visit. */
function lastGame() {
  try {
    return localStorage.getItem("game");
  } catch {
    return null;
  }
}

/**
 * Handles keyboard shortcuts.
 * @param {Tabs} tabs
 * @param {AnalysisPanel} analysis
 * @param {(event: KeyboardEvent) => boolean} handleKey handles the keys of the controls
 */
function listenToKeys(tabs, analysis, handleKey) {
  const help = /** @type {HTMLDialogElement} */ (byId("help"));
  byId("help-open").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    const panel = tabs.panels[Number(event.key) - 1];
    if (event.key === "?") help.showModal();
    else if (event.key === "t") {
      tabs.choose(analysis);
      analysis.toggle();
    } else if (panel) tabs.choose(panel);
    else if (!handleKey(event)) return;
    event.preventDefault();
  });
}

async function start() {
  const studio = await createStudio();
  const { play, analysis, tabs } = createPanels(studio);
  bars(studio);
  listenToKeys(tabs, analysis, controls(studio));
  showTitle(studio);
  listen(studio, tabs, play);
  tabs.choose(tabs.panels.find((panel) => `#${panel.key}` === location.hash) ?? play);
  studio.connection.connect();
}

start().catch((error) => showStatus("offline", error instanceof Error ? error.message : String(error)));
