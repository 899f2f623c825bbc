/** The Solve view: who wins, live; and then a walk through the proof. */

/** @import { Solved, Solving, State, Step, Verification } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, field, h, set, write } from "./dom.js";
import { LimitsForm, PlayerForm } from "./player.js";
import { bytes, count, proofNumbers, seconds } from "./words.js";

/** @param {Studio} studio @returns {Panel & { read: (file: File) => Promise<void> }} */
export function solvePanel(studio) {
  let solving = false;
  /** The proof at hand. @type {string | null} */
  let proof = null;
  let walking = false;
  /** The replies that were chosen so far. */
  let steps = 0;
  /** The position on the table. */
  let asked = "";

  const goal = h("select", {}, ...[["value", "who wins"], ["win", "is it a win?"], ["draw", "at least a draw?"], ["score", "the exact score"], ["score=", "at least a score?"]]
    .map(([value, words]) => h("option", { value }, words)));
  const score = h("input", { type: "number", step: 1, value: 1, "aria-label": "the score" });
  const least = field("Score", score);
  least.hidden = true;
  goal.addEventListener("change", () => (least.hidden = goal.value !== "score="));
  const by = new PlayerForm(studio.searches.filter((search) => search.solves), [], "auto");
  const limits = new LimitsForm({ time: 60 });
  const run = button("Solve", () => toggle(), { class: "primary", "data-do": "solve" });

  const stats = new Map(["proof / disproof", "nodes", "nodes/s", "table"].map((name) => [name, h("dd", {}, "–")]));
  const meter = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "how full the table is" });
  const line = h("p", { class: "variation", "aria-label": "line at work" });
  const answer = h("p", { class: "headline", role: "status", "data-empty": "Press Solve to learn who wins." });
  const detail = h("p", { class: "note" });

  const walk = button("Walk the proof", () => void step({}), { class: "primary", disabled: true });
  const check = button("Verify", () => void verify({ proof }), { disabled: true });
  const save = h("a", { class: "button", download: "", hidden: true }, "Save the certificate");
  const file = h("input", { type: "file", class: "hidden-file", "aria-label": "certificate", onchange: () => file.files?.[0] && void read(file.files[0]) });
  const load = button("Load a certificate", () => file.click());
  const verdict = h("p", { class: "verdict-words", role: "status" });
  const walkWords = h("p", { class: "headline", role: "status" });
  const walkLine = h("p", { class: "variation" });
  const claim = h("select", { "aria-label": "claim", onchange: () => void step({}) });
  const replies = h("div", { class: "replies", role: "group", "aria-label": "replies" });
  const chosen = h("p", { class: "note" });
  const back = button("Back", () => void step({ back: true }));
  const leave = button("Leave", () => end());
  const walkCard = h("section", { class: "walk", hidden: true }, h("h2", {}, "A walk through the proof"), claim,
    h("div", { class: "card" }, walkWords, walkLine), chosen, replies, h("div", { class: "row" }, back, leave));

  const label = () => {
    write(run, solving ? "Stop" : "Solve");
    set(run, { "aria-pressed": String(solving) });
  };
  const toggle = async () => {
    if (solving) return void studio.ask("stop");
    const question = goal.value === "score=" ? `score=${score.value}` : goal.value;
    keep(null);
    solving = true;
    write(answer, "at work…");
    write(detail, "");
    label();
    if (!(await studio.ask("solve", { goal: question, by: by.spec, limits: limits.read() }))) {
      solving = false;
      write(answer, "");
      label();
    }
  };
  const keep = (/** @type {string | null} */ id) => {
    proof = id;
    end();
    claim.replaceChildren();
    set(walk, { disabled: id === null });
    set(check, { disabled: id === null });
    save.hidden = id === null;
    if (id !== null) set(save, { href: `api/proof/${encodeURIComponent(id)}`, download: `${(studio.state?.game ?? "game").replace(/[^\w-]+/g, "-")}.proof` });
    write(verdict, "");
  };

  studio.connection.on("solving", (/** @type {Solving} */ event) => {
    const numbers = event.proof === null || event.disproof === null ? null : { proof: event.proof, disproof: event.disproof };
    write(stats.get("proof / disproof") ?? line, proofNumbers(numbers));
    write(stats.get("nodes") ?? line, count(event.nodes));
    write(stats.get("nodes/s") ?? line, count(event.nodes_per_second));
    write(stats.get("table") ?? line, event.fill === null ? "–" : `${(event.fill * 100).toFixed(1)}%`);
    meter.value = event.fill ?? 0;
    meter.hidden = event.fill === null;
    write(line, event.line.join(" "));
    const proving = event.positions === null ? "" : `, ${count(event.positions)} positions`;
    write(detail, [event.stage, event.question].filter(Boolean).join(": ") + proving);
  });
  studio.connection.on("trouble", ({ ended }) => {
    if (ended !== "solve") return;
    solving = false;
    write(answer, "");
    label();
  });
  studio.connection.on("solved", (/** @type {Solved} */ event) => {
    if (event.left) return;
    solving = false;
    label();
    const who = studio.state?.to_move;
    const name = who === null || who === undefined || (studio.state?.players.length ?? 0) < 2 ? "" : ` for ${studio.state?.players[who]}`;
    const sides = event.sides.map((side) => `${side.name}: ${side.words ?? "unknown"}${side.solved ? "" : " so far"}`);
    const found = sides.length > 1 ? sides.join(", ") : `${event.value ?? ""}${event.value ? name : ""}`;
    write(answer, event.solved ? found : `not solved within the limits${found ? `; so far: ${found}` : ""}`);
    const told = [event.solver, event.move && `best ${event.move}`, `${count(event.counters.nodes)} nodes`, `${count(event.timing.nodes_per_second)} nodes/s`, seconds(event.timing.seconds), bytes(event.counters.bytes)];
    write(detail, [...told, event.why_no_proof && `no certificate: ${event.why_no_proof}`].filter(Boolean).join(" · "));
    write(stats.get("nodes") ?? line, count(event.counters.nodes));
    write(stats.get("nodes/s") ?? line, count(event.timing.nodes_per_second));
    write(line, event.line.join(" "));
    keep(event.proof);
  });

  /** @param {Record<string, unknown>} fields */
  const verify = async (fields) => {
    write(verdict, "verifying…");
    /** @type {Verification | null} */
    const told = await studio.ask("verify", fields);
    if (!told) return write(verdict, "");
    if (told.proof) keep(told.proof);
    const claims = (told.claims ?? []).map((claim) => claim.words).join("; ");
    write(verdict, told.verified
      ? `✓ verified: ${claims} (${told.game}, ${count(told.positions ?? 0)} positions, ${bytes(told.bytes ?? 0)})`
      : `✗ not verified: ${told.error}`);
    verdict.dataset.kind = told.verified ? "good" : "bad";
  };
  /** @param {File} certificate */
  const read = async (certificate) => {
    end();
    const id = await studio.send(certificate);
    if (id !== null) await verify({ proof: id });
  };

  /** @param {Record<string, unknown>} fields */
  const step = async (fields) => {
    /** @type {Step | null} */
    const here = await studio.ask("walk", { proof, claim: claim.selectedIndex + 1 || 1, move: null, ...fields });
    if (!here) return;
    if (claim.childElementCount !== here.claims.length) claim.replaceChildren(...here.claims.map((words) => h("option", {}, words)));
    claim.selectedIndex = here.claim - 1;
    claim.hidden = here.claims.length < 2;
    walkCard.hidden = false;
    setUp.hidden = true;
    walking = true;
    write(walkWords, here.words);
    write(walkLine, here.line.length ? here.line.join(" ") : "from the start");
    replies.replaceChildren(...here.replies.map((move) => button(move, () => void step({ move }), { class: "reply" })));
    const loser = here.state.to_move === null ? "" : here.state.players[here.state.to_move];
    write(chosen, here.replies.length ? `Choose a move for ${loser}, here or on the board: the proof has an answer to every one.` : "");
    steps = fields.back ? steps - 1 : fields.move ? steps + 1 : 0;
    set(back, { disabled: steps === 0 });
    studio.show({
      state: here.state,
      words: here.reply ? `The proof answers ${here.reply}` : "Walking the proof: choose a reply",
      play: (move) => void step({ move }),
      leave: end,
    });
  };
  const end = () => {
    if (!walking) return;
    walking = false;
    walkCard.hidden = true;
    setUp.hidden = false;
    studio.show(null);
  };

  // While a proof is walked through, nothing else matters.
  const setUp = h("section", {},
    h("div", { class: "row" }, run, field("Question", goal), least),
    h("details", { class: "more" }, h("summary", {}, "Algorithm and limits"), by.element, limits.element),
    h("div", { class: "card" }, answer, detail, line),
    h("dl", { class: "stats" }, ...[...stats].map(([name, element]) => h("div", {}, h("dt", {}, name), element))), meter,
    h("div", { class: "row" }, walk, check, save, load, file), verdict);

  return {
    key: "solve",
    title: "Solve",
    element: h("div", {}, setUp, walkCard),
    read,
    left: end,
    state: (/** @type {State} */ state) => {
      const here = `${state.game} ${state.position}`;
      // The server ends a search about a position that was left.
      if (solving && here !== asked) write(answer, "");
      if (here !== asked) solving = false;
      asked = here;
      label();
      by.playing(state.game.split(":")[0]);
      set(run, { disabled: state.to_move === null && !solving });
    },
  };
}
