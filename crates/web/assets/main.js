/** The page: puts the views together, and connects. */

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

/** The game of a first visit. */
const USUAL = "hex:7";

/** @param {string} what */
async function fetched(what) {
  const answer = await fetch(`api/${what}`);
  if (!answer.ok) throw new Error(`the server did not tell its ${what}: ${answer.status}`);
  return answer.json();
}

/** The game of the last visit. */
function remembered() {
  try {
    return localStorage.getItem("game");
  } catch {
    return null;
  }
}

async function begin() {
  const address = new URL("ws", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const studio = new Studio(address.href);
  byId("board").append(studio.board.element);
  studio.board.listen(byId("stage"));

  const [games, searches] = await Promise.all([fetched("games"), fetched("searches")]);
  studio.games = games.games;
  studio.searches = searches.searches;
  studio.meanings = searches.auto ?? [];

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

  const tabs = panels.map((panel, place) => {
    const tab = button(panel.title, () => choose(panel), { role: "tab", id: `tab-${panel.key}`, "aria-controls": `panel-${panel.key}` });
    tab.addEventListener("keydown", (event) => {
      const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (place + way + panels.length) % panels.length;
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
    studio.watching = panel === analysis || panel === tree;
    studio.decorate();
    for (const [place, other] of panels.entries()) {
      other.element.hidden = other !== panel;
      set(tabs[place], { "aria-selected": String(other === panel), tabindex: other === panel ? 0 : -1 });
    }
    history.replaceState(null, "", `#${panel.key}`);
    panel.shown?.();
    if (studio.state) panel.state?.(studio.state);
  };

  bars(studio);
  const take = controls(studio);
  const scene = byId("scene");
  const back = button("Back to the game", () => studio.scene?.leave());
  const words = h("span");
  scene.append(words, back);
  studio.watch(() => {
    scene.hidden = studio.scene === null;
    write(words, studio.scene?.words ?? "");
    write(byId("title"), studio.state ? `${studio.state.title} · ${studio.state.game}` : "");
    document.title = studio.state ? `${studio.state.title} · Tesuji` : "Tesuji";
  });

  const { connection } = studio;
  let over = false;
  connection.on("state", (/** @type {State} */ state) => {
    for (const panel of panels) panel.state?.(state);
    if (state.ending || over) studio.say(state.ending?.words ?? "");
    over = state.ending !== null;
  });
  connection.on("thinking", (thought) => chosen?.thought?.(thought, true));
  connection.on("thought", (thought) => {
    if (!thought.left) for (const panel of panels) panel.thought?.(thought, false);
  });
  connection.on("closed", ({ words }) => studio.say(`The server has cleared the table: ${words}.`, "warn"));
  connection.on("lost", () => {
    studio.thinking = false;
    tell("offline");
  });
  connection.on("open", () => {
    tell("connected");
    void setUp().then(() => (byId("stage").dataset.ready = "true"));
  });
  const tell = (/** @type {string} */ how) => {
    write(byId("line"), how);
    byId("line").dataset.how = how;
  };

  /** Opens the game that was on the table, or that the address asks for (`?game=SPEC&position=TEXT&player=SPEC&player=...&seconds=N`), or the last one. */
  const setUp = async () => {
    const { state } = studio;
    const asked = new URLSearchParams(location.search);
    if (state) {
      await play.start(state.game, [state.start, ...(state.moves.length ? ["moves", ...state.moves] : [])].join(" "));
      if (state.ply < state.moves.length) await studio.ask("goto", { ply: state.ply });
      await studio.ask("seats", { seats: state.seats, clock: null });
      return;
    }
    const game = asked.get("game") ?? remembered() ?? USUAL;
    const position = asked.get("position") ?? "start";
    if ((await play.start(game, position)) || (await play.start(USUAL, "start"))) await play.sit(asked.getAll("player"), asked.get("seconds"));
  };

  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    if (event.key === "?") help.showModal();
    else if (event.key === "t") {
      choose(analysis);
      analysis.toggle();
    } else if (panels[Number(event.key) - 1]) choose(panels[Number(event.key) - 1]);
    else if (!take(event)) return;
    event.preventDefault();
  });
  const help = /** @type {HTMLDialogElement} */ (byId("help"));
  byId("help-open").addEventListener("click", () => help.showModal());

  choose(panels.find((panel) => `#${panel.key}` === location.hash) ?? play);
  connection.connect();
}

begin().catch((error) => {
  const line = byId("line");
  write(line, error instanceof Error ? error.message : String(error));
  line.dataset.how = "offline";
});
