/** The Think panel: the analysis of a running search. */

/** @import { Facts, Report, State, Thought, Verification } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { certificateFile } from "./certificate.js";
import { button, errorPlace, field, h, set, write } from "./dom.js";
import { Graph } from "./graph.js";
import { heat, scaleOf } from "./heat.js";
import { MoveTable } from "./moves.js";
import { LimitsForm, PlayerForm } from "./player.js";
import { positionKey } from "./studio.js";
import { bytes, count, proofNumbers, proven, seconds, shareText, valueText } from "./words.js";

/** The time between two moves of a solution that is played through, in milliseconds. */
const STEP = 250;

const STATISTICS = ["playouts/s", "nodes/s", "playouts", "nodes", "depth", "memory", "time", "pn / dn"];

export class AnalysisPanel {
  key = "think";
  title = "Think";
  followsGame = true;
  /** Whether to start the search again when the running one has ended. */
  #restarting = false;
  /** Identifies the current position if its analysis was started, else empty. */
  #analysed = "";
  /** Whether to analyse after each move, if the user has set it; else the last use of the button decides. */
  #chosen = /** @type {boolean | null} */ (null);

  #limits = new LimitsForm({ time: 10 });
  #afterMoves = h("input", { type: "checkbox" });
  #showCandidates = h("input", { type: "checkbox", checked: true });
  #showLine = h("input", { type: "checkbox", checked: true });
  #showOwners = h("input", { type: "checkbox" });
  #owners = field("Show owners", this.#showOwners);
  #think = button("Think", () => this.toggle(), { class: "primary", "data-do": "think" });
  #headline = h("p", { class: "headline", "aria-live": "off", "data-empty": "Press Think to start a search." });
  #line = h("p", { class: "variation", "aria-label": "main line" });
  #solution = button("Play the solution", () => void this.#playSolution(), { hidden: true, "data-do": "solution" });
  #save = button("Save the solution", () => void this.#saveSolution(), { hidden: true, "data-do": "save-solution" });
  #search = h("p", { class: "note" });
  #error = errorPlace();
  #stats = new Map(STATISTICS.map((name) => [name, h("dd", {}, "–")]));
  #worst = h("span", {}, "–");
  #best = h("span", {}, "–");

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    this.player = new PlayerForm(studio.searches, studio.autoPlayers, "auto", () => this.#restart());
    this.graph = new Graph((ply) => void studio.request("goto", { ply }));
    this.table = new MoveTable({ pick: (move) => void studio.play(move), hover: (move) => this.#highlight(move) });
    this.#afterMoves.addEventListener("change", () => (this.#chosen = this.#afterMoves.checked));
    for (const box of [this.#showCandidates, this.#showLine])
      box.addEventListener("change", () => this.#applyOptions());
    this.#showOwners.addEventListener("change", () => {
      this.#applyOptions();
      void studio.requestOwnership();
    });
    this.element = h(
      "div",
      {},
      h(
        "div",
        { class: "row" },
        this.#think,
        field("Analyse after each move", this.#afterMoves),
        field("Show candidates", this.#showCandidates),
        field("Show main line", this.#showLine),
        this.#owners,
      ),
      this.#error,
      h("details", { class: "more" }, h("summary", {}, "Engine and limits"), this.player.element, this.#limits.element),
      h("div", { class: "card" }, this.#headline, this.#line, h("div", { class: "row" }, this.#solution, this.#save), this.#search),
      h("dl", { class: "stats" }, ...[...this.#stats].map(([name, value]) => h("div", {}, h("dt", {}, name), value))),
      this.graph.element,
      this.#legend(),
      this.table.element,
    );
  }

  /** Starts or stops the analysis. */
  toggle() {
    const { studio } = this;
    this.#restarting = false;
    this.#afterMoves.checked = this.#chosen ?? !studio.thinking;
    if (studio.thinking) void studio.request("stop");
    else if (studio.state?.to_move === null) studio.notify("The game is over; there is nothing to analyse.", "warn");
    else void this.#start();
  }

  shown() {
    if (this.studio.state) this.#showState(this.studio.state);
  }

  /** @param {State} state */
  state(state) {
    const { studio } = this;
    this.#showState(state);
    // The server sends a state at the end of a search; from then on it accepts another one.
    if (this.#restarting && !studio.thinking) {
      this.#restarting = false;
      return void this.#start();
    }
    if (positionKey(state) !== this.#analysed) this.#analysed = "";
    const isNew = !studio.thinking && !studio.thought && !this.#analysed;
    if (this.#afterMoves.checked && studio.panel?.followsGame && studio.canMove && isNew) void this.#start();
  }

  /** @param {Thought} thought */
  thought(thought) {
    const { state, history } = this.studio;
    this.#label();
    if (!state || thought.ply !== state.ply) return;
    this.#showThought(thought, state);
    this.graph.show(state, history);
  }

  overlay() {
    return this.studio.analysis;
  }

  async #start() {
    const { studio } = this;
    studio.thinking = true;
    if (studio.state) this.#analysed = positionKey(studio.state);
    this.#label();
    const search = { player: this.player.spec, limits: this.#limits.read() };
    const started = await studio.request("think", search, this.#error);
    if (!started) studio.thinking = false;
    this.#label();
  }

  /** Restarts a running search with the new engine. */
  #restart() {
    if (!this.studio.thinking || this.#restarting) return;
    this.#restarting = true;
    void this.studio.request("stop");
  }

  /** Plays the best complete line of a game for one player, move by move. One can step through it afterwards. */
  async #playSolution() {
    const { studio } = this;
    const moves = studio.thought?.report.solution?.moves ?? [];
    this.#chosen = this.#afterMoves.checked = false;
    if (studio.thinking) await studio.request("stop");
    for (const move of moves) {
      const next = studio.nextState();
      if (!(await studio.request("play", { move }, this.#error))) return;
      await next;
      await new Promise((resolve) => setTimeout(resolve, STEP));
    }
  }

  /** Saves the best complete line as a certificate that its score can be reached. */
  async #saveSolution() {
    const { studio } = this;
    const moves = studio.thought?.report.solution?.moves ?? [];
    /** @type {Verification | null} */
    const result = await studio.request("certify", { moves }, this.#error);
    if (result?.proof) h("a", certificateFile(studio, result.proof)).click();
  }

  #label() {
    const { thinking, thought } = this.studio;
    write(this.#think, thinking ? "Stop" : thought ? "Continue" : "Think");
    set(this.#think, { "aria-pressed": String(thinking) });
  }

  #legend() {
    const colours = [0, 0.25, 0.5, 0.75, 1].map(heat).join(", ");
    const ramp = h("span", { class: "ramp", style: `background: linear-gradient(90deg, ${colours})` });
    return h("p", { class: "legend", "aria-label": "colours of the values" }, this.#worst, ramp, this.#best);
  }

  #applyOptions() {
    this.studio.showCandidates = this.#showCandidates.checked;
    this.studio.showLine = this.#showLine.checked;
    this.studio.showOwners = this.#showOwners.checked;
    this.studio.drawAnalysis();
  }

  /** Shows a single move on the board. @param {string | null} move */
  #highlight(move) {
    const { studio } = this;
    const moves = studio.thought?.report.moves;
    if (move === null || !moves || studio.scene) studio.drawAnalysis();
    else studio.board.showCandidates(moves, move);
  }

  /** @param {State} state */
  #showState(state) {
    this.player.setGame(state.game.split(":")[0]);
    this.#owners.hidden = !state.owners;
    this.graph.show(state, this.studio.history);
    if (this.studio.thought) this.#showThought(this.studio.thought, state);
    else this.#clear(state);
    this.#label();
  }

  /** Removes the report of an earlier position. @param {State} state */
  #clear(state) {
    for (const element of [this.#headline, this.#line, this.#search]) write(element, "");
    for (const action of [this.#solution, this.#save]) set(action, { hidden: true });
    for (const element of [this.#worst, this.#best, ...this.#stats.values()]) write(element, "–");
    this.table.show([], state.facts);
  }

  /** @param {Thought} thought @param {State} state */
  #showThought({ player, search, report, timing }, state) {
    const { counters } = report;
    const mover = state.to_move === null ? "" : state.players[state.to_move];
    const forMover = state.facts.players > 1 ? ` for ${mover}` : "";
    write(this.#headline, `${report.best ?? "–"}  ${headline(report, state.facts)}${forMover}`);
    write(this.#search, search === player ? search : `${player} = ${search}`);
    write(this.#line, report.variation.join(" "));
    for (const action of [this.#solution, this.#save]) set(action, { hidden: !report.solution });
    /** @type {Record<string, string>} */
    const values = {
      "playouts/s": counters.playouts ? count(timing.playouts_per_second) : "–",
      "nodes/s": count(timing.nodes_per_second),
      playouts: counters.playouts ? count(counters.playouts) : "–",
      nodes: count(counters.nodes),
      depth: String(counters.depth),
      memory: bytes(counters.bytes),
      time: seconds(timing.seconds),
      "pn / dn": proofNumbers(report.proof_numbers),
    };
    for (const [name, element] of this.#stats) write(element, values[name]);
    const scale = scaleOf(report.moves, state.facts);
    write(this.#worst, shareText(scale.low, state.facts));
    write(this.#best, shareText(scale.high, state.facts));
    this.table.show(report.moves, state.facts);
  }
}

/** The value of a position, proven or believed. @param {Report} report @param {Facts} facts */
function headline({ value, bounds }, facts) {
  const words = proven(bounds, facts);
  if (facts.players > 1) return words ? `proven: ${words}` : valueText(value, facts);
  if (bounds.at_least === bounds.at_most) return `proven: ${words}`;
  // Most searches of a single player soon prove what they have already reached.
  return `${valueText(value, facts)} points${words ? ` (proven: ${words})` : ""}`;
}
