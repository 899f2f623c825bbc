/** What all views share: the connection, the game on the table, the board, and the last thought. */

/** @import { GameInfo, Meaning, SearchInfo, State, Thought } from "./protocol.js" */
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { byId, write } from "./dom.js";
import { rate } from "./words.js";

/**
 * Another position than that of the game, shown in its place: of a line in the tree, of a walk through a proof.
 * @typedef {object} Scene
 * @property {State} state
 * @property {string} words
 * @property {(move: string) => void} play
 * @property {() => void} leave
 *
 * A view beside the board.
 * @typedef {object} Panel
 * @property {string} key
 * @property {string} title
 * @property {HTMLElement} element
 * @property {() => void} [shown] it was opened
 * @property {() => void} [left] another was opened
 * @property {(state: State) => void} [state] the game has changed
 * @property {(thought: Thought, running: boolean) => void} [thought] somebody thinks, or has thought
 */

export class Studio {
  /** The game on the table. @type {State | null} */
  state = null;
  /** When the state came, for clocks. */
  since = 0;
  /** @type {Scene | null} */
  scene = null;
  /** The newest thought about the position on the table. @type {Thought | null} */
  thought = null;
  /** Whether an analysis that was asked for here is running. */
  thinking = false;
  /** Whether the reader has told the engines to wait. */
  held = false;
  /** Whether the view that is open is about what a search thinks. */
  watching = false;
  /** What the reader wishes to see of it on the board. */
  showHeat = true;
  showLine = true;
  /** The first player's share of wins by ply, as told by thoughts seen here. @type {(number | null)[]} */
  rates = [];
  /** @type {GameInfo[]} */
  games = [];
  /** @type {SearchInfo[]} */
  searches = [];
  /** @type {Meaning[]} */
  meanings = [];
  /** @type {(() => void)[]} */
  #watchers = [];
  #line = "";
  /** @type {((state: State) => void)[]} */
  #waiting = [];

  /** @param {string} address */
  constructor(address) {
    this.connection = new Connection(address);
    this.board = new Board({
      play: (move) => (this.scene ? this.scene.play(move) : void this.play(move)),
      refuse: (words) => this.say(words, "warn"),
      sized: (width) => byId("stage").style.setProperty("--board-width", `${width}px`),
    });
    this.connection.on("state", (state) => this.#receive(state));
    this.connection.on("thinking", (thought) => this.#think(thought, true));
    this.connection.on("thought", (thought) => this.#think(thought, false));
    this.connection.on("trouble", ({ words, ended }) => {
      if (ended === "think") this.thinking = false;
      this.say(words, "warn");
    });
  }

  /**
   * Asks the server; what goes wrong is told to the reader, and the answer is then null.
   * @param {string} what
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   */
  async ask(what, fields = {}) {
    try {
      return (await this.connection.ask(what, fields)) ?? {};
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "warn");
      return null;
    }
  }

  /**
   * Sends a file to the server; what goes wrong is told to the reader, and the answer is then null.
   * @param {File} file
   * @returns {Promise<string | null>} the ID to ask about it by
   */
  async send(file) {
    try {
      const answer = await fetch("api/file", { method: "POST", body: file });
      if (!answer.ok) throw new Error(`${file.name}: ${await answer.text()}`);
      return (await answer.json()).file;
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "warn");
      return null;
    }
  }

  /**
   * Plays a move in the game. Engines that wait because somebody stepped through the game go on: it is played again.
   * @param {string} move
   */
  async play(move) {
    const { state } = this;
    if (!state) return;
    const own = state.to_move !== null && state.seats[state.to_move]?.kind === "person";
    const waiting = !this.held && !state.running && state.seats.some((seat) => seat.kind === "engine");
    const next = this.next();
    this.say("");
    if (!(await this.ask("play", { move }))) return;
    if (own && waiting && !(await next).ending) await this.ask("run");
  }

  /** The next state that the server tells: answers come before the state that they lead to. @returns {Promise<State>} */
  next() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * @param {string} words
   * @param {"info" | "warn"} [kind]
   */
  say(words, kind = "info") {
    const status = byId("status");
    write(status, words);
    status.dataset.kind = kind;
  }

  /** Told whenever the game, the scene or the thought has changed. @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.push(watcher);
  }

  /** Shows a scene in the place of the game; null goes back to the game. @param {Scene | null} scene */
  show(scene) {
    this.scene = scene;
    this.draw();
  }

  /** What is on the board now. */
  get shown() {
    return this.scene?.state ?? this.state;
  }

  /** Whether a person may move in the game. */
  get mayMove() {
    const { state } = this;
    if (!state || state.to_move === null) return false;
    return !state.running || state.seats[state.to_move]?.kind !== "engine";
  }

  draw() {
    const state = this.shown;
    if (!state) return;
    this.board.show(state, this.scene !== null || this.mayMove);
    this.decorate();
    for (const watcher of this.#watchers) watcher();
  }

  /** Puts the thought on the board, if it is about the position there. What is on a scene is up to who shows it. */
  decorate() {
    if (this.scene) return;
    const about = this.watching && this.thought && this.thought.ply === this.state?.ply ? this.thought.report : null;
    this.board.ghosts(about && this.showLine ? about.variation : []);
    this.board.heat(about && this.showHeat ? about.moves : []);
  }

  /** The first player's share of wins by ply: what the server knows, and what was seen here. */
  get history() {
    const told = this.state?.values ?? [];
    const length = Math.max(told.length, this.rates.length);
    return Array.from({ length }, (_, ply) => told[ply] ?? this.rates[ply] ?? null);
  }

  /** @param {State} state */
  #receive(state) {
    const line = `${state.game}|${state.start}`;
    const same = this.#line === line && this.state?.ply === state.ply && this.state.position === state.position;
    if (this.#line !== line) this.rates = [];
    this.#line = line;
    this.state = state;
    this.since = performance.now();
    if (!same) {
      // A search about another position has ended, or its end is of no interest.
      this.thinking = false;
      this.thought = null;
      this.scene = null;
    }
    this.draw();
    for (const resolve of this.#waiting.splice(0)) resolve(state);
  }

  /** @param {Thought} thought @param {boolean} running */
  #think(thought, running) {
    const { state } = this;
    if (!state || thought.left) return;
    if (thought.ply === state.ply) this.thought = thought;
    if (state.to_move !== null && state.facts.players === 2 && thought.ply === state.ply) {
      const share = rate(thought.report.value);
      this.rates[thought.ply] = state.to_move === 0 ? share : 1 - share;
    }
    if (!running && thought.ply === state.ply) this.thinking = false;
    this.decorate();
    for (const watcher of this.#watchers) watcher();
  }
}
