/** The Play panel: a new game, the players, and the moves. */

/** @import { ClockSettings, State } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { ask, button, h, set } from "./dom.js";
import { Graph } from "./graph.js";
import { NewGameForm } from "./new-game.js";
import { PlayersForm } from "./players.js";

export class PlayPanel {
  key = "play";
  title = "Play";
  /** The clock of the game, as last set. @type {ClockSettings | null} */
  clock = null;
  /** The game that is played. */
  #game = "";
  /** The moves in the list. */
  #listed = "";
  #moves = h("ol", { class: "move-list", "aria-label": "moves of the game" });

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    const changed = () => this.players.setGame(this.form.game, this.form.players);
    this.form = new NewGameForm(studio.games, changed, () => void this.#newGame());
    this.players = new PlayersForm(studio, () => void this.#applySeats());
    this.graph = new Graph((ply) => void studio.request("goto", { ply }));
    this.element = h(
      "div",
      {},
      h("section", {}, this.form.element),
      this.players.element,
      h("section", { class: "history" }, h("h2", {}, "Moves"), this.#moves, this.graph.element),
    );
    changed();
  }

  /**
   * Opens a game and shows it in the form.
   * @param {string} spec
   * @param {string} position
   * @returns {Promise<string | null>} the error
   */
  async open(spec, position) {
    const next = this.studio.nextState();
    const error = await this.attempt("open", { game: spec, position });
    if (error !== null) return error;
    await next;
    remember(spec);
    return null;
  }

  /**
   * Seats players, and runs the game if an engine or a clock needs it.
   * @param {string[]} players by seat; empty for those of the form
   * @param {string[]} seconds
   * @param {ClockSettings | null} clock
   * @param {boolean} run whether the game may run
   * @returns {Promise<string | null>} the error
   */
  async seat(players, seconds, clock, run) {
    this.players.write(players, seconds, clock);
    const { studio } = this;
    const request = this.players.read(studio.state?.facts.players ?? 2);
    const error = await this.attempt("seats", request);
    this.players.showResult(error);
    if (error !== null) return error;
    this.clock = request.clock;
    studio.paused = false;
    const runs = run && (request.clock || request.seats.some((seat) => seat.kind === "engine"));
    return runs && !studio.state?.ending ? this.attempt("run", {}) : null;
  }

  /**
   * Sends a request and returns its error instead of showing it.
   * @param {string} name
   * @param {Record<string, unknown>} fields
   * @returns {Promise<string | null>}
   */
  async attempt(name, fields) {
    try {
      await this.studio.connection.request(name, fields);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Starts the same game again, with the same players. */
  async rematch() {
    const { state } = this.studio;
    if (!state) return;
    const { clock } = this;
    const { game, start, seats } = state;
    if (!(await this.studio.startGame("open", { game, position: start }))) return;
    if (!(await this.studio.request("seats", { seats, clock }))) return;
    if (clock || seats.some((seat) => seat.kind === "engine")) await this.studio.request("run");
    this.studio.board.focus();
  }

  /** @param {State} state */
  state(state) {
    // The form may show another game, for the next one.
    if (this.#game !== state.game) this.form.write(state.game);
    this.#game = state.game;
    this.#listMoves(state);
    this.thought();
  }

  thought() {
    const { state, history } = this.studio;
    if (!state) return;
    this.graph.show(state, history);
    // Until a search has reported, its place belongs to the moves.
    this.graph.element.hidden ||= history.every((share) => share === null);
  }

  async #newGame() {
    const { studio, form } = this;
    const { state } = studio;
    if (state && state.moves.length > 0 && !state.ending && !(await ask("confirm-new"))) return;
    if (!(await studio.startGame("open", { game: form.spec, position: form.position }, form.error))) return;
    remember(form.spec);
    await this.#applySeats();
    studio.board.focus();
  }

  /** Sends the players and the clock of the form to the server. */
  async #applySeats() {
    const { clock } = this.players.read(0);
    if ((await this.seat([], [], clock, true)) === null) this.studio.notify("");
  }

  /** @param {State} state */
  #listMoves(state) {
    const list = this.#moves;
    const key = state.moves.join(" ");
    if (key !== this.#listed || list.childElementCount !== state.moves.length) {
      this.#listed = key;
      const jump = (/** @type {number} */ ply) => void this.studio.request("goto", { ply });
      list.replaceChildren(
        ...state.moves.map((move, index) =>
          h(
            "li",
            {},
            button(move, () => jump(index + 1), { class: "quiet" }),
          ),
        ),
      );
    }
    for (const [index, item] of [...list.children].entries()) {
      set(item, {
        class: index >= state.ply ? "later" : null,
        "aria-current": index === state.ply - 1 ? "true" : null,
      });
    }
    const current = list.children[state.ply - 1];
    if (current instanceof HTMLElement) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

/** Stores the game for the next visit. @param {string} spec */
function remember(spec) {
  try {
    localStorage.setItem("game", spec);
  } catch {
    // Without storage every visit starts with the default game.
  }
}
