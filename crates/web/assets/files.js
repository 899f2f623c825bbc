/** The Files panel: loads positions, SGF and match logs, and saves the game. */

/** @import { FileListing, State } from "./protocol.js" */
/** @import { Collection } from "./collection.js" */
/** @import { Studio } from "./studio.js" */
import { button, copy, download, errorPlace, h, set, write } from "./dom.js";

/** Longer files are not shown as text, which would make the page slow. */
const MAX_SHOWN = 100_000;

/** The labels of file kinds. @type {Record<string, string>} */
const KINDS = { sgf: "SGF games", log: "Match games", positions: "Positions" };

/** The formats of saved games and their labels. */
const FORMATS = [
  ["position", "Position"],
  ["moves", "Moves"],
  ["sgf", "SGF"],
];

export class FilesPanel {
  key = "files";
  title = "Files";
  /** The last saved game. @type {{ name: string, data: string } | null} */
  #savedGame = null;

  #text = h("textarea", {
    rows: 5,
    spellcheck: "false",
    placeholder: "Paste a position, SGF or a match log, or drop a file here",
    "aria-label": "text to load",
  });
  #error = errorPlace();
  #summary = h("p", { class: "note", role: "status" });
  #games = h("ol", { class: "games", "aria-label": "games of the file" });
  #saved = h("textarea", { rows: 4, readonly: true, "aria-label": "saved text" });
  #formats = FORMATS.map(([as, label]) =>
    button(label, () => void this.#save(as), { "data-save": as, "aria-pressed": "false" }),
  );
  #copy = button("Copy", () => void this.#copyText(), { disabled: true });
  #download = button("Download", () => this.#savedGame && download(this.#savedGame.name, this.#savedGame.data), {
    disabled: true,
  });

  /**
   * @param {Studio} studio
   * @param {Collection} collection
   * @param {{ loadCertificate: (file: File) => Promise<void>, opened: (state: State) => void }} events
   * `opened` is called when a game of the file is opened
   */
  constructor(studio, collection, { loadCertificate, opened }) {
    this.studio = studio;
    this.collection = collection;
    this.loadCertificate = loadCertificate;
    this.opened = opened;
    collection.onChange(() => this.#markOpened());
    const file = h("input", { type: "file", class: "hidden-file", "aria-label": "file" });
    file.addEventListener("change", () => file.files?.[0] && void this.#loadFile(file.files[0]));
    const loadText = button("Load text", () => void this.#load({ name: "", data: this.#text.value }), {
      class: "primary",
    });
    const chooseFile = button("Choose file…", () => file.click());
    this.element = h(
      "div",
      {},
      h(
        "section",
        {},
        h("h2", {}, "Load"),
        this.#text,
        this.#error,
        h("div", { class: "row" }, loadText, chooseFile, file),
        this.#summary,
        this.#games,
      ),
      h(
        "section",
        {},
        h("h2", {}, "Save"),
        h("div", { class: "row" }, ...this.#formats),
        this.#saved,
        h("div", { class: "row" }, this.#copy, this.#download),
      ),
    );
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (dropped) void this.#loadFile(dropped);
    });
  }

  /** @param {State} state */
  state(state) {
    const sgf = this.#formats.find((choice) => choice.dataset.save === "sgf");
    if (sgf) sgf.hidden = !state.sgf;
  }

  /** @param {File} file */
  async #loadFile(file) {
    if (file.name.endsWith(".proof")) return this.loadCertificate(file);
    const id = await this.studio.upload(file);
    if (id === null) return;
    this.#text.value = file.size <= MAX_SHOWN ? await file.text() : "";
    await this.#load({ name: file.name, file: id });
  }

  /**
   * Loads a text or an uploaded file, and opens its game if there is only one.
   * @param {{ name: string, data?: string, file?: string }} source
   */
  async #load(source) {
    /** @type {FileListing | null} */
    const loaded = await this.studio.request("load", source, this.#error);
    if (!loaded) return;
    write(this.#summary, summary(loaded));
    this.#games.replaceChildren(
      ...loaded.games.map((game, number) =>
        h(
          "li",
          {},
          button(game.title, () => void this.#pick(number), { class: "quiet" }),
        ),
      ),
    );
    this.collection.load(loaded);
    if (loaded.games.length === 1) await this.#pick(0);
  }

  /** @param {number} number */
  async #pick(number) {
    if (!(await this.collection.open(number, this.#error))) return;
    this.studio.notify("Loaded. Step through the game with ← and →.");
    if (this.studio.state) this.opened(this.studio.state);
  }

  #markOpened() {
    for (const [index, item] of [...this.#games.children].entries()) {
      set(item, { "aria-current": index === this.collection.number ? "true" : null });
    }
  }

  /** @param {string} as the format */
  async #save(as) {
    this.#savedGame = await this.studio.request("save", { as });
    const saved = this.#savedGame !== null;
    this.#saved.value = this.#savedGame?.data ?? "";
    for (const action of [this.#copy, this.#download]) set(action, { disabled: !saved });
    for (const choice of this.#formats) set(choice, { "aria-pressed": String(saved && choice.dataset.save === as) });
  }

  async #copyText() {
    this.#saved.select();
    const copied = await copy(this.#saved.value);
    this.studio.notify(copied ? "Copied." : "The browser blocks copying. The text is selected; press Ctrl+C.");
  }
}

/** Counts the games of a file, of which a long list has only the first. @param {FileListing} loaded */
function summary({ kind, games, total }) {
  const listed = total > games.length ? `first ${games.length} of ${total}` : games.length;
  return `${KINDS[kind] ?? kind}: ${listed}`;
}
