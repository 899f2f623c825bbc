/** The form for a new game: the game, its options and its start. */

/** @import { GameInfo } from "./protocol.js" */
import { errorPlace, field, h, write } from "./dom.js";
import { OptionForm, parse, print } from "./spec.js";

export class NewGameForm {
  #options;
  #about = h("p", { class: "note" });
  #position = h("input", { type: "text", placeholder: "start", spellcheck: "false", autocomplete: "off" });
  error = errorPlace();

  /**
   * @param {GameInfo[]} games
   * @param {() => void} changed called when another game or option is chosen
   * @param {() => void} submit
   */
  constructor(games, changed, submit) {
    this.list = games;
    this.changed = changed;
    this.#options = new OptionForm(changed);
    this.games = h("select", { id: "game" }, ...games.map((game) => h("option", { value: game.name }, game.title)));
    this.games.addEventListener("change", () => this.#choose());
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      submit();
    };
    const hint = 'a position, optionally followed by "moves M1 M2 ..."';
    const more = h(
      "details",
      { class: "more" },
      h("summary", {}, "Options"),
      this.#options.element,
      field("Start position", this.#position, hint),
      this.#about,
    );
    this.element = h(
      "form",
      // The server checks the options; its errors are visible also if those are folded away.
      { class: "new-game", novalidate: true, onsubmit },
      h("div", { class: "row" }, field("Game", this.games), h("button", { class: "primary" }, "New game")),
      this.error,
      more,
    );
    this.#showOptions();
  }

  /** The chosen game. @returns {GameInfo} */
  get game() {
    return this.list.find((entry) => entry.name === this.games.value) ?? this.list[0];
  }

  /** The spec of the chosen game with its options. */
  get spec() {
    return print({ name: this.games.value, items: this.#options.read() });
  }

  get position() {
    return this.#position.value.trim() || "start";
  }

  /** The number of players. */
  get players() {
    const option = this.#options.read().get("players");
    return typeof option === "string" ? Number(option) : this.game.facts.players;
  }

  /** Shows a game and its options. @param {string} spec */
  write(spec) {
    const game = this.list.find((entry) => entry.name === spec.split(":")[0]);
    if (!game) return;
    this.games.value = game.name;
    this.#showOptions();
    this.#options.write(parse(spec, game.options).items);
    this.changed();
  }

  #choose() {
    this.#showOptions();
    this.#position.value = "";
    this.changed();
  }

  #showOptions() {
    const { game } = this;
    this.#options.offer(game.options);
    write(this.#about, `Solved: ${game.solved}`);
    this.#about.hidden = !game.solved;
  }
}
