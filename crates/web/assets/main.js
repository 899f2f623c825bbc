/** The entry point: builds the panels and connects to the server. */

/** @import { State } from "./protocol.js" */
import { AnalysisPanel } from "./analysis.js";
import { bars } from "./bars.js";
import { Collection } from "./collection.js";
import { controls } from "./controls.js";
import { button, byId, copy, h, write } from "./dom.js";
import { showEndings } from "./ending.js";
import { FilesPanel } from "./files.js";
import { showGoals } from "./goal.js";
import { Navigation } from "./navigation.js";
import { PlayPanel } from "./play.js";
import { ProblemPanel } from "./problem.js";
import { SolvePanel } from "./solve.js";
import { Studio } from "./studio.js";
import { Tabs } from "./tabs.js";
import { TreePanel } from "./tree.js";

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
  const collection = new Collection(studio);
  const problem = new ProblemPanel(studio, collection);
  const files = new FilesPanel(studio, collection, {
    loadCertificate: (file) => {
      tabs.choose(solve);
      return solve.load(file);
    },
    opened: (state) => {
      if (!isProblem(state)) return;
      tabs.choose(problem);
      byId("stage").scrollIntoView();
    },
  });
  const tabs = new Tabs([play, analysis, tree, solve, files, problem], (panel) => {
    studio.panel = panel;
    studio.drawAnalysis();
    panel.shown?.();
    if (studio.state) panel.state?.(studio.state);
  });
  return { play, analysis, tabs };
}

/** Whether a game of a file is a Go problem: it begins with stones of both players. @param {State} state */
function isProblem({ problems, ply, view }) {
  const owners = new Set(view.cells.flatMap((cell) => cell.piece?.owner ?? []));
  return problems && ply === 0 && owners.size > 1;
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

/**
 * Passes events of the server to the panels.
 * @param {Studio} studio
 * @param {Tabs} tabs
 * @param {Navigation} navigation
 */
function listen(studio, tabs, navigation) {
  const { connection } = studio;
  connection.on("state", (/** @type {State} */ state) => {
    tabs.offer(state);
    for (const panel of tabs.panels) panel.state?.(state);
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
    void navigation.restore().then(() => (byId("stage").dataset.ready = "true"));
  });
}

/** Copies a link to the game. @param {Studio} studio @param {Navigation} navigation */
function listenToCopy(studio, navigation) {
  byId("copy-link").addEventListener("click", async () => {
    const { link } = navigation;
    const copied = await copy(link);
    studio.notify(copied ? "Link copied." : `The browser blocks copying. The link: ${link}`);
  });
}

/** Shows the state of the connection. @param {"connected" | "offline"} status @param {string} label */
function showStatus(status, label) {
  write(byId("line"), label);
  byId("line").dataset.how = status;
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
    const panel = tabs.panels.filter((offered) => tabs.offers(offered))[Number(event.key) - 1];
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
  showGoals(studio);
  showEndings(studio, () => void play.rematch());
  const chooseTab = () => tabs.choose(tabs.panels.find((panel) => `#${panel.key}` === location.hash) ?? play);
  const navigation = new Navigation(studio, play, chooseTab);
  listenToCopy(studio, navigation);
  listen(studio, tabs, navigation);
  chooseTab();
  studio.connection.connect();
}

start().catch((error) => showStatus("offline", error instanceof Error ? error.message : String(error)));
