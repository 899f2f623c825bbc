/** The buttons under the board, and their keyboard shortcuts. */

/** @import { Studio } from "./studio.js" */
import { ask, button, byId, s, set, write } from "./dom.js";

/** The icons of the buttons, in a square of 24. */
const ICONS = {
  first: "M6 5v14M17 5l-7 7 7 7",
  undo: "M15 5l-7 7 7 7",
  redo: "M9 5l7 7-7 7",
  last: "M18 5v14M7 5l7 7-7 7",
  flip: "M8 20V5M8 5L4 9M8 5l4 4M16 4v15M16 19l-4-4M16 19l4-4",
  resign: "M6 21V4h11l-2.5 4L17 12H6",
  run: "M12 2a10 10 0 1 0 0 20 10 10 0 1 0 0-20M10 8l6 4-6 4z",
  pause: "M8 5v14M16 5v14",
};

/** @param {keyof typeof ICONS} name */
function icon(name) {
  return s(
    "svg",
    { viewBox: "0 0 24 24", width: 22, height: 22, class: "picture", "aria-hidden": "true" },
    s("path", { d: ICONS[name] }),
  );
}

/**
 * The actions of the buttons.
 * @param {Studio} studio
 */
function actionsFor(studio) {
  const goTo = (/** @type {number} */ ply) => {
    const { state } = studio;
    if (!state) return;
    const to = Math.max(0, Math.min(ply, state.moves.length));
    if (to !== state.ply) void studio.request("goto", { ply: to });
  };
  const ply = () => studio.state?.ply ?? 0;
  const leave = () => studio.scene?.leave();
  return {
    first: () => (leave(), goTo(0)),
    undo: () => (leave(), void studio.request("undo")),
    redo: () => (leave(), void studio.request("redo")),
    last: () => (leave(), goTo(studio.state?.moves.length ?? 0)),
    back: () => goTo(ply() - 1),
    forward: () => goTo(ply() + 1),
    flip: () => {
      studio.board.flip();
      studio.draw();
    },
    resign: async () => {
      if (await ask("confirm-resign")) await studio.request("resign");
    },
    run: () => {
      studio.paused = studio.state?.running ?? false;
      void studio.request(studio.paused ? "pause" : "run");
    },
    focus: () => studio.board.focus(),
    leave,
  };
}

/** @typedef {ReturnType<typeof actionsFor>} Actions */

/** @param {Actions} actions */
function createButtons(actions) {
  const make = (/** @type {keyof typeof ICONS & keyof Actions} */ name, /** @type {string} */ label) => {
    const made = button("", actions[name], { class: "icon", "aria-label": label, title: label, "data-do": name });
    made.append(icon(name));
    return made;
  };
  return {
    first: make("first", "first position (Home)"),
    undo: make("undo", "undo (u)"),
    redo: make("redo", "redo (r)"),
    last: make("last", "last position (End)"),
    run: make("run", "run the engines (p)"),
    flip: make("flip", "flip the board (f)"),
    resign: make("resign", "resign"),
  };
}

/**
 * Adds the buttons to the page.
 * @param {Studio} studio
 * @returns {(event: KeyboardEvent) => boolean} handles a key; returns false if it has no meaning here
 */
export function controls(studio) {
  const actions = actionsFor(studio);
  const { first, undo, redo, last, run, flip, resign } = createButtons(actions);
  const place = Object.assign(document.createElement("output"), { className: "place" });
  byId("controls").append(first, undo, place, redo, last, studio.board.choices, run, flip, resign);

  studio.onChange(() => {
    const { state } = studio;
    if (!state) return;
    write(place, `${state.ply} / ${state.moves.length}`);
    const engines = state.seats.some((seat) => seat.kind === "engine");
    for (const back of [first, undo]) set(back, { disabled: state.ply === 0 });
    for (const forward of [redo, last]) set(forward, { disabled: state.ply === state.moves.length });
    set(resign, { disabled: state.to_move === null || !studio.canMove || state.facts.players < 2 });
    set(run, {
      disabled: !(engines || state.clocks) || state.ending !== null,
      "aria-pressed": String(state.running),
      "aria-label": state.running ? "pause the engines (p)" : "run the engines (p)",
    });
    const shown = state.running ? "pause" : "run";
    if (run.dataset.shown !== shown) {
      run.dataset.shown = shown;
      run.replaceChildren(icon(shown));
    }
  });

  /** @type {Record<string, () => void>} */
  const keys = {
    u: actions.undo,
    r: actions.redo,
    f: actions.flip,
    p: actions.run,
    b: actions.focus,
    Home: actions.first,
    End: actions.last,
    ArrowLeft: actions.back,
    ArrowRight: actions.forward,
    Escape: actions.leave,
  };
  return (event) => {
    const action = keys[event.key];
    action?.();
    return action !== undefined;
  };
}
