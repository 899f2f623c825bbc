/** Colours for win rates: cividis, which suits colour-blind users and is monotone in brightness. */

/** @import { RootMove } from "./protocol.js" */
import { rate } from "./words.js";

/** The colours at equal steps from 0 to 1. */
const CIVIDIS = [
  [0, 34, 78],
  [18, 53, 112],
  [59, 73, 108],
  [87, 93, 109],
  [112, 113, 115],
  [138, 134, 120],
  [165, 156, 116],
  [195, 179, 105],
  [225, 204, 85],
  [254, 232, 56],
];

/**
 * The colour of a share in [0, 1].
 * @param {number} share
 */
export function heat(share) {
  const at = Math.min(1, Math.max(0, share)) * (CIVIDIS.length - 1);
  const low = Math.min(CIVIDIS.length - 2, Math.floor(at));
  const mixed = CIVIDIS[low].map((from, part) => Math.round(from + (CIVIDIS[low + 1][part] - from) * (at - low)));
  return `rgb(${mixed.join(" ")})`;
}

/**
 * The colour of text on it.
 * @param {number} share
 */
export function textOnHeat(share) {
  return share > 0.52 ? "#10141a" : "#ffffff";
}

/** The smallest range of a scale: smaller differences are mostly noise. */
const MIN_RANGE = 0.1;
/** The ends of a scale are rounded to steps, so that the colours stay stable while a search runs. */
const STEP = 0.05;
/** Moves with fewer visits than this share of the maximum do not extend the scale. */
const MIN_VISITS = 0.02;

/**
 * The win rates at the two ends of the colours.
 * @typedef {{ low: number, high: number }} Scale
 */

/**
 * The scale for the moves of one position, from the worst to the best.
 * @param {RootMove[]} entries
 * @returns {Scale}
 */
export function scaleOf(entries) {
  const most = Math.max(1, ...entries.map((entry) => entry.visits));
  const rates = entries.flatMap((entry) =>
    entry.value === null || entry.visits < most * MIN_VISITS ? [] : [rate(entry.value)],
  );
  if (!rates.length) return { low: 0, high: 1 };
  const low = Math.floor(Math.min(...rates) / STEP + 1e-9) * STEP;
  const high = Math.ceil(Math.max(...rates) / STEP - 1e-9) * STEP;
  if (high - low >= MIN_RANGE) return { low, high };
  const middle = Math.min(1 - MIN_RANGE / 2, Math.max(MIN_RANGE / 2, (low + high) / 2));
  return { low: middle - MIN_RANGE / 2, high: middle + MIN_RANGE / 2 };
}

/**
 * The place of a value on a scale, from 0 to 1.
 * @param {number | null} value in [-1, 1]
 * @param {Scale} scale
 */
export function onScale(value, { low, high }) {
  return Math.min(1, Math.max(0, (rate(value ?? 0) - low) / (high - low)));
}
