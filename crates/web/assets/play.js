/** The Play panel: the moves, the players, and a new game. */

/** @import { GameInfo, Limits, Seat, State } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, field, h, set, write } from "./dom.js";
import { Graph } from "./graph.js";
import { PlayerForm } from "./player.js";
import { OptionForm, parse, print } from "./spec.js";

/** The default time of an engine per move, in seconds. */
const MOVE_TIME = 1;

/** The form for one seat. */
class SeatForm {
  /** @param {Studio} studio @param {number} seat @param {() => void} changed */
  constructor(studio, seat, changed) {
    this.seat = seat;
    this.token = h("span", { "aria-hidden": "true" });
    this.title = h("strong", { id: `seat-${seat}` });
    this.kind = h("select", { "aria-label": "player" }, h("option", { value: "person" }, "Human"), h("option", { value: "engine" }, "Engine"));
    this.kind.value = seat === 0 ? "person" : "engine";
    this.player = new PlayerForm(studio.searches, studio.autoPlayers, "auto", changed);
    this.time = h("input", { type: "number", min: 0.05, step: "any", value: MOVE_TIME, "aria-label": "seconds per move" });
    this.player.row.append(field("Seconds", this.time, "per move"));
    this.element = h("div", { class: "seat", role: "group", "aria-labelledby": `seat-${seat}` },
      h("div", { class: "seat-head" }, this.token, this.title, this.kind), this.player.element);
    this.kind.addEventListener("change", () => this.#toggle());
    this.element.addEventListener("change", changed);
    this.#toggle();
  }

  /** Adapts the form to a game. @param {GameInfo} game @param {string} name of the player */
  setGame(game, name) {
    write(this.title, name);
    set(this.token, { class: `token tone-${game.look.tones[this.seat] ?? "none"}` });
    this.player.setGame(game.name);
  }

  #toggle() {
    this.player.element.hidden = this.kind.value !== "engine";
  }

  /** @param {string} player `person`, or the spec of an engine @param {string | null} seconds per move */
  write(player, seconds) {
    this.kind.value = player === "person" ? "person" : "engine";
    this.time.value = seconds ?? this.time.value;
    if (player !== "person") this.player.write(player);
    this.#toggle();
  }

  /** @returns {Seat} */
  read() {
    if (this.kind.value === "person") return { kind: "person" };
    /** @type {Limits} */
    const limits = { time: this.time.value === "" ? null : this.time.valueAsNumber };
    return { kind: "engine", player: this.player.spec, limits };
  }
}

/**
 * @param {Studio} studio
 * @returns {Panel & { start: (spec: string, position: string) => Promise<boolean>, applySeats: (players?: string[], seconds?: string | null) => Promise<void> }}
 */
export function playPanel(studio) {
  const games = h("select", { id: "game" }, ...studio.games.map((game) => h("option", { value: game.name }, game.title)));
  const about = h("p", { class: "note" });
  const position = h("input", { type: "text", placeholder: "start", spellcheck: "false", autocomplete: "off" });
  const options = new OptionForm(() => updateSeats());
  const apply = button("Apply", () => void applySeats());
  const seatForms = [0, 1, 2, 3].map((seat) => new SeatForm(studio, seat, () => set(apply, { "data-changed": true })));
  const clockOn = h("input", { type: "checkbox", onchange: () => (times.hidden = !clockOn.checked) });
  const minutes = h("input", { type: "number", min: 0, step: "any", value: 10, "aria-label": "minutes" });
  const increment = h("input", { type: "number", min: 0, step: "any", value: 5, "aria-label": "increment in seconds" });
  const moves = h("ol", { class: "move-list", "aria-label": "moves of the game" });
  const graph = new Graph((ply) => void studio.request("goto", { ply }));
  const ending = h("p", { class: "ending", role: "status" });

  const game = () => /** @type {GameInfo} */ (studio.games.find((entry) => entry.name === games.value) ?? studio.games[0]);
  const spec = () => print({ name: games.value, items: options.read() });

  const updateSeats = () => {
    const option = options.read().get("players");
    const players = typeof option === "string" ? Number(option) : game().facts.players;
    for (const [seat, form] of seatForms.entries()) {
      form.element.hidden = seat >= players;
      form.setGame(game(), game().players[seat] ?? `Player ${seat + 1}`);
    }
  };
  const updateForm = () => {
    options.offer(game().options);
    write(about, `Solved: ${game().solved}`);
    about.hidden = !game().solved;
    updateSeats();
  };
  games.addEventListener("change", updateForm);

  /** @param {string[]} [players] by seat, to replace those of the form @param {string | null} [seconds] per move */
  const applySeats = async (players = [], seconds = null) => {
    for (const [seat, player] of players.slice(0, seatForms.length).entries()) seatForms[seat].write(player, seconds);
    const count = studio.state?.facts.players ?? 2;
    const seats = seatForms.slice(0, count).map((form) => form.read());
    const clock = clockOn.checked ? { seconds: minutes.valueAsNumber * 60, increment: increment.valueAsNumber || 0 } : null;
    if (!(await studio.request("seats", { seats, clock }))) return;
    set(apply, { "data-changed": null });
    studio.paused = false;
    if ((clock || seats.some((seat) => seat.kind === "engine")) && !studio.state?.ending) await studio.request("run");
  };
  const start = async (/** @type {string} */ gameSpec, /** @type {string} */ from) => {
    const next = studio.nextState();
    if (!(await studio.request("open", { game: gameSpec, position: from || "start" }))) return false;
    await next;
    remember(gameSpec);
    studio.notify("");
    return true;
  };

  const form = h(
    "form",
    {
      class: "new-game",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        if (await start(spec(), position.value.trim())) {
          await applySeats();
          studio.board.focus();
        }
      },
    },
    field("Game", games),
    options.element,
    h("details", { class: "more" }, h("summary", {}, "Start position"), field("Position", position, "a position, optionally followed by \"moves M1 M2 ...\"")),
    about,
    h("button", { class: "primary wide" }, "New game"),
  );
  const times = h("div", { class: "row", hidden: true }, field("Minutes", minutes), field("+ seconds per move", increment));
  const clocks = h("div", { class: "clock-row" }, field("Clock", clockOn), times, apply);
  const players = h("section", { class: "players" }, h("h2", {}, "Players"), ...seatForms.map((seat) => seat.element), clocks);
  clocks.addEventListener("change", () => set(apply, { "data-changed": true }));

  let listed = "";
  const list = (/** @type {State} */ state) => {
    const key = state.moves.join(" ");
    if (key !== listed || moves.childElementCount !== state.moves.length) {
      listed = key;
      moves.replaceChildren(...state.moves.map((move, ply) => h("li", {}, button(move, () => void studio.request("goto", { ply: ply + 1 }), { class: "quiet" }))));
    }
    for (const [ply, item] of [...moves.children].entries()) {
      set(item, { class: ply >= state.ply ? "later" : null, "aria-current": ply === state.ply - 1 ? "true" : null });
    }
    const current = moves.children[state.ply - 1];
    if (current instanceof HTMLElement) moves.scrollTop = current.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  };

  /** @param {State} state */
  const show = (state) => {
    const name = state.game.split(":")[0];
    if (games.value !== name || !options.element.childElementCount) {
      games.value = name;
      updateForm();
    }
    list(state);
    graph.show(state, studio.history);
    graph.element.hidden = state.facts.players !== 2;
    write(ending, state.ending?.words ?? "");
  };

  updateForm();
  return {
    key: "play",
    title: "Play",
    element: h("div", {}, ending, h("section", {}, h("h2", {}, "Moves"), moves, graph.element), players, h("section", {}, h("h2", {}, "New game"), form)),
    start: async (gameSpec, from) => {
      const found = studio.games.find((entry) => entry.name === gameSpec.split(":")[0]);
      if (found) {
        games.value = found.name;
        updateForm();
        options.write(parse(gameSpec, found.options).items);
        updateSeats();
      }
      return start(gameSpec, from);
    },
    applySeats,
    state: show,
    thought: () => studio.state && graph.show(studio.state, studio.history),
  };
}

/** Stores the game for the next visit. @param {string} spec */
function remember(spec) {
  try {
    localStorage.setItem("game", spec);
  } catch {
    // Without storage every visit starts with the default game.
  }
}
