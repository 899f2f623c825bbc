/** A table of candidate moves that can stream: rows are kept, and only what changed is written. */

/** @import { Facts, RootMove } from "./protocol.js" */
/** @import { Scale } from "./heat.js" */
import { button, h, set, write } from "./dom.js";
import { heat, onScale, scaleOf } from "./heat.js";
import { count, percent, proofNumbers, proofOrder, proved } from "./words.js";

/** The rows shown unless all are asked for. */
const SHOWN = 16;

/**
 * @typedef {"visits" | "value" | "proof" | "disproof" | "move"} Order
 * @typedef {{ row: HTMLTableRowElement, cells: HTMLTableCellElement[], bar: HTMLElement, swatch: HTMLElement, name: HTMLButtonElement }} Row
 */

/** @type {[string, Order | null, string][]} */
const COLUMNS = [
  ["Move", "move", "the move"],
  ["Visits", "visits", "how often it was tried"],
  ["Wins", "value", "the share of wins for the player to move"],
  ["±", null, "the standard error of the share"],
  ["Proof", "proof", "leaves still to be proved, and disproved: proof and disproof number"],
  ["Proved", null, "what is proved of it"],
];

export class MoveTable {
  /** @type {Order} */
  order = "visits";
  #body = h("tbody");
  /** @type {Row[]} */
  #rows = [];
  #all = false;
  /** @type {RootMove[]} */
  #moves = [];
  /** @type {Facts | null} */
  #facts = null;
  #more = button("", () => {
    this.#all = !this.#all;
    this.#draw();
  }, { class: "quiet", hidden: true });
  /** @type {HTMLTableCellElement[]} */
  #heads;

  /** @param {{ pick: (move: string) => void, over?: (move: string | null) => void }} wishes */
  constructor(wishes) {
    this.wishes = wishes;
    this.#heads = COLUMNS.map(([title, order, hint]) =>
      h("th", { scope: "col", title: hint }, order ? button(title, () => this.#sort(order), { class: "quiet" }) : title));
    this.element = h("div", { class: "moves" }, h("table", {}, h("thead", {}, h("tr", {}, ...this.#heads)), this.#body), this.#more);
    this.#body.addEventListener("pointerleave", () => this.wishes.over?.(null));
    this.#sort("visits");
  }

  /**
   * @param {RootMove[]} moves
   * @param {Facts} facts
   */
  show(moves, facts) {
    this.#moves = moves;
    this.#facts = facts;
    this.#draw();
  }

  /** @param {Order} order */
  #sort(order) {
    // Of the two numbers of one column, a second press sorts by the other.
    this.order = order === "proof" && this.order === "proof" ? "disproof" : order;
    for (const [place, [, own]] of COLUMNS.entries()) {
      const here = own === this.order || (own === "proof" && this.order === "disproof");
      set(this.#heads[place], { "aria-sort": here ? (own === "visits" || own === "value" ? "descending" : "ascending") : null });
    }
    this.#draw();
  }

  #sorted() {
    const by = {
      visits: (/** @type {RootMove} */ entry) => -entry.visits,
      value: (/** @type {RootMove} */ entry) => -(entry.value ?? -2),
      proof: (/** @type {RootMove} */ entry) => proofOrder(entry.proof_numbers?.proof),
      disproof: (/** @type {RootMove} */ entry) => proofOrder(entry.proof_numbers?.disproof),
    };
    const moves = [...this.#moves];
    if (this.order === "move") return moves.sort((a, b) => a.move.localeCompare(b.move, "en", { numeric: true }));
    const key = by[this.order];
    // The server's own order, the best first, decides between equals. Infinity minus infinity is no number.
    return moves.sort((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)));
  }

  #draw() {
    const facts = this.#facts;
    if (!facts) return;
    const moves = this.#sorted();
    const shown = this.#all ? moves : moves.slice(0, SHOWN);
    const most = Math.max(1, ...moves.map((entry) => entry.visits));
    const scale = scaleOf(moves);
    while (this.#rows.length < shown.length) this.#rows.push(this.#row());
    for (const row of this.#rows.splice(shown.length)) row.row.remove();
    for (const [place, entry] of shown.entries()) this.#fill(this.#rows[place], entry, facts, most, scale);
    this.#more.hidden = moves.length <= SHOWN;
    write(this.#more, this.#all ? "Fewer" : `All ${moves.length} moves`);
  }

  /** @returns {Row} */
  #row() {
    const name = button("", () => this.wishes.pick(name.textContent ?? ""), { class: "quiet name" });
    const [bar, swatch] = [h("span", { class: "bar" }), h("span", { class: "swatch" })];
    const cells = COLUMNS.map((_, place) => (place === 0 ? h("th", { scope: "row" }, name) : h("td")));
    cells[1].append(h("span"), bar);
    cells[2].append(swatch, h("span"));
    const row = h("tr", { onpointerenter: () => this.wishes.over?.(name.textContent) }, ...cells);
    this.#body.append(row);
    return { row, cells, bar, swatch, name };
  }

  /**
   * @param {Row} row
   * @param {RootMove} entry
   * @param {Facts} facts
   * @param {number} most
   * @param {Scale} scale
   */
  #fill({ cells, bar, swatch, name }, entry, facts, most, scale) {
    write(name, entry.move);
    write(cells[1].children[0], count(entry.visits));
    bar.style.setProperty("--share", String(entry.visits / most));
    write(cells[2].children[1], percent(entry.value));
    swatch.style.background = entry.value === null ? "transparent" : heat(onScale(entry.value, scale));
    write(cells[3], entry.spread === null || entry.value === null ? "" : (entry.spread * 50).toFixed(1));
    write(cells[4], proofNumbers(entry.proof_numbers));
    write(cells[5], proved(entry.bounds, facts));
  }
}
