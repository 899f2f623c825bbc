/** The bars above and below the board: players, clocks and pieces in hand. */

/** @import { Hand, State } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { button, byId, h, s, set, write } from "./dom.js";
import { drawPiece } from "./pieces.js";
import { clock } from "./words.js";

/** @param {Studio} studio */
export function bars(studio) {
  const [above, below] = [byId("above"), byId("below")];
  let drawn = "";

  const draw = () => {
    const state = studio.displayed;
    if (!state) return;
    // The clocks are updated by a timer; everything else is rebuilt when it has changed.
    const key = JSON.stringify([
      state.game,
      state.players,
      state.to_move,
      state.seats,
      state.view.hands,
      state.position,
      state.ending,
      state.running,
      studio.board.flipped,
      state.clocks !== null,
    ]);
    if (key !== drawn) {
      drawn = key;
      const all = Array.from({ length: state.facts.players }, (_, seat) => bar(studio, state, seat));
      const near = studio.board.flipped && all.length > 1 ? all.length - 1 : 0;
      below.replaceChildren(all[near]);
      above.replaceChildren(...all.filter((_, seat) => seat !== near));
      above.hidden = all.length < 2;
    }
    tick();
  };

  const tick = () => {
    const { state } = studio;
    if (!state?.clocks) return;
    const elapsed = state.running ? (performance.now() - studio.receivedAt) / 1000 : 0;
    for (const element of document.querySelectorAll("[data-clock]")) {
      const seat = Number(element.getAttribute("data-clock"));
      const left = (state.clocks[seat] ?? 0) - (seat === state.to_move && state.ending === null ? elapsed : 0);
      write(element, clock(left));
      element.classList.toggle("short", left < 10);
    }
  };

  studio.onChange(draw);
  setInterval(tick, 100);
}

/**
 * @param {Studio} studio
 * @param {State} state
 * @param {number} seat
 */
function bar(studio, state, seat) {
  const tone = state.look.tones[seat] ?? "none";
  const who = state.seats[seat];
  // A hand without an owner, such as the points of a puzzle, is shown with the first player.
  const hands = state.view.hands.filter((hand) => (hand.owner ?? 0) === seat);
  const verdict = state.ending?.verdicts[seat];
  const turn = state.to_move === seat;
  return h(
    "div",
    { class: turn ? "bar-row turn" : "bar-row", "data-seat": seat, "aria-current": turn ? "true" : null },
    h("span", { class: `token tone-${tone}`, "aria-hidden": "true" }),
    h("strong", {}, state.players[seat] ?? `Player ${seat + 1}`),
    h("span", { class: "who" }, who?.kind === "engine" ? who.player : "human"),
    turn && h("span", { class: "to-move" }, who?.kind === "engine" && state.running ? "thinking" : "to move"),
    verdict && h("span", { class: `verdict ${verdict}` }, verdict),
    ...hands.map((hand) => handOf(studio, state, hand)),
    countsPieces(state) && pieceCount(state, seat),
    state.clocks && h("span", { class: "clock", "data-clock": seat, role: "timer" }),
  );
}

/** Whether the pieces on the board are the score: discs on felt (Othello), balls (Rolit). @param {State} state */
function countsPieces({ look }) {
  return look.board === "felt" || look.piece === "ball";
}

/** @param {State} state @param {number} seat */
function pieceCount(state, seat) {
  const pieces = state.view.cells.filter(({ piece }) => piece?.owner === seat).length;
  const kind = `${state.look.piece}${pieces === 1 ? "" : "s"}`;
  return h("span", { class: "hand" }, h("span", { class: "points" }, pieces), h("span", { class: "hand-title" }, kind));
}

/**
 * @param {Studio} studio
 * @param {State} state
 * @param {Hand} hand
 */
function handOf(studio, state, hand) {
  const pieces = hand.pieces.filter(([name, count]) => name === "" || count > 0);
  const made = pieces.map(([name, count]) => {
    if (name === "") return h("span", { class: "points" }, count);
    const owner = hand.owner ?? 0;
    const piece = drawPiece(state.look, { symbol: name.replace("*", ""), owner }, studio.board.flipped);
    const icon = s("svg", { viewBox: "-50 -50 100 100", width: 34, height: 34, "aria-hidden": "true" }, piece);
    const usable = hand.owner === state.to_move;
    const held = button("", () => {}, {
      class: "held-piece",
      "aria-label": `${name.replace("*", "")} in hand, ${count}`,
      disabled: !usable,
    });
    if (usable) set(held, { "data-click": name, "aria-pressed": "false" });
    held.append(icon, count > 1 ? `×${count}` : "");
    return held;
  });
  return h(
    "span",
    { class: "hand", "aria-label": hand.title },
    h("span", { class: "hand-title" }, hand.title),
    ...(made.length ? made : ["–"]),
  );
}
