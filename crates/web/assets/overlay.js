/** The analysis on the board: candidates as spots and arrows, the main line as ghosts, a tooltip. */

/** @import { RootMove } from "./protocol.js" */
/** @import { Point } from "./shapes.js" */
/** @import { Scale } from "./heat.js" */
/** @import { BoardView, DrawnCell } from "./board-view.js" */
import { clickTarget } from "./board-view.js";
import { h, s, set, write } from "./dom.js";
import { heat, onScale, scaleOf, textOnHeat } from "./heat.js";
import { describeMove, rate } from "./words.js";

/** The most arrows at once: more would hide the board. */
const MAX_ARROWS = 8;
/** The most spots at once: the remaining moves have hardly any visits. */
const MAX_SPOTS = 80;
/** The most moves of the main line. */
const MAX_LINE = 8;
/** The most moves in the tooltip of a cell. */
const MAX_TIPS = 6;

export class AnalysisOverlay {
  /** @type {RootMove[]} */
  candidates = [];
  /** The spots and arrows by cell or move. @type {Map<string, SVGGElement>} */
  #marks = new Map();
  /** Identifies the line that is shown. */
  #line = "";
  /** The cells with a ghost piece. @type {Set<string>} */
  #ghostCells = new Set();
  /** The cell of the tooltip. @type {string | null} */
  #tipCell = null;

  arrows = s("g", { class: "arrows", "aria-hidden": "true" });
  spots = s("g", { class: "heat", "aria-hidden": "true" });
  ghosts = s("g", { class: "ghosts", "aria-hidden": "true" });
  tip = h("div", { class: "tip", role: "tooltip", hidden: true });

  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
    view.svg.addEventListener("pointerover", (event) => this.#showTip(clickTarget(event.target)));
    view.svg.addEventListener("pointerleave", () => this.#showTip(null));
    view.svg.addEventListener("focusin", (event) => this.#showTip(clickTarget(event.target)));
    view.svg.addEventListener("focusout", () => this.#showTip(null));
  }

  /**
   * Shows candidate moves: size stands for visits, colour for value.
   * @param {RootMove[]} candidates the best first
   * @param {Scale} [scale] of the colours
   */
  showCandidates(candidates, scale = scaleOf(candidates)) {
    this.candidates = candidates;
    const most = Math.max(1, ...candidates.map((entry) => entry.visits));
    // A search with nearly even visits distinguishes moves by their order only.
    const even = candidates.length > 1 && candidates.every((entry) => entry.visits * 2 > most);
    const shown = new Set();
    let arrows = 0;
    for (const [rank, entry] of candidates.entries()) {
      const cells = this.view.cellsOfMove(entry.move);
      const to = cells[cells.length - 1];
      if (!to || (entry.visits === 0 && entry.value === null) || (even && rank >= MAX_ARROWS)) continue;
      if (this.#ghostCells.has(to.cell.name)) continue;
      const share = even ? 1 - rank / MAX_ARROWS : (entry.visits / most) ** 0.75;
      const isArrow = cells.length > 1;
      const key = isArrow ? `>${entry.move}` : to.cell.name;
      if (isArrow ? arrows++ >= MAX_ARROWS : shown.has(key) || shown.size >= MAX_SPOTS) continue;
      shown.add(key);
      const mark = this.#mark(key, isArrow);
      if (isArrow) this.#drawArrow(mark, cells[0].at, to.at, entry, share, onScale(entry.value, scale));
      else this.#drawSpot(mark, to.at, entry, share, onScale(entry.value, scale));
    }
    this.#removeMarks(shown);
    if (this.#tipCell !== null) this.#showTip(this.#tipCell);
  }

  /**
   * Shows a line from the position as numbered ghost pieces.
   * @param {string[]} line
   */
  showLine(line) {
    const { state, frame } = this.view;
    const key = `${frame} ${state?.position} ${this.candidates.length > 0} ${line.join(" ")}`;
    if (key === this.#line) return;
    this.#line = key;
    this.ghosts.replaceChildren();
    this.#ghostCells.clear();
    if (!state || state.to_move === null) return;
    const heights = new Map();
    const numbered = new Set();
    for (const [index, move] of line.slice(0, MAX_LINE).entries()) {
      const cells = index === 0 ? this.view.cellsOfMove(move) : this.view.cellsInText(move, heights);
      const to = cells[cells.length - 1];
      if (!to) continue;
      heights.set(to.cell.column, to.cell.row);
      if (numbered.has(to)) continue;
      numbered.add(to);
      const group = s("g", { class: "ghost", transform: `translate(${to.at.x} ${to.at.y})` });
      if (cells.length > 1) {
        const { at } = cells[0];
        // The first move is the best candidate, which has an arrow already.
        if (index > 0 || !this.candidates.length)
          this.ghosts.append(s("path", { class: "way", d: `M${at.x} ${at.y}L${to.at.x} ${to.at.y}` }));
      } else if (index > 0 && !to.cell.piece && this.view.isPlacement) {
        this.#ghostCells.add(to.cell.name);
        group.append(this.view.newPiece(state, (state.to_move + index) % state.facts.players));
      }
      group.append(
        s("circle", { class: "number-ground", cx: 30, cy: -30, r: 17 }),
        s("text", { class: "number", x: 30, y: -30 }, index + 1),
      );
      this.ghosts.append(group);
    }
  }

  /** The mark of a cell or move, created if it is new. @param {string} key @param {boolean} isArrow */
  #mark(key, isArrow) {
    let mark = this.#marks.get(key);
    if (!mark) {
      mark = isArrow
        ? s("g", { class: "mark" }, s("path", {}))
        : s("g", { class: "mark" }, s("circle", {}), s("text", {}));
      this.#marks.set(key, mark);
      (isArrow ? this.arrows : this.spots).append(mark);
    }
    return mark;
  }

  /** Removes all marks but these. @param {Set<string>} kept */
  #removeMarks(kept) {
    for (const [key, mark] of this.#marks) {
      if (kept.has(key)) continue;
      mark.remove();
      this.#marks.delete(key);
    }
  }

  /**
   * @param {SVGGElement} mark
   * @param {Point} at
   * @param {RootMove} entry
   * @param {number} share of the visits
   * @param {number} value its place on the colour scale
   */
  #drawSpot(mark, at, entry, share, value) {
    const [circle, text] = mark.children;
    const radius = 7 + 36 * share;
    const proven = this.#provenClass(entry);
    // The content of a pit or a list entry must stay readable.
    const shape = this.view.state?.view.shape;
    const offset = shape === "mancala" ? "translate(0 46) scale(0.55)" : shape === "list" ? "scale(0.6)" : "";
    set(mark, { transform: `translate(${at.x} ${at.y}) ${offset}`, class: `mark ${proven}` });
    set(circle, { r: radius.toFixed(1), fill: heat(value) });
    set(text, { style: `--on: ${textOnHeat(value)}` });
    const label =
      proven === "won"
        ? "✓"
        : proven === "lost"
          ? "✗"
          : radius > 27 && entry.value !== null
            ? (rate(entry.value) * 100).toFixed(0)
            : "";
    write(text, label);
  }

  /**
   * @param {SVGGElement} mark
   * @param {Point} from
   * @param {Point} to
   * @param {RootMove} entry
   * @param {number} share of the visits
   * @param {number} value its place on the colour scale
   */
  #drawArrow(mark, from, to, entry, share, value) {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const width = 3 + 11 * share;
    const head = width * 2.2 + 8;
    const tip = length - 12;
    const point = (/** @type {number} */ along, /** @type {number} */ across) =>
      `${(from.x + dx * along - dy * across).toFixed(1)} ${(from.y + dy * along + dx * across).toFixed(1)}`;
    const neck = Math.max(24, tip - head);
    const path = [
      [18, width / 2],
      [neck, width / 2],
      [neck, head / 2],
      [tip, 0],
      [neck, -head / 2],
      [neck, -width / 2],
      [18, -width / 2],
    ];
    set(mark, { class: `mark ${this.#provenClass(entry)}` });
    set(mark.children[0], {
      d: `M${path.map(([along, across]) => point(along, across)).join("L")}Z`,
      fill: heat(value),
    });
  }

  /** @param {RootMove} entry */
  #provenClass(entry) {
    if (this.view.state?.facts.players !== 2) return "";
    if (entry.bounds.at_least >= 1) return "won";
    return entry.bounds.at_most <= -1 ? "lost" : "";
  }

  /** Shows the numbers of the candidate moves at a cell. @param {string | null} name */
  #showTip(name) {
    const { state, cells } = this.view;
    this.#tipCell = name;
    /** @type {DrawnCell | undefined} */
    const cell = name === null ? undefined : cells.get(name);
    const entries =
      cell && state
        ? this.candidates.filter((entry) => this.view.cellsOfMove(entry.move).includes(cell)).slice(0, MAX_TIPS)
        : [];
    this.tip.hidden = entries.length === 0;
    if (!cell || !state || !entries.length) return;
    this.tip.replaceChildren(...entries.map((entry) => h("div", {}, describeMove(entry, state.facts))));
    this.view.placeBeside(this.tip, cell);
  }
}
