/** The form for the player at one seat. */

/** @import { GameInfo, Limits, Seat } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { errorPlace, field, h, set, write } from "./dom.js";
import { PlayerForm } from "./player.js";

/** The default time of an engine per move, in seconds. */
const MOVE_TIME = 1;

export class SeatForm {
  /** @param {Studio} studio @param {number} seat @param {() => void} changed */
  constructor(studio, seat, changed) {
    this.seat = seat;
    this.token = h("span", { "aria-hidden": "true" });
    this.title = h("strong", { id: `seat-${seat}` });
    this.kind = h(
      "select",
      { "aria-label": "player" },
      h("option", { value: "person" }, "Human"),
      h("option", { value: "engine" }, "Engine"),
    );
    this.kind.value = seat === 0 ? "person" : "engine";
    this.player = new PlayerForm(studio.searches, studio.autoPlayers, "auto", changed);
    this.time = h("input", {
      type: "number",
      min: 0.05,
      step: "any",
      value: MOVE_TIME,
      "aria-label": "seconds per move",
    });
    this.error = errorPlace();
    this.player.row.append(field("Seconds", this.time, "per move"));
    this.element = h(
      "div",
      { class: "seat", role: "group", "aria-labelledby": `seat-${seat}` },
      h("div", { class: "seat-head" }, this.token, this.title, this.kind),
      this.player.element,
      this.error,
    );
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
