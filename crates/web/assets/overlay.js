/** The analysis on the board: candidates as spots and arrows, the main line as ghosts, a tooltip. */

/** @import { Facts, RootMove } from "./protocol.js" */
/** @import { Point } from "./shapes.js" */
/** @import { BoardView, DrawnCell } from "./board-view.js" */
import { clickTarget } from "./board-view.js";
import { h, s, set, write } from "./dom.js";
import { heat, marked, onScale, scaleOf, textOnHeat } from "./heat.js";
import { describeMove, pointsText, points, rate, signIsResult } from "./words.js";

/** By how much each rank reduces the size of a mark if visits do not tell moves apart. */
const RANK_STEP = 1 / 12;
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
   * Shows candidate moves, the best first.
   * @param {RootMove[]} candidates
   * @param {string | null} [only] the move to show instead of all
   */
  showCandidates(candidates, only = null) {
    this.candidates = candidates;
    const { state } = this.view;
    const marks = only === null ? marked(candidates) : candidates.filter((entry) => entry.move === only);
    const shown = new Set();
    if (state && marks.length) {
      const scale = scaleOf(candidates, state.facts);
      const most = Math.max(1, ...candidates.map((entry) => entry.visits ?? 0));
      // A search with nearly even visits distinguishes moves by their order only.
      const even = marks.length > 1 && marks.every((entry) => (entry.visits ?? most) * 2 > most);
      const best = marked(candidates)[0]?.move;
      for (const [rank, entry] of marks.entries()) {
        const isBest = entry.move === best;
        const share = isBest ? 1 : even ? 1 - rank * RANK_STEP : ((entry.visits ?? most) / most) ** 0.75;
        const key = this.#drawMark(entry, share, isBest ? 1 : onScale(entry.value, scale), isBest, shown);
        if (key !== null) shown.add(key);
      }
    }
    this.#removeMarks(shown);
    if (this.#tipCell !== null) this.#showTip(this.#tipCell);
  }

  /**
   * Draws the mark of a move; returns its key, or null if its cell is taken.
   * @param {RootMove} entry
   * @param {number} share of the largest size
   * @param {number} value its place on the colour scale
   * @param {boolean} isBest
   * @param {Set<string>} shown the keys of the marks drawn so far
   */
  #drawMark(entry, share, value, isBest, shown) {
    const cells = this.view.cellsOfMove(entry.move);
    const to = cells[cells.length - 1];
    if (!to) return null;
    const isArrow = cells.length > 1;
    const key = isArrow ? `>${entry.move}` : to.cell.name;
    if (shown.has(key)) return null;
    const mark = this.#mark(key, isArrow);
    set(mark, { class: `mark ${this.#provenClass(entry)}${isBest ? " best" : ""}` });
    if (isArrow) this.#drawArrow(mark, cells[0].at, to.at, share, value);
    else this.#drawSpot(mark, to.at, entry, share, value);
    // The best move is never hidden by another.
    if (isBest && mark.nextSibling) mark.parentElement?.append(mark);
    return key;
  }

  /**
   * Shows a line from the position as numbered ghost pieces. A candidate keeps its mark instead.
   * @param {string[]} line
   */
  showLine(line) {
    const { state, frame } = this.view;
    const key = `${frame} ${state?.position} ${[...this.#marks.keys()]} ${line.join(" ")}`;
    if (key === this.#line) return;
    this.#line = key;
    this.ghosts.replaceChildren();
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
      } else if (!this.#marks.has(to.cell.name) && !to.cell.piece && this.view.isPlacement) {
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
        ? s("g", {}, s("path", {}))
        : s("g", {}, s("circle", { class: "halo" }), s("circle", {}), s("text", {}));
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
   * @param {number} share of the largest size
   * @param {number} value its place on the colour scale
   */
  #drawSpot(mark, at, entry, share, value) {
    const [halo, circle, text] = mark.children;
    const radius = 7 + 32 * share;
    const proven = this.#provenClass(entry);
    const { state } = this.view;
    // The content of a pit or a list entry must stay readable.
    const shape = state?.view.shape;
    const offset = shape === "mancala" ? "translate(0 46) scale(0.55)" : shape === "list" ? "scale(0.6)" : "";
    set(mark, { transform: `translate(${at.x} ${at.y}) ${offset}` });
    set(halo, { r: (radius + 5).toFixed(1) });
    set(circle, { r: radius.toFixed(1), fill: heat(value) });
    set(text, { style: `--on: ${textOnHeat(value)}` });
    const label =
      proven === "won"
        ? "✓"
        : proven === "lost"
          ? "✗"
          : radius > 27 && entry.value !== null && state
            ? shortValue(rate(entry.value), state.facts)
            : "";
    write(text, label);
  }

  /**
   * @param {SVGGElement} mark
   * @param {Point} from
   * @param {Point} to
   * @param {number} share of the largest size
   * @param {number} value its place on the colour scale
   */
  #drawArrow(mark, from, to, share, value) {
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
    set(mark.children[0], {
      d: `M${path.map(([along, across]) => point(along, across)).join("L")}Z`,
      fill: heat(value),
    });
  }

  /** @param {RootMove} entry */
  #provenClass(entry) {
    const { state } = this.view;
    if (!state || !signIsResult(state.facts) || entry.bounds.player !== state.to_move) return "";
    if (entry.bounds.at_least > 0) return "won";
    return entry.bounds.at_most < 0 ? "lost" : "";
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

/**
 * A value that fits into a mark.
 * @param {number} share in [0, 1]
 * @param {Facts} facts
 */
function shortValue(share, facts) {
  return facts.players === 1 ? pointsText(points(share, facts), facts) : (share * 100).toFixed(0);
}
