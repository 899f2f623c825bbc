/** The entry point: builds the panels and connects to the server. */

/** @import { State } from "./protocol.js" */
/** @import { Panel } from "./studio.js" */
import { analysisPanel } from "./analysis.js";
import { bars } from "./bars.js";
import { controls } from "./controls.js";
import { button, byId, h, set, write } from "./dom.js";
import { filesPanel } from "./files.js";
import { playPanel } from "./play.js";
import { solvePanel } from "./solve.js";
import { Studio } from "./studio.js";
import { treePanel } from "./tree.js";

/** The game of the first visit. */
const DEFAULT_GAME = "hex:7";

/** @param {string} list */
async function fetchList(list) {
  const response = await fetch(`api/${list}`);
  if (!response.ok) throw new Error(`Cannot load the list of ${list}: ${response.status}`);
  return response.json();
}

/** The game of the last visit. */
function lastGame() {
  try {
    return localStorage.getItem("game");
  } catch {
    return null;
  }
}

async function start() {
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

  const play = playPanel(studio);
  const analysis = analysisPanel(studio);
  const tree = treePanel(studio);
  const solve = solvePanel(studio);
  const files = filesPanel(studio, async (file) => {
    choose(solve);
    await solve.read(file);
  });
  /** @type {Panel[]} */
  const panels = [play, analysis, tree, solve, files];
  /** @type {Panel | null} */
  let chosen = null;

  const tabs = panels.map((panel, index) => {
    const tab = button(panel.title, () => choose(panel), { role: "tab", id: `tab-${panel.key}`, "aria-controls": `panel-${panel.key}` });
    tab.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (index + step + panels.length) % panels.length;
      choose(panels[next]);
      tabs[next].focus();
    });
    return tab;
  });
  byId("tabs").append(...tabs);
  byId("panels").append(...panels.map((panel) => {
    set(panel.element, { role: "tabpanel", id: `panel-${panel.key}`, "aria-labelledby": `tab-${panel.key}`, class: "view" });
    return panel.element;
  }));

  /** @param {Panel} panel */
  const choose = (panel) => {
    if (panel === chosen) return;
    chosen?.left?.();
    chosen = panel;
    studio.showsAnalysis = panel === analysis || panel === tree;
    studio.drawAnalysis();
    for (const [index, other] of panels.entries()) {
      other.element.hidden = other !== panel;
      set(tabs[index], { "aria-selected": String(other === panel), tabindex: other === panel ? 0 : -1 });
    }
    history.replaceState(null, "", `#${panel.key}`);
    panel.shown?.();
    if (studio.state) panel.state?.(studio.state);
  };

  bars(studio);
  const handleKey = controls(studio);
  const scene = byId("scene");
  const back = button("Back to the game", () => studio.scene?.leave());
  const label = h("span");
  scene.append(label, back);
  studio.onChange(() => {
    scene.hidden = studio.scene === null;
    write(label, studio.scene?.words ?? "");
    write(byId("title"), studio.state ? `${studio.state.title} · ${studio.state.game}` : "");
    document.title = studio.state ? `${studio.state.title} · Tesuji` : "Tesuji";
  });

  const { connection } = studio;
  let over = false;
  connection.on("state", (/** @type {State} */ state) => {
    for (const panel of panels) panel.state?.(state);
    if (state.ending || over) studio.notify(state.ending?.words ?? "");
    over = state.ending !== null;
  });
  connection.on("thinking", (thought) => chosen?.thought?.(thought, true));
  connection.on("thought", (thought) => {
    if (!thought.left) for (const panel of panels) panel.thought?.(thought, false);
  });
  connection.on("closed", ({ words }) => studio.notify(`The server closed the connection: ${words}.`, "warn"));
  connection.on("lost", () => {
    studio.thinking = false;
    showStatus("offline", "Server not reachable – retrying…");
  });
  connection.on("open", () => {
    showStatus("connected", "connected");
    void openGame().then(() => (byId("stage").dataset.ready = "true"));
  });
  const showStatus = (/** @type {string} */ status, /** @type {string} */ label) => {
    write(byId("line"), label);
    byId("line").dataset.how = status;
  };

  /**
   * Opens the current game after a reconnect; else that of the URL (`?game=SPEC&position=TEXT&player=SPEC&player=...&seconds=N`),
   * or that of the last visit.
   */
  const openGame = async () => {
    const { state } = studio;
    const query = new URLSearchParams(location.search);
    if (state) {
      await play.start(state.game, [state.start, ...(state.moves.length ? ["moves", ...state.moves] : [])].join(" "));
      if (state.ply < state.moves.length) await studio.request("goto", { ply: state.ply });
      await studio.request("seats", { seats: state.seats, clock: null });
      return;
    }
    const game = query.get("game") ?? lastGame() ?? DEFAULT_GAME;
    const position = query.get("position") ?? "start";
    if ((await play.start(game, position)) || (await play.start(DEFAULT_GAME, "start"))) await play.applySeats(query.getAll("player"), query.get("seconds"));
  };

  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    if (event.key === "?") help.showModal();
    else if (event.key === "t") {
      choose(analysis);
      analysis.toggle();
    } else if (panels[Number(event.key) - 1]) choose(panels[Number(event.key) - 1]);
    else if (!handleKey(event)) return;
    event.preventDefault();
  });
  const help = /** @type {HTMLDialogElement} */ (byId("help"));
  byId("help-open").addEventListener("click", () => help.showModal());

  choose(panels.find((panel) => `#${panel.key}` === location.hash) ?? play);
  connection.connect();
}

start().catch((error) => {
  const line = byId("line");
  write(line, error instanceof Error ? error.message : String(error));
  line.dataset.how = "offline";
});
