/** The Files view: positions, SGF and match logs in; what is on the board out. */

/** @import { Loaded } from "./protocol.js" */
/** @import { Panel, Studio } from "./studio.js" */
import { button, download, field, h, set, write } from "./dom.js";

/** The most that fits into one message, in letters. */
const LARGEST = 900 * 1024;

/** The games that are written as SGF. */
const RECORDED = new Set(["go", "hex"]);

/** @param {Studio} studio @param {(file: File) => Promise<void>} certificate reads a certificate @returns {Panel} */
export function filesPanel(studio, certificate) {
  const text = h("textarea", { rows: 5, spellcheck: "false", placeholder: "A position, an SGF, or the log of a match", "aria-label": "text to open" });
  const file = h("input", { type: "file", class: "hidden-file", "aria-label": "file", onchange: () => file.files?.[0] && void read(file.files[0]) });
  const found = h("p", { class: "note", role: "status" });
  const games = h("ol", { class: "games", "aria-label": "games of the file" });
  const saved = h("textarea", { rows: 4, readonly: true, "aria-label": "saved text" });

  /** @param {string} name @param {string} data */
  const load = async (name, data) => {
    if (data.length > LARGEST) return studio.say(`${name} is too long: ${data.length} letters, at most ${LARGEST} are taken.`, "warn");
    /** @type {Loaded | null} */
    const loaded = await studio.ask("load", { name, data });
    if (!loaded) return;
    write(found, `${loaded.kind}: ${loaded.games.length === 1 ? "one game" : `${loaded.games.length} games`}`);
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
    text.value = await chosen.text();
    await load(chosen.name, text.value);
  };
  const save = async (/** @type {string} */ as, /** @type {boolean} */ keep) => {
    const made = await studio.ask("save", { as });
    if (!made) return;
    saved.value = made.data;
    if (keep) download(made.name, made.data);
  };

  const element = h("div", {},
    h("h2", {}, "Open"),
    text,
    h("div", { class: "row" }, button("Open the text", () => void load("pasted", text.value), { class: "primary" }), button("Open a file", () => file.click()), file),
    found, games,
    h("h2", {}, "Save"),
    h("div", { class: "row" },
      ...[["position", "Position"], ["moves", "Moves"], ["sgf", "SGF"]].map(([as, words]) => button(words, () => void save(as, false), { "data-save": as })),
      button("Download", () => void save(RECORDED.has(studio.state?.game.split(":")[0] ?? "") ? "sgf" : "moves", true))),
    field("Text", saved));
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer?.files[0];
    if (dropped) void read(dropped);
  });
  return { key: "files", title: "Files", element };
}
