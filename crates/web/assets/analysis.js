/** The Think panel: the analysis of a running search. */

/** @import { State, Thought } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, field, h, set, write } from "./dom.js";
import { Graph } from "./graph.js";
import { heat, scaleOf } from "./heat.js";
import { MoveTable } from "./moves.js";
import { LimitsForm, PlayerForm } from "./player.js";
import { bytes, count, percent, proofNumbers, proven, seconds } from "./words.js";

/** @param {Studio} studio @returns {Panel & { toggle: () => void }} */
export function analysisPanel(studio) {
  const player = new PlayerForm(studio.searches, studio.autoPlayers, "auto", () => void restart());
  /** Whether to start the search again when the running one has ended. */
  let restarting = false;
  const limits = new LimitsForm({ time: 10 });
  const autoAnalyse = h("input", { type: "checkbox" });
  const showCandidates = h("input", { type: "checkbox", checked: true });
  const showLine = h("input", { type: "checkbox", checked: true });
  const graph = new Graph((ply) => void studio.request("goto", { ply }));
  const table = new MoveTable({ pick: (move) => void studio.play(move), hover: (move) => highlight(move) });
  const variation = h("p", { class: "variation", "aria-label": "main line" });
  const heading = h("p", { class: "headline", "aria-live": "off", "data-empty": "Press Think to start a search." });
  const search = h("p", { class: "note" });
  const stats = new Map(["playouts/s", "nodes/s", "playouts", "nodes", "depth", "memory", "time", "pn / dn"].map((name) => [name, h("dd", {}, "–")]));
  const [worst, best] = [h("span", {}, "0%"), h("span", {}, "100%")];
  const think = button("Think", () => toggle(), { class: "primary", "data-do": "think" });

  const start = async () => {
    studio.thinking = true;
    label();
    if (!(await studio.request("think", { player: player.spec, limits: limits.read() }))) studio.thinking = false;
    label();
  };
  /** Restarts a running search with the new player. */
  const restart = () => {
    if (!studio.thinking || restarting) return;
    restarting = true;
    void studio.request("stop");
  };
  const toggle = () => {
    restarting = false;
    if (studio.thinking) void studio.request("stop");
    else if (studio.state?.to_move === null) studio.notify("The game is over; there is nothing to analyse.", "warn");
    else void start();
  };
  const label = () => {
    write(think, studio.thinking ? "Stop" : studio.thought ? "Continue" : "Think");
    set(think, { "aria-pressed": String(studio.thinking) });
  };

  /** Shows a single move on the board. @param {string | null} move */
  const highlight = (move) => {
    const moves = studio.thought?.report.moves;
    if (move === null || !moves || studio.scene) studio.drawAnalysis();
    else studio.board.showCandidates(moves.filter((entry) => entry.move === move), scaleOf(moves));
  };

  const apply = () => {
    studio.showCandidates = showCandidates.checked;
    studio.showLine = showLine.checked;
    studio.drawAnalysis();
  };
  showCandidates.addEventListener("change", apply);
  showLine.addEventListener("change", apply);

  /** @param {Thought} thought @param {State} state */
  const show = (thought, state) => {
    const { report, timing } = thought;
    const mover = state.to_move === null ? "" : state.players[state.to_move];
    const bounds = proven(report.bounds, state.facts);
    write(heading, `${report.best ?? "–"}  ${bounds ? `proven: ${bounds}` : percent(report.value)}${state.facts.players > 1 ? ` for ${mover}` : ""}`);
    write(search, thought.search === thought.player ? thought.search : `${thought.player} = ${thought.search}`);
    write(variation, report.variation.join(" "));
    /** @type {Record<string, string>} */
    const values = {
      "playouts/s": report.counters.playouts ? count(timing.playouts_per_second) : "–",
      "nodes/s": count(timing.nodes_per_second),
      playouts: report.counters.playouts ? count(report.counters.playouts) : "–",
      nodes: count(report.counters.nodes),
      depth: String(report.counters.depth),
      memory: bytes(report.counters.bytes),
      time: seconds(timing.seconds),
      "pn / dn": proofNumbers(report.proof_numbers),
    };
    for (const [name, element] of stats) write(element, values[name]);
    const scale = scaleOf(report.moves);
    write(worst, `${Math.round(scale.low * 100)}%`);
    write(best, `${Math.round(scale.high * 100)}%`);
    table.show(report.moves, state.facts);
  };

  /** @param {State} state */
  const showState = (state) => {
    player.setGame(state.game.split(":")[0]);
    graph.show(state, studio.history);
    graph.element.hidden = state.facts.players !== 2;
    if (studio.thought) show(studio.thought, state);
    label();
  };

  let analysed = "";
  const ramp = h("span", { class: "ramp", style: `background: linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(heat).join(", ")})` });
  const legend = h("p", { class: "legend", "aria-label": "win-rate colours" }, worst, ramp, best);
  return {
    key: "think",
    title: "Think",
    element: h("div", {},
      h("div", { class: "row" }, think, field("Analyse after each move", autoAnalyse), field("Show candidates", showCandidates), field("Show main line", showLine)),
      h("details", { class: "more" }, h("summary", {}, "Engine and limits"), player.element, limits.element),
      h("div", { class: "card" }, heading, variation, search),
      h("dl", { class: "stats" }, ...[...stats].map(([name, element]) => h("div", {}, h("dt", {}, name), element))),
      graph.element, legend, table.element),
    toggle,
    shown: () => studio.state && showState(studio.state),
    state: (state) => {
      showState(state);
      // The server sends a state at the end of a search; from then on it accepts another one.
      if (restarting && !studio.thinking) {
        restarting = false;
        return void start();
      }
      const here = `${state.game} ${state.position} ${state.ply}`;
      if (autoAnalyse.checked && studio.canMove && here !== analysed && !studio.thinking) {
        analysed = here;
        void start();
      }
    },
    thought: (thought) => {
      const { state } = studio;
      label();
      if (!state || thought.ply !== state.ply) return;
      show(thought, state);
      graph.show(state, studio.history);
    },
  };
}
