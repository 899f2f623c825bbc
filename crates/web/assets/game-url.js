/** The part of the URL that holds the game: rules, start, moves, players, limits and clock. */

/** @import { ClockSettings, State } from "./protocol.js" */

/**
 * A game as the URL holds it. `seconds` has one entry for all engines, or one for each seat.
 * @typedef {object} UrlGame
 * @property {string | null} game the spec
 * @property {string} position `start` or a position, possibly followed by ` moves M1 M2 ...`
 * @property {string[]} moves
 * @property {number | null} ply the number of moves played; null for all
 * @property {string[]} players by seat: `person`, or the spec of an engine
 * @property {string[]} seconds per move
 * @property {ClockSettings | null} clock
 * @property {string[]} problems what is wrong with the URL, in sentences
 */

/** The parameters of the game; others, such as the access token, stay as they are. */
const KEYS = ["game", "position", "moves", "ply", "player", "seconds", "clock", "increment"];

/**
 * Reads the game of a URL. A bad number is reported and ignored.
 * @param {string} query
 * @returns {UrlGame}
 */
export function readGame(query) {
  const parameters = new URLSearchParams(query);
  /** @type {string[]} */
  const problems = [];
  const number = (/** @type {string} */ key, /** @type {string} */ text, /** @type {RegExp} */ accepted) => {
    if (accepted.test(text)) return Number(text);
    const expected = accepted === WHOLE ? "a whole number" : "a number of seconds";
    problems.push(`${key}=${text} is ignored; expected ${expected}.`);
    return null;
  };
  const optional = (/** @type {string} */ key, /** @type {RegExp} */ accepted) => {
    const text = parameters.get(key);
    return text === null ? null : number(key, text, accepted);
  };
  const seconds = parameters.getAll("seconds").map((text) => {
    const time = text === "" ? null : number("seconds", text, DECIMAL);
    return time === null ? "" : String(time);
  });
  const [clock, increment] = [optional("clock", DECIMAL), optional("increment", DECIMAL)];
  return {
    game: parameters.get("game"),
    position: parameters.get("position") || "start",
    moves: (parameters.get("moves") ?? "").split(" ").filter(Boolean),
    ply: optional("ply", WHOLE),
    players: parameters.getAll("player"),
    seconds,
    clock: clock === null ? null : { seconds: clock, increment: increment ?? 0 },
    problems,
  };
}

const WHOLE = /^\d+$/;
const DECIMAL = /^(\d+\.?\d*|\.\d+)$/;

/**
 * Writes a game into the query of a URL.
 * @param {string} query the current one
 * @param {State} state
 * @param {ClockSettings | null} clock
 */
export function writeGame(query, state, clock) {
  const parameters = new URLSearchParams(query);
  for (const key of KEYS) parameters.delete(key);
  parameters.set("game", state.game);
  if (state.start !== "start") parameters.set("position", state.start);
  if (state.moves.length) parameters.set("moves", state.moves.join(" "));
  if (state.ply < state.moves.length) parameters.set("ply", String(state.ply));
  for (const seat of state.seats) parameters.append("player", seat.kind === "person" ? "person" : seat.player);
  const times = state.seats.map((seat) => (seat.kind === "engine" ? (seat.limits.time ?? "") : null));
  const different = new Set(times.filter((time) => time !== null));
  for (const time of different.size > 1 ? times : different) parameters.append("seconds", String(time ?? ""));
  if (clock && state.clocks) {
    parameters.set("clock", String(clock.seconds));
    parameters.set("increment", String(clock.increment));
  }
  // These need no escape in a query, and specs and positions are full of them.
  const text = parameters.toString().replace(/%(3A|2C|2F|40)/g, (escape) => decodeURIComponent(escape));
  return `?${text}`;
}

/** The position and its moves, for the request that opens them. @param {Pick<UrlGame, "position" | "moves">} game */
export function positionText({ position, moves }) {
  return moves.length ? `${position} moves ${moves.join(" ")}` : position;
}
