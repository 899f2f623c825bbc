/**
 * Keeps the game in the URL: reloading, the Back button and a link restore it. A new game is a new
 * entry in the browser's history; moves and players change the current entry.
 */

/** @import { UrlGame } from "./game-url.js" */
/** @import { PlayPanel } from "./play.js" */
/** @import { Studio } from "./studio.js" */
import { positionText, readGame, writeGame } from "./game-url.js";

/** The game of the first visit. */
const DEFAULT_GAME = "hex:7";

/** The least time between two changes of the URL, in milliseconds: Safari allows 100 in 30 seconds. */
const MIN_INTERVAL = 400;

export class Navigation {
  /** Whether a game is being restored, whose intermediate states are not written. */
  #restoring = false;
  /** The end of the last restoration. */
  #restored = Promise.resolve();
  /** The query to write when enough time has passed. @type {string | null} */
  #pending = null;
  #writtenAt = -MIN_INTERVAL;
  #timer = 0;

  /** @param {Studio} studio @param {PlayPanel} play @param {() => void} moved called after Back and Forward */
  constructor(studio, play, moved) {
    this.studio = studio;
    this.play = play;
    studio.connection.on("state", () => this.#update());
    addEventListener("popstate", () => {
      this.#pending = null;
      moved();
      void this.restore();
    });
  }

  /** A link to the game. */
  get link() {
    this.#flush();
    return location.href;
  }

  /** Opens the game of the URL, or that of the last visit. */
  restore() {
    this.#flush();
    this.#restored = this.#restored.then(async () => {
      this.#restoring = true;
      await this.#open(readGame(location.search));
      this.#restoring = false;
      // If the connection was lost, the URL is still needed for the next attempt.
      if (this.studio.connection.isOpen) this.#update();
    });
    return this.#restored;
  }

  /** Opens a game; reports what is wrong with the URL and what is opened instead. @param {UrlGame} wanted */
  async #open(wanted) {
    const { studio, play } = this;
    const { problems } = wanted;
    const game = wanted.game ?? lastGame() ?? DEFAULT_GAME;
    /** @type {[string, string, string][]} */
    const attempts = [
      [game, positionText(wanted), ""],
      [game, wanted.position, "without its moves"],
      [game, "start", "at the start"],
      [DEFAULT_GAME, "start", "at the start"],
    ];
    let refused = "";
    let tried = "";
    for (const [spec, position, what] of attempts) {
      if (tried === `${spec} ${position}`) continue;
      tried = `${spec} ${position}`;
      const error = await play.open(spec, position);
      if (error === null) {
        if (refused) problems.push(`${refused}. Opened ${spec} ${what} instead.`);
        break;
      }
      refused ||= error.replace(/\.$/, "");
    }
    if (!studio.state || !studio.connection.isOpen) return;
    const all = studio.state.moves.length;
    const ply = refused ? all : (wanted.ply ?? all);
    if (ply < all) await play.attempt("goto", { ply });
    else if (ply > all) problems.push(`ply=${ply} is ignored; the game has ${all} moves.`);
    await this.#seat(wanted, ply >= all);
    if (problems.length && studio.connection.isOpen) studio.notify(problems.join(" "), "warn");
  }

  /** Seats the players of the URL. @param {UrlGame} wanted @param {boolean} run whether engines may start */
  async #seat({ players, seconds, clock, problems }, run) {
    const seats = this.studio.state?.facts.players ?? 2;
    if (players.slice(seats).some((player) => player !== "person"))
      problems.push(`${players.length} players are given; this game has ${seats}.`);
    const refused = await this.play.seat(players, seconds, clock, run);
    if (refused === null) return;
    problems.push(`${refused.replace(/\.$/, "")}. Humans play instead.`);
    await this.play.seat(Array(seats).fill("person"), [], null, run);
  }

  /** Writes the game to the URL. */
  #update() {
    const { state, startsGame } = this.studio;
    if (!state || this.#restoring) return;
    this.studio.startsGame = false;
    const query = writeGame(location.search, state, this.play.clock);
    if (startsGame) {
      this.#flush();
      history.pushState(null, "", `${query}${location.hash}`);
      this.#writtenAt = performance.now();
      return;
    }
    this.#pending = query;
    const wait = this.#writtenAt + MIN_INTERVAL - performance.now();
    if (wait <= 0) this.#flush();
    else this.#timer ||= window.setTimeout(() => this.#flush(), wait);
  }

  #flush() {
    window.clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#pending === null) return;
    history.replaceState(null, "", `${this.#pending}${location.hash}`);
    this.#pending = null;
    this.#writtenAt = performance.now();
  }
}

/** The game of the last visit. */
function lastGame() {
  try {
    return localStorage.getItem("game");
  } catch {
    return null;
  }
}
