/** The Think panel: the analysis of a running search. */

/** @import { State, Thought } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { button, field, h, set, write } from "./dom.js";
import { Graph } from "./graph.js";
import { heat, scaleOf } from "./heat.js";
import { MoveTable } from "./moves.js";
import { LimitsForm, PlayerForm } from "./player.js";
import { bytes, count, percent, proofNumbers, proven, seconds } from "./words.js";

const STATISTICS = ["playouts/s", "nodes/s", "playouts", "nodes", "depth", "memory", "time", "pn / dn"];

export class AnalysisPanel {
  key = "think";
  title = "Think";
  /** Whether to start the search again when the running one has ended. */
  #restarting = false;
  /** Identifies the last position that was analysed after a move. */
  #analysed = "";

  #limits = new LimitsForm({ time: 10 });
  #afterMoves = h("input", { type: "checkbox" });
  #showCandidates = h("input", { type: "checkbox", checked: true });
  #showLine = h("input", { type: "checkbox", checked: true });
  #think = button("Think", () => this.toggle(), { class: "primary", "data-do": "think" });
  #headline = h("p", { class: "headline", "aria-live": "off", "data-empty": "Press Think to start a search." });
  #line = h("p", { class: "variation", "aria-label": "main line" });
  #search = h("p", { class: "note" });
  #stats = new Map(STATISTICS.map((name) => [name, h("dd", {}, "–")]));
  #worst = h("span", {}, "0%");
  #best = h("span", {}, "100%");

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    this.player = new PlayerForm(studio.searches, studio.autoPlayers, "auto", () => this.#restart());
    this.graph = new Graph((ply) => void studio.request("goto", { ply }));
    this.table = new MoveTable({ pick: (move) => void studio.play(move), hover: (move) => this.#highlight(move) });
    for (const box of [this.#showCandidates, this.#showLine])
      box.addEventListener("change", () => this.#applyOptions());
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
      ),
      h("details", { class: "more" }, h("summary", {}, "Engine and limits"), this.player.element, this.#limits.element),
      h("div", { class: "card" }, this.#headline, this.#line, this.#search),
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
    const position = `${state.game} ${state.position} ${state.ply}`;
    if (this.#afterMoves.checked && studio.canMove && position !== this.#analysed && !studio.thinking) {
      this.#analysed = position;
      void this.#start();
    }
  }

  /** @param {Thought} thought */
  thought(thought) {
    const { state, history } = this.studio;
    this.#label();
    if (!state || thought.ply !== state.ply) return;
    this.#showThought(thought, state);
    this.graph.show(state, history);
  }

  async #start() {
    const { studio } = this;
    studio.thinking = true;
    this.#label();
    const started = await studio.request("think", { player: this.player.spec, limits: this.#limits.read() });
    if (!started) studio.thinking = false;
    this.#label();
  }

  /** Restarts a running search with the new engine. */
  #restart() {
    if (!this.studio.thinking || this.#restarting) return;
    this.#restarting = true;
    void this.studio.request("stop");
  }

  #label() {
    const { thinking, thought } = this.studio;
    write(this.#think, thinking ? "Stop" : thought ? "Continue" : "Think");
    set(this.#think, { "aria-pressed": String(thinking) });
  }

  #legend() {
    const colours = [0, 0.25, 0.5, 0.75, 1].map(heat).join(", ");
    const ramp = h("span", { class: "ramp", style: `background: linear-gradient(90deg, ${colours})` });
    return h("p", { class: "legend", "aria-label": "win-rate colours" }, this.#worst, ramp, this.#best);
  }

  #applyOptions() {
    this.studio.showCandidates = this.#showCandidates.checked;
    this.studio.showLine = this.#showLine.checked;
    this.studio.drawAnalysis();
  }

  /** Shows a single move on the board. @param {string | null} move */
  #highlight(move) {
    const { studio } = this;
    const moves = studio.thought?.report.moves;
    if (move === null || !moves || studio.scene) studio.drawAnalysis();
    else
      studio.board.showCandidates(
        moves.filter((entry) => entry.move === move),
        scaleOf(moves),
      );
  }

  /** @param {State} state */
  #showState(state) {
    this.player.setGame(state.game.split(":")[0]);
    this.graph.show(state, this.studio.history);
    this.graph.element.hidden = state.facts.players !== 2;
    if (this.studio.thought) this.#showThought(this.studio.thought, state);
    this.#label();
  }

  /** @param {Thought} thought @param {State} state */
  #showThought({ player, search, report, timing }, state) {
    const { counters } = report;
    const mover = state.to_move === null ? "" : state.players[state.to_move];
    const bounds = proven(report.bounds, state.facts);
    const value = bounds ? `proven: ${bounds}` : percent(report.value);
    write(this.#headline, `${report.best ?? "–"}  ${value}${state.facts.players > 1 ? ` for ${mover}` : ""}`);
    write(this.#search, search === player ? search : `${player} = ${search}`);
    write(this.#line, report.variation.join(" "));
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
    const scale = scaleOf(report.moves);
    write(this.#worst, `${Math.round(scale.low * 100)}%`);
    write(this.#best, `${Math.round(scale.high * 100)}%`);
    this.table.show(report.moves, state.facts);
  }
}
