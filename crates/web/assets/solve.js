/** The Solve panel: runs a solver, and walks through its proof. */

/** @import { SolverProgress, SolverResult, State, Verification, WalkStep } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, field, h, set, write } from "./dom.js";
import { LimitsForm, PlayerForm } from "./player.js";
import { bytes, count, proofNumbers, seconds } from "./words.js";

/** @param {Studio} studio @returns {Panel & { read: (file: File) => Promise<void> }} */
export function solvePanel(studio) {
  let solving = false;
  /** The ID of the current proof. @type {string | null} */
  let proof = null;
  let walking = false;
  /** The number of moves chosen so far in the walk. */
  let steps = 0;
  /** Identifies the current position of the game. */
  let position = "";

  const goal = h("select", {}, ...[["value", "Who wins?"], ["win", "Is it a win?"], ["draw", "Is it at least a draw?"], ["score", "What is the exact score?"], ["score=", "Is the score at least …?"]]
    .map(([value, label]) => h("option", { value }, label)));
  const score = h("input", { type: "number", step: 1, value: 1, "aria-label": "score" });
  const scoreField = field("Score", score);
  scoreField.hidden = true;
  goal.addEventListener("change", () => (scoreField.hidden = goal.value !== "score="));
  const by = new PlayerForm(studio.searches.filter((search) => search.solves), [], "auto");
  const limits = new LimitsForm({ time: 60 });
  const run = button("Solve", () => toggle(), { class: "primary", "data-do": "solve" });

  const stats = new Map(["pn / dn", "nodes", "nodes/s", "table"].map((name) => [name, h("dd", {}, "–")]));
  const meter = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "table fill" });
  const line = h("p", { class: "variation", "aria-label": "current line" });
  const answer = h("p", { class: "headline", role: "status", "data-empty": "Press Solve to solve the position." });
  const detail = h("p", { class: "note" });

  const walk = button("Walk through the proof", () => void walkTo({}), { class: "primary", disabled: true });
  const check = button("Verify", () => void verify({ proof }), { disabled: true });
  const save = h("a", { class: "button", download: "", hidden: true }, "Save certificate");
  const file = h("input", { type: "file", class: "hidden-file", "aria-label": "certificate", onchange: () => file.files?.[0] && void read(file.files[0]) });
  const load = button("Load certificate", () => file.click());
  const verdict = h("p", { class: "verdict-words", role: "status" });
  const walkStatus = h("p", { class: "headline", role: "status" });
  const walkLine = h("p", { class: "variation" });
  const claim = h("select", { "aria-label": "claim", onchange: () => void walkTo({}) });
  const replies = h("div", { class: "replies", role: "group", "aria-label": "replies" });
  const chosen = h("p", { class: "note" });
  const back = button("Back", () => void walkTo({ back: true }));
  const leave = button("Back to the game", () => endWalk());
  const walkCard = h("section", { class: "walk", hidden: true }, h("h2", {}, "Walk through the proof"), claim,
    h("div", { class: "card" }, walkStatus, walkLine), chosen, replies, h("div", { class: "row" }, back, leave));

  const label = () => {
    write(run, solving ? "Stop" : "Solve");
    set(run, { "aria-pressed": String(solving) });
  };
  const toggle = async () => {
    if (solving) return void studio.request("stop");
    const question = goal.value === "score=" ? `score=${score.value}` : goal.value;
    setProof(null);
    solving = true;
    write(answer, "Solving…");
    write(detail, "");
    label();
    if (!(await studio.request("solve", { goal: question, by: by.spec, limits: limits.read() }))) {
      solving = false;
      write(answer, "");
      label();
    }
  };
  const setProof = (/** @type {string | null} */ id) => {
    proof = id;
    endWalk();
    claim.replaceChildren();
    set(walk, { disabled: id === null });
    set(check, { disabled: id === null });
    save.hidden = id === null;
    if (id !== null) set(save, { href: `api/proof/${encodeURIComponent(id)}`, download: `${(studio.state?.game ?? "game").replace(/[^\w-]+/g, "-")}.proof` });
    write(verdict, "");
  };

  studio.connection.on("solving", (/** @type {SolverProgress} */ event) => {
    const numbers = event.proof === null || event.disproof === null ? null : { proof: event.proof, disproof: event.disproof };
    write(stats.get("pn / dn") ?? line, proofNumbers(numbers));
    write(stats.get("nodes") ?? line, count(event.nodes));
    write(stats.get("nodes/s") ?? line, count(event.nodes_per_second));
    write(stats.get("table") ?? line, event.fill === null ? "–" : `${(event.fill * 100).toFixed(1)}%`);
    meter.value = event.fill ?? 0;
    meter.hidden = event.fill === null;
    write(line, event.line.join(" "));
    const proving = event.positions === null ? "" : `Writing the proof: ${count(event.positions)} positions`;
    write(detail, event.question ?? proving);
  });
  studio.connection.on("trouble", ({ ended }) => {
    if (ended !== "solve") return;
    solving = false;
    write(answer, "");
    label();
  });
  studio.connection.on("solved", (/** @type {SolverResult} */ event) => {
    if (event.left) return;
    solving = false;
    label();
    const mover = studio.state?.to_move;
    const name = mover === null || mover === undefined || (studio.state?.players.length ?? 0) < 2 ? "" : ` for ${studio.state?.players[mover]}`;
    const sides = event.sides.map((side) => `${side.name}: ${side.words ?? "unknown"}${side.solved ? "" : " so far"}`);
    const result = sides.length > 1 ? sides.join(", ") : `${event.value ?? ""}${event.value ? name : ""}`;
    write(answer, event.solved ? result : `Not solved within the limits${result ? `; so far: ${result}` : ""}`);
    const facts = [event.solver, event.move && `best ${event.move}`, `${count(event.counters.nodes)} nodes`, `${count(event.timing.nodes_per_second)} nodes/s`, seconds(event.timing.seconds), bytes(event.counters.bytes)];
    write(detail, [...facts, event.why_no_proof && `no proof: ${event.why_no_proof}`].filter(Boolean).join(" · "));
    write(stats.get("nodes") ?? line, count(event.counters.nodes));
    write(stats.get("nodes/s") ?? line, count(event.timing.nodes_per_second));
    write(line, event.line.join(" "));
    setProof(event.proof);
  });

  /** @param {Record<string, unknown>} fields */
  const verify = async (fields) => {
    write(verdict, "Verifying…");
    /** @type {Verification | null} */
    const result = await studio.request("verify", fields);
    if (!result) return write(verdict, "");
    if (result.proof) setProof(result.proof);
    const claims = (result.claims ?? []).map((claim) => claim.words).join("; ");
    write(verdict, result.verified
      ? `✓ Verified: ${claims} (${result.game}, ${count(result.positions ?? 0)} positions, ${bytes(result.bytes ?? 0)})`
      : `✗ Not verified: ${result.error}`);
    verdict.dataset.kind = result.verified ? "good" : "bad";
  };
  /** @param {File} certificate */
  const read = async (certificate) => {
    endWalk();
    const id = await studio.upload(certificate);
    if (id !== null) await verify({ proof: id });
  };

  /** @param {Record<string, unknown>} fields */
  const walkTo = async (fields) => {
    /** @type {WalkStep | null} */
    const here = await studio.request("walk", { proof, claim: claim.selectedIndex + 1 || 1, move: null, ...fields });
    if (!here) return;
    if (claim.childElementCount !== here.claims.length) claim.replaceChildren(...here.claims.map((text) => h("option", {}, text)));
    claim.selectedIndex = here.claim - 1;
    claim.hidden = here.claims.length < 2;
    walkCard.hidden = false;
    setUp.hidden = true;
    walking = true;
    write(walkStatus, here.words);
    write(walkLine, here.line.length ? here.line.join(" ") : "start of the proof");
    replies.replaceChildren(...here.replies.map((move) => button(move, () => void walkTo({ move }), { class: "reply" })));
    const opponent = here.state.to_move === null ? "" : here.state.players[here.state.to_move];
    write(chosen, here.replies.length ? `Choose a move for ${opponent}, here or on the board. The proof has a reply to every move.` : "");
    steps = fields.back ? steps - 1 : fields.move ? steps + 1 : 0;
    set(back, { disabled: steps === 0 });
    studio.show({
      state: here.state,
      words: here.reply ? `The proof replies ${here.reply}` : "Proof: choose a move",
      play: (move) => void walkTo({ move }),
      leave: endWalk,
    });
  };
  const endWalk = () => {
    if (!walking) return;
    walking = false;
    walkCard.hidden = true;
    setUp.hidden = false;
    studio.show(null);
  };

  // Hidden during a walk through the proof.
  const setUp = h("section", {},
    h("div", { class: "row" }, run, field("Question", goal), scoreField),
    h("details", { class: "more" }, h("summary", {}, "Solver and limits"), by.element, limits.element),
    h("div", { class: "card" }, answer, detail, line),
    h("dl", { class: "stats" }, ...[...stats].map(([name, element]) => h("div", {}, h("dt", {}, name), element))), meter,
    h("div", { class: "row" }, walk, check, save, load, file), verdict);

  return {
    key: "solve",
    title: "Solve",
    element: h("div", {}, setUp, walkCard),
    read,
    left: endWalk,
    state: (/** @type {State} */ state) => {
      const here = `${state.game} ${state.position}`;
      // The server stops the search of the previous position.
      if (solving && here !== position) write(answer, "");
      if (here !== position) solving = false;
      position = here;
      label();
      by.setGame(state.game.split(":")[0]);
      set(run, { disabled: state.to_move === null && !solving });
    },
  };
}
