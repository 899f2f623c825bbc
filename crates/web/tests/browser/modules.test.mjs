/** Tests of the modules that need no browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../../assets/connection.js";
import { heat, onScale, scaleOf } from "../../assets/heat.js";
import { parse, print } from "../../assets/spec.js";
import { clock, count, proofNumbers, proven } from "../../assets/words.js";

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

test("brightness increases with the win rate", () => {
  const brightness = (share) =>
    heat(share)
      .match(/\d+/g)
      .map(Number)
      .reduce((sum, part, place) => sum + part * [0.3, 0.59, 0.11][place], 0);
  for (let step = 1; step <= 20; step += 1) assert.ok(brightness(step / 20) > brightness((step - 1) / 20), `${step}`);
});

test("the scale spans the worst to the best move with a minimum range", () => {
  const entry = (value, visits = 100) => ({ move: "", visits, value });
  const near = (scale, low, high) =>
    assert.ok(Math.abs(scale.low - low) < 1e-9 && Math.abs(scale.high - high) < 1e-9, JSON.stringify(scale));
  near(scaleOf([entry(-0.6), entry(0.2)]), 0.2, 0.6);
  near(scaleOf([entry(0.1)]), 0.5, 0.6);
  near(scaleOf([entry(-0.6), entry(0.2), entry(-1, 1)]), 0.2, 0.6);
  near(scaleOf([]), 0, 1);
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

test("proven bounds are worded as on the command line", () => {
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
});
