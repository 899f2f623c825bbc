/** Draws a position from its view: the board, the cells and the pieces. */

/** @import { Cell, Look, State } from "./protocol.js" */
/** @import { Layout, Point } from "./shapes.js" */
import { h, s, set } from "./dom.js";
import { drawPiece } from "./pieces.js";
import { layout, UNIT } from "./shapes.js";
import { boxAround, cutLabels } from "./zoom.js";

/** The size of labels in pixels, and their maximum in board units. */
const LABEL_PIXELS = 13;
const MAX_LABEL_UNITS = 36;

/**
 * A cell on the board; `content` identifies the piece drawn in it.
 * @typedef {{ cell: Cell, at: Point, element: SVGGElement, piece: SVGGElement, content: string }} DrawnCell
 */

export class BoardView {
  /** @type {State | null} */
  state = null;
  flipped = false;
  /** @type {Map<string, DrawnCell>} */
  cells = new Map();
  /** What the names of cells say besides their pieces. @type {Map<string, string[]>} */
  notes = new Map();
  /** Identifies the board that is drawn: the game, its cells and its orientation. */
  frame = "";
  /** The clicks of the legal moves by their texts. @type {Map<string, string[]>} */
  #clicks = new Map();
  /** The name of the cell that takes the keyboard focus. */
  #focus = "";
  /** @type {Layout | null} */
  #layout = null;
  /** The part of the board that is shown. @type {[number, number, number, number]} */
  #box = [0, 0, 1, 1];
  #under = s("g", { class: "under", "aria-hidden": "true" });
  #lines = s("path", { class: "drawn", "aria-hidden": "true" });
  #grid = s("g", { class: "cells" });
  #cutLabels = s("g", { "aria-hidden": "true" });
  svg = s("svg", { role: "grid", "aria-label": "board", preserveAspectRatio: "xMidYMid meet" });
  element = h("div", { class: "board" }, this.svg);

  /** @param {(width: number) => void} resized receives the width of the drawn board in pixels */
  constructor(resized) {
    this.resized = resized;
    this.svg.append(this.#under, this.#lines, this.#grid, this.#cutLabels);
    new ResizeObserver(() => this.#scaleLabels()).observe(this.element);
  }

  /** Adds a drawing under the pieces. @param {SVGElement} element */
  addGround(element) {
    this.#under.after(element);
  }

  /** @returns {Look | null} */
  get look() {
    return this.state?.look ?? null;
  }

  /**
   * Draws a position. A piece that moved slides from its old cell.
   * @param {State} state
   */
  show(state) {
    const before = this.state;
    this.state = state;
    this.#clicks = new Map(state.legal.map((move) => [move.text, move.clicks]));
    this.#build(state);
    const moved = before && before.game === state.game && before.position !== state.position;
    const slide = moved ? this.#slide(state) : null;
    for (const [name, drawn] of this.cells) this.#draw(state, drawn, slide?.to === name ? slide.from : null);
    this.#drawLines(state);
    const turn = state.to_move === null ? "game over" : `${state.players[state.to_move]} to move`;
    this.svg.setAttribute("aria-label", `board, ${turn}`);
  }

  /** Shows the part of the board around some cells; all of it for none. @param {string[]} names */
  zoom(names) {
    if (!this.#layout) return;
    const whole = this.#layout.box;
    const part = boxAround(names.flatMap((name) => this.cells.get(name)?.at ?? []), whole);
    const box = part ?? whole;
    if (box.join() === this.#box.join()) return;
    this.#frameBox(box);
    this.#cutLabels.replaceChildren(...(part ? cutLabels(this.cells.values(), box, whole) : []));
  }

  /** Turns the board by 180 degrees; the next `show` draws it. */
  flip() {
    this.flipped = !this.flipped;
    this.frame = "";
  }

  /** Gives the keyboard focus to the board. */
  focus() {
    this.cells.get(this.#focus)?.element.focus();
  }

  /**
   * Moves the keyboard focus from a cell to the nearest one in a direction.
   * @param {string} name
   * @param {[number, number]} direction
   */
  moveFocus(name, [dx, dy]) {
    const from = this.cells.get(name);
    if (!from) return;
    let best = null;
    let least = Infinity;
    for (const drawn of this.cells.values()) {
      const along = (drawn.at.x - from.at.x) * dx + (drawn.at.y - from.at.y) * dy;
      const across = Math.abs((drawn.at.x - from.at.x) * dy) + Math.abs((drawn.at.y - from.at.y) * dx);
      const distance = along + 2.5 * across;
      if (along > UNIT / 10 && distance < least) [best, least] = [drawn, distance];
    }
    if (!best) return;
    from.element.setAttribute("tabindex", "-1");
    best.element.setAttribute("tabindex", "0");
    best.element.focus();
    this.#focus = best.cell.name;
  }

  /** The cells that a legal move clicks. @param {string} text @returns {DrawnCell[]} */
  cellsOfMove(text) {
    return (this.#clicks.get(text) ?? []).flatMap((name) => this.cells.get(name) ?? []);
  }

  /**
   * The cells that the text of a move names, legal or not.
   * @param {string} text
   * @param {Map<number, number>} heights the row of the last piece dropped into a column
   * @returns {DrawnCell[]}
   */
  cellsInText(text, heights) {
    const single = this.cells.get(text);
    if (single) return [single];
    const column = this.state?.view.column_labels.indexOf(text) ?? -1;
    if (column >= 0) {
      const inColumn = [...this.cells.values()].filter(({ cell }) => cell.column === column);
      const top =
        heights.get(column) ?? Math.min(...inColumn.filter(({ cell }) => cell.piece).map(({ cell }) => cell.row));
      const row = heights.has(column) ? top - 1 : top;
      return inColumn.filter(({ cell }) => cell.row === row);
    }
    return (text.match(/[A-Za-z]+\d+/g) ?? []).flatMap((name) => this.cells.get(name) ?? []);
  }

  /** Whether each move puts one piece on one cell. */
  get isPlacement() {
    const { state } = this;
    return (
      state !== null &&
      state.legal.length > 0 &&
      this.cellsOfMove(state.legal[0].text).length === 1 &&
      state.view.shape !== "list"
    );
  }

  /** The piece that a player puts on the board. @param {State} state @param {number} owner */
  newPiece(state, owner) {
    return drawPiece(state.look, { symbol: state.players[owner]?.[0] ?? "", owner }, this.flipped);
  }

  /** The connected cells with the same piece. @param {DrawnCell} start @returns {DrawnCell[]} */
  group(start) {
    const symbol = start.cell.piece?.symbol;
    if (symbol === undefined) return [];
    const byPosition = new Map(
      [...this.cells.values()].map((drawn) => [`${drawn.cell.column} ${drawn.cell.row}`, drawn]),
    );
    const found = new Set([start]);
    for (const { cell } of found) {
      for (const [x, y] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ]) {
        const neighbour = byPosition.get(`${cell.column + x} ${cell.row + y}`);
        if (neighbour?.cell.piece?.symbol === symbol) found.add(neighbour);
      }
    }
    return [...found];
  }

  /**
   * Positions an element next to a cell, inside the board.
   * @param {HTMLElement} element
   * @param {DrawnCell} drawn
   */
  placeBeside(element, drawn) {
    const board = this.element.getBoundingClientRect();
    const cell = drawn.element.getBoundingClientRect();
    const left = cell.left - board.left + cell.width / 2 - element.offsetWidth / 2;
    const above = cell.top - board.top - element.offsetHeight - 6;
    element.style.left = `${Math.min(Math.max(0, left), Math.max(0, board.width - element.offsetWidth))}px`;
    element.style.top = `${above < 0 ? cell.bottom - board.top + 6 : above}px`;
  }

  /** A point of the screen in board units. @param {number} x @param {number} y */
  toBoard(x, y) {
    const matrix = this.svg.getScreenCTM();
    return matrix && new DOMPoint(x, y).matrixTransform(matrix.inverse());
  }

  /** Builds the board and its cells if they differ from those drawn. @param {State} state */
  #build(state) {
    const frame = `${state.game} ${this.flipped} ${state.view.cells.map((cell) => cell.name).join(" ")}`;
    if (frame === this.frame) {
      for (const cell of state.view.cells) {
        const drawn = this.cells.get(cell.name);
        if (drawn) drawn.cell = cell;
      }
      return;
    }
    this.frame = frame;
    const made = layout(state.view, state.look, this.flipped);
    this.#layout = made;
    this.#frameBox(made.box);
    this.#cutLabels.replaceChildren();
    this.element.dataset.board = state.view.shape === "square" ? state.look.board : state.view.shape;
    this.element.dataset.piece = state.look.piece;
    this.#under.replaceChildren(...made.under);
    this.#buildCells(state.view.cells, made);
    const middle = state.view.cells[Math.floor(state.view.cells.length / 2)];
    if (!this.cells.has(this.#focus)) this.#focus = middle?.name ?? "";
    this.cells.get(this.#focus)?.element.setAttribute("tabindex", "0");
  }

  /** @param {Cell[]} cells @param {Layout} made */
  #buildCells(cells, made) {
    this.cells.clear();
    /** @type {Map<number, SVGGElement>} */
    const rows = new Map();
    for (const cell of cells) {
      const at = made.place(cell);
      const piece = s("g", { class: "stand" });
      const element = s(
        "g",
        {
          class: "cell",
          role: "gridcell",
          tabindex: -1,
          "data-click": cell.name,
          transform: `translate(${at.x} ${at.y})`,
        },
        made.outline(cell),
        piece,
        s("circle", { class: "dot", r: 13 }),
        s("circle", { class: "ring", r: 46 }),
      );
      this.cells.set(cell.name, { cell, at, element, piece, content: "" });
      const row = rows.get(cell.row) ?? s("g", { role: "row" });
      rows.set(cell.row, row);
      row.append(element);
    }
    this.#grid.replaceChildren(...rows.values());
  }

  /** @param {[number, number, number, number]} box */
  #frameBox(box) {
    this.#box = box;
    set(this.svg, { viewBox: box.join(" ") });
    this.element.style.setProperty("--ratio", String(box[2] / box[3]));
    this.#scaleLabels();
  }

  /** Keeps the labels readable at every size of the board. */
  #scaleLabels() {
    if (!this.#layout) return;
    const [, , width, height] = this.#box;
    const scale = Math.min(this.element.clientWidth / width, this.element.clientHeight / height);
    const size = Math.min(MAX_LABEL_UNITS, LABEL_PIXELS / (scale || 1));
    this.svg.style.setProperty("--label", `${size.toFixed(1)}px`);
    // What is beside a part of the board is not shown, although there may be room for it.
    const [across, down] = [this.element.clientWidth - width * scale, this.element.clientHeight - height * scale];
    const isPart = this.#box !== this.#layout.box;
    this.svg.style.clipPath = isPart ? `inset(${Math.max(0, down / 2)}px ${Math.max(0, across / 2)}px round 8px)` : "";
    this.resized(Math.round(width * scale));
  }

  /**
   * @param {State} state
   * @param {DrawnCell} drawn
   * @param {DrawnCell | null} from the cell that the piece comes from, if it moved here
   */
  #draw(state, drawn, from) {
    const { piece } = drawn.cell;
    const content = piece ? `${piece.symbol} ${piece.owner}` : "";
    if (content !== drawn.content) {
      const appears = drawn.content === "" && !from;
      drawn.content = content;
      drawn.piece.replaceChildren(...(piece ? [drawPiece(state.look, piece, this.flipped)] : []));
      drawn.piece.classList.toggle("appears", appears && piece !== null);
    }
    if (from && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const offset = `translate(${from.at.x - drawn.at.x}px, ${from.at.y - drawn.at.y}px)`;
      drawn.piece.animate([{ transform: offset }, { transform: "none" }], { duration: 160, easing: "ease-out" });
    }
  }

  /** Draws the lines between cells. @param {State} state */
  #drawLines(state) {
    const strokes = state.view.lines.map(([from, to]) => {
      const [start, end] = [this.cells.get(from)?.at, this.cells.get(to)?.at];
      return start && end ? `M${start.x} ${start.y}L${end.x} ${end.y}` : "";
    });
    this.#lines.setAttribute("d", strokes.join(""));
  }

  /** The cells of the last move, if a piece went from one to the other. @param {State} state */
  #slide(state) {
    const cells = state.last === null ? [] : this.cellsInText(state.last, new Map());
    return cells.length === 2 ? { from: cells[0], to: cells[1].cell.name } : null;
  }
}

/**
 * The click that an element stands for: the name of a cell or of a piece in hand.
 * @param {EventTarget | null} target
 */
export function clickTarget(target) {
  return target instanceof Element ? (target.closest("[data-click]")?.getAttribute("data-click") ?? null) : null;
}
