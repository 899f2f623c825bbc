/** The answer to a Go problem, in the words of the server, and what other first moves do. */

/** @import { ProblemAnswer, Refutation, SolverProgress } from "./protocol.js" */
import { button, h, set, write } from "./dom.js";
import { count, seconds } from "./words.js";

export class AnswerView {
  /** @type {ProblemAnswer | null} */
  #answer = null;
  /** @type {Refutation[]} */
  #refutations = [];
  /** The line on the board. @type {string[]} */
  line = [];

  #verdict = h("p", { class: "headline", role: "status", "data-empty": "Press Solve to solve the problem." });
  #progress = h("p", { class: "note" });
  #question = h("p", { class: "note" });
  #mainLine = button("", () => this.#show(this.#answer?.line ?? []), { class: "line-of-play", title: "Show on the board" });
  #notes = h("ul", { class: "notes" });
  #moves = h("ul", { class: "asked", "aria-label": "other first moves" });
  #detail = h("p", { class: "note" });

  /** @param {() => void} changed called when another line is shown */
  constructor(changed) {
    this.changed = changed;
    this.elements = [
      this.#verdict,
      this.#progress,
      this.#question,
      this.#mainLine,
      this.#notes,
      this.#moves,
      this.#detail,
    ];
    this.clear();
  }

  /** What is known about first moves. @returns {Map<string, "works" | "fails" | "open">} */
  get moves() {
    /** @type {Map<string, "works" | "fails" | "open">} */
    const known = new Map();
    // Most first moves fail or are open; those are marked when they were asked about.
    for (const { move, succeeds } of this.#answer?.moves ?? []) if (succeeds) known.set(move, "works");
    for (const { move, succeeds } of this.#refutations) {
      known.set(move, succeeds === null ? "open" : succeeds ? "works" : "fails");
    }
    return known;
  }

  clear() {
    this.#answer = null;
    this.#refutations = [];
    this.line = [];
    for (const element of this.elements) write(element, "");
    this.#mainLine.hidden = true;
  }

  /** Says that a question or a proof is begun. @param {string} words */
  start(words) {
    write(this.#answer ? this.#progress : this.#verdict, words);
  }

  /** Says no more about it. */
  end() {
    write(this.#progress, "");
    if (!this.#answer) write(this.#verdict, "");
  }

  /** @param {SolverProgress} progress */
  showProgress({ question, nodes, positions }) {
    const words = question ?? "Writing the proof";
    const size = positions === null ? `${count(nodes)} nodes` : `${count(positions)} positions`;
    write(this.#progress, `${words} ${size}`);
  }

  /** @param {ProblemAnswer} answer */
  show(answer) {
    this.#answer = answer;
    this.#refutations = [];
    write(this.#verdict, capitalised(answer.verdict_words));
    write(this.#question, answer.question);
    this.#mainLine.hidden = answer.line.length < 2;
    write(this.#mainLine, `Line: ${answer.line.join(" ")}`);
    this.#notes.replaceChildren(...answer.notes.map((note) => h("li", {}, note)));
    const region = `region ${answer.region}, ${answer.empty_points} empty points`;
    const work = [answer.solver, `${count(answer.nodes)} nodes`, seconds(answer.timing.seconds)].filter(Boolean);
    write(this.#detail, [region, ...work].join(" · "));
    this.#show(answer.line);
  }

  /** Adds what a first move does, and shows its line. @param {Refutation} refutation */
  addRefutation(refutation) {
    this.#refutations = [...this.#refutations.filter((other) => other.move !== refutation.move), refutation];
    this.#moves.replaceChildren(
      ...this.#refutations.map((entry) =>
        h(
          "li",
          {},
          button(entry.words, () => this.#show(lineOf(entry)), {
            class: "line-of-play",
            "data-move": entry.move,
            title: "Show on the board",
          }),
        ),
      ),
    );
    this.#show(lineOf(refutation));
  }

  /** Shows the line of a move that was asked about; returns false if it was not. @param {string} move */
  showKnown(move) {
    const known = this.#refutations.find((entry) => entry.move === move && entry.succeeds !== null);
    if (known) this.#show(lineOf(known));
    return known !== undefined;
  }

  /** @param {string[]} line */
  #show(line) {
    this.line = line;
    const key = line.join(" ");
    set(this.#mainLine, { "aria-pressed": String(key !== "" && key === this.#answer?.line.join(" ")) });
    for (const made of this.#moves.querySelectorAll("button")) {
      set(made, { "aria-pressed": String(made.dataset.move === line[0] && key !== this.#answer?.line.join(" ")) });
    }
    this.changed();
  }
}

/** @param {Refutation} refutation */
function lineOf({ move, line }) {
  return [move, ...line];
}

/** @param {string} words */
function capitalised(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
