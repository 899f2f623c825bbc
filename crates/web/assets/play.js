/** The Play panel: the moves, the players, and a new game. */

/** @import { GameInfo, State } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { button, field, h, set, write } from "./dom.js";
import { Graph } from "./graph.js";
import { SeatForm } from "./seat-form.js";
import { OptionForm, parse, print } from "./spec.js";

/** The most players of a game. */
const MAX_PLAYERS = 4;

export class PlayPanel {
  key = "play";
  title = "Play";
  /** The moves in the list. */
  #listed = "";

  #options = new OptionForm(() => this.#updateSeats());
  #about = h("p", { class: "note" });
  #position = h("input", { type: "text", placeholder: "start", spellcheck: "false", autocomplete: "off" });
  #apply = button("Apply", () => void this.applySeats());
  #clockOn = h("input", { type: "checkbox" });
  #minutes = h("input", { type: "number", min: 0, step: "any", value: 10, "aria-label": "minutes" });
  #increment = h("input", { type: "number", min: 0, step: "any", value: 5, "aria-label": "increment in seconds" });
  #moves = h("ol", { class: "move-list", "aria-label": "moves of the game" });
  #ending = h("p", { class: "ending", role: "status" });

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    this.games = h(
      "select",
      { id: "game" },
      ...studio.games.map((game) => h("option", { value: game.name }, game.title)),
    );
    this.games.addEventListener("change", () => this.#updateForm());
    this.graph = new Graph((ply) => void studio.request("goto", { ply }));
    const changed = () => set(this.#apply, { "data-changed": true });
    this.seats = Array.from({ length: MAX_PLAYERS }, (_, seat) => new SeatForm(studio, seat, changed));
    this.element = h(
      "div",
      {},
      this.#ending,
      h("section", {}, h("h2", {}, "Moves"), this.#moves, this.graph.element),
      h(
        "section",
        { class: "players" },
        h("h2", {}, "Players"),
        ...this.seats.map((seat) => seat.element),
        this.#clockRow(changed),
      ),
      h("section", {}, h("h2", {}, "New game"), this.#gameForm()),
    );
    this.#updateForm();
  }

  /**
   * Opens a game and shows its options in the form.
   * @param {string} spec
   * @param {string} position
   */
  async start(spec, position) {
    const game = this.studio.games.find((entry) => entry.name === spec.split(":")[0]);
    if (game) {
      this.games.value = game.name;
      this.#updateForm();
      this.#options.write(parse(spec, game.options).items);
      this.#updateSeats();
    }
    return this.#open(spec, position);
  }

  /**
   * Sends the players and the clock to the server, and runs the game if needed.
   * @param {string[]} [players] by seat, to replace those of the form
   * @param {string | null} [seconds] per move
   */
  async applySeats(players = [], seconds = null) {
    const { studio } = this;
    for (const [seat, player] of players.slice(0, MAX_PLAYERS).entries()) this.seats[seat].write(player, seconds);
    const seats = this.seats.slice(0, studio.state?.facts.players ?? 2).map((form) => form.read());
    const clock = this.#clockOn.checked
      ? { seconds: this.#minutes.valueAsNumber * 60, increment: this.#increment.valueAsNumber || 0 }
      : null;
    if (!(await studio.request("seats", { seats, clock }))) return;
    set(this.#apply, { "data-changed": null });
    studio.paused = false;
    const runs = clock || seats.some((seat) => seat.kind === "engine");
    if (runs && !studio.state?.ending) await studio.request("run");
  }

  /** @param {State} state */
  state(state) {
    const name = state.game.split(":")[0];
    if (this.games.value !== name || !this.#options.element.childElementCount) {
      this.games.value = name;
      this.#updateForm();
    }
    this.#listMoves(state);
    this.graph.show(state, this.studio.history);
    this.graph.element.hidden = state.facts.players !== 2;
    write(this.#ending, state.ending?.words ?? "");
  }

  thought() {
    const { state, history } = this.studio;
    if (state) this.graph.show(state, history);
  }

  /** The game chosen in the form. @returns {GameInfo} */
  get #game() {
    const { games } = this.studio;
    return games.find((entry) => entry.name === this.games.value) ?? games[0];
  }

  #gameForm() {
    const onsubmit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const spec = print({ name: this.games.value, items: this.#options.read() });
      if (await this.#open(spec, this.#position.value.trim())) {
        await this.applySeats();
        this.studio.board.focus();
      }
    };
    const hint = 'a position, optionally followed by "moves M1 M2 ..."';
    return h(
      "form",
      { class: "new-game", onsubmit },
      field("Game", this.games),
      this.#options.element,
      h("details", { class: "more" }, h("summary", {}, "Start position"), field("Position", this.#position, hint)),
      this.#about,
      h("button", { class: "primary wide" }, "New game"),
    );
  }

  /** @param {() => void} changed */
  #clockRow(changed) {
    const times = h(
      "div",
      { class: "row", hidden: true },
      field("Minutes", this.#minutes),
      field("+ seconds per move", this.#increment),
    );
    this.#clockOn.addEventListener("change", () => (times.hidden = !this.#clockOn.checked));
    return h("div", { class: "clock-row", onchange: changed }, field("Clock", this.#clockOn), times, this.#apply);
  }

  /** Shows the seats of the chosen game. */
  #updateSeats() {
    const game = this.#game;
    const option = this.#options.read().get("players");
    const players = typeof option === "string" ? Number(option) : game.facts.players;
    for (const [seat, form] of this.seats.entries()) {
      form.element.hidden = seat >= players;
      form.setGame(game, game.players[seat] ?? `Player ${seat + 1}`);
    }
  }

  /** Shows the options and the seats of the chosen game. */
  #updateForm() {
    const game = this.#game;
    this.#options.offer(game.options);
    write(this.#about, `Solved: ${game.solved}`);
    this.#about.hidden = !game.solved;
    this.#updateSeats();
  }

  /** @param {string} spec @param {string} position */
  async #open(spec, position) {
    const next = this.studio.nextState();
    if (!(await this.studio.request("open", { game: spec, position: position || "start" }))) return false;
    await next;
    remember(spec);
    this.studio.notify("");
    return true;
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
