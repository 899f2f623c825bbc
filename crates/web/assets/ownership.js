/** The owners of the cells at the end of playouts: squares in the colours of the players. */

/** @import { BoardView } from "./board-view.js" */
import { s } from "./dom.js";

/** The side of the square of a certain owner, in board units: well inside a stone, which is 88 wide. */
const MAX_SIDE = 52;
/** A cell with a smaller share has no owner: less than twice the standard error of the estimate. */
const MIN_SHARE = 0.1;

export class OwnershipOverlay {
  /** By how much each cell belongs to the player to move, in the order of the view. @type {number[]} */
  shares = [];
  /** Identifies the board and the shares that are drawn. */
  #drawn = "";
  /** @type {SVGRectElement[]} */
  #squares = [];

  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
  }

  /**
   * Shows the owners of the cells; the surer the owner, the larger the square.
   * @param {number[]} shares from -1 to 1, in the order of the cells of the view; none hide the owners
   */
  show(shares) {
    const { state, frame, cells } = this.view;
    this.shares = shares;
    const drawn = `${frame} ${state?.to_move} ${shares}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    for (const square of this.#squares.splice(0)) square.remove();
    if (!state || state.to_move === null) return;
    for (const [index, share] of shares.entries()) {
      const cell = cells.get(state.view.cells[index]?.name ?? "");
      if (!cell || Math.abs(share) < MIN_SHARE) continue;
      const owner = share > 0 ? state.to_move : 1 - state.to_move;
      const side = MAX_SIDE * Math.abs(share);
      const square = s("rect", {
        class: `owner tone-${state.look.tones[owner] ?? "none"}`,
        "aria-hidden": "true",
        x: -side / 2,
        y: -side / 2,
        width: side,
        height: side,
      });
      // Above the stone, but below the dot of the last move.
      cell.piece.after(square);
      this.#squares.push(square);
    }
  }
}
