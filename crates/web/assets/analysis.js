/** The Think view: a search at work, live. */

/** @import { State, Thought } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, field, h, set, write } from "./dom.js";
import { Graph } from "./graph.js";
import { heat, scaleOf } from "./heat.js";
import { MoveTable } from "./moves.js";
import { LimitsForm, PlayerForm } from "./player.js";
import { bytes, count, percent, proofNumbers, proved, seconds } from "./words.js";

/** @param {Studio} studio @returns {Panel & { toggle: () => void }} */
export function analysisPanel(studio) {
  const player = new PlayerForm(studio.searches, studio.meanings, "auto", () => void another());
  let again = false;
  const limits = new LimitsForm({ time: 10 });
  const follow = h("input", { type: "checkbox" });
  const onBoard = h("input", { type: "checkbox", checked: true });
  const line = h("input", { type: "checkbox", checked: true });
  const graph = new Graph((ply) => void studio.ask("goto", { ply }));
  const table = new MoveTable({ pick: (move) => void studio.play(move), over: (move) => single(move) });
  const variation = h("p", { class: "variation", "aria-label": "principal variation" });
  const heading = h("p", { class: "headline", "aria-live": "off", "data-empty": "Press Think to watch a search." });
  const search = h("p", { class: "note" });
  const stats = new Map(["simulations/s", "nodes/s", "simulations", "nodes", "depth", "memory", "time", "proof numbers"].map((name) => [name, h("dd", {}, "–")]));
  const [worst, best] = [h("span", {}, "0%"), h("span", {}, "100%")];
  const think = button("Think", () => toggle(), { class: "primary", "data-do": "think" });

  const begin = async () => {
    studio.thinking = true;
    label();
    if (!(await studio.ask("think", { player: player.spec, limits: limits.read() }))) studio.thinking = false;
    label();
  };
  /** Another player thinks on, if one is thinking. */
  const another = () => {
    if (!studio.thinking || again) return;
    again = true;
    void studio.ask("stop");
  };
  const toggle = () => {
    again = false;
    if (studio.thinking) void studio.ask("stop");
    else if (studio.state?.to_move === null) studio.say("The game is over: there is nothing to think about.", "warn");
    else void begin();
  };
  const label = () => {
    write(think, studio.thinking ? "Stop" : studio.thought ? "Continue" : "Think");
    set(think, { "aria-pressed": String(studio.thinking) });
  };

  /** Shows one move alone on the board. @param {string | null} move */
  const single = (move) => {
    const about = studio.thought?.report.moves;
    if (move === null || !about || studio.scene) studio.decorate();
    else studio.board.heat(about.filter((entry) => entry.move === move), scaleOf(about));
  };

  const apply = () => {
    studio.showHeat = onBoard.checked;
    studio.showLine = line.checked;
    studio.decorate();
  };
  onBoard.addEventListener("change", apply);
  line.addEventListener("change", apply);

  /** @param {Thought} thought @param {State} state */
  const show = (thought, state) => {
    const { report, timing } = thought;
    const who = state.to_move === null ? "" : state.players[state.to_move];
    const sure = proved(report.bounds, state.facts);
    write(heading, `${report.best ?? "–"}  ${sure ? `proved: ${sure}` : percent(report.value)}${state.facts.players > 1 ? ` for ${who}` : ""}`);
    write(search, thought.search === thought.player ? thought.search : `${thought.player} = ${thought.search}`);
    write(variation, report.variation.join(" "));
    /** @type {Record<string, string>} */
    const told = {
      "simulations/s": report.counters.playouts ? count(timing.playouts_per_second) : "–",
      "nodes/s": count(timing.nodes_per_second),
      simulations: report.counters.playouts ? count(report.counters.playouts) : "–",
      nodes: count(report.counters.nodes),
      depth: String(report.counters.depth),
      memory: bytes(report.counters.bytes),
      time: seconds(timing.seconds),
      "proof numbers": proofNumbers(report.proof_numbers),
    };
    for (const [name, element] of stats) write(element, told[name]);
    const scale = scaleOf(report.moves);
    write(worst, `${Math.round(scale.low * 100)}%`);
    write(best, `${Math.round(scale.high * 100)}%`);
    table.show(report.moves, state.facts);
  };

  /** @param {State} state */
  const showState = (state) => {
    player.playing(state.game.split(":")[0]);
    graph.show(state, studio.history);
    graph.element.hidden = state.facts.players !== 2;
    if (studio.thought) show(studio.thought, state);
    label();
  };

  let followed = "";
  const ramp = h("span", { class: "ramp", style: `background: linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(heat).join(", ")})` });
  const legend = h("p", { class: "legend", "aria-label": "colours of the win rates" }, worst, ramp, best);
  return {
    key: "think",
    title: "Think",
    element: h("div", {},
      h("div", { class: "row" }, think, field("Follow the game", follow, "think again after every move"), field("Moves on the board", onBoard), field("Line", line)),
      h("details", { class: "more" }, h("summary", {}, "Player and limits"), player.element, limits.element),
      h("div", { class: "card" }, heading, variation, search),
      h("dl", { class: "stats" }, ...[...stats].map(([name, element]) => h("div", {}, h("dt", {}, name), element))),
      graph.element, legend, table.element),
    toggle,
    shown: () => studio.state && showState(studio.state),
    state: (state) => {
      showState(state);
      // After the end of a search the server tells the state: from then on it takes another.
      if (again && !studio.thinking) {
        again = false;
        return void begin();
      }
      const here = `${state.game} ${state.position} ${state.ply}`;
      if (follow.checked && studio.mayMove && here !== followed && !studio.thinking) {
        followed = here;
        void begin();
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
