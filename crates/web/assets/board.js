/** The board: a position, the analysis over it, and the moves that the user makes on it. */

/** @import { RootMove, State } from "./protocol.js" */
/** @import { InputEvents, Tool } from "./board-input.js" */
/** @import { ProblemMarks } from "./problem-overlay.js" */
import { BoardInput } from "./board-input.js";
import { BoardView } from "./board-view.js";
import { AnalysisOverlay } from "./overlay.js";
import { OwnershipOverlay } from "./ownership.js";
import { ProblemOverlay } from "./problem-overlay.js";

export class Board {
  #view;
  #input;
  #overlay;
  #ownership;
  #problem;

  /** @param {InputEvents & { resized: (width: number) => void }} events */
  constructor(events) {
    this.#view = new BoardView(events.resized);
    this.#input = new BoardInput(this.#view, events);
    this.#overlay = new AnalysisOverlay(this.#view);
    this.#ownership = new OwnershipOverlay(this.#view);
    this.#problem = new ProblemOverlay(this.#view);
    const { arrows, spots, ghosts, tip } = this.#overlay;
    this.#view.addGround(this.#problem.ground);
    this.#view.svg.append(this.#input.preview, arrows, spots, ghosts, this.#problem.element, this.#input.held);
    this.#view.element.append(tip, this.#input.popup);
  }

  get element() {
    return this.#view.element;
  }

  /** The buttons for moves that are not on the board. */
  get choices() {
    return this.#input.choices;
  }

  get flipped() {
    return this.#view.flipped;
  }

  /** Listens to pointers inside an element. @param {HTMLElement} stage */
  listen(stage) {
    this.#input.listen(stage);
  }

  /**
   * Shows a position, without analysis.
   * @param {State} state
   * @param {boolean} open whether the user may move
   */
  show(state, open) {
    const before = this.#view.state;
    this.#view.show(state);
    this.#input.update(
      open && state.to_move !== null,
      before?.position !== state.position || before?.game !== state.game,
    );
    this.showLine([]);
    this.showCandidates([]);
    this.showOwnership([]);
    this.showProblem(null);
  }

  /** Uses a tool for clicks on the board; null for moves. @param {Tool | null} tool */
  use(tool) {
    this.#input.use(tool);
  }

  /** Shows the part of the board around some cells; all of it for none. @param {string[]} names */
  zoom(names) {
    this.#view.zoom(names);
  }

  /** The connected stones of a colour around a cell; empty if it has none. @param {string} name */
  block(name) {
    const drawn = this.#view.cells.get(name);
    return drawn?.cell.piece ? this.#view.group(drawn).map(({ cell }) => cell.name) : [];
  }

  /** Turns the board by 180 degrees. */
  flip() {
    const { state } = this.#view;
    const { candidates } = this.#overlay;
    const { shares } = this.#ownership;
    const { marks } = this.#problem;
    this.#view.flip();
    if (state) this.show(state, this.#input.open);
    this.showCandidates(candidates);
    this.showOwnership(shares);
    this.showProblem(marks);
  }

  /** Gives the keyboard focus to the board. */
  focus() {
    this.#view.focus();
  }

  /** @param {RootMove[]} candidates the best first @param {string | null} [only] the move to show instead of all */
  showCandidates(candidates, only) {
    this.#overlay.showCandidates(candidates, only);
  }

  /** @param {string[]} line */
  showLine(line) {
    this.#overlay.showLine(line);
  }

  /** @param {ProblemMarks | null} marks of a Go problem */
  showProblem(marks) {
    this.#view.notes = this.#problem.show(marks);
    this.#input.mark();
  }

  /** @param {number[]} shares by how much each cell belongs to the player to move; none hide the owners */
  showOwnership(shares) {
    this.#ownership.show(shares);
  }
}
