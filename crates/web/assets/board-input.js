/** Turns clicks, drags and keys on the board into moves. */

/** @import { LegalMove, State } from "./protocol.js" */
/** @import { BoardView } from "./board-view.js" */
import { clickTarget } from "./board-view.js";
import { button, h, s, set } from "./dom.js";
import { drawPiece, isBlank, pieceName } from "./pieces.js";

/** The distance at which a click becomes a drag, in pixels. */
const DRAG_DISTANCE = 6;

/** If more than this share of the empty cells can be played, they are not marked. */
const CROWDED = 0.6;

/** The labels of clicks that are not on the board. @type {Record<string, string>} */
const CHOICES = { "+": "Promote", "=": "Do not promote", pass: "Pass", swap: "Swap sides" };

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * What clicks on the board do instead of moves. A tool that draws is also used on the cells that the
 * pointer is dragged over.
 * @typedef {object} Tool
 * @property {boolean} draws
 * @property {(name: string, starts: boolean) => void} use on a cell; `starts` is false for the cells of a drag after the first
 *
 * @typedef {object} InputEvents
 * @property {(move: string) => void} play
 * @property {(reason: string) => void} refuse reports why a click does nothing
 */

export class BoardInput {
  /** Whether the user may move. */
  open = false;
  /** @type {Tool | null} */
  #tool = null;
  /** The cell that a tool was last used on, if the pointer is dragged. @type {string | null} */
  #drawn = null;
  /** The clicks so far of a move that takes more. @type {string[]} */
  #picked = [];
  /** @type {{ from: string, x: number, y: number, piece: SVGGElement | null } | null} */
  #drag = null;
  /** Whether the last pointer gesture was a drag; its click is ignored. */
  #dragged = false;

  preview = s("g", { class: "hover", "aria-hidden": "true" });
  held = s("g", { class: "held", "aria-hidden": "true" });
  popup = h("div", { class: "popup", role: "group", "aria-label": "choices", hidden: true });
  /** The buttons for moves that are not on the board. */
  choices = h("span", { class: "choices" });

  /** @param {BoardView} view @param {InputEvents} events */
  constructor(view, events) {
    this.view = view;
    this.events = events;
    view.svg.addEventListener("keydown", (event) => this.#key(event));
    view.svg.addEventListener("pointerover", (event) => this.#showPreview(clickTarget(event.target)));
    view.svg.addEventListener("pointerleave", () => this.#showPreview(null));
  }

  /**
   * Listens to pointers on everything clickable inside an element: the board, and the hands beside it.
   * @param {HTMLElement} stage
   */
  listen(stage) {
    stage.addEventListener("pointerdown", (event) => {
      const from = clickTarget(event.target);
      if (from === null || event.button !== 0) return;
      this.#dragged = false;
      this.#drag = { from, x: event.clientX, y: event.clientY, piece: null };
    });
    stage.addEventListener("pointermove", (event) => this.#dragTo(event));
    // A piece that can move follows the finger; elsewhere the page scrolls.
    stage.addEventListener(
      "touchmove",
      (event) => {
        const drags = this.#tool ? this.#tool.draws : this.open && this.#drag && this.#canMoveFrom(this.#drag.from);
        if (this.#drag && drags) event.preventDefault();
      },
      { passive: false },
    );
    stage.addEventListener("pointercancel", () => this.#release());
    stage.addEventListener("lostpointercapture", () => this.#release());
    stage.addEventListener("pointerup", (event) => {
      this.#dragged = this.#drawn !== null;
      if (!this.#drag?.piece) return this.#release();
      this.#release();
      this.#dragged = true;
      const to = clickTarget(document.elementFromPoint(event.clientX, event.clientY));
      if (to !== null && to !== this.#picked[0]) this.click(to);
    });
    stage.addEventListener("click", (event) => {
      const name = clickTarget(event.target);
      if (name !== null && !this.#dragged) this.click(name);
      this.#dragged = false;
    });
  }

  /** Uses a tool instead of moves, or moves again. @param {Tool | null} tool */
  use(tool) {
    if (tool === this.#tool) return;
    this.#tool = tool;
    this.#pick([]);
  }

  /**
   * Follows a change of the position.
   * @param {boolean} open whether the user may move
   * @param {boolean} changed whether it is another position
   */
  update(open, changed) {
    this.open = open;
    if (changed) this.#pick([]);
    else this.mark();
  }

  /**
   * Handles a click on a cell, on a piece in hand, or on a choice.
   * @param {string} name
   */
  click(name) {
    const { state } = this.view;
    if (!state) return;
    if (this.#tool && this.view.cells.has(name)) return this.#tool.use(name, true);
    if (!this.open) {
      if (state.to_move === null) this.events.refuse("The game is over. Undo a move or start a new game.");
      else this.events.refuse(`It is not your turn: ${state.players[state.to_move]} is thinking.`);
      return;
    }
    const target = this.#resolve(name);
    if (this.#picked.length && target === this.#picked[this.#picked.length - 1]) return this.#pick([]);
    let clicks = [...this.#picked, target];
    let moves = this.#startingWith(clicks);
    if (!moves.length) {
      clicks = [target];
      moves = this.#startingWith(clicks);
    }
    if (!moves.length) {
      const from = this.#picked[0];
      this.#pick([]);
      this.#shake(name);
      return this.events.refuse(from ? `${from} cannot move to ${name}.` : this.#whyNot(state, name));
    }
    const complete = moves.find((move) => move.clicks.length === clicks.length);
    if (complete) {
      this.#pick([]);
      this.events.play(complete.text);
    } else {
      this.#pick(clicks);
    }
  }

  /** Marks the cells that can be clicked, the picked ones, and those of the last move. */
  mark() {
    const { state, cells, element: board } = this.view;
    if (!state) return;
    const next = this.#next();
    const last = new Set(
      state.last === null ? [] : this.view.cellsInText(state.last, new Map()).map((drawn) => drawn.cell.name),
    );
    const decisive = new Set(state.ending?.cells);
    const empty = state.view.cells.filter((cell) => !cell.piece);
    // Where nearly every empty cell can be played, marks on all of them carry no information.
    const crowded =
      this.#tool !== null ||
      state.look.reach === "group" ||
      (this.#picked.length === 0 && empty.filter((cell) => next.has(cell.name)).length > empty.length * CROWDED);
    board.classList.toggle("crowded", crowded);
    board.classList.toggle("picking", this.#picked.length > 0);
    for (const [name, { cell, element }] of cells) {
      const can = this.#tool !== null || (this.open && next.has(name));
      element.classList.toggle("can", can);
      element.classList.toggle("full", cell.piece !== null);
      element.classList.toggle("picked", this.#picked.includes(name));
      element.classList.toggle("last", last.has(name));
      element.classList.toggle("decisive", decisive.has(name));
      const label = [name, cell.piece ? pieceName(state.look, cell.piece, state.players) : "empty"];
      if (last.has(name)) label.push("last move");
      if (decisive.has(name)) label.push("decides the game");
      label.push(...(this.view.notes.get(name) ?? []));
      if (can && !this.#tool) label.push(this.#picked.length ? "possible target" : "playable");
      set(element, { "aria-label": label.join(", "), "aria-selected": this.#picked.includes(name) ? "true" : null });
    }
    this.#offerChoices(next);
    this.preview.replaceChildren();
  }

  /** The names that can be clicked next. */
  #next() {
    const next = new Set();
    for (const move of this.#startingWith(this.#picked)) {
      if (move.clicks.length > this.#picked.length) next.add(move.clicks[this.#picked.length]);
    }
    return next;
  }

  /** @param {string[]} clicks @returns {LegalMove[]} */
  #startingWith(clicks) {
    return (this.view.state?.legal ?? []).filter((move) => clicks.every((name, index) => move.clicks[index] === name));
  }

  /** Whether a move takes a piece from here to another cell. @param {string} name */
  #canMoveFrom(name) {
    return this.#startingWith([name]).some((move) => move.clicks.length > 1);
  }

  /** Offers buttons for clicks that are neither on the board nor in a hand. @param {Set<string>} next */
  #offerChoices(next) {
    const { state, cells } = this.view;
    const hands = new Set(state?.view.hands.flatMap((hand) => hand.pieces.map(([name]) => name)));
    const others = this.open ? [...next].filter((name) => !cells.has(name) && !hands.has(name)) : [];
    const order = Object.keys(CHOICES);
    others.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const buttons = others.map((name) => button(CHOICES[name] ?? name, () => this.click(name), { class: "choice" }));
    const at = cells.get(this.#picked[this.#picked.length - 1] ?? "");
    this.popup.hidden = !(at && buttons.length);
    if (at && buttons.length) {
      this.choices.replaceChildren();
      this.popup.replaceChildren(...buttons);
      this.view.placeBeside(this.popup, at);
      buttons[0].focus();
    } else {
      this.choices.replaceChildren(...buttons);
    }
  }

  /** @param {string[]} clicks */
  #pick(clicks) {
    this.#picked = clicks;
    this.mark();
    for (const held of document.querySelectorAll(".hand [data-click]")) {
      held.setAttribute("aria-pressed", String(clicks[0] === held.getAttribute("data-click")));
    }
  }

  /**
   * The click that a click here stands for: any cell of a column, any tile of a group.
   * @param {string} name
   */
  #resolve(name) {
    const { cells, look } = this.view;
    const next = this.#next();
    const drawn = cells.get(name);
    if (next.has(name) || !drawn || !look || look.reach === "cell") return name;
    const candidates =
      look.reach === "column"
        ? [...cells.values()].filter(({ cell }) => cell.column === drawn.cell.column)
        : this.view.group(drawn);
    return candidates.find(({ cell }) => next.has(cell.name))?.cell.name ?? name;
  }

  /** @param {State} state @param {string} name */
  #whyNot(state, name) {
    const cell = this.view.cells.get(name)?.cell;
    if (state.to_move === null || !cell) return `${name} is not possible here.`;
    const mover = state.players[state.to_move];
    if (cell.piece && isBlank(cell.piece)) return `${name} cannot be played.`;
    if (state.look.reach === "group") return "A single tile cannot be removed; a group has two or more.";
    if (cell.piece && cell.piece.owner !== null && cell.piece.owner !== state.to_move)
      return `${name} does not belong to ${mover}, who is to move.`;
    if (cell.piece) return `The piece on ${name} has no legal move.`;
    return state.legal.some((move) => move.clicks.length > 1)
      ? `Choose one of ${mover}'s pieces first.`
      : `${name} is not a legal move for ${mover}.`;
  }

  /** @param {string} name */
  #shake(name) {
    const element = this.view.cells.get(name)?.element;
    element?.classList.remove("refused");
    requestAnimationFrame(() => element?.classList.add("refused"));
  }

  /** Previews a click on a cell: the new piece, or the tiles to remove. @param {string | null} name */
  #showPreview(name) {
    const { state, cells } = this.view;
    this.preview.replaceChildren();
    if (name === null || !state || state.to_move === null || !this.open || this.#picked.length || this.#tool) return;
    const target = cells.get(this.#resolve(name));
    if (!target || !this.#next().has(target.cell.name)) return;
    if (state.look.reach === "group") {
      for (const { at } of this.view.group(target)) {
        this.preview.append(s("rect", { class: "reach", x: at.x - 46, y: at.y - 46, width: 92, height: 92, rx: 14 }));
      }
    } else if (!target.cell.piece && this.view.isPlacement) {
      const piece = this.view.newPiece(state, state.to_move);
      piece.setAttribute("transform", `translate(${target.at.x} ${target.at.y})`);
      this.preview.append(piece);
    }
  }

  /** @param {PointerEvent} event */
  #dragTo(event) {
    const drag = this.#drag;
    const { state, cells, flipped } = this.view;
    if (drag && this.#tool) return this.#drawTo(event, drag.from);
    if (!drag || !state || !this.open) return;
    if (!drag.piece) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_DISTANCE) return;
      if (!this.#canMoveFrom(drag.from)) return;
      this.#pick([drag.from]);
      const piece = cells.get(drag.from)?.cell.piece ?? { symbol: drag.from.replace("*", ""), owner: state.to_move };
      drag.piece = drawPiece(state.look, piece, flipped);
      this.held.replaceChildren(drag.piece);
      cells.get(drag.from)?.element.classList.add("away");
    }
    const at = this.view.toBoard(event.clientX, event.clientY);
    if (at) drag.piece.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  /** Uses the tool on the cell under a dragged pointer. @param {PointerEvent} event @param {string} from */
  #drawTo(event, from) {
    const name = clickTarget(document.elementFromPoint(event.clientX, event.clientY));
    if (!this.#tool?.draws || name === null || name === (this.#drawn ?? from) || !this.view.cells.has(name)) return;
    if (this.#drawn === null) this.#tool.use(from, true);
    this.#drawn = name;
    this.#tool.use(name, false);
  }

  #release() {
    this.#drawn = null;
    if (this.#drag) this.view.cells.get(this.#drag.from)?.element.classList.remove("away");
    this.#drag = null;
    this.held.replaceChildren();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const name = clickTarget(event.target);
    if (name === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = DIRECTIONS[event.key];
    if (direction) this.view.moveFocus(name, direction);
    else if (event.key === "Enter" || event.key === " ") this.click(name);
    else if (event.key === "Escape" && this.#picked.length) this.#pick([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
