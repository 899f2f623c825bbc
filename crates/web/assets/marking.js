/** The marks of a Go problem: stones in question and points of the region, and the tools that set them. */

/** @import { Tool } from "./board-input.js" */
/** @import { Studio } from "./studio.js" */

export class Marking {
  /** The stones in question. @type {Set<string>} */
  targets = new Set();
  /** The points of the region. @type {Set<string>} */
  region = new Set();
  /** Whether a drag adds points to the region or removes them. */
  #adds = true;

  /** @param {Studio} studio @param {() => void} changed called when the user has changed the marks */
  constructor(studio, changed) {
    this.studio = studio;
    this.changed = changed;
  }

  /** @param {string[]} targets @param {string[]} region */
  set(targets, region) {
    this.targets = new Set(targets);
    this.region = new Set(region);
  }

  /** Marks blocks of stones. @type {Tool} */
  stones = {
    draws: false,
    use: (name) => {
      const block = this.studio.board.block(name);
      if (!block.length) return this.studio.notify(`There is no stone on ${name}.`, "warn");
      const marked = block.some((stone) => this.targets.has(stone));
      for (const stone of block) {
        if (marked) this.targets.delete(stone);
        else this.targets.add(stone);
      }
      this.changed();
    },
  };

  /** Marks empty points: a drag marks all points like the first one. @type {Tool} */
  points = {
    draws: true,
    use: (name, starts) => {
      if (this.studio.board.block(name).length) {
        if (starts) this.studio.notify(`There is a stone on ${name}; mark empty points.`, "warn");
        return;
      }
      if (starts) this.#adds = !this.region.has(name);
      if (this.#adds) this.region.add(name);
      else this.region.delete(name);
      this.changed();
    },
  };
}
