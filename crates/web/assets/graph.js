/** A graph of the win rate, or of the points of a single player, over the game. */

/** @import { State } from "./protocol.js" */
import { h, s, set, write } from "./dom.js";
import { points, pointsText } from "./words.js";

const WIDTH = 400;
const HEIGHT = 96;
/** With more points than this, the curve has no dots. */
const MAX_DOTS = 60;

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
   * @param {(number | null)[]} shares by ply: the win rate of the first player, or the place in the score range
   */
  show(state, shares) {
    this.element.hidden = state.facts.players > 2;
    this.plies = Math.max(1, state.moves.length);
    const known = shares.flatMap((share, ply) => (share === null || share === undefined ? [] : [{ ply, share }]));
    const alone = state.facts.players === 1;
    // Points are a small part of the whole score range: the graph spans those that occur.
    const [low, high] = alone ? rangeOf(known.map(({ share }) => share)) : [0, 1];
    this.#plot(
      known.map(({ ply, share }) => ({
        x: (ply / this.plies) * WIDTH,
        y: ((high - share) / (high - low)) * HEIGHT,
      })),
      alone ? HEIGHT : HEIGHT / 2,
    );
    const now = (state.ply / this.plies) * WIDTH;
    set(this.#now, { x1: now, x2: now });
    const pointsAt = (/** @type {number} */ share) => pointsText(points(share, state.facts), state.facts);
    const axis = (/** @type {number} */ share, /** @type {number} */ seat) =>
      !alone ? `${state.players[seat]} wins` : known.length ? `${pointsAt(share)} points` : "";
    write(this.#upper, axis(high, 0));
    write(this.#lower, axis(low, 1));
    const last = known.filter(({ ply }) => ply <= state.ply).pop();
    const value = last && (alone ? `${pointsAt(last.share)} points` : `${(last.share * 100).toFixed(0)}%`);
    const who = alone ? "Expected" : (state.players[0] ?? "first player");
    write(
      this.#words,
      last
        ? `${who} ${value} ${last.ply ? `after move ${last.ply}` : "at the start"}`
        : `The ${alone ? "graph of the points" : "win-rate graph"} appears once an engine has searched`,
    );
  }

  /** @param {{ x: number, y: number }[]} places @param {number} base the y of the bottom of the area */
  #plot(places, base) {
    const points = places.map((at) => `${at.x.toFixed(1)} ${at.y.toFixed(1)}`).join("L");
    const last = places[places.length - 1];
    set(this.#line, { d: last ? `M${points}` : null });
    set(this.#area, { d: last ? `M${places[0].x} ${base}L${points}L${last.x} ${base}Z` : null });
    this.#dots.replaceChildren(
      ...(places.length < MAX_DOTS ? places : []).map((at) => s("ellipse", { cx: at.x, cy: at.y, rx: 2, ry: 2 })),
    );
  }
}

/** The least and the greatest share, with a margin. @param {number[]} shares @returns {[number, number]} */
function rangeOf(shares) {
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  const margin = (high - low) * 0.1 || 0.001;
  return shares.length ? [low - margin, high + margin] : [0, 1];
}
