/** The games of the loaded file, and which of them is open. */

/** @import { FileListing, ListedGame } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */

export class Collection {
  /** The listed games. @type {ListedGame[]} */
  games = [];
  /** The opened game, if it is still open. @type {{ number: number, key: string } | null} */
  #opened = null;
  /** @type {(() => void)[]} */
  #listeners = [];

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
  }

  /** Calls a listener whenever another file is loaded or another game of it is opened. @param {() => void} listener */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  /** The number of the open game; null if the game is not one of the file. */
  get number() {
    return this.#opened?.key === this.#key ? this.#opened.number : null;
  }

  /** Takes the games of a loaded file. @param {FileListing} listing */
  load(listing) {
    this.games = listing.games;
    this.#opened = null;
    this.#changed();
  }

  /**
   * Opens a game of the file.
   * @param {number} number
   * @param {HTMLElement} [errorPlace]
   * @returns {Promise<boolean>} whether it is accepted
   */
  async open(number, errorPlace) {
    if (!(await this.studio.startGame("pick", { number }, errorPlace))) return false;
    this.#opened = { number, key: this.#key };
    this.#changed();
    return true;
  }

  /** Identifies a game and its start. */
  get #key() {
    const { state } = this.studio;
    return state ? `${state.game}|${state.start}` : "";
  }

  #changed() {
    for (const listener of this.#listeners) listener();
  }
}
