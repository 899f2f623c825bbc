/** The modules that need no browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../../assets/connection.js";
import { heat, onScale, scaleOf } from "../../assets/heat.js";
import { parse, print } from "../../assets/spec.js";
import { clock, count, proofNumbers, proved } from "../../assets/words.js";

const option = (key) => ({ key, accepted: "", default: "", meaning: "" });

test("specs are printed as they are read", () => {
  const options = ["size", "komi", "swap"].map(option);
  for (const spec of ["go", "go:9", "go:9x7,komi=6.5", "hex:5,swap", "hex:swap", "root:[mcts:fpu=1,solver],[mcts:fpu=inf],vote=sum", "synthetic:tree='(1 (-1 0))'", "a:b='x, y'"]) {
    assert.equal(print(parse(spec, options)), spec);
  }
});

test("a bare size is told from a switch by what the game knows", () => {
  assert.deepEqual([...parse("hex:5,swap", [option("size"), option("swap")]).items], [["size", "5"], ["swap", true]]);
  assert.deepEqual([...parse("mcts:solver", [option("solver")]).items], [["solver", true]]);
});

/** A socket that a test speaks through. */
class FakeSocket {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  send(text) {
    this.sent.push(JSON.parse(text));
  }
}

/** A connection on a fake socket, with frames that are drawn when the test says so. */
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
  return { connection, frames, socket: () => socket, receive: (message) => socket.onmessage({ data: JSON.stringify(message) }) };
}

test("of a stream of thoughts only the newest is drawn, once in a frame", () => {
  const { connection, frames, receive } = connected();
  const seen = [];
  connection.on("thinking", (event) => seen.push(event.number));
  for (let number = 0; number < 1000; number += 1) receive({ event: "thinking", number });
  assert.equal(frames.length, 1);
  frames.pop()();
  assert.deepEqual(seen, [999]);
});

test("nothing of a stream is told after its end", () => {
  const { connection, frames, receive } = connected();
  const seen = [];
  for (const event of ["thinking", "thought"]) connection.on(event, () => seen.push(event));
  receive({ event: "thinking" });
  receive({ event: "thought" });
  for (const draw of frames) draw();
  assert.deepEqual(seen, ["thought"]);
});

test("answers find their questions in any order, and errors are errors", async () => {
  const { connection, receive, socket } = connected();
  const [first, second] = [connection.ask("play", { move: "a1" }), connection.ask("undo")];
  assert.deepEqual(socket().sent, [{ id: 1, do: "play", move: "a1" }, { id: 2, do: "undo" }]);
  receive({ id: 2, ok: { fine: true } });
  receive({ id: 1, error: "a1 is taken" });
  assert.deepEqual(await second, { fine: true });
  await assert.rejects(first, /a1 is taken/);
});

test("colours grow brighter with the win rate", () => {
  const bright = (share) => heat(share).match(/\d+/g).map(Number).reduce((sum, part, place) => sum + part * [0.3, 0.59, 0.11][place], 0);
  for (let step = 1; step <= 20; step += 1) assert.ok(bright(step / 20) > bright((step - 1) / 20), `${step}`);
});

test("colours stretch from the worst to the best move, but not over mere chance", () => {
  const entry = (value, visits = 100) => ({ move: "", visits, value });
  const near = (scale, low, high) => assert.ok(Math.abs(scale.low - low) < 1e-9 && Math.abs(scale.high - high) < 1e-9, JSON.stringify(scale));
  near(scaleOf([entry(-0.6), entry(0.2)]), 0.2, 0.6);
  near(scaleOf([entry(0.1)]), 0.5, 0.6);
  near(scaleOf([entry(-0.6), entry(0.2), entry(-1, 1)]), 0.2, 0.6);
  near(scaleOf([]), 0, 1);
  assert.equal(onScale(-1, { low: 0.2, high: 0.6 }), 0);
  assert.equal(onScale(1, { low: 0.2, high: 0.6 }), 1);
});

test("numbers are told in few letters", () => {
  assert.deepEqual([0, 950, 9500, 12_400, 1_234_567, 98_765_432].map(count), ["0", "950", "9500", "12.4k", "1.23M", "98.8M"]);
  assert.equal(proofNumbers({ proof: 0, disproof: "inf" }), "0 / ∞");
  assert.deepEqual([605, 59.9, 4.24, -1].map(clock), ["10:05", "0:59", "0:04.2", "0:00.0"]);
});

test("what is proved is told in the words of the command line", () => {
  const facts = { players: 2, scores: [-1, 1], draws: true };
  const said = (at_least, at_most, more = {}) => proved({ player: 0, at_least, at_most }, { ...facts, ...more });
  assert.equal(said(-1, 1), "");
  assert.equal(said(1, 1), "win");
  assert.equal(said(-1, -1), "loss");
  assert.equal(said(0, 0), "draw");
  assert.equal(said(0, 1), "at least a draw");
  assert.equal(said(0, 1, { draws: false }), "win");
  assert.equal(said(4, 4, { scores: [-64, 64] }), "win, score 4");
  assert.equal(said(3, 7, { players: 3, scores: [0, 16] }), "score 3..7");
});
