/** A table of candidate moves, updated in place while a search runs. */

/** @import { Facts, RootMove } from "./protocol.js" */
/** @import { Scale } from "./heat.js" */
import { button, h, set, write } from "./dom.js";
import { heat, onScale, scaleOf } from "./heat.js";
import { boundedText, count, proofNumbers, proofOrder, proven, spreadText } from "./words.js";

/** The rows shown by default. */
const DEFAULT_ROWS = 16;

/**
 * @typedef {"visits" | "value" | "proof" | "disproof" | "move"} Order
 * @typedef {{ row: HTMLTableRowElement, cells: HTMLTableCellElement[], bar: HTMLElement, swatch: HTMLElement, name: HTMLButtonElement }} Row
 */

/** The title, the order and the hint of each column. @type {[string, Order | null, string][]} */
const COLUMNS = [
  ["Move", "move", "move"],
  ["Visits", "visits", "number of visits"],
  ["Value", "value", "win rate of the player to move"],
  ["±", null, "standard error of the value"],
  ["pn / dn", "proof", "proof number and disproof number; click again to sort by the other"],
  ["Bounds", null, "proven bounds"],
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
  #more = button(
    "",
    () => {
      this.#all = !this.#all;
      this.#draw();
    },
    { class: "quiet", hidden: true },
  );
  /** @type {HTMLTableCellElement[]} */
  #heads;

  /** @param {{ pick: (move: string) => void, hover?: (move: string | null) => void }} events */
  constructor(events) {
    this.events = events;
    this.#heads = COLUMNS.map(([title, order, hint]) =>
      h(
        "th",
        { scope: "col", title: hint },
        order ? button(title, () => this.#sort(order), { class: "quiet" }) : title,
      ),
    );
    this.element = h(
      "div",
      { class: "moves" },
      h("table", {}, h("thead", {}, h("tr", {}, ...this.#heads)), this.#body),
      this.#more,
    );
    this.#body.addEventListener("pointerleave", () => this.events.hover?.(null));
    this.#sort("visits");
  }

  /**
   * @param {RootMove[]} moves
   * @param {Facts} facts
   */
  show(moves, facts) {
    this.#moves = moves;
    this.#facts = facts;
    const byDepth = moves.some((entry) => entry.visits === null);
    this.#head(1, byDepth ? ["Depth", "depth of the search"] : COLUMNS[1]);
    this.#head(2, facts.players === 1 ? ["Points", "expected points"] : COLUMNS[2]);
    this.#draw();
  }

  /** Changes the title and the hint of a column. @param {number} column @param {readonly (string | null)[]} words */
  #head(column, words) {
    set(this.#heads[column], { title: words[words.length - 1] });
    write(this.#heads[column].children[0], words[0] ?? "");
  }

  /** @param {Order} order */
  #sort(order) {
    // A second click on the column of both proof numbers sorts by the other one.
    this.order = order === "proof" && this.order === "proof" ? "disproof" : order;
    for (const [place, [, own]] of COLUMNS.entries()) {
      const here = own === this.order || (own === "proof" && this.order === "disproof");
      set(this.#heads[place], {
        "aria-sort": here ? (own === "visits" || own === "value" ? "descending" : "ascending") : null,
      });
    }
    this.#draw();
  }

  #sorted() {
    const by = {
      visits: (/** @type {RootMove} */ entry) => -(entry.visits ?? 0),
      value: (/** @type {RootMove} */ entry) => -(entry.value ?? -2),
      proof: (/** @type {RootMove} */ entry) => proofOrder(entry.proof_numbers?.proof),
      disproof: (/** @type {RootMove} */ entry) => proofOrder(entry.proof_numbers?.disproof),
    };
    const moves = [...this.#moves];
    if (this.order === "move") return moves.sort((a, b) => a.move.localeCompare(b.move, "en", { numeric: true }));
    const key = by[this.order];
    // Ties keep the order of the server, the best first. Equality is tested because the difference
    // of two infinities is NaN.
    return moves.sort((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)));
  }

  #draw() {
    const facts = this.#facts;
    if (!facts) return;
    const moves = this.#sorted();
    const shown = this.#all ? moves : moves.slice(0, DEFAULT_ROWS);
    const most = Math.max(1, ...moves.map((entry) => entry.visits ?? 0));
    const scale = scaleOf(this.#moves, facts);
    while (this.#rows.length < shown.length) this.#rows.push(this.#row());
    for (const row of this.#rows.splice(shown.length)) row.row.remove();
    for (const [place, entry] of shown.entries()) this.#fill(this.#rows[place], entry, facts, most, scale);
    this.#more.hidden = moves.length <= DEFAULT_ROWS;
    write(this.#more, this.#all ? "Show fewer" : `Show all ${moves.length} moves`);
  }

  /** @returns {Row} */
  #row() {
    const name = button("", () => {}, { class: "quiet name" });
    const [bar, swatch] = [h("span", { class: "bar" }), h("span", { class: "swatch" })];
    const cells = COLUMNS.map((_, place) => (place === 0 ? h("th", { scope: "row" }, name) : h("td")));
    cells[1].append(h("span"), bar);
    cells[2].append(swatch, h("span"));
    // The button makes the row accessible to the keyboard; its clicks are those of the row.
    const row = h("tr", { onclick: () => this.events.pick(name.textContent ?? "") }, ...cells);
    row.addEventListener("pointerenter", () => this.events.hover?.(name.textContent));
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
    write(cells[1].children[0], entry.visits === null ? String(entry.depth ?? "–") : count(entry.visits));
    bar.style.setProperty("--share", String((entry.visits ?? 0) / most));
    write(cells[2].children[1], boundedText(entry, facts));
    const isKnown = entry.value !== null && entry.bound !== "upper";
    swatch.style.background = isKnown ? heat(onScale(entry.value, scale)) : "transparent";
    write(cells[3], entry.spread === null || entry.value === null ? "" : spreadText(entry.spread, facts));
    write(cells[4], proofNumbers(entry.proof_numbers));
    write(cells[5], proven(entry.bounds, facts));
  }
}
