/** The Files view: positions, SGF and match logs in; what is on the board out. */

/** @import { Loaded } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, download, h, set, write } from "./dom.js";

/** Longer files are not shown as text: nobody reads them, and they make the page slow. */
const READABLE = 100_000;

/** What files hold, in words. @type {Record<string, string>} */
const KINDS = { sgf: "Games of an SGF file", log: "Games of a match", positions: "Positions" };

/** The games that are written as SGF. */
const RECORDED = new Set(["go", "hex"]);

/** @param {Studio} studio @param {(file: File) => Promise<void>} certificate reads a certificate @returns {Panel} */
export function filesPanel(studio, certificate) {
  const text = h("textarea", { rows: 5, spellcheck: "false", placeholder: "Paste a position, an SGF record or the log of a match, or drop a file here", "aria-label": "text to open" });
  const file = h("input", { type: "file", class: "hidden-file", "aria-label": "file", onchange: () => file.files?.[0] && void read(file.files[0]) });
  const found = h("p", { class: "note", role: "status" });
  const games = h("ol", { class: "games", "aria-label": "games of the file" });
  const saved = h("textarea", { rows: 4, readonly: true, "aria-label": "saved text" });

  /** @param {{ name: string, data: string } | { name: string, file: string }} what */
  const load = async (what) => {
    /** @type {Loaded | null} */
    const loaded = await studio.ask("load", what);
    if (!loaded) return;
    write(found, `${KINDS[loaded.kind] ?? loaded.kind}: ${loaded.games.length === 1 ? "one" : loaded.games.length}`);
    games.replaceChildren(...loaded.games.map((game, number) => h("li", {}, button(game.title, () => void pick(number), { class: "quiet" }))));
    if (loaded.games.length === 1) await pick(0);
  };
  const pick = async (/** @type {number} */ number) => {
    if (await studio.ask("pick", { number })) {
      for (const [place, item] of [...games.children].entries()) set(item, { "aria-current": place === number ? "true" : null });
      studio.say("Opened: step through it with ← and →.");
    }
  };
  /** @param {File} chosen */
  const read = async (chosen) => {
    if (chosen.name.endsWith(".proof")) return certificate(chosen);
    const id = await studio.send(chosen);
    if (id === null) return;
    text.value = chosen.size <= READABLE ? await chosen.text() : "";
    await load({ name: chosen.name, file: id });
  };
  /** What was saved last. @type {{ name: string, data: string } | null} */
  let kept = null;
  const save = async (/** @type {string} */ as) => {
    kept = await studio.ask("save", { as });
    saved.value = kept?.data ?? "";
    for (const button of keepers) set(button, { disabled: kept === null });
    for (const choice of forms) set(choice, { "aria-pressed": String(kept !== null && choice.dataset.save === as) });
  };
  const copy = async () => {
    saved.select();
    try {
      await navigator.clipboard.writeText(saved.value);
      studio.say("Copied.");
    } catch {
      studio.say("The browser does not let pages copy: the text is selected, copy it with Ctrl+C.");
    }
  };
  const forms = [["position", "Position"], ["moves", "Moves"], ["sgf", "SGF"]].map(([as, words]) => button(words, () => void save(as), { "data-save": as, "aria-pressed": "false" }));
  const keepers = [button("Copy", () => void copy(), { disabled: true }), button("Download", () => kept && download(kept.name, kept.data), { disabled: true })];

  const element = h("div", {},
    h("section", {}, h("h2", {}, "Open"), text,
      h("div", { class: "row" }, button("Open the text", () => void load({ name: "", data: text.value }), { class: "primary" }), button("Open a file", () => file.click()), file),
      found, games),
    h("section", {}, h("h2", {}, "Save"), h("div", { class: "row" }, ...forms), saved, h("div", { class: "row" }, ...keepers)));
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
      forms[2].hidden = !RECORDED.has(state.game.split(":")[0]);
    },
  };
}
