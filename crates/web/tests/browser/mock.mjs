/**
 * A small server that speaks the studio's protocol for trials of the page alone: it asks the command line for
 * everything (`tesuji show`, `think`, `solve`, `verify`, `walk`), once per question, so it is slow and knows no trees
 * deeper than the root. The tests of the page run against it or against `tesuji serve`.
 *
 *     TESUJI=path/to/tesuji node mock.mjs [port]
 */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = process.env.TESUJI ?? "tesuji";
const assets = fileURLToPath(new URL("../../assets/", import.meta.url));
const kept = await mkdtemp(join(tmpdir(), "studio-"));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** Asks the command line; its complaint becomes the error. */
async function tesuji(...words) {
  try {
    const { stdout } = await run(program, [...words, "--json"], { maxBuffer: 1 << 26 });
    return JSON.parse(stdout);
  } catch (error) {
    if (error.stdout) return JSON.parse(error.stdout);
    throw new Error(String(error.stderr || error).replace(/^error: /, "").trim());
  }
}

const games = await tesuji("games");
const searches = await tesuji("searches");
// A program from before searches said whether they solve will do as well.
for (const search of searches.searches) search.solves ??= search.name.includes("pn") || search.name === "pds";

/** The position after some moves, as the command line takes it. */
const placed = (start, moves) => (moves.length ? `${start} moves ${moves.join(" ")}` : start);

/** What a deed gives if its answer is the new state, which is told after it. */
const STATE = Symbol("state");

class Table {
  constructor(send) {
    Object.assign(this, { send, game: "hex:7", start: "start", moves: [], ply: 0, seats: [], running: false, values: [], resigned: null, proofs: 0, walkMoves: [], loaded: [] });
  }

  async state(start = this.start, moves = this.moves, ply = this.ply) {
    const shown = await tesuji("show", this.game, "--position", placed(start, moves.slice(0, ply)));
    const info = games.games.find((entry) => entry.name === this.game.split(":")[0]);
    const ending = this.resigned ?? shown.ending;
    return {
      game: this.game, title: info.title, position: shown.position, start, facts: shown.facts,
      players: info.players.slice(0, shown.facts.players), to_move: ending ? null : shown.to_move, ending,
      moves, ply, legal: shown.legal_moves, view: shown.view, last: moves[ply - 1] ?? null,
      seats: this.seats, running: this.running, clocks: this.clock ? this.seats.map(() => this.clock.seconds) : null, values: this.values,
    };
  }

  async tell() {
    const state = await this.state();
    this.send({ event: "state", ...state });
    const seat = state.to_move === null ? null : this.seats[state.to_move];
    if (this.running && seat?.kind === "engine") await this.engine(state, seat);
  }

  async engine(state, seat) {
    const thought = await this.think(seat.player, 800);
    if (!this.running || state.ply !== this.ply) return;
    if (state.facts.players === 2) this.values[this.ply] = state.to_move === 0 ? (thought.value + 1) / 2 : (1 - thought.value) / 2;
    this.playMove(thought.best);
    await this.tell();
  }

  async think(player, playouts) {
    return tesuji("think", this.game, "--position", placed(this.start, this.moves.slice(0, this.ply)), "--player", player, "--playouts", String(playouts));
  }

  playMove(move) {
    this.moves = [...this.moves.slice(0, this.ply), move];
    this.ply += 1;
    this.values.length = Math.min(this.values.length, this.ply);
  }

  thought(event, told) {
    const { player, search, timing, ...report } = told;
    this.send({ event, player, search, ply: this.ply, timing, report });
  }

  /** What each word of the protocol does. */
  async open({ game, position }) {
    const shown = await tesuji("show", game, "--position", position ?? "start");
    Object.assign(this, { game, start: (position ?? "start").split(" moves ")[0], moves: shown.moves, ply: shown.moves.length, values: [], running: false, resigned: null });
    this.seats = Array.from({ length: shown.facts.players }, () => ({ kind: "person" }));
    return STATE;
  }
  async play({ move }) {
    await tesuji("show", this.game, "--position", placed(this.start, [...this.moves.slice(0, this.ply), move]));
    this.playMove(move);
    return STATE;
  }
  async undo() {
    if (this.ply === 0) throw new Error("there is nothing to undo");
    return this.goto({ ply: this.ply - 1 });
  }
  async redo() {
    if (this.ply === this.moves.length) throw new Error("there is nothing to redo");
    return this.goto({ ply: this.ply + 1 });
  }
  async goto({ ply }) {
    Object.assign(this, { ply, running: false, resigned: null });
    return STATE;
  }
  async seatsOf({ seats, clock }) {
    Object.assign(this, { seats, clock });
    return STATE;
  }
  async run() {
    this.running = true;
    return STATE;
  }
  async pause() {
    this.running = false;
    return STATE;
  }
  async resign() {
    this.resigned = { scores: [-1, 1], verdicts: ["loss", "win"], by_past: false, words: "resigned" };
    return STATE;
  }
  async thinkAbout({ player }) {
    this.stopped = false;
    for (let playouts = 500; ; playouts *= 2) {
      const told = await this.think(player, playouts);
      this.last = told;
      if (this.stopped || playouts > 50_000 || told.stopped === "decided") {
        this.thought("thought", told);
        return this.tell();
      }
      this.thought("thinking", told);
    }
  }
  async stop() {
    this.stopped = true;
  }
  async look({ line }) {
    const moves = [...this.moves.slice(0, this.ply), ...line];
    const state = await this.state(this.start, moves, moves.length);
    return { line, moves: line.length ? null : this.last?.moves ?? null, state };
  }
  async solve({ goal, by }) {
    const id = String(++this.proofs);
    const file = join(kept, `${id}.proof`);
    const told = await tesuji("solve", this.game, "--position", placed(this.start, this.moves.slice(0, this.ply)), "--goal", goal, "--by", by, "--time", "20s", "--proof", file);
    const [side] = told.sides;
    this.send({ event: "solving", stage: "searching", question: null, positions: null, ...(side.proof_numbers ?? { proof: null, disproof: null }), nodes: told.counters.nodes, nodes_per_second: told.timing.nodes_per_second, fill: 0.1, line: side.variation });
    this.send({
      event: "solved", solved: told.solved, solver: told.solver, sides: told.sides, value: side.words, bounds: side.bounds, move: side.best, line: side.variation, counters: told.counters, timing: told.timing,
      proof: told.proof?.written ? id : null, why_no_proof: told.proof?.written ? null : "nothing was proved",
    });
  }
  async verify({ proof, data }) {
    const id = proof ?? `loaded-${++this.proofs}`;
    const file = join(kept, `${id}.proof`);
    if (data) await writeFile(file, Buffer.from(data, "base64"));
    return { ...(await tesuji("verify", file)), proof: id };
  }
  async walk({ proof, claim, move, back }) {
    if (back) this.walkMoves.pop();
    else if (move) this.walkMoves.push(move);
    else this.walkMoves = [];
    const told = await tesuji("walk", join(kept, `${proof}.proof`), "--moves", this.walkMoves.join(" "));
    const state = await this.state(told.root, told.line, told.line.length);
    return {
      state, claim, claims: told.claims.map((entry) => entry.words), longest: told.longest ?? null, line: told.line, reply: told.line.at(-1) ?? null, done: told.turn === "over", replies: told.replies ?? [],
      words: told.ending?.words ?? `${told.claims[0].words}${told.longest ? ` in ${told.longest} plies at most` : ""}`,
    };
  }
  async load({ name, data }) {
    this.loaded = data.trim().split("\n").filter(Boolean);
    return { kind: name.endsWith(".sgf") ? "sgf" : "position", games: this.loaded.map((title) => ({ title })) };
  }
  async pick({ number }) {
    return this.open({ game: this.game, position: this.loaded[number] });
  }
  async save({ as }) {
    const state = await this.state();
    return { name: `${this.game}.txt`, data: as === "position" ? state.position : placed(this.start, this.moves) };
  }
}

const WORDS = { seats: "seatsOf", think: "thinkAbout" };
const KNOWN = new Set(["open", "play", "undo", "redo", "goto", "seats", "run", "pause", "resign", "think", "stop", "look", "solve", "verify", "walk", "load", "pick", "save"]);

/** Reads frames of text from a socket, and writes them: as much of RFC 6455 as a page needs. */
function frames(socket, receive) {
  let buffer = Buffer.alloc(0);
  let text = Buffer.alloc(0);
  socket.on("data", (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      if (buffer.length < 6) return;
      let [length, at] = [buffer[1] & 127, 2];
      if (length === 126) [length, at] = [buffer.readUInt16BE(2), 4];
      else if (length === 127) [length, at] = [Number(buffer.readBigUInt64BE(2)), 10];
      if (buffer.length < at + 4 + length) return;
      const [mask, code, last] = [buffer.subarray(at, at + 4), buffer[0] & 15, buffer[0] & 128];
      const body = Buffer.from(buffer.subarray(at + 4, at + 4 + length).map((byte, place) => byte ^ mask[place % 4]));
      buffer = buffer.subarray(at + 4 + length);
      if (code === 8) return socket.end();
      text = Buffer.concat([text, body]);
      if (!last) continue;
      if (code < 2) receive(text.toString());
      text = Buffer.alloc(0);
    }
  });
  socket.on("error", () => socket.destroy());
  return (message) => {
    const body = Buffer.from(JSON.stringify(message));
    const head = body.length < 126 ? Buffer.from([129, body.length]) : body.length < 65536 ? Buffer.from([129, 126, body.length >> 8, body.length & 255]) : Buffer.alloc(10);
    if (head.length === 10) {
      head.set([129, 127]);
      head.writeBigUInt64BE(BigInt(body.length), 2);
    }
    if (socket.writable) socket.write(Buffer.concat([head, body]));
  };
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const json = { "/api/games": games, "/api/searches": searches }[pathname];
  const proof = pathname.match(/^\/api\/proof\/([\w-]+)$/);
  const name = pathname === "/" ? "index.html" : pathname.match(/^\/assets\/([\w-]+\.\w+)$/)?.[1];
  try {
    if (json) return response.setHeader("content-type", "application/json").end(JSON.stringify(json));
    if (proof) return response.end(await readFile(join(kept, `${proof[1]}.proof`)));
    if (!name) throw new Error("there is no such page");
    response.setHeader("content-type", TYPES[extname(name)] ?? "text/plain").end(await readFile(join(assets, name)));
  } catch {
    response.writeHead(404).end();
  }
});

server.on("upgrade", (request, socket) => {
  const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  const send = frames(socket, async (text) => {
    const message = JSON.parse(text);
    try {
      if (!KNOWN.has(message.do)) throw new Error(`there is no "${message.do}"`);
      const deed = table[WORDS[message.do] ?? message.do](message);
      // A search is answered at once, and tells its results as events.
      const slow = message.do === "think" || message.do === "solve";
      if (slow) deed.catch((error) => send({ event: "trouble", words: error.message }));
      const done = slow ? null : await deed;
      send({ id: message.id, ok: done === STATE ? {} : (done ?? {}) });
      if (done === STATE) await table.tell();
    } catch (error) {
      send({ id: message.id, error: error.message });
    }
  });
  const table = new Table(send);
});

server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
