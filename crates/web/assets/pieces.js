/** What the pieces of each game look like. */

/** @import { Piece } from "./protocol.js" */
import { s } from "./dom.js";

/**
 * The look of a game: its board, its pieces, the tones of its players, and what a click on a cell may stand for.
 * @typedef {object} Look
 * @property {"plain" | "points" | "chequer" | "felt" | "holes" | "tiles"} board
 * @property {"stone" | "disc" | "mark" | "ball" | "pawn" | "knight" | "shogi" | "tile" | "seeds" | "words"} piece
 * @property {string[]} tones
 * @property {"column" | "group"} [reach] a click counts for the move in its column, or for the move of its group
 */

const BLACK_FIRST = ["black", "white"];
const WHITE_FIRST = ["white", "black"];
const FOUR = ["red", "yellow", "green", "blue"];

/** @type {Record<string, Look>} */
const LOOKS = {
  tictactoe: { board: "plain", piece: "mark", tones: ["blue", "red"] },
  connect4: { board: "holes", piece: "disc", tones: ["red", "yellow"], reach: "column" },
  breakthrough: { board: "chequer", piece: "pawn", tones: WHITE_FIRST },
  knightthrough: { board: "chequer", piece: "knight", tones: WHITE_FIRST },
  othello: { board: "felt", piece: "disc", tones: BLACK_FIRST },
  rolit: { board: "plain", piece: "ball", tones: FOUR },
  lion: { board: "plain", piece: "shogi", tones: ["sente", "gote"] },
  minishogi: { board: "plain", piece: "shogi", tones: ["sente", "gote"] },
  loa: { board: "chequer", piece: "disc", tones: BLACK_FIRST },
  gomoku: { board: "points", piece: "stone", tones: BLACK_FIRST },
  awari: { board: "plain", piece: "seeds", tones: ["blue", "red"] },
  hex: { board: "plain", piece: "stone", tones: BLACK_FIRST },
  go: { board: "points", piece: "stone", tones: BLACK_FIRST },
  samegame: { board: "tiles", piece: "tile", tones: ["blue"], reach: "group" },
  bubblebreaker: { board: "tiles", piece: "tile", tones: ["blue"], reach: "group" },
  clickomania: { board: "tiles", piece: "tile", tones: ["blue"], reach: "group" },
  synthetic: { board: "plain", piece: "words", tones: ["blue", "red", "green", "yellow"] },
};

/** A game that is not known here is drawn with discs. @type {Look} */
const OTHER = { board: "plain", piece: "disc", tones: ["black", "white", "red", "blue"] };

/** @param {string} game a spec @returns {Look} */
export function lookOf(game) {
  return LOOKS[game.split(":")[0]] ?? OTHER;
}

/** Where the animals may step, as columns and rows from them: dots on the pieces, as on those of wood. @type {Record<string, number[][]>} */
const STEPS = {
  C: [[0, -1]],
  G: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  E: [[1, -1], [1, 1], [-1, 1], [-1, -1]],
  L: [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]],
  R: [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 0], [-1, -1]],
};

/** What the letters of shogi pieces stand for. @type {Record<string, Record<string, string>>} */
const NAMES = {
  lion: { C: "Chick", G: "Giraffe", E: "Elephant", L: "Lion", R: "Hen" },
  minishogi: {
    P: "Pawn", S: "Silver", G: "Gold", B: "Bishop", R: "Rook", K: "King",
    "+P": "Tokin", "+S": "promoted Silver", "+B": "Horse", "+R": "Dragon",
  },
};

/**
 * A piece in words.
 * @param {string} game
 * @param {Piece} piece
 * @param {string[]} players
 */
export function pieceName(game, piece, players) {
  const look = lookOf(game);
  const owner = piece.owner === null ? "" : (players[piece.owner] ?? `player ${piece.owner + 1}`);
  if (look.piece === "seeds") return `${piece.symbol} seeds`;
  if (look.piece === "tile") return `tile ${piece.symbol}`;
  const kind = NAMES[game.split(":")[0]]?.[piece.symbol.toUpperCase()];
  if (kind) return `${owner} ${kind}`;
  return owner || piece.symbol;
}

/**
 * Draws a piece around (0, 0), for a cell 100 units wide.
 * @param {string} game
 * @param {Piece} piece
 * @param {boolean} flipped
 * @returns {SVGGElement}
 */
export function drawPiece(game, piece, flipped) {
  const look = lookOf(game);
  const tone = piece.owner === null ? "none" : look.tones[piece.owner] ?? "none";
  const group = (/** @type {SVGElement[]} */ ...parts) => s("g", { class: `piece ${look.piece} tone-${tone}` }, ...parts);
  switch (look.piece) {
    case "stone":
      return group(s("circle", { class: "body", r: 44 }), s("ellipse", { class: "shine", cx: -13, cy: -16, rx: 15, ry: 10 }));
    case "disc":
      return group(s("circle", { class: "body", r: 40 }), s("circle", { class: "rim", r: 31 }));
    case "ball":
      return group(s("circle", { class: "body", r: 40 }), s("ellipse", { class: "shine", cx: -12, cy: -15, rx: 13, ry: 9 }),
        s("text", { class: "letter small" }, piece.symbol));
    case "mark":
      return piece.symbol === "X"
        ? group(s("path", { class: "stroke", d: "M-27-27L27 27M27-27L-27 27" }))
        : group(s("circle", { class: "stroke", r: 28 }));
    case "pawn":
      return group(s("path", { class: "body", d: "M0-36a16 16 0 0 1 10 28.5C13 4 17 14 20 19H-20C-17 14-13 4-10-7.5A16 16 0 0 1 0-36ZM-27 36q0-13 9-13H18q9 0 9 13Z" }));
    case "knight":
      return group(s("path", { class: "body", d: "M-22 36H26Q28 6 16-14 6-32-10-34L-8-24Q-20-18-28 2q-3 9 5 11 6 1 12-7 9 2 12-3 2 12-8 18-13 8-15 15Z" }),
        s("circle", { class: "eye", cx: -9, cy: -14, r: 3.5 }));
    case "shogi":
      return shogi(piece, flipped, game.startsWith("lion") ? STEPS : {}, group);
    case "tile":
      return s("g", { class: `piece tile tile-${piece.symbol}` },
        s("rect", { class: "body", x: -46, y: -46, width: 92, height: 92, rx: 14 }),
        s("text", { class: "letter" }, piece.symbol));
    case "seeds":
      return group(...seeds(Number(piece.symbol)), s("text", { class: "letter" }, piece.symbol));
    case "words":
      return group(s("text", { class: "entry-words", x: 240 }, piece.symbol));
  }
}

/**
 * @param {Piece} piece
 * @param {boolean} flipped
 * @param {Record<string, number[][]>} known where pieces may step, by letter
 * @param {(...parts: SVGElement[]) => SVGGElement} group
 */
function shogi(piece, flipped, known, group) {
  const turned = (piece.owner === 1) !== flipped;
  const promoted = piece.symbol.startsWith("+");
  const letter = piece.symbol.replace("+", "").toUpperCase();
  const dots = (known[letter] ?? []).map(([x, y]) => s("circle", { class: "step", cx: x * 23, cy: y * 28 + 5, r: 4 }));
  const body = s("g", { transform: turned ? "rotate(180)" : null },
    s("path", { class: "body", d: "M0-44L28-33 38 42H-38L-28-33Z" }), ...dots);
  return group(body, s("text", { class: promoted ? "letter promoted" : "letter", y: turned ? -4 : 6 }, piece.symbol.toUpperCase()));
}

/** Seeds in a spiral, as many as one can tell apart. @param {number} many */
function seeds(many) {
  const shown = Math.min(many, 24);
  return Array.from({ length: shown }, (_, number) => {
    const radius = 42 * Math.sqrt((number + 0.5) / Math.max(shown, 6));
    const angle = number * 2.39996;
    return s("circle", { class: "seed", cx: (radius * Math.cos(angle)).toFixed(1), cy: (radius * Math.sin(angle)).toFixed(1), r: 8 });
  });
}
