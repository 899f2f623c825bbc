/** The animals of Catch the Lion, drawn around (0, 0) in a square of 48. */

import { s } from "./dom.js";

/** @param {string} fill @param {string} d */
const shape = (fill, d) => s("path", { fill, d });

/** @param {string} fill @param {number} cx @param {number} cy @param {number} rx @param {number} [ry] */
const round = (fill, cx, cy, rx, ry = rx) => s("ellipse", { fill, cx, cy, rx, ry });

/** @param {string} stroke @param {string} d @param {number} [width] */
const stroke = (stroke, d, width = 2) =>
  s("path", { fill: "none", stroke, d, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });

const INK = "#2a2018";

/** @param {number} apart @param {number} y @param {number} [size] */
const eyes = (apart, y, size = 2.5) => [round(INK, -apart, y, size), round(INK, apart, y, size)];

const BEAK = "M-6 3Q0-2 6 3 3 9 0 10-3 9-6 3Z";

/** By the letter of the piece. @type {Record<string, () => SVGElement[]>} */
export const ANIMALS = {
  C: () => [
    stroke("#d79b12", "M-1-18Q-7-24-3-26M1-18Q5-25 8-23", 2.5),
    round("#f7cf47", 0, 1, 20, 19),
    round("#f2a48f", -12, 6, 3.5, 2.5),
    round("#f2a48f", 12, 6, 3.5, 2.5),
    ...eyes(8, -2),
    shape("#e77d1e", BEAK),
  ],
  R: () => [
    shape("#d1352b", "M-11-14Q-13-25-6-21-4-29 1-22 7-28 8-20 14-22 11-13Z"),
    round("#fdf6e6", 0, 2, 20, 19),
    shape("#d1352b", "M-4 9Q-5 17 0 18 5 17 4 9Z"),
    ...eyes(8, -2),
    shape("#e8a11c", BEAK),
  ],
  G: () => [
    stroke("#8a5a22", "M-5-15V-23M5-15V-23", 3),
    round("#6d4518", -5, -24, 3),
    round("#6d4518", 5, -24, 3),
    shape("#dca24a", "M-12-11Q-24-17-23-8-19-4-11-5ZM12-11Q24-17 23-8 19-4 11-5Z"),
    shape("#eebb5c", "M-12-8Q-12-18 0-18 12-18 12-8 11 4 10 12 8 21 0 21-8 21-10 12-11 4-12-8Z"),
    round("#b77a2d", -6, -12, 3, 2.5),
    round("#b77a2d", 6, -10, 2.5),
    round("#b77a2d", 1, -6, 2.5, 2),
    round("#b77a2d", -8, 1, 2),
    round("#f8e2b4", 0, 13, 10, 8),
    round(INK, -4, 11, 1.4),
    round(INK, 4, 11, 1.4),
    stroke(INK, "M-4 16Q0 18 4 16", 1.5),
    ...eyes(7, -3),
  ],
  E: () => [
    round("#8fa3b5", -17, -3, 10, 13),
    round("#8fa3b5", 17, -3, 10, 13),
    round("#c3a9b3", -17, -2, 6, 9),
    round("#c3a9b3", 17, -2, 6, 9),
    round("#a9bccb", 0, -3, 15, 17),
    shape("#fbf7ec", "M-9 8Q-13 15-8 19-6 14-5 9ZM9 8Q13 15 8 19 6 14 5 9Z"),
    shape("#a9bccb", "M-6 3Q-5 16-4 20-3 24 2 23 9 22 8 15 8 13 6 13 4 13 4 16 3 19 2 17 4 10 6 3Z"),
    stroke("#8295a6", "M-3 9H4M-3 13H3", 1.4),
    ...eyes(8, -5),
  ],
  L: () => [
    shape(
      "#a9551a",
      `M${Array.from({ length: 24 }, (_, corner) => {
        const [angle, radius] = [(Math.PI * corner) / 12, corner % 2 ? 20 : 25];
        return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`;
      }).join("L")}Z`,
    ),
    round("#c97a2b", 0, 0, 19),
    round("#f0b55b", -11, -12, 4.5),
    round("#f0b55b", 11, -12, 4.5),
    round("#f4c574", 0, 1, 15, 15),
    round("#fdf0d3", 0, 8, 8, 6),
    shape(INK, "M-4 3H4L0 7Z"),
    stroke(INK, "M0 7V9M-4 11Q0 13 0 9 0 13 4 11", 1.5),
    ...eyes(6.5, -2.5),
  ],
};
