/** Formats numbers and results. */

/** @import { Bounds, Facts, ProofNumbers, RootMove } from "./protocol.js" */

/**
 * A short form of a count: 950, 12.4k, 3.10M.
 * @param {number} count
 */
export function count(count) {
  for (const [unit, name] of /** @type {[number, string][]} */ ([
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ])) {
    if (count >= unit * 10) return `${(count / unit).toFixed(count >= unit * 100 ? 0 : 1)}${name}`;
    if (count >= unit && unit > 1e3) return `${(count / unit).toFixed(2)}${name}`;
  }
  return String(Math.round(count));
}

/** @param {number} bytes */
export function bytes(bytes) {
  for (const [unit, name] of /** @type {[number, string][]} */ ([
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
  ])) {
    if (bytes >= unit) return `${(bytes / unit).toFixed(1)} ${name}`;
  }
  return `${bytes} B`;
}

/** @param {number} seconds */
export function seconds(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, "0")} s`;
}

/**
 * The time shown by a clock.
 * @param {number} seconds
 */
export function clock(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return `0:0${left.toFixed(1)}`;
  const whole = Math.floor(left);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Converts a value in [-1, 1] to a win rate in [0, 1].
 * @param {number} value
 */
export function rate(value) {
  return Math.min(1, Math.max(0, (value + 1) / 2));
}

/**
 * The points that a place in the score range stands for.
 * @param {number} share in [0, 1]
 * @param {Facts} facts
 */
export function points(share, { scores: [low, high] }) {
  return low + share * (high - low);
}

/**
 * Formats points: whole numbers if the score range is large.
 * @param {number} points
 * @param {Facts} facts
 */
export function pointsText(points, { scores: [low, high] }) {
  return points.toFixed(high - low >= 100 ? 0 : 1).replace(/^-0$/, "0");
}

/**
 * A place between the worst and the best result: points in a game for one player, else a win rate.
 * @param {number} share in [0, 1]
 * @param {Facts} facts
 */
export function shareText(share, facts) {
  return facts.players === 1 ? pointsText(points(share, facts), facts) : `${(share * 100).toFixed(1)}%`;
}

/**
 * The value of a move or a position, as points or as a win rate.
 * @param {number | null} value in [-1, 1]
 * @param {Facts} facts
 */
export function valueText(value, facts) {
  return value === null ? "–" : shareText(rate(value), facts);
}

/**
 * A standard error, in the unit of the value.
 * @param {number} spread
 * @param {Facts} facts
 */
export function spreadText(spread, facts) {
  const [low, high] = facts.scores;
  return facts.players === 1 ? pointsText((spread / 2) * (high - low), facts) : (spread * 50).toFixed(1);
}

/**
 * Whether the sign of a score tells who wins.
 * @param {Facts} facts
 */
export function signIsResult(facts) {
  return facts.players === 2 && facts.scores[0] < 0;
}

/** @param {number | "inf"} number */
function proofNumber(number) {
  return number === "inf" ? "∞" : count(number);
}

/** @param {ProofNumbers | null} numbers */
export function proofNumbers(numbers) {
  return numbers ? `${proofNumber(numbers.proof)} / ${proofNumber(numbers.disproof)}` : "–";
}

/**
 * Describes proven bounds; empty if nothing is proven.
 * @param {Bounds | null} bounds
 * @param {Facts} facts
 */
export function proven(bounds, facts) {
  const [low, high] = facts.scores;
  if (!bounds || (bounds.at_least <= low && bounds.at_most >= high)) return "";
  const { at_least: least, at_most: most } = bounds;
  if (signIsResult(facts)) {
    if (least > 0) return least === most && high > 1 ? `win, score ${least}` : "win";
    if (most < 0) return least === most && low < -1 ? `loss, score ${least}` : "loss";
    if (least === 0 && most === 0) return "draw";
    if (least === 0 && most === high) return facts.draws ? "at least a draw" : "win";
    if (least === low && most === 0) return facts.draws ? "at most a draw" : "loss";
  }
  const written = (/** @type {string | number} */ range) =>
    facts.players === 1 ? `${range} points` : `score ${range}`;
  if (least === most) return written(least);
  if (most === high) return written(`≥ ${least}`);
  if (least === low) return written(`≤ ${most}`);
  return written(`${least}..${most}`);
}

/**
 * The value of a candidate move, marked if it is only an upper bound.
 * @param {RootMove} entry
 * @param {Facts} facts
 */
export function boundedText(entry, facts) {
  return `${entry.bound === "upper" ? "≤ " : ""}${valueText(entry.value, facts)}`;
}

/**
 * Describes a candidate move, for a tooltip.
 * @param {RootMove} entry
 * @param {Facts} facts
 */
export function describeMove(entry, facts) {
  const unit = facts.players === 1 && entry.value !== null ? " points" : "";
  const parts = [`${entry.move}: ${boundedText(entry, facts)}${unit}`];
  if (entry.spread !== null && entry.value !== null) parts.push(`± ${spreadText(entry.spread, facts)}`);
  if (entry.visits !== null) parts.push(`${count(entry.visits)} visits`);
  if (entry.depth) parts.push(`depth ${entry.depth}`);
  if (entry.proof_numbers) parts.push(`pn / dn ${proofNumbers(entry.proof_numbers)}`);
  const bounds = proven(entry.bounds, facts);
  if (bounds) parts.push(`proven: ${bounds}`);
  return parts.join(" · ");
}

/**
 * The sort key of a proof number: infinite last.
 * @param {number | "inf" | undefined} number
 */
export function proofOrder(number) {
  return number === undefined || number === "inf" ? Infinity : number;
}
