/** The Tree view: step into the search tree as it stands, while it runs. */

/** @import { Look } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, h, set, write } from "./dom.js";
import { scaleOf } from "./heat.js";
import { MoveTable } from "./moves.js";

const NO_TREE = "There is no tree yet: let a search think about this position (t).";

/** @param {Studio} studio @returns {Panel} */
export function treePanel(studio) {
  /** @type {string[]} */
  let line = [];
  /** @type {Look | null} */
  let seen = null;
  /** The position on the table. */
  let root = "";
  let open = false;
  let asking = false;

  const crumbs = h("nav", { class: "crumbs", "aria-label": "line" });
  const words = h("p", { class: "note", role: "status" }, NO_TREE);
  const table = new MoveTable({ pick: (move) => go([...line, move]), over: (move) => studio.scene === null || single(move) });
  const up = button("Up", () => go(line.slice(0, -1)), { "aria-label": "one move up" });
  const play = button("Play this line", () => void playLine());

  /** @param {string | null} move */
  const single = (move) => {
    const moves = seen?.moves ?? [];
    studio.board.heat(moves.filter((entry) => move === null || entry.move === move), scaleOf(moves));
  };

  const go = (/** @type {string[]} */ to) => {
    line = to;
    void look();
  };

  const look = async () => {
    if (asking || !studio.state) return;
    asking = true;
    const asked = line;
    /** @type {Look | null} */
    const answer = await studio.ask("look", { line: asked });
    asking = false;
    if (!open) return;
    if (asked !== line) return void look();
    if (!answer) {
      line = line.slice(0, -1);
      return;
    }
    seen = answer;
    show(answer);
  };

  const show = (/** @type {Look} */ answer) => {
    const names = ["root", ...line];
    crumbs.replaceChildren(...names.map((name, depth) =>
      button(name, () => go(line.slice(0, depth)), { class: "quiet", "aria-current": depth === line.length ? "true" : null })));
    set(up, { disabled: line.length === 0 });
    set(play, { disabled: line.length === 0 });
    const children = answer.moves;
    table.show(children ?? [], answer.state.facts);
    if (children === null) write(words, line.length ? "The tree does not reach here." : NO_TREE);
    else if (answer.state.to_move === null) write(words, answer.state.ending?.words ?? "");
    else write(words, `${children.length} moves for ${answer.state.players[answer.state.to_move]}, values from that player's side`);
    if (line.length) {
      const moved = studio.scene?.state.position !== answer.state.position;
      const scene = { state: answer.state, words: `In the tree: ${line.join(" ")}`, play: (/** @type {string} */ move) => go([...line, move]), leave: () => go([]) };
      if (moved || !studio.scene) studio.show(scene);
      else studio.scene = scene;
      studio.board.heat(children ?? []);
    } else if (studio.scene) {
      studio.show(null);
    }
  };

  const playLine = async () => {
    const moves = line;
    line = [];
    studio.show(null);
    for (const move of moves) if (!(await studio.ask("play", { move }))) return;
  };

  return {
    key: "tree",
    title: "Tree",
    element: h("div", {}, h("div", { class: "row" }, up, play), crumbs, words, table.element),
    shown: () => {
      open = true;
      void look();
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
      if (open) void look();
    },
    // A running tree is looked at again whenever it tells of itself, if the last look was answered.
    thought: () => {
      if (open) void look();
    },
  };
}
