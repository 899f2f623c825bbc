/** The result of a finished game under the board, with a button for another one. */

/** @import { Studio } from "./studio.js" */
import { button, byId, h, write } from "./dom.js";

/** @param {Studio} studio @param {() => void} rematch */
export function showEndings(studio, rematch) {
  const place = byId("ending");
  const words = h("strong");
  const again = button("Rematch", rematch);
  studio.onChange(() => {
    const ending = studio.scene ? null : (studio.state?.ending ?? null);
    if (ending) write(words, capitalised(ending.words));
    write(again, studio.state?.facts.players === 1 ? "Play again" : "Rematch");
    if (ending && !place.childElementCount) place.append(words, again);
    if (!ending) place.replaceChildren();
  });
}

/** @param {string} text */
function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
