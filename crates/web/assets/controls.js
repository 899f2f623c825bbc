/** The buttons under the board, and the keys that do the same. */

/** @import { Studio } from "./studio.js" */
import { button, byId, s, set, write } from "./dom.js";

/** The pictures on the buttons, in a square of 24. */
const PICTURES = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  undo: "M17 5l-9 7 9 7z",
  redo: "M7 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  flip: "M8 20V5M8 5L4 9M8 5l4 4M16 4v15M16 19l-4-4M16 19l4-4",
  resign: "M6 21V4h11l-2.5 4L17 12H6",
  run: "M7 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
};

/** @param {keyof typeof PICTURES} name */
function picture(name) {
  return s("svg", { viewBox: "0 0 24 24", width: 22, height: 22, class: "picture", "aria-hidden": "true" }, s("path", { d: PICTURES[name] }));
}

/**
 * @param {Studio} studio
 * @returns {(event: KeyboardEvent) => boolean} takes a key; false if it means nothing here
 */
export function controls(studio) {
  const jump = (/** @type {number} */ ply) => {
    const { state } = studio;
    if (!state) return;
    const to = Math.max(0, Math.min(ply, state.moves.length));
    if (to !== state.ply) void studio.ask("goto", { ply: to });
  };
  const ply = () => studio.state?.ply ?? 0;
  const leave = () => studio.scene?.leave();
  const sure = /** @type {HTMLDialogElement} */ (byId("sure"));
  sure.addEventListener("close", () => {
    if (sure.returnValue === "resign") void studio.ask("resign");
    sure.returnValue = "";
  });
  const deeds = {
    first: () => (leave(), jump(0)),
    undo: () => (leave(), void studio.ask("undo")),
    redo: () => (leave(), void studio.ask("redo")),
    last: () => (leave(), jump(studio.state?.moves.length ?? 0)),
    flip: () => {
      studio.board.flip();
      studio.draw();
    },
    resign: () => sure.showModal(),
    run: () => {
      studio.held = studio.state?.running ?? false;
      void studio.ask(studio.held ? "pause" : "run");
    },
  };
  const make = (/** @type {keyof typeof deeds} */ name, /** @type {string} */ words) => {
    const made = button("", deeds[name], { class: "icon", "aria-label": words, title: words, "data-do": name });
    made.append(picture(name));
    return made;
  };
  const buttons = {
    first: make("first", "to the start (Home)"),
    undo: make("undo", "undo (u)"),
    redo: make("redo", "redo (r)"),
    last: make("last", "to the last move (End)"),
    run: make("run", "let the engines play (p)"),
    flip: make("flip", "turn the board (f)"),
    resign: make("resign", "resign"),
  };
  const place = Object.assign(document.createElement("output"), { className: "place" });
  byId("controls").append(buttons.first, buttons.undo, place, buttons.redo, buttons.last, studio.board.choices, buttons.run, buttons.flip, buttons.resign);

  studio.watch(() => {
    const { state } = studio;
    if (!state) return;
    write(place, `${state.ply} / ${state.moves.length}`);
    const engines = state.seats.some((seat) => seat.kind === "engine");
    set(buttons.first, { disabled: state.ply === 0 });
    set(buttons.undo, { disabled: state.ply === 0 });
    set(buttons.redo, { disabled: state.ply === state.moves.length });
    set(buttons.last, { disabled: state.ply === state.moves.length });
    set(buttons.resign, { disabled: state.to_move === null || !studio.mayMove || state.facts.players < 2 });
    set(buttons.run, { disabled: !(engines || state.clocks) || state.ending !== null, "aria-pressed": String(state.running), "aria-label": state.running ? "pause the engines (p)" : "let the engines play (p)" });
    const shown = state.running ? "pause" : "run";
    if (buttons.run.dataset.shown !== shown) {
      buttons.run.dataset.shown = shown;
      buttons.run.replaceChildren(picture(shown));
    }
  });

  /** @type {Record<string, () => void>} */
  const keys = {
    u: deeds.undo,
    r: deeds.redo,
    f: deeds.flip,
    p: deeds.run,
    b: () => studio.board.focus(),
    Home: deeds.first,
    End: deeds.last,
    ArrowLeft: () => jump(ply() - 1),
    ArrowRight: () => jump(ply() + 1),
    Escape: leave,
  };
  return (event) => {
    const deed = keys[event.key];
    deed?.();
    return deed !== undefined;
  };
}
