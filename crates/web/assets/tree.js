/** The Tree panel: explores the search tree, also while the search runs. */

/** @import { TreeContent } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, h, set, write } from "./dom.js";
import { scaleOf } from "./heat.js";
import { MoveTable } from "./moves.js";

const NO_TREE = "No search tree yet. Start a search of this position (t).";

/** @param {Studio} studio @returns {Panel} */
export function treePanel(studio) {
  /** @type {string[]} */
  let line = [];
  /** @type {TreeContent | null} */
  let content = null;
  /** Identifies the current position of the game. */
  let root = "";
  let open = false;
  let pending = false;

  const crumbs = h("nav", { class: "crumbs", "aria-label": "line" });
  const status = h("p", { class: "note", role: "status" }, NO_TREE);
  const table = new MoveTable({ pick: (move) => go([...line, move]), hover: (move) => studio.scene === null || highlight(move) });
  const up = button("Up", () => go(line.slice(0, -1)), { "aria-label": "parent position" });
  const play = button("Play this line", () => void playLine());

  /** @param {string | null} move */
  const highlight = (move) => {
    const moves = content?.moves ?? [];
    studio.board.showCandidates(moves.filter((entry) => move === null || entry.move === move), scaleOf(moves));
  };

  const go = (/** @type {string[]} */ to) => {
    line = to;
    void query();
  };

  const query = async () => {
    if (pending || !studio.state) return;
    pending = true;
    const requested = line;
    /** @type {TreeContent | null} */
    const answer = await studio.request("look", { line: requested });
    pending = false;
    if (!open) return;
    if (requested !== line) return void query();
    if (!answer) {
      line = line.slice(0, -1);
      return;
    }
    content = answer;
    show(answer);
  };

  const show = (/** @type {TreeContent} */ answer) => {
    const names = ["root", ...line];
    crumbs.replaceChildren(...names.map((name, depth) =>
      button(name, () => go(line.slice(0, depth)), { class: "quiet", "aria-current": depth === line.length ? "true" : null })));
    set(up, { disabled: line.length === 0 });
    set(play, { disabled: line.length === 0 });
    const children = answer.moves;
    table.show(children ?? [], answer.state.facts);
    if (children === null) write(status, line.length ? "The tree does not reach this position." : NO_TREE);
    else if (answer.state.to_move === null) write(status, answer.state.ending?.words ?? "");
    else write(status, `${children.length} moves for ${answer.state.players[answer.state.to_move]}; values for ${answer.state.players[answer.state.to_move]}`);
    if (line.length) {
      const moved = studio.scene?.state.position !== answer.state.position;
      const scene = { state: answer.state, words: `In the tree: ${line.join(" ")}`, play: (/** @type {string} */ move) => go([...line, move]), leave: () => go([]) };
      if (moved || !studio.scene) studio.show(scene);
      else studio.scene = scene;
      studio.board.showCandidates(children ?? []);
    } else if (studio.scene) {
      studio.show(null);
    }
  };

  const playLine = async () => {
    const moves = line;
    line = [];
    studio.show(null);
    for (const move of moves) if (!(await studio.request("play", { move }))) return;
  };

  return {
    key: "tree",
    title: "Tree",
    element: h("div", {}, h("div", { class: "row" }, up, play), crumbs, status, table.element),
    shown: () => {
      open = true;
      void query();
    },
    left: () => {
      open = false;
      line = [];
      if (studio.scene) studio.show(null);
    },
    state: (state) => {
      const here = `${state.game} ${state.position} ${state.ply}`;
      if (here !== root) line = [];
      root = here;
      if (open) void query();
    },
    // Each report of a running search refreshes the tree, unless a query is pending.
    thought: () => {
      if (open) void query();
    },
  };
}
