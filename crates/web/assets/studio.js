/** The state that all panels share: the connection, the game, the board and the last search report. */

/** @import { Tool } from "./board-input.js" */
/** @import { ProblemMarks } from "./problem-overlay.js" */
/** @import { AutoPlayer, GameInfo, RootMove, SearchInfo, State, Thought } from "./protocol.js" */
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { byId, write } from "./dom.js";
import { rate } from "./words.js";

/**
 * A position shown in place of the game: of a line in the tree, or of a walk through a proof.
 * @typedef {object} Scene
 * @property {State} state
 * @property {string} words
 * @property {(move: string) => void} play
 * @property {() => void} leave
 * @property {ProblemMarks | null} [problem] the marks of a problem
 * @property {string[]} [zoom] the cells to zoom in on
 *
 * What a panel shows on the board: a line of moves, candidate moves, the best first, by how much each
 * cell belongs to the player to move, the marks of a problem, and the cells to zoom in on.
 * @typedef {{ line: string[], candidates: RootMove[], ownership: number[], problem?: ProblemMarks | null, zoom?: string[] }} Overlay
 *
 * A panel beside the board.
 * @typedef {object} Panel
 * @property {string} key
 * @property {string} title
 * @property {HTMLElement} element
 * @property {(state: State) => boolean} [suits] whether it is offered for a game; always if it is missing
 * @property {() => void} [shown] called when it is opened
 * @property {() => void} [left] called when another one is opened
 * @property {(state: State) => void} [state] called when the game has changed
 * @property {(thought: Thought, running: boolean) => void} [thought] called with each report of a search
 * @property {boolean} [followsGame] whether the analysis restarts after a move while it is open
 * @property {() => Overlay | null} [overlay] what it shows on the board while it is open
 * @property {() => Tool | null} [tool] what clicks on the board do while it is open, if not moves
 */

export class Studio {
  /** The current game. @type {State | null} */
  state = null;
  /** When the state was received, for the clocks. */
  receivedAt = 0;
  /** @type {Scene | null} */
  scene = null;
  /** The latest report about the current position. @type {Thought | null} */
  thought = null;
  /** Whether an analysis requested here is running. */
  thinking = false;
  /** Whether the user has paused the engines. */
  paused = false;
  /** The open panel. @type {Panel | null} */
  panel = null;
  /** Whether the next state is that of another game. */
  startsGame = false;
  /** The parts of the analysis to show on the board. */
  showCandidates = true;
  showLine = true;
  showOwners = false;
  /**
   * From the reports received here, by ply: the win rate of the first player, or the place in the
   * score range of a single player.
   * @type {(number | null)[]}
   */
  rates = [];
  /** @type {GameInfo[]} */
  games = [];
  /** @type {SearchInfo[]} */
  searches = [];
  /** The players that `auto` stands for, by game. @type {AutoPlayer[]} */
  autoPlayers = [];
  /** @type {(() => void)[]} */
  #listeners = [];
  /** Identifies the game and its start. */
  #gameKey = "";
  /** @type {((state: State) => void)[]} */
  #waiting = [];

  /** @param {string} address */
  constructor(address) {
    this.connection = new Connection(address);
    this.board = new Board({
      play: (move) => (this.scene ? this.scene.play(move) : void this.play(move)),
      refuse: (reason) => this.notify(reason, "warn"),
      resized: (width) => byId("stage").style.setProperty("--board-width", `${width}px`),
    });
    this.connection.on("state", (state) => this.#receiveState(state));
    this.connection.on("thinking", (thought) => this.#receiveThought(thought, true));
    this.connection.on("thought", (thought) => this.#receiveThought(thought, false));
    this.connection.on("open", () => {
      if (this.showOwners) void this.requestOwnership();
    });
    this.connection.on("trouble", ({ words, ended }) => {
      if (ended === "think") this.thinking = false;
      this.notify(words, "warn");
    });
  }

  /**
   * Sends a request. An error is shown to the user, and the result is then null. Success removes
   * the message of an earlier action.
   * @param {string} name
   * @param {Record<string, unknown>} [fields]
   * @param {HTMLElement} [errorPlace] shows the error, beside its field
   * @returns {Promise<any>}
   */
  async request(name, fields = {}, errorPlace) {
    try {
      const response = (await this.connection.request(name, fields)) ?? {};
      // The tree is queried without an action of the user.
      if (name !== "look") this.#clearErrors();
      return response;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (errorPlace) write(errorPlace, message);
      else this.notify(message, "warn");
      return null;
    }
  }

  /**
   * Sends a request that starts another game, and waits for its state.
   * @param {string} name
   * @param {Record<string, unknown>} fields
   * @param {HTMLElement} [errorPlace]
   * @returns {Promise<boolean>} whether it is accepted
   */
  async startGame(name, fields, errorPlace) {
    const next = this.nextState();
    this.startsGame = true;
    if (!(await this.request(name, fields, errorPlace))) {
      this.startsGame = false;
      return false;
    }
    await next;
    return true;
  }

  /**
   * Uploads a file. An error is shown to the user, and the result is then null.
   * @param {File} file
   * @returns {Promise<string | null>} the ID of the file
   */
  async upload(file) {
    try {
      const response = await fetch("api/file", { method: "POST", body: file });
      if (!response.ok) throw new Error(`${file.name}: ${await response.text()}`);
      return (await response.json()).file;
    } catch (error) {
      this.notify(error instanceof Error ? error.message : String(error), "warn");
      return null;
    }
  }

  /**
   * Plays a move in the game, and resumes engines that stopped when the user stepped through it.
   * @param {string} move
   */
  async play(move) {
    const { state } = this;
    if (!state) return;
    const isHuman = state.to_move !== null && state.seats[state.to_move]?.kind === "person";
    const waiting = !this.paused && !state.running && state.seats.some((seat) => seat.kind === "engine");
    const next = this.nextState();
    if (!(await this.request("play", { move }))) return;
    if (isHuman && waiting && !(await next).ending) await this.request("run");
  }

  /** The next state from the server; a response precedes the state that it leads to. @returns {Promise<State>} */
  nextState() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Shows a message to the user.
   * @param {string} message
   * @param {"info" | "warn"} [kind]
   */
  notify(message, kind = "info") {
    const status = byId("status");
    write(status, message);
    status.dataset.kind = kind;
  }

  /** Removes the messages of earlier actions. */
  #clearErrors() {
    this.notify("");
    for (const place of document.querySelectorAll(".error")) write(place, "");
  }

  /** Calls a listener whenever the game, the scene or the analysis has changed. @param {() => void} listener */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  /** Shows a scene in place of the game; null returns to the game. @param {Scene | null} scene */
  show(scene) {
    this.scene = scene;
    this.draw();
  }

  /** The position on the board. */
  get displayed() {
    return this.scene?.state ?? this.state;
  }

  /** Whether the user may move in the game. */
  get canMove() {
    const { state } = this;
    if (!state || state.to_move === null) return false;
    return !state.running || state.seats[state.to_move]?.kind !== "engine";
  }

  draw() {
    const state = this.displayed;
    if (!state) return;
    this.board.show(state, this.scene !== null || this.canMove);
    this.drawAnalysis();
    for (const listener of this.#listeners) listener();
  }

  /** Draws what the open panel shows on the board. A scene has its own marks. */
  drawAnalysis() {
    this.board.use(this.scene ? null : (this.panel?.tool?.() ?? null));
    if (this.scene) {
      this.board.zoom(this.scene.zoom ?? []);
      return this.board.showProblem(this.scene.problem ?? null);
    }
    /** @type {Overlay} */
    const shown = this.panel?.overlay?.() ?? { line: [], candidates: [], ownership: [] };
    this.board.showCandidates(shown.candidates);
    this.board.showLine(shown.line);
    this.board.showOwnership(shown.ownership);
    this.board.showProblem(shown.problem ?? null);
    this.board.zoom(shown.zoom ?? []);
  }

  /** The analysis of the current position. @returns {Overlay | null} */
  get analysis() {
    if (!this.thought || this.thought.ply !== this.state?.ply) return null;
    const { report, ownership = [] } = this.thought;
    return {
      line: this.showLine ? report.variation : [],
      candidates: this.showCandidates ? report.moves : [],
      ownership: this.showOwners ? ownership : [],
    };
  }

  /** Requests the owners of the cells with every report, or no more, as the user has set it. */
  async requestOwnership() {
    const position = this.state && positionKey(this.state);
    const response = await this.request("owners", { shown: this.showOwners });
    if (!response?.ownership || !this.thought || !this.state || positionKey(this.state) !== position) return;
    // A search that has ended reports no more.
    this.thought.ownership = response.ownership;
    this.drawAnalysis();
  }

  /** Ends a running analysis, so that the server accepts another search. */
  async stopAnalysis() {
    if (!this.thinking) return;
    const next = this.nextState();
    if (await this.request("stop")) await next;
  }

  /** As `rates`: from the server, or from the reports received here. */
  get history() {
    const values = this.state?.values ?? [];
    const length = Math.max(values.length, this.rates.length);
    return Array.from({ length }, (_, ply) => values[ply] ?? this.rates[ply] ?? null);
  }

  /** @param {State} state */
  #receiveState(state) {
    const gameKey = `${state.game}|${state.start}`;
    const same = this.#gameKey === gameKey && this.state?.ply === state.ply && this.state.position === state.position;
    if (this.#gameKey !== gameKey) this.rates = [];
    this.#gameKey = gameKey;
    this.state = state;
    this.receivedAt = performance.now();
    if (!same) {
      // The search of the previous position is abandoned.
      this.thinking = false;
      this.thought = null;
      this.scene = null;
    }
    this.draw();
    for (const resolve of this.#waiting.splice(0)) resolve(state);
  }

  /** @param {Thought} thought @param {boolean} running */
  #receiveThought(thought, running) {
    const { state } = this;
    if (!state || thought.left) return;
    if (thought.ply === state.ply) this.thought = thought;
    if (state.to_move !== null && state.facts.players <= 2 && thought.ply === state.ply) {
      const share = rate(thought.report.value);
      this.rates[thought.ply] = state.to_move === 0 ? share : 1 - share;
    }
    if (!running && thought.ply === state.ply) this.thinking = false;
    this.drawAnalysis();
    for (const listener of this.#listeners) listener();
  }
}

/** Identifies a position of the game. @param {State} state */
export function positionKey(state) {
  return `${state.game} ${state.position} ${state.ply}`;
}
