/** A graph of the win rate over the game. */

/** @import { State } from "./protocol.js" */
import { h, s, set, write } from "./dom.js";

const WIDTH = 400;
const HEIGHT = 96;

export class Graph {
  #area = s("path", { class: "area" });
  #line = s("path", { class: "curve" });
  #now = s("line", { class: "now", y1: 0, y2: HEIGHT });
  #dots = s("g", { class: "dots" });
  #words = h("figcaption", { class: "note" });
  #upper = h("span", { class: "axis" });
  #lower = h("span", { class: "axis low" });

  /** @param {(ply: number) => void} jump */
  constructor(jump) {
    const middle = s("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 });
    const svg = s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      middle,
      this.#area,
      this.#line,
      this.#now,
      this.#dots,
    );
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      jump(Math.round(((event.clientX - box.left) / box.width) * this.plies));
    });
    this.plies = 1;
    this.element = h(
      "figure",
      { class: "graph" },
      h("div", { class: "plot" }, svg, this.#upper, this.#lower),
      this.#words,
    );
  }

  /**
   * @param {State} state
   * @param {(number | null)[]} rates the win rate of the first player by ply
   */
  show(state, rates) {
    this.plies = Math.max(1, state.moves.length);
    const x = (/** @type {number} */ ply) => (ply / this.plies) * WIDTH;
    const known = rates.flatMap((rate, ply) =>
      rate === null || rate === undefined ? [] : [{ x: x(ply), y: (1 - rate) * HEIGHT, rate, ply }],
    );
    const points = known.map((at) => `${at.x.toFixed(1)} ${at.y.toFixed(1)}`).join("L");
    set(this.#line, { d: known.length ? `M${points}` : null });
    set(this.#area, {
      d: known.length ? `M${known[0].x} ${HEIGHT / 2}L${points}L${known[known.length - 1].x} ${HEIGHT / 2}Z` : null,
    });
    set(this.#now, { x1: x(state.ply), x2: x(state.ply) });
    this.#dots.replaceChildren(
      ...(known.length < 60 ? known : []).map((at) => s("ellipse", { cx: at.x, cy: at.y, rx: 2, ry: 2 })),
    );
    write(this.#upper, `${state.players[0]} wins`);
    write(this.#lower, `${state.players[1]} wins`);
    const last = known.filter((at) => at.ply <= state.ply).pop();
    const who = state.players[0] ?? "first player";
    write(
      this.#words,
      last
        ? `${who} ${(last.rate * 100).toFixed(0)}% ${last.ply ? `after move ${last.ply}` : "at the start"}`
        : "The win-rate graph appears once an engine has moved",
    );
  }
}
