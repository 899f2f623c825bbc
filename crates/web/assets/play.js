/** The Play view: a new game, who plays it, its moves. */

/** @import { GameInfo, Limits, Seat, State } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, field, h, set, write } from "./dom.js";
import { Graph } from "./graph.js";
import { lookOf } from "./pieces.js";
import { PlayerForm } from "./player.js";
import { OptionForm, parse, print } from "./spec.js";

/** What engines may use for a move when nothing is said, in seconds. */
const MOVE_TIME = 1;

/** The form for one seat. */
class SeatForm {
  /** @param {Studio} studio @param {number} seat @param {() => void} changed */
  constructor(studio, seat, changed) {
    this.seat = seat;
    this.token = h("span", { "aria-hidden": "true" });
    this.title = h("strong", { id: `seat-${seat}` });
    this.kind = h("select", { "aria-label": "who plays" }, h("option", { value: "person" }, "a person"), h("option", { value: "engine" }, "an engine"));
    this.kind.value = seat === 0 ? "person" : "engine";
    this.player = new PlayerForm(studio.searches, studio.meanings, "auto", changed);
    this.time = h("input", { type: "number", min: 0.05, step: "any", value: MOVE_TIME, "aria-label": "seconds for a move" });
    this.player.row.append(field("Seconds", this.time, "for a move"));
    this.element = h("div", { class: "seat", role: "group", "aria-labelledby": `seat-${seat}` },
      h("div", { class: "seat-head" }, this.token, this.title, this.kind), this.player.element);
    this.kind.addEventListener("change", () => this.#follow());
    this.element.addEventListener("change", changed);
    this.#follow();
  }

  /** Tells which game it is for. @param {string} game a spec @param {string} name of the player */
  playing(game, name) {
    write(this.title, name);
    set(this.token, { class: `token tone-${lookOf(game).tones[this.seat] ?? "none"}` });
    this.player.playing(game.split(":")[0]);
  }

  #follow() {
    this.player.element.hidden = this.kind.value !== "engine";
  }

  /** @param {string} who `person`, or the spec of a player @param {string | null} seconds for a move */
  write(who, seconds) {
    this.kind.value = who === "person" ? "person" : "engine";
    this.time.value = seconds ?? this.time.value;
    if (who !== "person") this.player.write(who);
    this.#follow();
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
 * @returns {Panel & { start: (spec: string, position: string) => Promise<boolean>, sit: (players?: string[], seconds?: string | null) => Promise<void> }}
 */
export function playPanel(studio) {
  const games = h("select", { id: "game" }, ...studio.games.map((game) => h("option", { value: game.name }, game.title)));
  const about = h("p", { class: "note" });
  const position = h("input", { type: "text", placeholder: "start", spellcheck: "false", autocomplete: "off" });
  const options = new OptionForm(() => seatsFor());
  const sitDown = button("Change players", () => void sit());
  const seatForms = [0, 1, 2, 3].map((seat) => new SeatForm(studio, seat, () => set(sitDown, { "data-changed": true })));
  const clockOn = h("input", { type: "checkbox", onchange: () => (times.hidden = !clockOn.checked) });
  const minutes = h("input", { type: "number", min: 0, step: "any", value: 10, "aria-label": "minutes" });
  const increment = h("input", { type: "number", min: 0, step: "any", value: 5, "aria-label": "seconds for every move" });
  const moves = h("ol", { class: "move-list", "aria-label": "moves of the game" });
  const graph = new Graph((ply) => void studio.ask("goto", { ply }));
  const ending = h("p", { class: "ending", role: "status" });

  const game = () => /** @type {GameInfo} */ (studio.games.find((entry) => entry.name === games.value) ?? studio.games[0]);
  const spec = () => print({ name: games.value, items: options.read() });

  const seatsFor = () => {
    const said = options.read().get("players");
    const many = typeof said === "string" ? Number(said) : game().facts.players;
    for (const [seat, form] of seatForms.entries()) {
      form.element.hidden = seat >= many;
      form.playing(game().name, game().players[seat] ?? `Player ${seat + 1}`);
    }
  };
  const offer = () => {
    options.offer(game().options);
    write(about, `Known: ${game().solved}`);
    about.hidden = !game().solved;
    seatsFor();
  };
  games.addEventListener("change", offer);

  /** @param {string[]} [players] who sits where; otherwise as the form says @param {string | null} [seconds] for a move */
  const sit = async (players = [], seconds = null) => {
    for (const [seat, who] of players.slice(0, seatForms.length).entries()) seatForms[seat].write(who, seconds);
    const many = studio.state?.facts.players ?? 2;
    const seats = seatForms.slice(0, many).map((form) => form.read());
    const clock = clockOn.checked ? { seconds: minutes.valueAsNumber * 60, increment: increment.valueAsNumber || 0 } : null;
    if (!(await studio.ask("seats", { seats, clock }))) return;
    set(sitDown, { "data-changed": null });
    studio.held = false;
    if ((clock || seats.some((seat) => seat.kind === "engine")) && !studio.state?.ending) await studio.ask("run");
  };
  const start = async (/** @type {string} */ what, /** @type {string} */ where) => {
    const next = studio.next();
    if (!(await studio.ask("open", { game: what, position: where || "start" }))) return false;
    await next;
    remember(what);
    studio.say("");
    return true;
  };

  const form = h(
    "form",
    {
      class: "new-game",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        if (await start(spec(), position.value.trim())) {
          await sit();
          studio.board.focus();
        }
      },
    },
    field("Game", games),
    options.element,
    h("details", { class: "more" }, h("summary", {}, "From a position"), field("Position", position, "a position text, with \"moves M1 M2 ...\" if you like")),
    about,
    h("button", { class: "primary wide" }, "New game"),
  );
  const times = h("div", { class: "row", hidden: true }, field("Minutes", minutes), field("+ seconds a move", increment));
  const clocks = h("div", { class: "clock-row" }, field("Clock", clockOn), times, sitDown);
  const players = h("section", { class: "players" }, h("h2", {}, "Players"), ...seatForms.map((seat) => seat.element), clocks);
  clocks.addEventListener("change", () => set(sitDown, { "data-changed": true }));

  let listed = "";
  const list = (/** @type {State} */ state) => {
    const key = state.moves.join(" ");
    if (key !== listed || moves.childElementCount !== state.moves.length) {
      listed = key;
      moves.replaceChildren(...state.moves.map((move, ply) => h("li", {}, button(move, () => void studio.ask("goto", { ply: ply + 1 }), { class: "quiet" }))));
    }
    for (const [ply, item] of [...moves.children].entries()) {
      set(item, { class: ply >= state.ply ? "later" : null, "aria-current": ply === state.ply - 1 ? "true" : null });
    }
    const here = moves.children[state.ply - 1];
    if (here instanceof HTMLElement) moves.scrollTop = here.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  };

  /** @param {State} state */
  const show = (state) => {
    const name = state.game.split(":")[0];
    if (games.value !== name || !options.element.childElementCount) {
      games.value = name;
      offer();
    }
    list(state);
    graph.show(state, studio.history);
    graph.element.hidden = state.facts.players !== 2;
    write(ending, state.ending?.words ?? "");
  };

  offer();
  return {
    key: "play",
    title: "Play",
    element: h("div", {}, ending, h("section", {}, h("h2", {}, "Moves"), moves, graph.element), players, h("section", {}, h("h2", {}, "New game"), form)),
    start: async (what, where) => {
      const found = studio.games.find((entry) => entry.name === what.split(":")[0]);
      if (found) {
        games.value = found.name;
        offer();
        options.write(parse(what, found.options).items);
        seatsFor();
      }
      return start(what, where);
    },
    sit,
    state: show,
    thought: () => studio.state && graph.show(studio.state, studio.history),
  };
}

/** Keeps the game for the next visit. @param {string} spec */
function remember(spec) {
  try {
    localStorage.setItem("game", spec);
  } catch {
    // Without storage every visit begins with the usual game.
  }
}
