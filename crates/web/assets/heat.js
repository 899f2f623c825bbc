/**
 * Colours for the values of moves: from pale for the worst to deep blue for the best. They suit
 * colour-blind users, are monotone in brightness, and differ from wood, felt and stones.
 */

/** @import { Facts, RootMove } from "./protocol.js" */
import { rate } from "./words.js";

/** The colours at equal steps from 0 to 1. */
const BLUES = [
  [244, 240, 228],
  [200, 217, 233],
  [137, 183, 222],
  [74, 137, 200],
  [28, 90, 168],
  [8, 48, 122],
];

/**
 * The colour of a share in [0, 1].
 * @param {number} share
 */
export function heat(share) {
  const at = Math.min(1, Math.max(0, share)) * (BLUES.length - 1);
  const low = Math.min(BLUES.length - 2, Math.floor(at));
  const mixed = BLUES[low].map((from, part) => Math.round(from + (BLUES[low + 1][part] - from) * (at - low)));
  return `rgb(${mixed.join(" ")})`;
}

/**
 * The colour of text on it.
 * @param {number} share
 */
export function textOnHeat(share) {
  return share > 0.55 ? "#ffffff" : "#10141a";
}

/** The most candidates with a mark on the board: more would hide it. */
const MAX_MARKS = 10;

/** The smallest range of a scale of win rates: smaller differences are mostly noise. */
const MIN_RANGE = 0.02;
/** Moves with fewer visits than this share of the maximum do not extend the scale. */
const MIN_VISITS = 0.02;

/**
 * The places between the worst and the best result at the two ends of the colours.
 * @typedef {{ low: number, high: number }} Scale
 */

/**
 * The moves to mark on the board, the best first. The value of the others is unknown or only bounded.
 * @param {RootMove[]} moves
 */
export function marked(moves) {
  const known = moves.filter((entry) => entry.bound !== "upper" && (entry.visits || entry.value !== null));
  return known.slice(0, MAX_MARKS);
}

/**
 * The scale for the moves of one position, from the worst to the best of those on the board.
 * @param {RootMove[]} moves
 * @param {Facts} facts
 * @returns {Scale}
 */
export function scaleOf(moves, { players }) {
  const shown = marked(moves);
  const most = Math.max(1, ...shown.map((entry) => entry.visits ?? 0));
  const rates = shown.flatMap((entry) =>
    entry.value === null || (entry.visits ?? most) < most * MIN_VISITS ? [] : [rate(entry.value)],
  );
  if (!rates.length) return { low: 0, high: 1 };
  // Points differ by tiny shares of the whole score range.
  const range = players === 1 ? Number.EPSILON : MIN_RANGE;
  const high = Math.max(range, ...rates);
  return { low: Math.min(high - range, ...rates), high };
}

/**
 * The place of a value on a scale, from 0 to 1.
 * @param {number | null} value in [-1, 1]
 * @param {Scale} scale
 */
export function onScale(value, { low, high }) {
  return Math.min(1, Math.max(0, (rate(value ?? 0) - low) / (high - low)));
}
