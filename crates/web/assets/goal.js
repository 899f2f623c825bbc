/** For newcomers: the goal of the game under the board, and the rules as a dialog. */

/** @import { State } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { byId, h, write } from "./dom.js";

/** @param {Studio} studio */
export function showGoals(studio) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("rules"));
  const open = byId("rules-open");
  open.addEventListener("click", () => dialog.showModal());
  let shown = "";
  studio.onChange(() => {
    const { state } = studio;
    if (!state) return;
    const game = studio.games.find((entry) => entry.name === state.game.split(":")[0]);
    write(byId("goal"), game?.goal || hint(state));
    if (shown === game?.name) return;
    shown = game?.name ?? "";
    const paragraphs = (game?.rules ?? "").split(/\n\s*\n/).filter((text) => text.trim());
    open.hidden = paragraphs.length === 0;
    write(byId("rules-title"), `Rules of ${state.title}`);
    byId("rules-text").replaceChildren(
      ...[game?.goal ?? "", ...paragraphs].filter(Boolean).map((text) => h("p", {}, text)),
    );
  });
}

/** How to make a move, for a game that declares no goal. @param {State} state */
function hint({ legal, look, view }) {
  if (!legal.length) return "";
  if (look.reach === "group") return "Click a group of tiles.";
  if (look.reach === "column") return "Click a column.";
  if (view.shape === "mancala") return "Click a pit.";
  if (view.shape === "list") return "Click an entry.";
  const cells = new Set(view.cells.map((cell) => cell.name));
  const onBoard = legal.map((move) => move.clicks.filter((name) => cells.has(name)).length);
  return Math.max(...onBoard) > 1 ? "Click a piece, then its target." : "Click a cell.";
}
