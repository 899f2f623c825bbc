/** The Solve panel: runs a solver and shows its result. */

/** @import { RootMove, SolverProgress, SolverResult, State } from "./protocol.js" */
/** @import { Overlay, Studio } from "./studio.js" */
import { CertificateControls } from "./certificate.js";
import { button, errorPlace, field, h, set, write } from "./dom.js";
import { LimitsForm, PlayerForm } from "./player.js";
import { positionKey } from "./studio.js";
import { ProofWalk } from "./walk.js";
import { bytes, count, proofNumbers, proven, seconds } from "./words.js";

/** The questions by the goals of the protocol; `score=` takes a number. */
const QUESTIONS = [
  ["value", "Who wins?"],
  ["win", "Is it a win?"],
  ["draw", "Is it at least a draw?"],
  ["score", "What is the exact score?"],
  ["score=", "Is the score at least …?"],
];

export class SolvePanel {
  key = "solve";
  title = "Solve";
  #solving = false;
  /** Identifies the current position of the game. */
  #position = "";
  /** The last result, with the position that it is about. @type {{ result: SolverResult, position: string } | null} */
  #result = null;

  #goal = h("select", {}, ...QUESTIONS.map(([value, label]) => h("option", { value }, label)));
  #score = h("input", { type: "number", step: 1, value: 1, "aria-label": "score" });
  #limits = new LimitsForm({ time: 60 });
  #run = button("Solve", () => void this.#toggle(), { class: "primary", "data-do": "solve" });
  #numbers = h("dd", {}, "–");
  #nodes = h("dd", {}, "–");
  #speed = h("dd", {}, "–");
  #fill = h("dd", {}, "–");
  #meter = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "table fill" });
  #line = h("p", { class: "variation", "aria-label": "current line" });
  #answer = h("p", { class: "headline", role: "status", "data-empty": "Press Solve to solve the position." });
  #detail = h("p", { class: "note" });
  #stale = h("p", { class: "stale", hidden: true });
  #card = h("div", { class: "card" }, this.#stale, this.#answer, this.#detail, this.#line);
  #error = errorPlace();

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    this.by = new PlayerForm(
      studio.searches.filter((search) => search.solves),
      [],
      "auto",
    );
    // The solver is hidden during a walk through the proof.
    this.walk = new ProofWalk(studio, (walking) => (solver.hidden = walking));
    this.certificate = new CertificateControls(studio, this.walk);
    const score = field("Score", this.#score);
    score.hidden = true;
    this.#goal.addEventListener("change", () => (score.hidden = this.#goal.value !== "score="));
    const stat = (/** @type {string} */ name, /** @type {HTMLElement} */ value) =>
      h("div", {}, h("dt", {}, name), value);
    const solver = h(
      "section",
      {},
      h("div", { class: "row" }, this.#run, field("Question", this.#goal), score),
      this.#error,
      h("details", { class: "more" }, h("summary", {}, "Solver and limits"), this.by.element, this.#limits.element),
      this.#card,
      h(
        "dl",
        { class: "stats" },
        stat("pn / dn", this.#numbers),
        stat("nodes", this.#nodes),
        stat("nodes/s", this.#speed),
        stat("table", this.#fill),
      ),
      this.#meter,
      this.certificate.row,
      this.certificate.verdict,
    );
    this.element = h("div", {}, solver, this.walk.element);
    studio.connection.on("solving", (progress) => this.#showProgress(progress));
    studio.connection.on("solved", (result) => this.#showResult(result));
    studio.connection.on("trouble", ({ ended }) => ended === "solve" && this.#reset());
  }

  /** Loads a certificate. @param {File} file */
  load(file) {
    return this.certificate.load(file);
  }

  left() {
    this.walk.end();
  }

  /** @param {State} state */
  state(state) {
    const position = positionKey(state);
    if (position !== this.#position) {
      // The server stops the search of the previous position.
      if (this.#solving) write(this.#answer, "");
      this.#solving = false;
    }
    this.#position = position;
    this.#markStale();
    this.#label();
    this.#offerQuestions(state.facts.players);
    this.by.setGame(state.game.split(":")[0]);
    set(this.#run, { disabled: state.to_move === null && !this.#solving });
  }

  /** A single player cannot win or draw. @param {number} players */
  #offerQuestions(players) {
    for (const option of this.#goal.options) {
      const isResult = option.value === "win" || option.value === "draw";
      option.hidden = players === 1 && isResult;
      if (option.value === "value") write(option, players === 1 ? "How many points?" : QUESTIONS[0][1]);
      if (option.hidden && option.selected) this.#goal.value = "value";
    }
  }

  /** On the board, the best move and the proven line. @returns {Overlay | null} */
  overlay() {
    const { state } = this.studio;
    if (!this.#result || !state || this.#result.position !== positionKey(state)) return null;
    const { move, line, bounds } = this.#result.result;
    const best = move ?? line[0];
    if (!best || !bounds) return null;
    /** @type {RootMove} */
    const candidate = { move: best, visits: null, value: null, spread: null, proof_numbers: null, bounds };
    candidate.value = bounds.at_least > 0 ? 1 : bounds.at_most < 0 ? -1 : 0;
    return { line, candidates: [candidate], ownership: [] };
  }

  /** Marks a result that is not about the current position. */
  #markStale() {
    const stale = this.#result !== null && this.#result.position !== this.#position;
    this.#stale.hidden = !stale;
    set(this.#card, { "data-stale": stale });
    const { ply } = this.#result?.result ?? { ply: 0 };
    write(this.#stale, ply ? `Result of the position after move ${ply}` : "Result of the start position");
  }

  #label() {
    write(this.#run, this.#solving ? "Stop" : "Solve");
    set(this.#run, { "aria-pressed": String(this.#solving) });
  }

  #reset() {
    this.#solving = false;
    write(this.#answer, "");
    this.#label();
  }

  async #toggle() {
    if (this.#solving) return void this.studio.request("stop");
    const goal = this.#goal.value === "score=" ? `score=${this.#score.value}` : this.#goal.value;
    await this.studio.stopAnalysis();
    this.certificate.setProof(null);
    this.#solving = true;
    this.#result = null;
    this.#markStale();
    write(this.#answer, "Solving…");
    for (const element of [this.#detail, this.#line]) write(element, "");
    this.#label();
    this.studio.drawAnalysis();
    const task = { goal, by: this.by.spec, limits: this.#limits.read() };
    if (!(await this.studio.request("solve", task, this.#error))) this.#reset();
  }

  /** @param {SolverProgress} progress */
  #showProgress({ proof, disproof, nodes, nodes_per_second: speed, fill, line, question, positions }) {
    write(this.#numbers, proofNumbers(proof === null || disproof === null ? null : { proof, disproof }));
    write(this.#nodes, count(nodes));
    write(this.#speed, count(speed));
    write(this.#fill, fill === null ? "–" : `${(fill * 100).toFixed(1)}%`);
    this.#meter.value = fill ?? 0;
    this.#meter.hidden = fill === null;
    write(this.#line, line.join(" "));
    write(this.#detail, question ?? (positions === null ? "" : `Writing the proof: ${count(positions)} positions`));
  }

  /** @param {SolverResult} result */
  #showResult(result) {
    if (result.left) return;
    this.#solving = false;
    this.#label();
    const { counters, timing } = result;
    const value = this.#describe(result);
    write(this.#answer, result.solved ? value : `Not solved within the limits${value ? `; so far: ${value}` : ""}`);
    const details = [
      result.solver,
      result.move && `best ${result.move}`,
      `${count(counters.nodes)} nodes`,
      `${count(timing.nodes_per_second)} nodes/s`,
      seconds(timing.seconds),
      bytes(counters.bytes),
      result.why_no_proof && `no proof: ${result.why_no_proof}`,
    ];
    write(this.#detail, details.filter(Boolean).join(" · "));
    write(this.#nodes, count(counters.nodes));
    write(this.#speed, count(timing.nodes_per_second));
    write(this.#line, result.line.join(" "));
    this.certificate.setProof(result.proof);
    this.#result = { result, position: this.#position };
    this.studio.drawAnalysis();
  }

  /** The value of the position, of each side if there are several. @param {SolverResult} result */
  #describe({ sides, value, bounds }) {
    const { state } = this.studio;
    if (state?.facts.players === 1) return proven(bounds, state.facts);
    if (sides.length > 1) {
      return sides.map((side) => `${side.name}: ${side.words ?? "unknown"}${side.solved ? "" : " so far"}`).join(", ");
    }
    if (!value || !state || state.to_move === null) return value ?? "";
    return `${value} for ${state.players[state.to_move]}`;
  }
}
