/** The form that names a player: a search with its options, or any spec as text; and the limits it thinks under. */

/** @import { Limits, Meaning, SearchInfo } from "./protocol.js" */
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
   * @param {Meaning[]} meanings what `auto` means, by game
   * @param {string} spec what it says at first
   * @param {() => void} [changed]
   */
  constructor(searches, meanings, spec, changed = () => {}) {
    this.searches = searches;
    this.meanings = meanings;
    this.changed = changed;
    this.game = "";
    const names = ["auto", ...searches.map((search) => search.name)];
    this.name = h("select", {}, ...names.map((name) => h("option", { value: name }, name)), h("option", { value: "" }, "other…"));
    this.text = h("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "player spec" });
    this.#more = h("details", { class: "more" }, h("summary", {}, "Options"), this.#options.element);
    this.name.addEventListener("change", () => this.#fromName());
    // The form follows every letter: if it changed its height only when the text is left, the button pressed next would slip away.
    this.text.addEventListener("input", () => this.#show(this.spec));
    this.text.addEventListener("change", () => this.changed());
    /** Its first line. */
    this.row = h("div", { class: "row" }, field("Search", this.name), field("Spec", this.text, "a search with its options, or gtp:COMMAND"));
    this.element = h(
      "div",
      { class: "player-form" },
      this.row,
      this.#summary,
      this.#more,
    );
    this.#say(spec);
  }

  get spec() {
    return this.text.value.trim() || "auto";
  }

  /** Tells which game it is for: `auto` means something else in every game. @param {string} name */
  playing(name) {
    this.game = name;
    this.#describe();
  }

  /** @param {string} spec */
  write(spec) {
    this.#say(spec);
    this.changed();
  }

  /** @param {string} spec */
  #say(spec) {
    this.text.value = spec;
    this.#show(spec);
  }

  /** Makes everything but the text say what a spec says. @param {string} spec */
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
    const meaning = this.meanings.find((entry) => entry.game === this.game)?.search;
    const auto = meaning ? `The strongest known for this game: ${meaning}` : "The strongest configuration known for the game";
    write(this.#summary, search?.summary ?? (this.spec === "auto" ? auto : "A program that speaks GTP or USI"));
    this.#more.hidden = !search?.options.length;
  }
}

export class LimitsForm {
  /** @param {Limits} limits what it says at first */
  constructor(limits) {
    const number = (/** @type {string} */ label, /** @type {object} */ more) =>
      h("input", { type: "number", min: 0, placeholder: "no limit", "aria-label": label, ...more });
    this.time = number("seconds", { step: "any" });
    this.playouts = number("playouts", { step: 1 });
    this.nodes = number("nodes", { step: 1 });
    this.memory = number("mebibytes", { step: 1, placeholder: "usual" });
    this.threads = number("threads", { step: 1, min: 1, placeholder: "1" });
    this.time.value = limits.time ? String(limits.time) : "";
    this.nodes.value = limits.nodes ? String(limits.nodes) : "";
    this.element = h(
      "div",
      { class: "limits" },
      field("Seconds", this.time),
      field("Playouts", this.playouts),
      field("Nodes", this.nodes),
      field("MiB", this.memory, "memory for trees and tables"),
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
