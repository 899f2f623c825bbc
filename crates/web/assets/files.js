/** The Files panel: loads positions, SGF and match logs, and saves the game. */

/** @import { FileListing } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, download, h, set, write } from "./dom.js";

/** Longer files are not shown as text, which would make the page slow. */
const MAX_SHOWN = 100_000;

/** The labels of file kinds. @type {Record<string, string>} */
const KINDS = { sgf: "SGF games", log: "Match games", positions: "Positions" };

/** The games that can be saved as SGF. */
const SGF_GAMES = new Set(["go", "hex"]);

/** @param {Studio} studio @param {(file: File) => Promise<void>} loadCertificate @returns {Panel} */
export function filesPanel(studio, loadCertificate) {
  const text = h("textarea", { rows: 5, spellcheck: "false", placeholder: "Paste a position, SGF or a match log, or drop a file here", "aria-label": "text to load" });
  const file = h("input", { type: "file", class: "hidden-file", "aria-label": "file", onchange: () => file.files?.[0] && void read(file.files[0]) });
  const summary = h("p", { class: "note", role: "status" });
  const games = h("ol", { class: "games", "aria-label": "games of the file" });
  const saved = h("textarea", { rows: 4, readonly: true, "aria-label": "saved text" });

  /** @param {{ name: string, data: string } | { name: string, file: string }} source */
  const load = async (source) => {
    /** @type {FileListing | null} */
    const loaded = await studio.request("load", source);
    if (!loaded) return;
    write(summary, `${KINDS[loaded.kind] ?? loaded.kind}: ${loaded.games.length}`);
    games.replaceChildren(...loaded.games.map((game, number) => h("li", {}, button(game.title, () => void pick(number), { class: "quiet" }))));
    if (loaded.games.length === 1) await pick(0);
  };
  const pick = async (/** @type {number} */ number) => {
    if (await studio.request("pick", { number })) {
      for (const [index, item] of [...games.children].entries()) set(item, { "aria-current": index === number ? "true" : null });
      studio.notify("Loaded. Step through the game with ← and →.");
    }
  };
  /** @param {File} chosen */
  const read = async (chosen) => {
    if (chosen.name.endsWith(".proof")) return loadCertificate(chosen);
    const id = await studio.upload(chosen);
    if (id === null) return;
    text.value = chosen.size <= MAX_SHOWN ? await chosen.text() : "";
    await load({ name: chosen.name, file: id });
  };
  /** The last saved game. @type {{ name: string, data: string } | null} */
  let lastSaved = null;
  const save = async (/** @type {string} */ as) => {
    lastSaved = await studio.request("save", { as });
    saved.value = lastSaved?.data ?? "";
    for (const button of saveButtons) set(button, { disabled: lastSaved === null });
    for (const choice of forms) set(choice, { "aria-pressed": String(lastSaved !== null && choice.dataset.save === as) });
  };
  const copy = async () => {
    saved.select();
    try {
      await navigator.clipboard.writeText(saved.value);
      studio.notify("Copied.");
    } catch {
      studio.notify("The browser blocks copying. The text is selected; press Ctrl+C.");
    }
  };
  const forms = [["position", "Position"], ["moves", "Moves"], ["sgf", "SGF"]].map(([as, label]) => button(label, () => void save(as), { "data-save": as, "aria-pressed": "false" }));
  const saveButtons = [button("Copy", () => void copy(), { disabled: true }), button("Download", () => lastSaved && download(lastSaved.name, lastSaved.data), { disabled: true })];

  const element = h("div", {},
    h("section", {}, h("h2", {}, "Load"), text,
      h("div", { class: "row" }, button("Load text", () => void load({ name: "", data: text.value }), { class: "primary" }), button("Choose file…", () => file.click()), file),
      summary, games),
    h("section", {}, h("h2", {}, "Save"), h("div", { class: "row" }, ...forms), saved, h("div", { class: "row" }, ...saveButtons)));
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer?.files[0];
    if (dropped) void read(dropped);
  });
  return {
    key: "files",
    title: "Files",
    element,
    state: (state) => {
      forms[2].hidden = !SGF_GAMES.has(state.game.split(":")[0]);
    },
  };
}
