/** A Go problem on the board: the stones in question, the region, and the results of first moves. */

/** @import { BoardView } from "./board-view.js" */
/** @import { Point } from "./shapes.js" */
import { s } from "./dom.js";
import { UNIT } from "./shapes.js";

/**
 * The names of cells, and what each first move does: `works`, `fails` or `open`.
 * @typedef {{ targets: string[], region: string[], moves: Map<string, "works" | "fails" | "open"> }} ProblemMarks
 */

/** The signs of first moves. */
const SIGNS = { works: "✓", fails: "✗", open: "?" };

/** The words for screen readers. */
const WORDS = { works: "this move works", fails: "this move fails", open: "the result of this move is open" };

export class ProblemOverlay {
  /** @type {ProblemMarks | null} */
  marks = null;
  /** Identifies what is drawn. */
  #drawn = "";
  #notes = new Map();
  element = s("g", { class: "problem", "aria-hidden": "true" });
  /** The part under the stones. */
  ground = s("g", { class: "problem", "aria-hidden": "true" });

  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
  }

  /**
   * Draws the marks of a problem, or removes them.
   * @param {ProblemMarks | null} marks
   * @returns {Map<string, string[]>} what the cells are called
   */
  show(marks) {
    this.marks = marks;
    const key = marks ? `${this.view.frame} ${marks.targets} ${marks.region} ${[...marks.moves].join(" ")}` : "";
    if (key === this.#drawn) return this.#notes;
    this.#drawn = key;
    this.#notes = marks ? this.#describe(marks) : new Map();
    this.element.replaceChildren(...(marks ? this.#draw(marks) : []));
    this.ground.replaceChildren(...(marks ? this.#places(marks.region).map(square) : []));
    return this.#notes;
  }

  /** @param {ProblemMarks} marks */
  #draw({ targets, moves }) {
    const shapes = [];
    for (const at of this.#places(targets)) {
      shapes.push(s("rect", { class: "target", x: at.x - 17, y: at.y - 17, width: 34, height: 34, rx: 4 }));
    }
    for (const [move, result] of moves) {
      for (const at of this.#places([move])) {
        const sign = s("text", {}, SIGNS[result]);
        shapes.push(
          s("g", { class: `first ${result}`, transform: `translate(${at.x} ${at.y})` }, s("circle", { r: 24 }), sign),
        );
      }
    }
    return shapes;
  }

  /** The centres of cells. @param {string[]} names */
  #places(names) {
    return names.flatMap((name) => this.view.cells.get(name)?.at ?? []);
  }

  /** @param {ProblemMarks} marks @returns {Map<string, string[]>} */
  #describe({ targets, region, moves }) {
    /** @type {Map<string, string[]>} */
    const notes = new Map();
    const add = (/** @type {string} */ name, /** @type {string} */ note) =>
      notes.set(name, [...(notes.get(name) ?? []), note]);
    for (const name of targets) add(name, "in question");
    for (const name of region) add(name, "in the region");
    for (const [move, result] of moves) add(move, WORDS[result]);
    return notes;
  }
}

/** The square around a point. @param {Point} at */
function square({ x, y }) {
  return s("rect", { class: "region", x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT });
}
