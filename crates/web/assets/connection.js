/** The line to the server: questions with answers, and events. */

/**
 * @typedef {{ resolve: (answer: any) => void, reject: (error: Error) => void }} Waiting
 * @typedef {(event: any) => void} Listener
 */

/** Events of which only the newest matters: they wait for the next frame, and a newer one takes their place. */
const COALESCED = new Set(["thinking", "solving"]);

/** What ends a stream: what still waits of the stream is older, and is told first. */
const ENDS = new Map([["thought", "thinking"], ["solved", "solving"]]);

/** The longest pause between attempts to connect, in milliseconds. */
const LONGEST_PAUSE = 8000;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #number = 0;
  #pause = 250;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {Map<string, Listener[]>} */
  #listeners = new Map();
  /** @type {Map<string, any>} */
  #newest = new Map();
  #frame = 0;

  /** @param {string} address */
  constructor(address) {
    this.address = address;
  }

  /** Connects, and again whenever the line is lost. */
  connect() {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = 250;
      this.#tell("open", { event: "open" });
    };
    socket.onmessage = (message) => this.#read(message.data);
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      for (const waiting of this.#waiting.values()) waiting.reject(new Error("the connection to the server was lost"));
      this.#waiting.clear();
      this.#newest.clear();
      this.#tell("lost", { event: "lost" });
      setTimeout(() => this.connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    };
  }

  /**
   * Asks for something, and waits for the answer.
   * @param {string} what
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   */
  ask(what, fields = {}) {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error("there is no connection to the server"));
    }
    const id = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, do: what, ...fields }));
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
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error === undefined) waiting?.resolve(message.ok);
      else waiting?.reject(new Error(message.error));
    } else if (COALESCED.has(message.event)) {
      this.#newest.set(message.event, message);
      this.#frame ||= requestAnimationFrame(() => this.#flush());
    } else {
      const stream = ENDS.get(message.event);
      if (stream) this.#newest.delete(stream);
      this.#tell(message.event, message);
    }
  }

  #flush() {
    this.#frame = 0;
    const messages = [...this.#newest.values()];
    this.#newest.clear();
    for (const message of messages) this.#tell(message.event, message);
  }

  /**
   * @param {string} event
   * @param {any} message
   */
  #tell(event, message) {
    for (const listener of this.#listeners.get(event) ?? []) listener(message);
  }
}
