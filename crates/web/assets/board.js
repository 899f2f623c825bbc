/** The board: draws any position from its view, and turns clicks, drags and keys into moves. */

/** @import { Cell, LegalMove, RootMove, State } from "./protocol.js" */
/** @import { Layout, Point } from "./shapes.js" */
/** @import { Look } from "./pieces.js" */
/** @import { Scale } from "./heat.js" */
import { button, h, s, set, write } from "./dom.js";
import { heat, onHeat, onScale, scaleOf } from "./heat.js";
import { drawPiece, lookOf, pieceName } from "./pieces.js";
import { layout, UNIT } from "./shapes.js";
import { aboutMove, rate } from "./words.js";

/** How far a pointer goes before a click becomes a drag, in pixels. */
const DRAG = 6;
/** The most arrows at once: more hide the board. */
const ARROWS = 8;
/** The most spots at once: the others are hardly ever tried. */
const SPOTS = 80;
/** The most moves of a line that are shown as ghosts. */
const GHOSTS = 8;

/** The size of labels in pixels, and the most they take in units of the board. */
const LABEL = 13;
const LARGEST_LABEL = 36;

/** What clicks beside the board are called. @type {Record<string, string>} */
const CHOICES = { "+": "Promote", "=": "Do not promote", pass: "Pass", swap: "Swap sides" };

/**
 * A cell as it is drawn.
 * @typedef {{ cell: Cell, at: Point, element: SVGGElement, piece: SVGGElement, drawn: string }} Drawn
 *
 * @typedef {object} Wishes
 * @property {(move: string) => void} play
 * @property {(words: string) => void} refuse tells why a click does nothing
 * @property {(width: number) => void} sized tells how wide the board is drawn, in pixels
 */

export class Board {
  /** @type {State | null} */
  state = null;
  flipped = false;
  /** Whether a person may move. */
  open = false;
  /** @type {Look} */
  #look = lookOf("");
  /** @type {Layout | null} */
  #layout = null;
  #frame = "";
  /** @type {Map<string, Drawn>} */
  #cells = new Map();
  /** The clicks made so far of a move that takes more. @type {string[]} */
  #picked = [];
  #focus = "";
  /** @type {RootMove[]} */
  #entries = [];
  /** The clicks of the legal moves, by their texts. @type {Map<string, string[]>} */
  #clicks = new Map();
  /** @type {Map<string, SVGGElement>} */
  #marks = new Map();
  /** The cell that the tooltip tells of. @type {string | null} */
  #told = null;
  /** The line that is shown as ghosts. */
  #line = "";
  /** The cells where a ghost stands. @type {Set<string>} */
  #ghosted = new Set();
  /** @type {{ from: string, x: number, y: number, ghost: SVGGElement | null } | null} */
  #drag = null;
  #dragged = false;

  #under = s("g", { class: "under", "aria-hidden": "true" });
  #grid = s("g", { class: "cells" });
  #arrows = s("g", { class: "arrows", "aria-hidden": "true" });
  #heat = s("g", { class: "heat", "aria-hidden": "true" });
  #ghosts = s("g", { class: "ghosts", "aria-hidden": "true" });
  #hover = s("g", { class: "hover", "aria-hidden": "true" });
  #held = s("g", { class: "held", "aria-hidden": "true" });
  #svg = s("svg", { role: "grid", "aria-label": "board", preserveAspectRatio: "xMidYMid meet" });
  #tip = h("div", { class: "tip", role: "tooltip", hidden: true });
  #popup = h("div", { class: "popup", role: "group", "aria-label": "choose", hidden: true });
  /** The buttons for moves that are not on the board. */
  choices = h("span", { class: "choices" });

  /** @param {Wishes} wishes */
  constructor(wishes) {
    this.wishes = wishes;
    this.#svg.append(this.#under, this.#grid, this.#hover, this.#arrows, this.#heat, this.#ghosts, this.#held);
    this.element = h("div", { class: "board" }, this.#svg, this.#tip, this.#popup);
    new ResizeObserver(() => this.#label()).observe(this.element);
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    this.#svg.addEventListener("pointerover", (event) => this.#enter(clickOf(event.target)));
    this.#svg.addEventListener("pointerleave", () => this.#enter(null));
    this.#svg.addEventListener("focusin", (event) => this.#tell(clickOf(event.target)));
    this.#svg.addEventListener("focusout", () => this.#tell(null));
  }

  /**
   * Listens to pointers on everything that can be clicked inside an element: the board, and the hands beside it.
   * @param {HTMLElement} stage
   */
  listen(stage) {
    stage.addEventListener("pointerdown", (event) => {
      const from = clickOf(event.target);
      if (from === null || event.button !== 0) return;
      this.#dragged = false;
      this.#drag = { from, x: event.clientX, y: event.clientY, ghost: null };
    });
    stage.addEventListener("pointermove", (event) => this.#move(event));
    // A piece that can go somewhere follows the finger; elsewhere the page scrolls.
    stage.addEventListener("touchmove", (event) => {
      if (this.#drag && this.open && this.#travels(this.#drag.from)) event.preventDefault();
    }, { passive: false });
    stage.addEventListener("pointercancel", () => this.#release());
    stage.addEventListener("lostpointercapture", () => this.#release());
    stage.addEventListener("pointerup", (event) => {
      if (!this.#drag?.ghost) return this.#release();
      this.#release();
      this.#dragged = true;
      const to = clickOf(document.elementFromPoint(event.clientX, event.clientY));
      if (to !== null && to !== this.#picked[0]) this.click(to);
    });
    stage.addEventListener("click", (event) => {
      const name = clickOf(event.target);
      if (name !== null && !this.#dragged) this.click(name);
      this.#dragged = false;
    });
  }

  /**
   * Shows a position.
   * @param {State} state
   * @param {boolean} open whether a person may move
   */
  show(state, open) {
    const before = this.state;
    this.state = state;
    this.open = open && state.to_move !== null;
    this.#look = lookOf(state.game);
    this.#clicks = new Map(state.legal.map((move) => [move.text, move.clicks]));
    if (before?.position !== state.position || before?.game !== state.game) this.#pick([]);
    this.#build(state);
    const slide = before && before.game === state.game && before.position !== state.position ? this.#slide(state) : null;
    for (const [name, drawn] of this.#cells) this.#draw(drawn, slide?.to === name ? slide.from : null);
    this.#svg.setAttribute("aria-label", `board, ${state.to_move === null ? "game over" : `${state.players[state.to_move]} to move`}`);
    this.#mark();
    this.ghosts([]);
    this.heat([]);
  }

  flip() {
    this.flipped = !this.flipped;
    const { state, open } = this;
    const entries = this.#entries;
    this.#frame = "";
    if (state) this.show(state, open);
    this.heat(entries);
  }

  /** Puts the keyboard on the board. */
  focus() {
    this.#cells.get(this.#focus)?.element.focus();
  }

  /**
   * A click on a cell, on a piece in hand, or on a choice.
   * @param {string} name
   */
  click(name) {
    const { state } = this;
    if (!state) return;
    if (!this.open) {
      if (state.to_move === null) this.wishes.refuse("The game is over: undo, or start a new one.");
      else this.wishes.refuse(`It is not your turn: ${state.players[state.to_move]} is thinking.`);
      return;
    }
    const meant = this.#resolve(name);
    if (this.#picked.length && meant === this.#picked[this.#picked.length - 1]) return this.#pick([]);
    let clicks = [...this.#picked, meant];
    let moves = this.#startingWith(clicks);
    if (!moves.length) {
      clicks = [meant];
      moves = this.#startingWith(clicks);
    }
    if (!moves.length) {
      const from = this.#picked[0];
      this.#pick([]);
      this.#shake(name);
      const words = from ? `${from} cannot go to ${name}.` : this.#whyNot(name);
      return this.wishes.refuse(words);
    }
    const whole = moves.find((move) => move.clicks.length === clicks.length);
    if (whole) {
      this.#pick([]);
      this.wishes.play(whole.text);
    } else {
      this.#pick(clicks);
    }
  }

  /**
   * Shows candidate moves: how often they were tried by their size, how good they are by their colour.
   * @param {RootMove[]} entries
   * @param {Scale} [scale] of the colours
   */
  heat(entries, scale = scaleOf(entries)) {
    this.#entries = entries;
    const most = Math.max(1, ...entries.map((entry) => entry.visits));
    // A search that tries every move about as often tells which are better by their order alone.
    const even = entries.length > 1 && entries.every((entry) => entry.visits * 2 > most);
    const shown = new Set();
    const taken = new Set();
    let arrows = 0;
    for (const [rank, entry] of entries.entries()) {
      const places = this.#places(entry.move);
      const to = places[places.length - 1];
      if (!to || (entry.visits === 0 && entry.value === null) || (even && rank >= ARROWS)) continue;
      if (this.#ghosted.has(to.cell.name)) continue;
      const share = even ? 1 - rank / ARROWS : (entry.visits / most) ** 0.75;
      const key = places.length > 1 ? `>${entry.move}` : to.cell.name;
      if (places.length > 1 ? arrows++ >= ARROWS : taken.has(key) || taken.size >= SPOTS) continue;
      taken.add(key);
      shown.add(key);
      let mark = this.#marks.get(key);
      if (!mark) {
        mark = places.length > 1 ? s("g", { class: "mark" }, s("path", {})) : s("g", { class: "mark" }, s("circle", {}), s("text", {}));
        this.#marks.set(key, mark);
        (places.length > 1 ? this.#arrows : this.#heat).append(mark);
      }
      if (places.length > 1) this.#arrow(mark, places[0].at, to.at, entry, share, onScale(entry.value, scale));
      else this.#spot(mark, to.at, entry, share, onScale(entry.value, scale));
    }
    for (const [key, mark] of this.#marks) {
      if (shown.has(key)) continue;
      mark.remove();
      this.#marks.delete(key);
    }
    if (this.#told !== null) this.#tell(this.#told);
  }

  /**
   * Shows a line from here as ghosts, with the numbers of its moves.
   * @param {string[]} line
   */
  ghosts(line) {
    const { state } = this;
    const key = `${this.#frame} ${state?.position} ${this.#entries.length > 0} ${line.join(" ")}`;
    if (key === this.#line) return;
    this.#line = key;
    this.#ghosts.replaceChildren();
    this.#ghosted.clear();
    if (!state || state.to_move === null) return;
    const heights = new Map();
    const numbered = new Set();
    for (const [number, move] of line.slice(0, GHOSTS).entries()) {
      const places = number === 0 ? this.#places(move) : this.#read(move, heights);
      const to = places[places.length - 1];
      if (!to) continue;
      heights.set(to.cell.column, to.cell.row);
      if (numbered.has(to)) continue;
      numbered.add(to);
      const group = s("g", { class: "ghost", transform: `translate(${to.at.x} ${to.at.y})` });
      if (places.length > 1) {
        const { at } = places[0];
        // The first move of the line is the best candidate, which has its arrow.
        if (number > 0 || !this.#entries.length) this.#ghosts.append(s("path", { class: "way", d: `M${at.x} ${at.y}L${to.at.x} ${to.at.y}` }));
      } else if (number > 0 && !to.cell.piece && this.#places(state.legal[0]?.text ?? "").length === 1 && state.view.shape !== "list") {
        const owner = (state.to_move + number) % state.facts.players;
        this.#ghosted.add(to.cell.name);
        group.append(drawPiece(state.game, { symbol: state.players[owner]?.[0] ?? "", owner }, this.flipped));
      }
      group.append(s("circle", { class: "number-ground", cx: 30, cy: -30, r: 17 }), s("text", { class: "number", x: 30, y: -30 }, number + 1));
      this.#ghosts.append(group);
    }
  }

  /** @param {State} state */
  #build(state) {
    const frame = `${state.game} ${this.flipped} ${state.view.cells.map((cell) => cell.name).join(" ")}`;
    if (frame === this.#frame) {
      for (const cell of state.view.cells) {
        const drawn = this.#cells.get(cell.name);
        if (drawn) drawn.cell = cell;
      }
      return;
    }
    this.#frame = frame;
    const made = layout(state.view, this.#look, this.flipped);
    this.#layout = made;
    this.#cells.clear();
    for (const mark of this.#marks.values()) mark.remove();
    this.#marks.clear();
    set(this.#svg, { viewBox: made.box.join(" ") });
    this.#label();
    this.element.dataset.board = state.view.shape === "square" ? this.#look.board : state.view.shape;
    this.element.dataset.piece = this.#look.piece;
    this.element.style.setProperty("--ratio", String(made.box[2] / made.box[3]));
    this.#under.replaceChildren(...made.under);
    /** @type {Map<number, SVGGElement>} */
    const rows = new Map();
    for (const cell of state.view.cells) {
      const at = made.place(cell);
      const piece = s("g", { class: "stand" });
      const element = s("g", { class: "cell", role: "gridcell", tabindex: -1, "data-click": cell.name, transform: `translate(${at.x} ${at.y})` },
        made.outline(cell), piece, s("circle", { class: "dot", r: 13 }), s("circle", { class: "ring", r: 46 }));
      this.#cells.set(cell.name, { cell, at, element, piece, drawn: "" });
      const row = rows.get(cell.row) ?? s("g", { role: "row" });
      rows.set(cell.row, row);
      row.append(element);
    }
    this.#grid.replaceChildren(...rows.values());
    const middle = state.view.cells[Math.floor(state.view.cells.length / 2)];
    if (!this.#cells.has(this.#focus)) this.#focus = middle?.name ?? "";
    this.#cells.get(this.#focus)?.element.setAttribute("tabindex", "0");
  }

  /** Keeps the labels readable at every size of the board. */
  #label() {
    if (!this.#layout) return;
    const [, , width, height] = this.#layout.box;
    const scale = Math.min(this.element.clientWidth / width, this.element.clientHeight / height);
    const size = Math.min(LARGEST_LABEL, LABEL / (scale || 1));
    this.#svg.style.setProperty("--label", `${size.toFixed(1)}px`);
    this.wishes.sized(Math.round(width * scale));
  }

  /**
   * @param {Drawn} drawn
   * @param {Drawn | null} from where the piece comes from, if it moves here
   */
  #draw(drawn, from) {
    const { state } = this;
    if (!state) return;
    const { piece } = drawn.cell;
    const key = piece ? `${piece.symbol} ${piece.owner}` : "";
    if (key !== drawn.drawn) {
      const appears = drawn.drawn === "" && !from;
      drawn.drawn = key;
      drawn.piece.replaceChildren(...(piece ? [drawPiece(state.game, piece, this.flipped)] : []));
      drawn.piece.classList.toggle("appears", appears && piece !== null);
    }
    if (from && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const way = `translate(${from.at.x - drawn.at.x}px, ${from.at.y - drawn.at.y}px)`;
      drawn.piece.animate([{ transform: way }, { transform: "none" }], { duration: 160, easing: "ease-out" });
    }
  }

  /** The move that led here, if a piece went from cell to cell. @param {State} state */
  #slide(state) {
    const places = state.last === null ? [] : this.#read(state.last, new Map());
    return places.length === 2 ? { from: places[0], to: places[1].cell.name } : null;
  }

  /** Marks what can be clicked now, what is picked, and where the last move was. */
  #mark() {
    const { state } = this;
    if (!state) return;
    const next = this.#next();
    const last = new Set(state.last === null ? [] : this.#read(state.last, new Map()).map((drawn) => drawn.cell.name));
    const empty = state.view.cells.filter((cell) => !cell.piece);
    // Where nearly every empty cell can be played, marks on all of them would say nothing.
    const crowded = this.#look.reach === "group" || (this.#picked.length === 0 && empty.filter((cell) => next.has(cell.name)).length > empty.length * 0.6);
    this.element.classList.toggle("crowded", crowded);
    this.element.classList.toggle("picking", this.#picked.length > 0);
    for (const [name, { cell, element }] of this.#cells) {
      const can = this.open && next.has(name);
      element.classList.toggle("can", can);
      element.classList.toggle("full", cell.piece !== null);
      element.classList.toggle("picked", this.#picked.includes(name));
      element.classList.toggle("last", last.has(name));
      const words = [name, cell.piece ? pieceName(state.game, cell.piece, state.players) : "empty"];
      if (last.has(name)) words.push("last move");
      if (can) words.push(this.#picked.length ? "can go here" : "can be played");
      set(element, { "aria-label": words.join(", "), "aria-selected": this.#picked.includes(name) ? "true" : null });
    }
    this.#offer(next);
    this.#hover.replaceChildren();
  }

  /** What can be clicked next. */
  #next() {
    const next = new Set();
    for (const move of this.#startingWith(this.#picked)) {
      if (move.clicks.length > this.#picked.length) next.add(move.clicks[this.#picked.length]);
    }
    return next;
  }

  /** @param {string[]} clicks @returns {LegalMove[]} */
  #startingWith(clicks) {
    return (this.state?.legal ?? []).filter((move) => clicks.every((name, place) => move.clicks[place] === name));
  }

  /** Whether something goes from here to somewhere. @param {string} name */
  #travels(name) {
    return this.#startingWith([name]).some((move) => move.clicks.length > 1);
  }

  /** Offers what is neither on the board nor in a hand. @param {Set<string>} next */
  #offer(next) {
    const hands = new Set(this.state?.view.hands.flatMap((hand) => hand.pieces.map(([name]) => name)));
    const others = this.open ? [...next].filter((name) => !this.#cells.has(name) && !hands.has(name)) : [];
    const order = Object.keys(CHOICES);
    others.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const buttons = others.map((name) => button(CHOICES[name] ?? name, () => this.click(name), { class: "choice" }));
    const at = this.#cells.get(this.#picked[this.#picked.length - 1] ?? "");
    this.#popup.hidden = !(at && buttons.length);
    if (at && buttons.length) {
      this.choices.replaceChildren();
      this.#popup.replaceChildren(...buttons);
      this.#beside(this.#popup, at);
      buttons[0].focus();
    } else {
      this.choices.replaceChildren(...buttons);
    }
  }

  /** @param {string[]} clicks */
  #pick(clicks) {
    const had = this.#picked.length > 0;
    this.#picked = clicks;
    if (had || clicks.length) this.#mark();
    for (const held of document.querySelectorAll(".hand [data-click]")) {
      held.setAttribute("aria-pressed", String(clicks[0] === held.getAttribute("data-click")));
    }
  }

  /**
   * The click that is meant by a click here: any cell of a column, any tile of a group.
   * @param {string} name
   */
  #resolve(name) {
    const next = this.#next();
    const place = this.#cells.get(name);
    if (next.has(name) || !place || !this.#look.reach) return name;
    const near = this.#look.reach === "column"
      ? [...this.#cells.values()].filter(({ cell }) => cell.column === place.cell.column)
      : this.#group(place);
    return near.find(({ cell }) => next.has(cell.name))?.cell.name ?? name;
  }

  /** The tiles that go together with one. @param {Drawn} start @returns {Drawn[]} */
  #group(start) {
    const symbol = start.cell.piece?.symbol;
    if (symbol === undefined) return [];
    const byPlace = new Map([...this.#cells.values()].map((drawn) => [`${drawn.cell.column} ${drawn.cell.row}`, drawn]));
    const found = new Set([start]);
    for (const { cell } of found) {
      for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        const near = byPlace.get(`${cell.column + x} ${cell.row + y}`);
        if (near?.cell.piece?.symbol === symbol) found.add(near);
      }
    }
    return [...found];
  }

  /** @param {string} name */
  #whyNot(name) {
    const { state } = this;
    const cell = this.#cells.get(name)?.cell;
    if (!state || state.to_move === null || !cell) return `${name} is not possible here.`;
    const mover = state.players[state.to_move];
    if (this.#look.reach === "group") return "A single tile cannot be taken: it takes two or more that touch.";
    if (cell.piece && cell.piece.owner !== null && cell.piece.owner !== state.to_move) return `${name} is not ${mover}'s: ${mover} is to move.`;
    if (cell.piece) return `The piece on ${name} has no legal move.`;
    return state.legal.some((move) => move.clicks.length > 1) ? `Choose a piece of ${mover} first.` : `${mover} may not play ${name} here.`;
  }

  /** @param {string} name */
  #shake(name) {
    const element = this.#cells.get(name)?.element;
    element?.classList.remove("refused");
    requestAnimationFrame(() => element?.classList.add("refused"));
  }

  /** The cells of a legal move. @param {string} move @returns {Drawn[]} */
  #places(move) {
    return (this.#clicks.get(move) ?? []).flatMap((name) => this.#cells.get(name) ?? []);
  }

  /**
   * The cells that a move names, whether it is legal here or not.
   * @param {string} move
   * @param {Map<number, number>} heights the row of the last piece that fell into a column
   * @returns {Drawn[]}
   */
  #read(move, heights) {
    const whole = this.#cells.get(move);
    if (whole) return [whole];
    const column = this.state?.view.column_labels.indexOf(move) ?? -1;
    if (column >= 0) {
      const inColumn = [...this.#cells.values()].filter(({ cell }) => cell.column === column);
      const top = heights.get(column) ?? Math.min(...inColumn.filter(({ cell }) => cell.piece).map(({ cell }) => cell.row));
      const row = heights.has(column) ? top - 1 : top;
      return inColumn.filter(({ cell }) => cell.row === row);
    }
    return (move.match(/[A-Za-z]\d+/g) ?? []).flatMap((name) => this.#cells.get(name) ?? []);
  }

  /**
   * @param {SVGGElement} mark
   * @param {Point} at
   * @param {RootMove} entry
   * @param {number} share of the visits
   * @param {number} good where its value lies on the scale
   */
  #spot(mark, at, entry, share, good) {
    const [circle, text] = mark.children;
    const radius = 7 + 36 * share;
    const proved = this.#proved(entry);
    // What stands in a pit or in a list must stay readable.
    const shape = this.state?.view.shape;
    const aside = shape === "mancala" ? "translate(0 46) scale(0.55)" : shape === "list" ? "scale(0.6)" : "";
    set(mark, { transform: `translate(${at.x} ${at.y}) ${aside}`, class: `mark ${proved}` });
    set(circle, { r: radius.toFixed(1), fill: heat(good) });
    set(text, { style: `--on: ${onHeat(good)}` });
    const label = proved === "won" ? "✓" : proved === "lost" ? "✗" : radius > 27 && entry.value !== null ? (rate(entry.value) * 100).toFixed(0) : "";
    write(text, label);
  }

  /**
   * @param {SVGGElement} mark
   * @param {Point} from
   * @param {Point} to
   * @param {RootMove} entry
   * @param {number} share of the visits
   * @param {number} good where its value lies on the scale
   */
  #arrow(mark, from, to, entry, share, good) {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const wide = 3 + 11 * share;
    const head = wide * 2.2 + 8;
    const tip = length - 12;
    const point = (/** @type {number} */ along, /** @type {number} */ aside) =>
      `${(from.x + dx * along - dy * aside).toFixed(1)} ${(from.y + dy * along + dx * aside).toFixed(1)}`;
    const neck = Math.max(24, tip - head);
    const path = [[18, wide / 2], [neck, wide / 2], [neck, head / 2], [tip, 0], [neck, -head / 2], [neck, -wide / 2], [18, -wide / 2]];
    set(mark, { class: `mark ${this.#proved(entry)}` });
    set(mark.children[0], { d: `M${path.map(([along, aside]) => point(along, aside)).join("L")}Z`, fill: heat(good) });
  }

  /** @param {RootMove} entry */
  #proved(entry) {
    if (this.state?.facts.players !== 2) return "";
    if (entry.bounds.at_least >= 1) return "won";
    return entry.bounds.at_most <= -1 ? "lost" : "";
  }

  /** A pointer comes over a cell: the stone that would stand there, the tiles that would go. @param {string | null} name */
  #enter(name) {
    const { state } = this;
    this.#tell(name);
    this.#hover.replaceChildren();
    if (name === null || !state || state.to_move === null || !this.open || this.#picked.length) return;
    const meant = this.#cells.get(this.#resolve(name));
    if (!meant || !this.#next().has(meant.cell.name)) return;
    if (this.#look.reach === "group") {
      for (const { at } of this.#group(meant)) {
        this.#hover.append(s("rect", { class: "reach", x: at.x - 46, y: at.y - 46, width: 92, height: 92, rx: 14 }));
      }
    } else if (!meant.cell.piece && this.#places(state.legal[0].text).length === 1 && state.view.shape !== "list") {
      const piece = drawPiece(state.game, { symbol: state.players[state.to_move][0], owner: state.to_move }, this.flipped);
      piece.setAttribute("transform", `translate(${meant.at.x} ${meant.at.y})`);
      this.#hover.append(piece);
    }
  }

  /** Numbers of the candidate moves at a cell. @param {string | null} name */
  #tell(name) {
    const { state } = this;
    this.#told = name;
    const place = name === null ? undefined : this.#cells.get(name);
    const about = place && state
      ? this.#entries.filter((entry) => this.#places(entry.move).includes(place)).slice(0, 6)
      : [];
    this.#tip.hidden = about.length === 0;
    if (!place || !state || !about.length) return;
    this.#tip.replaceChildren(...about.map((entry) => h("div", {}, aboutMove(entry, state.facts))));
    this.#beside(this.#tip, place);
  }

  /** Puts something beside a cell, inside the board. @param {HTMLElement} element @param {Drawn} drawn */
  #beside(element, drawn) {
    const board = this.element.getBoundingClientRect();
    const cell = drawn.element.getBoundingClientRect();
    const left = cell.left - board.left + cell.width / 2 - element.offsetWidth / 2;
    const above = cell.top - board.top - element.offsetHeight - 6;
    element.style.left = `${Math.min(Math.max(0, left), Math.max(0, board.width - element.offsetWidth))}px`;
    element.style.top = `${above < 0 ? cell.bottom - board.top + 6 : above}px`;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    const { state } = this;
    if (!drag || !state || !this.open) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
      if (!this.#travels(drag.from)) return;
      this.#pick([drag.from]);
      const piece = this.#cells.get(drag.from)?.cell.piece ?? { symbol: drag.from.replace("*", ""), owner: state.to_move };
      drag.ghost = drawPiece(state.game, piece, this.flipped);
      this.#held.replaceChildren(drag.ghost);
      this.#cells.get(drag.from)?.element.classList.add("away");
    }
    const matrix = this.#svg.getScreenCTM();
    if (!matrix) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    drag.ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  #release() {
    if (this.#drag) this.#cells.get(this.#drag.from)?.element.classList.remove("away");
    this.#drag = null;
    this.#held.replaceChildren();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const name = clickOf(event.target);
    if (name === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const way = ways[event.key];
    if (way) this.#step(name, way);
    else if (event.key === "Enter" || event.key === " ") this.click(name);
    else if (event.key === "Escape" && this.#picked.length) this.#pick([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Goes from a cell to the nearest one in a direction.
   * @param {string} name
   * @param {[number, number]} way
   */
  #step(name, [dx, dy]) {
    const from = this.#cells.get(name);
    if (!from || !this.#layout) return;
    let best = null;
    let least = Infinity;
    for (const drawn of this.#cells.values()) {
      const along = (drawn.at.x - from.at.x) * dx + (drawn.at.y - from.at.y) * dy;
      const aside = Math.abs((drawn.at.x - from.at.x) * dy) + Math.abs((drawn.at.y - from.at.y) * dx);
      const far = along + 2.5 * aside;
      if (along > UNIT / 10 && far < least) [best, least] = [drawn, far];
    }
    if (!best) return;
    from.element.setAttribute("tabindex", "-1");
    best.element.setAttribute("tabindex", "0");
    best.element.focus();
    this.#focus = best.cell.name;
  }
}

/**
 * What a click on an element stands for.
 * @param {EventTarget | null} target
 */
function clickOf(target) {
  return target instanceof Element ? (target.closest("[data-click]")?.getAttribute("data-click") ?? null) : null;
}
