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
 * @param {number | null} value
 */
export function percent(value) {
  return value === null ? "–" : `${(rate(value) * 100).toFixed(1)}%`;
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
 * Describes proven bounds, in the words of the command line; empty if nothing is proven.
 * @param {Bounds | null} bounds
 * @param {Facts} facts
 */
export function proven(bounds, facts) {
  const [low, high] = facts.scores;
  if (!bounds || (bounds.at_least <= low && bounds.at_most >= high)) return "";
  const { at_least: least, at_most: most } = bounds;
  if (facts.players === 2) {
    if (least >= 1) return least === most && high > 1 ? `win, score ${least}` : "win";
    if (most <= -1) return least === most && low < -1 ? `loss, score ${least}` : "loss";
    if (least === 0 && most === 0) return "draw";
    if (least === 0 && most === high) return facts.draws ? "at least a draw" : "win";
    if (least === low && most === 0) return facts.draws ? "at most a draw" : "loss";
  }
  if (least === most) return `score ${least}`;
  if (most === high) return `score ≥ ${least}`;
  if (least === low) return `score ≤ ${most}`;
  return `score ${least}..${most}`;
}

/**
 * Describes a candidate move, for a tooltip.
 * @param {RootMove} entry
 * @param {Facts} facts
 */
export function describeMove(entry, facts) {
  const parts = [`${entry.move}: ${percent(entry.value)}`];
  if (entry.spread !== null && entry.value !== null) parts.push(`± ${(entry.spread * 50).toFixed(1)}`);
  parts.push(`${count(entry.visits)} visits`);
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
