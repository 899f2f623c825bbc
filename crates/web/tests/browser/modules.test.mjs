/** Tests of the modules that need no browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../../assets/connection.js";
import { readGame, writeGame } from "../../assets/game-url.js";
import { heat, marked, onScale, scaleOf } from "../../assets/heat.js";
import { parse, print } from "../../assets/spec.js";
import { clock, count, describeMove, proofNumbers, proven, spreadText, valueText } from "../../assets/words.js";
import { boxAround } from "../../assets/zoom.js";

const option = (key) => ({ key, accepted: "", default: "", meaning: "" });

test("specs survive parsing and printing", () => {
  const options = ["size", "komi", "swap"].map(option);
  for (const spec of [
    "go",
    "go:9",
    "go:9x7,komi=6.5",
    "hex:5,swap",
    "hex:swap",
    "root:[mcts:fpu=1,solver],[mcts:fpu=inf],vote=sum",
    "synthetic:tree='(1 (-1 0))'",
    "a:b='x, y'",
  ]) {
    assert.equal(print(parse(spec, options)), spec);
  }
});

test("a bare size is distinguished from a switch by the known options", () => {
  assert.deepEqual(
    [...parse("hex:5,swap", [option("size"), option("swap")]).items],
    [
      ["size", "5"],
      ["swap", true],
    ],
  );
  assert.deepEqual([...parse("mcts:solver", [option("solver")]).items], [["solver", true]]);
});

/** A socket controlled by a test. */
class FakeSocket {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  send(text) {
    this.sent.push(JSON.parse(text));
  }
}

/** A connection on a fake socket, with animation frames controlled by the test. */
function connected() {
  const frames = [];
  let socket;
  globalThis.WebSocket = class extends FakeSocket {
    constructor() {
      super();
      socket = this;
    }
  };
  globalThis.requestAnimationFrame = (draw) => frames.push(draw);
  const connection = new Connection("ws://nowhere");
  connection.connect();
  return {
    connection,
    frames,
    socket: () => socket,
    receive: (message) => socket.onmessage({ data: JSON.stringify(message) }),
  };
}

test("only the newest progress event is handled, once per frame", () => {
  const { connection, frames, receive } = connected();
  const seen = [];
  connection.on("thinking", (event) => seen.push(event.number));
  for (let number = 0; number < 1000; number += 1) receive({ event: "thinking", number });
  assert.equal(frames.length, 1);
  frames.pop()();
  assert.deepEqual(seen, [999]);
});

test("no progress event is handled after the final event", () => {
  const { connection, frames, receive } = connected();
  const seen = [];
  for (const event of ["thinking", "thought"]) connection.on(event, () => seen.push(event));
  receive({ event: "thinking" });
  receive({ event: "thought" });
  for (const draw of frames) draw();
  assert.deepEqual(seen, ["thought"]);
});

test("responses are matched to requests in any order, and errors reject", async () => {
  const { connection, receive, socket } = connected();
  const [first, second] = [connection.request("play", { move: "a1" }), connection.request("undo")];
  assert.deepEqual(socket().sent, [
    { id: 1, do: "play", move: "a1" },
    { id: 2, do: "undo" },
  ]);
  receive({ id: 2, ok: { fine: true } });
  receive({ id: 1, error: "a1 is taken" });
  assert.deepEqual(await second, { fine: true });
  await assert.rejects(first, /a1 is taken/);
});

test("brightness decreases with the value", () => {
  const brightness = (share) =>
    heat(share)
      .match(/\d+/g)
      .map(Number)
      .reduce((sum, part, place) => sum + part * [0.3, 0.59, 0.11][place], 0);
  for (let step = 1; step <= 20; step += 1) assert.ok(brightness(step / 20) < brightness((step - 1) / 20), `${step}`);
});

test("the scale spans the marked moves with a minimum range", () => {
  const two = { players: 2, scores: [-1, 1] };
  const entry = (value, visits = 100, bound = null) => ({ move: "", visits, value, bound });
  const near = (scale, low, high) =>
    assert.ok(Math.abs(scale.low - low) < 1e-9 && Math.abs(scale.high - high) < 1e-9, JSON.stringify(scale));
  near(scaleOf([entry(-0.6), entry(0.2)], two), 0.2, 0.6);
  near(scaleOf([entry(0.1)], two), 0.53, 0.55);
  near(scaleOf([entry(-0.6), entry(0.2), entry(-1, 1)], two), 0.2, 0.6);
  near(scaleOf([entry(0.2, null), entry(-0.6, null), entry(0.9, null, "upper")], two), 0.2, 0.6);
  near(scaleOf([], two), 0, 1);
  // A hundred points of seventy thousand.
  near(scaleOf([entry(0.002), entry(0)], { players: 1, scores: [-20_000, 50_000] }), 0.5, 0.501);
  assert.equal(onScale(-1, { low: 0.2, high: 0.6 }), 0);
  assert.equal(onScale(1, { low: 0.2, high: 0.6 }), 1);
});

test("numbers are formatted briefly", () => {
  assert.deepEqual([0, 950, 9500, 12_400, 1_234_567, 98_765_432].map(count), [
    "0",
    "950",
    "9500",
    "12.4k",
    "1.23M",
    "98.8M",
  ]);
  assert.equal(proofNumbers({ proof: 0, disproof: "inf" }), "0 / ∞");
  assert.deepEqual([605, 59.9, 4.24, -1].map(clock), ["10:05", "0:59", "0:04.2", "0:00.0"]);
});

test("proven bounds are described", () => {
  const facts = { players: 2, scores: [-1, 1], draws: true };
  const text = (at_least, at_most, more = {}) => proven({ player: 0, at_least, at_most }, { ...facts, ...more });
  assert.equal(text(-1, 1), "");
  assert.equal(text(1, 1), "win");
  assert.equal(text(-1, -1), "loss");
  assert.equal(text(0, 0), "draw");
  assert.equal(text(0, 1), "at least a draw");
  assert.equal(text(0, 1, { draws: false }), "win");
  assert.equal(text(4, 4, { scores: [-64, 64] }), "win, score 4");
  assert.equal(text(3, 7, { players: 3, scores: [0, 16] }), "score 3..7");
  assert.equal(text(0.5, 74.5, { scores: [-87.5, 74.5] }), "win");
  assert.equal(text(6.5, 6.5, { scores: [-87.5, 74.5] }), "win, score 6.5");
  assert.equal(text(20, 64, { scores: [0, 64] }), "score ≥ 20");
  assert.equal(text(20, 64, { players: 1, scores: [0, 64] }), "≥ 20 points");
});

test("at most ten moves are marked, and none with an upper bound only", () => {
  const entry = (value, bound = null) => ({ move: "", visits: null, value, bound });
  const moves = [entry(0.3), entry(0.5, "upper"), entry(null), ...Array.from({ length: 20 }, () => entry(0.1))];
  assert.equal(marked(moves).length, 10);
  assert.deepEqual(marked(moves).slice(0, 2), [moves[0], moves[3]]);
});

test("values of a single player are points", () => {
  const alone = { players: 1, scores: [-1000, 3000], draws: false };
  assert.equal(valueText(0, alone), "1000");
  assert.equal(spreadText(0.01, alone), "20");
  assert.equal(valueText(-0.5, { players: 1, scores: [0, 10], draws: false }), "2.5");
  assert.equal(valueText(0.25, { players: 2, scores: [-1, 1], draws: true }), "62.5%");
});

test("a move without visits is described by its depth and its bound", () => {
  const facts = { players: 2, scores: [-1, 1], draws: true };
  const bounds = { player: 0, at_least: -1, at_most: 1 };
  const entry = { move: "b2", visits: null, depth: 7, bound: "upper", value: 0.1, spread: null, proof_numbers: null };
  assert.equal(describeMove({ ...entry, bounds }, facts), "b2: ≤ 55.0% · depth 7");
});

/** A state as far as the URL depends on it. */
const stateOf = (fields) => ({
  game: "hex:5,swap",
  start: "start",
  moves: [],
  ply: 0,
  clocks: null,
  seats: [{ kind: "person" }, { kind: "engine", player: "mcts:c=1,solver", limits: { time: 0.5 } }],
  ...fields,
});

test("a game survives the way through the URL", () => {
  const read = (fields, clock = null) => readGame(writeGame("?token=secret", stateOf(fields), clock));
  assert.deepEqual(read({ moves: ["a1", "C*b3", "a4-b5+"], ply: 2 }), {
    game: "hex:5,swap",
    position: "start",
    moves: ["a1", "C*b3", "a4-b5+"],
    ply: 2,
    players: ["person", "mcts:c=1,solver"],
    seconds: ["0.5"],
    clock: null,
    problems: [],
  });
  assert.equal(read({ start: "x..o/+ 1 & =" }).position, "x..o/+ 1 & =");
  assert.deepEqual(read({ clocks: [1, 2] }, { seconds: 90, increment: 2.5 }).clock, { seconds: 90, increment: 2.5 });
  const engine = (time) => ({ kind: "engine", player: "auto", limits: { time } });
  assert.deepEqual(read({ seats: [engine(1), { kind: "person" }, engine(2)] }).seconds, ["1", "", "2"]);
  assert.match(writeGame("?token=secret&moves=a1", stateOf({}), null), /^\?token=secret&game=hex:5,swap&player=/);
});

test("bad numbers in the URL are reported and ignored", () => {
  const { ply, seconds, clock, problems } = readGame("?ply=-1&seconds=soon&clock=x");
  assert.deepEqual([ply, seconds, clock], [null, [""], null]);
  assert.equal(problems.length, 3);
  assert.match(problems[0], /ply=-1.*whole number|seconds=soon/);
});

test("a zoom shows the stones of a corner up to the edges, and a crowded board whole", () => {
  /** @type {[number, number, number, number]} */
  const whole = [-50, -50, 2000, 2000];
  const place = (column, row) => ({ x: column * 100 + 50, y: row * 100 + 50 });
  assert.deepEqual(boxAround([place(1, 17), place(4, 18)], whole), [-50, 1490, 760, 460]);
  assert.deepEqual(boxAround([place(9, 9)], whole), [690, 690, 520, 520]);
  assert.equal(boxAround([place(1, 1), place(17, 17)], whole), null);
  assert.equal(boxAround([], whole), null);
});
