/** The Problem panel: marks a Go problem on the board, solves it, and shows the answer. */

/** @import { PosedProblem, ProblemAnswer, ProvenProblem, Refutation, SolverProgress, State } from "./protocol.js" */
/** @import { Tool } from "./board-input.js" */
/** @import { Collection } from "./collection.js" */
/** @import { Overlay, Studio } from "./studio.js" */
import { CollectionBar } from "./collection-bar.js";
import { button, download, errorPlace, field, h, set, write } from "./dom.js";
import { Marking } from "./marking.js";
import { LimitsForm, PlayerForm } from "./player.js";
import { AnswerView } from "./problem-answer.js";
import { ProblemProof } from "./problem-proof.js";
import { positionKey } from "./studio.js";

/** The goals of the protocol. */
const GOALS = [
  ["auto", "Automatic"],
  ["kill", "Kill"],
  ["live", "Live"],
  ["capture", "Capture a block"],
  ["save", "Save a block"],
  ["semeai", "Win a race"],
  ["connect", "Connect"],
  ["connect-under", "Connect under"],
  ["cut", "Cut"],
];

/** The regions of the protocol; `points` are the marked points. */
const REGIONS = [
  ["auto", "Automatic"],
  ["near", "Near"],
  ["wide", "Wide"],
  ["box", "Box"],
  ["points", "Marked points"],
];

/** What clicks on the board do: their keys, labels and hints. */
const TOOLS = [
  ["stones", "Mark stones", "Click the stones in question; without marks they are found."],
  ["points", "Mark region", "Click or drag over empty points; without marks the region is found."],
  ["ask", "Ask", "Click another first move to see what follows."],
  ["play", "Play", "Clicks play moves, to reach another position."],
];

export class ProblemPanel {
  key = "problem";
  title = "Problem";
  /** The kind of request that runs: `ask`, `refute` or `prove`. */
  #running = "";
  /** When it started. */
  #startedAt = 0;
  #tool = "stones";
  /** Identifies the current position of the game. */
  #position = "";
  /** Identifies the game and its start. */
  #game = "";
  /** Identifies the position of the marks. */
  #posed = "";
  /** The region that follows from the marks. @type {string[]} */
  #region = [];
  /** The number of the last request that poses the problem. */
  #poses = 0;
  /** The last answer, with the position that it is about. @type {{ answer: ProblemAnswer, position: string } | null} */
  #solved = null;

  #goal = h("select", {}, ...GOALS.map(([value, label]) => h("option", { value }, label)));
  #regions = h("select", {}, ...REGIONS.map(([value, label]) => h("option", { value }, label)));
  #limits = new LimitsForm({ time: 10 });
  #run = button("Solve", () => void this.#toggle(), { class: "primary", "data-do": "ask" });
  #turn = h("strong", { class: "turn-words" });
  #tools = TOOLS.map(([key, label]) =>
    button(label, () => this.#choose(key), { "data-tool": key, "aria-pressed": "false" }),
  );
  #clear = button("Clear", () => this.#clearMarks(), { "aria-label": "clear marks" });
  #zoom = h("input", { type: "checkbox", checked: true });
  #hint = h("p", { class: "note" });
  #meter = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "time used" });
  #save = button("Save as SGF", () => void this.#saveAnswer(), { disabled: true, title: "The answer as variations" });
  #error = errorPlace();
  #stale = h("p", { class: "stale", hidden: true });

  /** @param {Studio} studio @param {Collection} collection */
  constructor(studio, collection) {
    this.studio = studio;
    this.bar = new CollectionBar(collection);
    this.marking = new Marking(studio, () => this.#marked());
    this.answer = new AnswerView(() => studio.drawAnalysis());
    this.by = new PlayerForm(
      studio.searches.filter((search) => search.solves),
      [],
      "auto",
    );
    // The form is hidden during a walk through the proof.
    this.proof = new ProblemProof(studio, {
      walking: (walking) => (form.hidden = walking),
      start: () => this.#start("prove"),
      targets: () => this.#solved?.answer.target_points ?? [],
      zoom: () => this.#zoomed,
    });
    this.#zoom.addEventListener("change", () => studio.drawAnalysis());
    for (const select of [this.#goal, this.#regions]) {
      select.addEventListener("change", () => this.#selected());
    }
    const card = h("div", { class: "card" }, this.#stale, ...this.answer.elements);
    const form = h(
      "section",
      {},
      h("div", { class: "turn-line" }, this.#turn, field("Zoom in", this.#zoom)),
      this.bar.element,
      h("div", { class: "row" }, this.#run, field("Goal", this.#goal), field("Region", this.#regions)),
      h("div", { class: "tools", role: "group", "aria-label": "clicks on the board" }, ...this.#tools, this.#clear),
      this.#hint,
      this.#error,
      h("details", { class: "more" }, h("summary", {}, "Solver and limits"), this.by.element, this.#limits.element),
      this.#meter,
      card,
      h("div", { class: "row" }, this.proof.walkButton, this.proof.saveButton, this.#save),
      this.proof.verdict,
    );
    this.card = card;
    this.element = h("div", {}, form, this.proof.walk.element);
    const { connection } = studio;
    connection.on("asking", (progress) => this.#showProgress(progress));
    connection.on("answered", (answer) => this.#showAnswer(answer));
    connection.on("refuted", (refutation) => this.#showRefutation(refutation));
    connection.on("proved", (proven) => this.#showProof(proven));
    connection.on("trouble", ({ ended }) => ["ask", "refute", "prove"].includes(ended) && this.#end());
  }

  /** @param {State} state */
  suits(state) {
    return state.problems;
  }

  left() {
    this.proof.walk.end();
  }

  /** @param {State} state */
  state(state) {
    if (!state.problems) return;
    const position = positionKey(state);
    // The server stops the search of the previous position.
    if (position !== this.#position && this.#running) this.#end();
    this.#position = position;
    const game = `${state.game}|${state.start}`;
    // The server forgets the answer with the game.
    if (game !== this.#game) this.#forget();
    this.#game = game;
    write(this.#turn, state.to_move === null ? "The game is over" : `${state.players[state.to_move]} to play`);
    this.by.setGame(state.game.split(":")[0]);
    this.bar.update();
    this.#showButtons();
    if (this.studio.panel === this && position !== this.#posed) void this.#readMarks();
  }

  /** The clicks on the board. @returns {Tool | null} */
  tool() {
    if (this.#tool === "play") return null;
    if (this.#tool === "ask") return { draws: false, use: (name) => void this.#refute(name) };
    return this.#tool === "stones" ? this.marking.stones : this.marking.points;
  }

  /** @returns {Overlay} */
  overlay() {
    const answer = this.#current;
    const problem = answer
      ? { targets: answer.target_points, region: answer.region_points, moves: this.answer.moves }
      : { targets: [...this.marking.targets], region: this.#region, moves: new Map() };
    return { line: answer ? this.answer.line : [], candidates: [], ownership: [], problem, zoom: this.#zoomed };
  }

  /** The cells to zoom in on: all stones, which do not depend on the marks. */
  get #zoomed() {
    const cells = this.#zoom.checked ? (this.studio.state?.view.cells ?? []) : [];
    return cells.filter((cell) => cell.piece).map((cell) => cell.name);
  }

  /** The answer, if it is about the position on the board. */
  get #current() {
    return this.#solved?.position === this.#position ? this.#solved.answer : null;
  }

  /** What the forms and the marks ask for. */
  get #wishes() {
    const points = [...this.marking.region];
    const region = this.#regions.value === "points" ? points.join(",") || "auto" : this.#regions.value;
    return { targets: [...this.marking.targets], goal: this.#goal.value, region };
  }

  /** Takes the marks of the file, at another position. */
  async #readMarks() {
    this.#posed = this.#position;
    this.marking.set([], []);
    this.#region = [];
    this.#goal.value = this.#regions.value = "auto";
    this.#choose(this.#current ? "ask" : "stones");
    const posed = await this.#pose({});
    if (!posed) return;
    this.marking.set(posed.targets, posed.given ?? []);
    this.#goal.value = posed.goal ?? "auto";
    if (posed.given) this.#regions.value = "points";
    this.#showButtons();
    this.studio.drawAnalysis();
  }

  /**
   * Asks what a problem consists of, and keeps its region.
   * @param {Record<string, unknown>} wishes
   * @returns {Promise<PosedProblem | null>} null if it is refused or out of date
   */
  async #pose(wishes) {
    this.#poses += 1;
    const number = this.#poses;
    write(this.#error, "");
    const posed = await this.studio.request("problem", wishes, this.#error);
    if (number !== this.#poses) return null;
    this.#region = posed ? posed.region : this.#regions.value === "points" ? [...this.marking.region] : [];
    this.studio.drawAnalysis();
    return posed;
  }

  /** Follows marks that the user has set on the board. */
  #marked() {
    if (this.#tool === "points") this.#regions.value = this.marking.region.size ? "points" : "auto";
    this.#changed();
  }

  /** Follows a choice in the forms. */
  #selected() {
    if (this.#regions.value === "points" && !this.marking.region.size) this.#choose("points");
    this.#changed();
  }

  /** Another problem is posed: the answer is not about it. */
  #changed() {
    if (this.#running) void this.studio.request("stop");
    this.#forget();
    this.#showButtons();
    this.studio.drawAnalysis();
    void this.#pose(this.#wishes);
  }

  #forget() {
    this.#solved = null;
    this.answer.clear();
    this.proof.clear();
  }

  #clearMarks() {
    this.marking.set([], []);
    this.#goal.value = this.#regions.value = "auto";
    this.#changed();
    this.#choose("stones");
  }

  /** Chooses what clicks on the board do. @param {string} key */
  #choose(key) {
    this.#tool = key;
    this.#showButtons();
    this.studio.drawAnalysis();
  }

  #showButtons() {
    const { state } = this.studio;
    const answer = this.#current;
    write(this.#run, this.#running ? "Stop" : "Solve");
    set(this.#run, { "aria-pressed": String(this.#running !== ""), disabled: state?.to_move === null && !this.#running });
    for (const [index, made] of this.#tools.entries()) {
      const key = TOOLS[index][0];
      set(made, { "aria-pressed": String(key === this.#tool), disabled: key === "ask" && !answer });
      if (key === this.#tool) write(this.#hint, TOOLS[index][2]);
    }
    set(this.#clear, { disabled: !this.marking.targets.size && !this.marking.region.size });
    set(this.#save, { disabled: !this.#solved });
    this.proof.offer(this.#solved !== null && this.#solved.answer.decided && !this.#running);
    this.#meter.hidden = !this.#running;
    const stale = this.#solved !== null && !answer;
    this.#stale.hidden = !stale;
    set(this.card, { "data-stale": stale });
    const ply = this.#solved?.answer.ply;
    write(this.#stale, ply ? `Answer for the position after move ${ply}` : "Answer for the start position");
  }

  async #toggle() {
    if (this.#running) return void this.studio.request("stop");
    this.#forget();
    this.studio.drawAnalysis();
    await this.#start("ask", { ...this.#wishes, by: this.by.spec });
  }

  /** @param {string} move */
  async #refute(move) {
    if (this.#running || !this.#current) return;
    if (this.answer.showKnown(move)) return this.studio.drawAnalysis();
    await this.#start("refute", { move });
  }

  /**
   * Starts a question.
   * @param {"ask" | "refute" | "prove"} request
   * @param {object} [fields]
   * @returns {Promise<boolean>} whether it is accepted
   */
  async #start(request, fields = {}) {
    await this.studio.stopAnalysis();
    this.#running = request;
    this.#startedAt = performance.now();
    this.#meter.value = 0;
    this.answer.start(request === "prove" ? "Writing the proof…" : "Solving…");
    this.#showButtons();
    const { memory, threads, ...effort } = this.#limits.read();
    // A proof repeats what was found within the limits.
    const limits = request === "prove" ? { memory, threads } : { memory, threads, ...effort };
    const accepted = await this.studio.request(request, { ...fields, limits }, this.#error);
    if (!accepted) this.#end();
    return accepted !== null;
  }

  #end() {
    this.#running = "";
    this.answer.end();
    this.proof.idle();
    this.#showButtons();
  }

  /** @param {SolverProgress} progress */
  #showProgress(progress) {
    if (!this.#running) return;
    const limit = this.#running === "prove" ? null : this.#limits.read().time;
    if (limit) this.#meter.value = Math.min(1, (performance.now() - this.#startedAt) / 1000 / limit);
    else this.#meter.removeAttribute("value");
    this.answer.showProgress(progress);
  }

  /** @param {ProblemAnswer} answer */
  #showAnswer(answer) {
    if (answer.left) return;
    this.#end();
    this.#solved = { answer, position: this.#position };
    this.answer.show(answer);
    this.#choose("ask");
  }

  /** @param {Refutation} refutation */
  #showRefutation(refutation) {
    if (refutation.left) return;
    this.#end();
    this.answer.addRefutation(refutation);
    this.studio.drawAnalysis();
  }

  /** @param {ProvenProblem} proven */
  #showProof(proven) {
    if (proven.left) return;
    this.#running = "";
    this.answer.end();
    this.#showButtons();
    this.proof.take(proven);
  }

  async #saveAnswer() {
    const saved = await this.studio.request("annotate", {}, this.#error);
    if (saved) download(saved.name, saved.data);
  }
}
