/** A part of a board: the box around some of its cells, and the labels where it cuts the board off. */

/** @import { Cell } from "./protocol.js" */
/** @import { Point } from "./shapes.js" */
import { s } from "./dom.js";
import { UNIT } from "./shapes.js";

/** The cells around the named ones that are shown, too. */
const MARGIN = 2.6;
/** A part that is at most this number of cells away from an edge extends to it. */
const NEAR_EDGE = 2;
/** A larger part of the board is not worth the change. */
const MOST = 0.6;

/**
 * A part of the view box; null if it would be nearly all of it.
 * @param {Point[]} places the centres of the cells to show
 * @param {[number, number, number, number]} whole
 * @returns {[number, number, number, number] | null}
 */
export function boxAround(places, [left, top, width, height]) {
  if (!places.length) return null;
  /** @param {number[]} at @param {number} start @param {number} length @returns {[number, number]} */
  const side = (at, start, length) => {
    const [low, high] = [Math.min(...at) - MARGIN * UNIT, Math.max(...at) + MARGIN * UNIT];
    const from = low - start < NEAR_EDGE * UNIT ? start : low;
    const to = start + length - high < NEAR_EDGE * UNIT ? start + length : high;
    return [from, to - from];
  };
  const [x, wide] = side(places.map((place) => place.x), left, width);
  const [y, high] = side(places.map((place) => place.y), top, height);
  return wide * high > MOST * width * height ? null : [x, y, wide, high];
}

/**
 * Labels of the columns and rows along the lower and left sides of a box that cuts the board off.
 * @param {Iterable<{ cell: Cell, at: Point }>} cells
 * @param {[number, number, number, number]} box
 * @param {[number, number, number, number]} whole
 * @returns {SVGElement[]}
 */
export function cutLabels(cells, box, whole) {
  const [x, y, width, height] = box;
  /** @type {Map<string, SVGElement>} */
  const labels = new Map();
  const add = (/** @type {string} */ text, /** @type {number} */ at, /** @type {number} */ across) => {
    if (!labels.has(text)) labels.set(text, s("text", { class: "label cut", x: at, y: across }, text));
  };
  for (const { cell, at } of cells) {
    const [column, row] = [cell.name.replace(/\d+/, ""), cell.name.replace(/\D+/, "")];
    const [isInColumn, isInRow] = [at.x > x + UNIT / 2 && at.x < x + width, at.y > y && at.y < y + height - UNIT / 2];
    if (isInColumn && y + height < whole[1] + whole[3]) add(column, at.x, y + height - UNIT / 4);
    if (isInRow && x > whole[0]) add(row, x + UNIT / 4, at.y);
  }
  return [...labels.values()];
}
