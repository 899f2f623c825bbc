/** The form for the players and the clock. */

/** @import { ClockSettings, GameInfo, Seat } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { button, errorPlace, field, h, set, write } from "./dom.js";
import { SeatForm } from "./seat-form.js";

/** The most players of a game. */
const MAX_PLAYERS = 4;

export class PlayersForm {
  #apply;
  #clockOn = h("input", { type: "checkbox" });
  #minutes = h("input", { type: "number", min: 0, step: "any", value: 10, "aria-label": "minutes" });
  #increment = h("input", { type: "number", min: 0, step: "any", value: 5, "aria-label": "increment in seconds" });
  #times = h(
    "div",
    { class: "row", hidden: true },
    field("Minutes", this.#minutes),
    field("+ seconds per move", this.#increment),
  );
  #error = errorPlace();

  /** @param {Studio} studio @param {() => void} apply */
  constructor(studio, apply) {
    this.#apply = button("Apply", apply);
    const changed = () => set(this.#apply, { "data-changed": true });
    this.seats = Array.from({ length: MAX_PLAYERS }, (_, seat) => new SeatForm(studio, seat, changed));
    this.#clockOn.addEventListener("change", () => this.#showTimes());
    this.element = h(
      "section",
      { class: "players" },
      h("h2", {}, "Players"),
      ...this.seats.map((seat) => seat.element),
      h("div", { class: "clock-row", onchange: changed }, field("Clock", this.#clockOn), this.#times, this.#apply),
      this.#error,
    );
  }

  /** Shows the seats of a game. @param {GameInfo} game @param {number} players */
  setGame(game, players) {
    for (const [seat, form] of this.seats.entries()) {
      form.element.hidden = seat >= players;
      form.setGame(game, game.players[seat] ?? `Player ${seat + 1}`);
    }
  }

  /**
   * Sets the players.
   * @param {string[]} players by seat: `person`, or the spec of an engine
   * @param {string[]} seconds per move: one entry for all, or one for each seat
   * @param {ClockSettings | null} clock
   */
  write(players, seconds, clock) {
    for (const [seat, player] of players.slice(0, MAX_PLAYERS).entries())
      this.seats[seat].write(player, (seconds.length === 1 ? seconds[0] : seconds[seat]) || null);
    this.#clockOn.checked = clock !== null;
    if (clock) {
      this.#minutes.value = String(clock.seconds / 60);
      this.#increment.value = String(clock.increment);
    }
    this.#showTimes();
  }

  /** @param {number} players @returns {{ seats: Seat[], clock: ClockSettings | null }} */
  read(players) {
    const clock = { seconds: this.#minutes.valueAsNumber * 60, increment: this.#increment.valueAsNumber || 0 };
    return {
      seats: this.seats.slice(0, players).map((form) => form.read()),
      clock: this.#clockOn.checked ? clock : null,
    };
  }

  /** Shows the result of the request that sets the players. @param {string | null} error */
  showResult(error) {
    if (error === null) set(this.#apply, { "data-changed": null });
    // An error of one player is shown beside it.
    const [, number, reason] = error?.match(/^seat (\d+): (.*)$/s) ?? [];
    for (const [seat, form] of this.seats.entries()) write(form.error, seat + 1 === Number(number) ? reason : "");
    write(this.#error, number ? "" : (error ?? ""));
  }

  #showTimes() {
    this.#times.hidden = !this.#clockOn.checked;
  }
}
