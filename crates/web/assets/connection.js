/** The connection to the server: requests with responses, and events. */

/**
 * @typedef {{ resolve: (response: any) => void, reject: (error: Error) => void }} PendingRequest
 * @typedef {(event: any) => void} Listener
 */

/** Events of which only the newest matters: it waits for the next frame. */
const COALESCED = new Set(["thinking", "solving", "asking"]);

/** The final events of streams: a final event discards the queued event of its stream. */
const FINAL = new Map([
  ["thought", "thinking"],
  ["solved", "solving"],
  ["answered", "asking"],
  ["refuted", "asking"],
  ["proved", "asking"],
]);

/** The first and the longest pause between attempts to connect, in milliseconds. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #lastId = 0;
  #pause = FIRST_PAUSE;
  /** @type {Map<number, PendingRequest>} */
  #pending = new Map();
  /** @type {Map<string, Listener[]>} */
  #listeners = new Map();
  /** @type {Map<string, any>} */
  #newest = new Map();
  #frame = 0;

  /** @param {string} address */
  constructor(address) {
    this.address = address;
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connects, and reconnects whenever the connection is lost. */
  connect() {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = FIRST_PAUSE;
      this.#emit("open", { event: "open" });
    };
    socket.onmessage = (message) => this.#read(message.data);
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      for (const pending of this.#pending.values()) pending.reject(new Error("The connection to the server was lost."));
      this.#pending.clear();
      this.#newest.clear();
      this.#emit("lost", { event: "lost" });
      setTimeout(() => this.connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    };
  }

  /**
   * Sends a request and waits for the response.
   * @param {string} name
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   */
  request(name, fields = {}) {
    const socket = this.#socket;
    if (!socket || !this.isOpen) {
      return Promise.reject(new Error("Server not reachable – retrying…"));
    }
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, do: name, ...fields }));
    });
  }

  /**
   * @param {string} event
   * @param {Listener} listener
   */
  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  /** @param {string} text */
  #read(text) {
    const message = JSON.parse(text);
    if (message.event === undefined) {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error === undefined) pending?.resolve(message.ok);
      else pending?.reject(new Error(message.error));
    } else if (COALESCED.has(message.event)) {
      this.#newest.set(message.event, message);
      this.#frame ||= requestAnimationFrame(() => this.#flush());
    } else {
      const stream = FINAL.get(message.event);
      if (stream) this.#newest.delete(stream);
      this.#emit(message.event, message);
    }
  }

  #flush() {
    this.#frame = 0;
    const messages = [...this.#newest.values()];
    this.#newest.clear();
    for (const message of messages) this.#emit(message.event, message);
  }

  /**
   * @param {string} event
   * @param {any} message
   */
  #emit(event, message) {
    for (const listener of this.#listeners.get(event) ?? []) listener(message);
  }
}
