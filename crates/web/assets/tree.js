/** The Tree panel: explores the search tree, also while the search runs. */

/** @import { State, TreeContent } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { button, h, set, write } from "./dom.js";
import { MoveTable } from "./moves.js";
import { positionKey } from "./studio.js";

const NO_TREE = "No search tree yet. Start a search of this position (t).";

export class TreePanel {
  key = "tree";
  title = "Tree";
  followsGame = true;
  /** The moves from the current position of the game to the shown node. @type {string[]} */
  #line = [];
  /** @type {TreeContent | null} */
  #content = null;
  /** Identifies the current position of the game. */
  #root = "";
  #open = false;
  #pending = false;

  #path = h("nav", { class: "crumbs", "aria-label": "line" });
  #status = h("p", { class: "note", role: "status" }, NO_TREE);
  #up = button("Up", () => this.#go(this.#line.slice(0, -1)), { "aria-label": "parent position" });
  #play = button("Play this line", () => void this.#playLine());

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    this.table = new MoveTable({
      pick: (move) => this.#go([...this.#line, move]),
      hover: (move) => studio.scene && this.#highlight(move),
    });
    this.element = h(
      "div",
      {},
      h("div", { class: "row" }, this.#up, this.#play),
      this.#path,
      this.#status,
      this.table.element,
    );
  }

  shown() {
    this.#open = true;
    void this.#query();
  }

  left() {
    this.#open = false;
    this.#line = [];
    if (this.studio.scene) this.studio.show(null);
  }

  /** @param {State} state */
  state(state) {
    const root = positionKey(state);
    if (root !== this.#root) this.#line = [];
    this.#root = root;
    if (this.#open) void this.#query();
  }

  /** Each report of a running search refreshes the tree, unless a query is pending. */
  thought() {
    if (this.#open) void this.#query();
  }

  /** @param {string[]} line */
  #go(line) {
    this.#line = line;
    void this.#query();
  }

  async #query() {
    if (this.#pending || !this.studio.state) return;
    this.#pending = true;
    const line = this.#line;
    /** @type {TreeContent | null} */
    const content = await this.studio.request("look", { line });
    this.#pending = false;
    if (!this.#open) return;
    if (line !== this.#line) return void this.#query();
    if (!content) {
      this.#line = line.slice(0, -1);
      return;
    }
    this.#content = content;
    this.#show(content);
  }

  /** @param {TreeContent} content */
  #show({ moves, state }) {
    const line = this.#line;
    this.#path.replaceChildren(
      ...["root", ...line].map((name, depth) =>
        button(name, () => this.#go(line.slice(0, depth)), {
          class: "quiet",
          "aria-current": depth === line.length ? "true" : null,
        }),
      ),
    );
    set(this.#up, { disabled: line.length === 0 });
    set(this.#play, { disabled: line.length === 0 });
    this.table.show(moves ?? [], state.facts);
    write(this.#status, this.#describe({ moves, state }));
    this.#showOnBoard({ moves, state });
  }

  /** Describes the node, or says why there is none. @param {Pick<TreeContent, "moves" | "state">} content */
  #describe({ moves, state }) {
    if (state.to_move === null) return state.ending?.words ?? "";
    const name = this.#searchWithoutTree();
    const noTree = `${name} keeps no tree: only the moves at the root are known.`;
    if (moves !== null) {
      const mover = state.players[state.to_move];
      return `${mover} to move: ${moves.length} moves, values for ${mover}.${name ? ` ${noTree}` : ""}`;
    }
    if (!this.#line.length) return NO_TREE;
    return name ? noTree : "The tree does not reach this position.";
  }

  /** The name of the last search if it counts no visits, which are stored in a tree; else empty. */
  #searchWithoutTree() {
    const { search, report } = this.studio.thought ?? {};
    return report?.moves.some((entry) => entry.visits === null) ? (search?.split(":")[0] ?? "") : "";
  }

  /** At the root, the board shows the analysis. */
  overlay() {
    return this.studio.analysis;
  }

  /** Shows the node on the board; at the root, the game. @param {Pick<TreeContent, "moves" | "state">} content */
  #showOnBoard({ moves, state }) {
    const { studio } = this;
    const line = this.#line;
    if (!line.length) {
      if (studio.scene) studio.show(null);
      return;
    }
    const moved = studio.scene?.state.position !== state.position;
    const scene = {
      state,
      words: `In the tree: ${line.join(" ")}`,
      play: (/** @type {string} */ move) => this.#go([...this.#line, move]),
      leave: () => this.#go([]),
    };
    if (moved || !studio.scene) studio.show(scene);
    else studio.scene = scene;
    studio.board.showCandidates(moves ?? []);
  }

  /** Shows a single move on the board, or all. @param {string | null} move */
  #highlight(move) {
    const moves = this.#content?.moves ?? [];
    this.studio.board.showCandidates(moves, move);
  }

  async #playLine() {
    const moves = this.#line;
    this.#line = [];
    this.studio.show(null);
    for (const move of moves) if (!(await this.studio.request("play", { move }))) return;
  }
}
