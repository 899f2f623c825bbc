/** Steps through the games of the loaded file. */

/** @import { Collection } from "./collection.js" */
import { button, h, set, write } from "./dom.js";

export class CollectionBar {
  #select = h("select", { "aria-label": "problem of the file", onchange: () => this.#open(this.#select.selectedIndex) });
  #previous = button("‹", () => this.#open((this.collection.number ?? 1) - 1), {
    class: "icon",
    "aria-label": "previous problem",
    title: "Previous problem",
  });
  #next = button("›", () => this.#open((this.collection.number ?? -1) + 1), {
    class: "icon",
    "aria-label": "next problem",
    title: "Next problem",
  });
  #place = h("span", { class: "note" });

  /** @param {Collection} collection */
  constructor(collection) {
    this.collection = collection;
    this.element = h("div", { class: "collection", hidden: true }, this.#previous, this.#select, this.#place, this.#next);
    collection.onChange(() => this.update());
  }

  /** @param {number} number */
  #open(number) {
    void this.collection.open(number);
  }

  /** Follows the collection and the open game. */
  update() {
    const { games, number } = this.collection;
    this.element.hidden = games.length < 2;
    if (this.#select.childElementCount !== games.length || number === null) {
      this.#select.replaceChildren(...games.map((game, index) => h("option", {}, `${index + 1}. ${game.title}`)));
    }
    this.#select.selectedIndex = number ?? -1;
    write(this.#place, `of ${games.length}`);
    set(this.#previous, { disabled: number === null || number === 0 });
    set(this.#next, { disabled: number === games.length - 1 });
  }
}
