/** Forms for an engine (a search with its options, or any spec as text) and for its limits. */

/** @import { AutoPlayer, Limits, SearchInfo } from "./protocol.js" */
import { field, h, write } from "./dom.js";
import { OptionForm, parse, print } from "./spec.js";

const MIB = 2 ** 20;

export class PlayerForm {
  #options = new OptionForm(() => this.#fromOptions());
  #summary = h("p", { class: "note" });
  /** @type {HTMLDetailsElement} */
  #more;

  /**
   * @param {SearchInfo[]} searches
   * @param {AutoPlayer[]} autoPlayers the players that `auto` stands for, by game
   * @param {string} spec the initial value
   * @param {() => void} [changed]
   */
  constructor(searches, autoPlayers, spec, changed = () => {}) {
    this.searches = searches;
    this.autoPlayers = autoPlayers;
    this.changed = changed;
    this.game = "";
    const names = ["auto", ...searches.map((search) => search.name)];
    this.name = h(
      "select",
      {},
      ...names.map((name) => h("option", { value: name }, name)),
      h("option", { value: "" }, "other…"),
    );
    this.text = h("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "engine spec" });
    this.#more = h("details", { class: "more" }, h("summary", {}, "Options"), this.#options.element);
    this.name.addEventListener("change", () => this.#fromName());
    // The form follows every keystroke: if its height changed on blur, the button about to be
    // clicked would move.
    this.text.addEventListener("input", () => this.#show(this.spec));
    this.text.addEventListener("change", () => this.changed());
    /** The first row of the form. */
    this.row = h(
      "div",
      { class: "row" },
      field("Search", this.name),
      field("Spec", this.text, "a search with its options, or gtp:COMMAND"),
    );
    this.element = h("div", { class: "player-form" }, this.row, this.#summary, this.#more);
    this.#setText(spec);
  }

  get spec() {
    return this.text.value.trim() || "auto";
  }

  /** Sets the game, which decides what `auto` stands for. @param {string} name */
  setGame(name) {
    this.game = name;
    this.#describe();
  }

  /** @param {string} spec */
  write(spec) {
    this.#setText(spec);
    this.changed();
  }

  /** @param {string} spec */
  #setText(spec) {
    this.text.value = spec;
    this.#show(spec);
  }

  /** Updates everything but the text to a spec. @param {string} spec */
  #show(spec) {
    const search = this.#search(spec);
    this.name.value = search?.name ?? (spec === "auto" ? "auto" : "");
    const options = search?.options ?? [];
    this.#options.offer(options);
    this.#options.write(parse(spec, options).items);
    this.#describe();
  }

  /** @param {string} spec */
  #search(spec) {
    return this.searches.find((search) => search.name === spec.split(":")[0]);
  }

  #fromName() {
    this.write(this.name.value || "gtp:");
    if (!this.name.value) this.text.focus();
  }

  #fromOptions() {
    this.text.value = print({ name: this.name.value, items: this.#options.read() });
    this.changed();
  }

  #describe() {
    const search = this.#search(this.spec);
    const player = this.autoPlayers.find((entry) => entry.game === this.game)?.search;
    const auto = player ? `Strongest known engine for this game: ${player}` : "Strongest known engine for the game";
    write(this.#summary, search?.summary ?? (this.spec === "auto" ? auto : "External program (GTP or USI)"));
    this.#more.hidden = !search?.options.length;
  }
}

export class LimitsForm {
  /** @param {Limits} limits the initial values */
  constructor(limits) {
    const number = (/** @type {string} */ label, /** @type {object} */ more) =>
      h("input", { type: "number", min: 0, placeholder: "no limit", "aria-label": label, ...more });
    this.time = number("seconds", { step: "any" });
    this.playouts = number("playouts", { step: 1 });
    this.nodes = number("nodes", { step: 1 });
    this.memory = number("mebibytes", { step: 1, placeholder: "default" });
    this.threads = number("threads", { step: 1, min: 1, placeholder: "1" });
    this.time.value = limits.time ? String(limits.time) : "";
    this.nodes.value = limits.nodes ? String(limits.nodes) : "";
    this.element = h(
      "div",
      { class: "limits" },
      field("Seconds", this.time),
      field("Playouts", this.playouts),
      field("Nodes", this.nodes),
      field("MiB", this.memory, "memory of the tree or table"),
      field("Threads", this.threads),
    );
  }

  /** @returns {Limits} */
  read() {
    const number = (/** @type {HTMLInputElement} */ input) => (input.value === "" ? null : input.valueAsNumber);
    const memory = number(this.memory);
    return {
      time: number(this.time),
      playouts: number(this.playouts),
      nodes: number(this.nodes),
      memory: memory === null ? null : Math.round(memory * MIB),
      threads: number(this.threads),
    };
  }
}
