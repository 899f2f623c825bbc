/** Draws the pieces in the styles that games declare. */

/** @import { Look, Piece } from "./protocol.js" */
import { ANIMALS } from "./animals.js";
import { s } from "./dom.js";

/**
 * The steps of the animals as columns and rows: dots on the pieces, as on wooden ones.
 * @type {Record<string, number[][]>}
 */
const STEPS = {
  C: [[0, -1]],
  G: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  E: [[1, -1], [1, 1], [-1, 1], [-1, -1]],
  L: [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]],
  R: [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 0], [-1, -1]],
};

/** Whether a piece stands for a point that cannot be played. @param {Piece} piece */
export function isBlank(piece) {
  return piece.owner === null && piece.symbol.trim() === "";
}

/**
 * The name of a piece for screen readers.
 * @param {Look} look
 * @param {Piece} piece
 * @param {string[]} players
 */
export function pieceName(look, piece, players) {
  const owner = piece.owner === null ? "" : (players[piece.owner] ?? `player ${piece.owner + 1}`);
  if (look.piece === "seeds") return `${piece.symbol} seeds`;
  if (look.piece === "tile") return `tile ${piece.symbol}`;
  if (isBlank(piece)) return "not playable";
  const kind = look.names[piece.symbol.toUpperCase()];
  if (kind) return `${owner} ${kind}`;
  return owner || piece.symbol;
}

/**
 * Draws a piece around (0, 0), for a cell 100 units wide.
 * @param {Look} look
 * @param {Piece} piece
 * @param {boolean} flipped
 * @returns {SVGGElement}
 */
export function drawPiece(look, piece, flipped) {
  const tone = piece.owner === null ? "none" : (look.tones[piece.owner] ?? "none");
  const group = (/** @type {SVGElement[]} */ ...parts) =>
    s("g", { class: `piece ${look.piece} tone-${tone}` }, ...parts);
  if (isBlank(piece)) return s("g", { class: "veil" }, s("rect", { x: -50, y: -50, width: 100, height: 100 }));
  switch (look.piece) {
    case "stone":
      return group(drop(48), s("circle", { class: "body", r: 44 }), s("circle", { class: "shine", r: 44 }));
    case "disc":
      return group(
        drop(46),
        s("circle", { class: "body", r: 42 }),
        s("circle", { class: "bevel", r: 42 }),
        s("circle", { class: "face", r: 32 }),
        s("circle", { class: "dish", r: 32 }),
      );
    case "point":
      return group(s("circle", { class: "body", r: 17 }));
    case "ball":
      return group(
        drop(45),
        s("circle", { class: "body", r: 41 }),
        s("circle", { class: "shine", r: 41 }),
        s("text", { class: "letter small" }, piece.symbol),
      );
    case "mark":
      return piece.symbol === "X"
        ? group(s("path", { class: "stroke", d: "M-27-27L27 27M27-27L-27 27" }))
        : group(s("circle", { class: "stroke", r: 28 }));
    case "pawn":
      return carved(PAWN, group);
    case "knight":
      return carved(KNIGHT, group, s("circle", { class: "eye", cx: -9, cy: -14, r: 3.5 }));
    case "shogi":
    case "animals":
      return shogi(piece, flipped, look.piece === "animals", group);
    case "tile":
      return s(
        "g",
        { class: `piece tile tile-${piece.symbol}` },
        tile("body"),
        tile("bevel"),
        s("path", { class: "sign", d: SIGNS[Number(piece.symbol)] ?? "" }),
      );
    case "seeds":
      // The count is shown between the two rows of pits.
      return group(
        ...seeds(Number(piece.symbol)),
        s("text", { class: "count", y: (piece.owner === 0) === flipped ? 73 : -73 }, piece.symbol),
      );
    case "text":
      return group(s("text", { class: "entry-words", x: 240 }, piece.symbol));
  }
}

const PAWN =
  "M0-39A15 15 0 0 1 10-13H15A3.5 3.5 0 0 1 15-6H9C10 8 15 16 22 22 27 26 29 30 29 36H-29C-29 30-27 26-22 22-15 16-10 8-9-6H-15A3.5 3.5 0 0 1-15-13H-10A15 15 0 0 1 0-39Z";
const KNIGHT = "M-22 36H26Q28 6 16-14 6-32-10-34L-8-24Q-20-18-28 2q-3 9 5 11 6 1 12-7 9 2 12-3 2 12-8 18-13 8-15 15Z";

/** The signs on tiles by colour (disc, diamond, ...), so that colour is not the only cue. */
const SIGNS = [
  "M15 0A15 15 0 1 1-15 0A15 15 0 1 1 15 0Z",
  "M0-19L19 0 0 19-19 0Z",
  "M0-18L18 14H-18Z",
  "M-14-14H14V14H-14Z",
  "M0-20L5-6 20-6 8 3 12 17 0 8-12 17-8 3-20-6-5-6Z",
  "M-6-17H6V-6H17V6H6V17H-6V6H-17V-6H-6Z",
  "M6-17A17 17 0 1 0 6 17 13 13 0 1 1 6-17Z",
  "M9-16L18 0 9 16H-9L-18 0-9-16Z",
  "M-16-9L-9-16 0-7 9-16 16-9 7 0 16 9 9 16 0 7-9 16-16 9-7 0Z",
  "M-16-12H16V-4H-16ZM-16 4H16V12H-16Z",
];

/** The shadow under a round piece. @param {number} r */
function drop(r) {
  return s("circle", { class: "drop", cx: 3, cy: 6, r });
}

/** @param {string} name */
function tile(name) {
  return s("rect", { class: name, x: -46, y: -46, width: 92, height: 92, rx: 16 });
}

/**
 * @param {string} d
 * @param {(...parts: SVGElement[]) => SVGGElement} group
 * @param {...SVGElement} more
 */
function carved(d, group, ...more) {
  return group(
    s("ellipse", { class: "drop", cx: 3, cy: 35, rx: 40, ry: 12 }),
    s("path", { class: "body", d }),
    s("path", { class: "shine", d }),
    ...more,
  );
}

const WEDGE = "M0-45Q3-45 27-35 31-33 32-29L40 38Q40 43 35 43H-35Q-40 43-40 38L-32-29Q-31-33-27-35-3-45 0-45Z";

/**
 * @param {Piece} piece
 * @param {boolean} flipped
 * @param {boolean} animals
 * @param {(...parts: SVGElement[]) => SVGGElement} group
 */
function shogi(piece, flipped, animals, group) {
  const turned = (piece.owner === 1) !== flipped;
  const promoted = piece.symbol.startsWith("+");
  const letter = piece.symbol.replace("+", "").toUpperCase();
  const wood = ["body", "grain", "bevel"].map((name) => s("path", { class: name, d: WEDGE }));
  const dots = animals
    ? (STEPS[letter] ?? []).map(([x, y]) =>
        s("circle", { class: "step", cx: x * (y > 0 ? 30 : y < 0 ? 22 : 31), cy: y < 0 ? -32 : y * 35, r: 3.4 }),
      )
    : [];
  const picture = animals && ANIMALS[letter] ? [s("g", { transform: "translate(0 2)" }, ...ANIMALS[letter]())] : [];
  const turn = { transform: turned ? "rotate(180)" : null };
  const name = picture.length
    ? []
    : [s("text", { class: promoted ? "letter promoted" : "letter", y: turned ? -4 : 6 }, piece.symbol.toUpperCase())];
  return group(
    s("g", { transform: "translate(3 6)" }, s("path", { class: "cast", d: WEDGE, ...turn })),
    s("g", turn, ...wood, ...dots, ...picture),
    ...name,
  );
}

/** Seeds in a spiral, up to the number that can be told apart. @param {number} count */
function seeds(count) {
  const shown = Math.min(count, 24);
  return Array.from({ length: shown }, (_, number) => {
    const radius = shown === 1 ? 0 : 41 * Math.sqrt((number + 0.5) / Math.max(shown, 7));
    const angle = number * 2.39996;
    const at = { cx: (radius * Math.cos(angle)).toFixed(1), cy: (radius * Math.sin(angle)).toFixed(1), r: 10 };
    return s("g", {}, s("circle", { class: "seed", ...at }), s("circle", { class: "shine", ...at }));
  });
}
