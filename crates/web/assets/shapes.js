/** The geometry of boards: cells, and the drawing under the pieces. A cell is 100 units wide. */

/** @import { Cell, Look, View } from "./protocol.js" */
import { s } from "./dom.js";

export const UNIT = 100;
const HALF = UNIT / 2;
/** The height of a row of hexagons. */
const HEX_ROW = (UNIT * Math.sqrt(3)) / 2;
const HEX_RADIUS = UNIT / Math.sqrt(3);
/** The width of the frame around a board, which holds the labels. */
const FRAME = 46;

/**
 * @typedef {{ x: number, y: number }} Point
 *
 * @typedef {object} Layout
 * @property {[number, number, number, number]} box the view box
 * @property {(cell: Cell) => Point} place the centre of a cell
 * @property {(cell: Cell) => SVGElement} outline the clickable shape, around (0, 0)
 * @property {SVGElement[]} under the drawing under the cells
 */

/**
 * @param {View} view
 * @param {Look} look
 * @param {boolean} flipped whether it is turned by 180 degrees
 * @returns {Layout}
 */
export function layout(view, look, flipped) {
  const columns = Math.max(0, ...view.cells.map((cell) => cell.column + 1));
  const rows = Math.max(0, ...view.cells.map((cell) => cell.row + 1));
  /** @param {Cell} cell @returns {[number, number]} */
  const at = (cell) => (flipped ? [columns - 1 - cell.column, rows - 1 - cell.row] : [cell.column, cell.row]);
  switch (view.shape) {
    case "hex":
      return hexagons(view, look, columns, rows, at);
    case "mancala":
      return pits(columns, rows, at);
    case "list":
      return list(view);
    default:
      return squares(view, look, columns, rows, at);
  }
}

/**
 * The letter and the number in the name of a cell.
 * @param {string} name
 */
function split(name) {
  const digit = name.search(/\d/);
  return digit < 0 ? [name, ""] : [name.slice(0, digit), name.slice(digit)];
}

/** @param {number} x @param {number} y @param {string} text */
function label(x, y, text) {
  return s("text", { class: "label", x, y, "aria-hidden": "true" }, text);
}

/** @param {View} view @returns {{ column: (cell: Cell) => string, row: (cell: Cell) => string }} */
function names(view) {
  return {
    column: (cell) => view.column_labels[cell.column] ?? split(cell.name)[0],
    row: (cell) => split(cell.name)[1],
  };
}

/**
 * @param {View} view
 * @param {Look} look
 * @param {number} columns
 * @param {number} rows
 * @param {(cell: Cell) => [number, number]} at
 * @returns {Layout}
 */
function squares(view, look, columns, rows, at) {
  const place = (/** @type {Cell} */ cell) => ({ x: at(cell)[0] * UNIT + HALF, y: at(cell)[1] * UNIT + HALF });
  const [width, height] = [columns * UNIT, rows * UNIT];
  const text = names(view);
  const labels = view.cells.flatMap((cell) => {
    const { x, y } = place(cell);
    return [
      at(cell)[1] === rows - 1 && label(x, height + FRAME / 2, text.column(cell)),
      at(cell)[0] === 0 && label(-FRAME / 2, y, text.row(cell)),
    ].filter((made) => made !== false);
  });
  const field = s("rect", { class: "ground", width, height });
  const lines = look.board === "points" ? gridLines(columns, rows) : [];
  return {
    box: [-FRAME - 6, -FRAME - 6, width + 2 * FRAME + 12, height + 2 * FRAME + 18],
    place,
    outline: (cell) => {
      const dark = look.board === "chequer" && (at(cell)[0] + at(cell)[1]) % 2 === 1;
      return look.board === "holes"
        ? s(
            "g",
            { class: "spot" },
            s("rect", { class: "holed", x: -HALF, y: -HALF, width: UNIT, height: UNIT }),
            s("circle", { class: "hole", r: 43 }),
            s("circle", { class: "well", r: 43 }),
          )
        : s("rect", { class: dark ? "spot dark" : "spot", x: -HALF, y: -HALF, width: UNIT, height: UNIT });
    },
    under: [...frame(-FRAME, -FRAME, width + 2 * FRAME, height + 2 * FRAME, 18), field, ...lines, ...labels],
  };
}

/**
 * The frame around a board, with its shadow.
 * @param {number} x @param {number} y @param {number} width @param {number} height @param {number} rx
 */
function frame(x, y, width, height, rx) {
  return [
    s("rect", { class: "shadow", x: x + 1, y: y + 7, width: width - 2, height, rx }),
    s("rect", { class: "frame", x, y, width, height, rx }),
    s("rect", { class: "grain", x, y, width, height, rx }),
    s("rect", { class: "light", x, y, width, height, rx }),
  ];
}

/** The grid of a board whose pieces stand on intersections. @param {number} columns @param {number} rows */
function gridLines(columns, rows) {
  let path = "";
  for (let x = 0; x < columns; x += 1) path += `M${x * UNIT + HALF} ${HALF}V${rows * UNIT - HALF}`;
  for (let y = 0; y < rows; y += 1) path += `M${HALF} ${y * UNIT + HALF}H${columns * UNIT - HALF}`;
  const marks = [];
  if (columns === rows && columns >= 9 && columns % 2 === 1) {
    const edge = columns >= 13 ? 3 : 2;
    const places = columns >= 15 ? [edge, (columns - 1) / 2, columns - 1 - edge] : [edge, columns - 1 - edge];
    for (const x of places) for (const y of places) marks.push([x, y]);
    if (columns < 15) marks.push([(columns - 1) / 2, (columns - 1) / 2]);
  }
  const stars = marks.map(([x, y]) => s("circle", { class: "star", cx: x * UNIT + HALF, cy: y * UNIT + HALF, r: 9 }));
  return [s("path", { class: "lines", d: path }), ...stars];
}

/** @param {number} corner */
function hexCorner(corner) {
  const angle = (Math.PI / 3) * corner - Math.PI / 2;
  return [HEX_RADIUS * Math.cos(angle), HEX_RADIUS * Math.sin(angle)];
}

const HEXAGON = [0, 1, 2, 3, 4, 5]
  .map((corner) =>
    hexCorner(corner)
      .map((part) => part.toFixed(2))
      .join(","),
  )
  .join(" ");

/** The centre of a hexagon. @param {number} column @param {number} row @returns {Point} */
function hexCentre(column, row) {
  return { x: column * UNIT + row * HALF + HALF, y: row * HEX_ROW + HEX_RADIUS };
}

/**
 * The outer border of the cells along a side. The edge at an acute corner belongs to both sides, one
 * half to each: at the end of the one, at the start of the other.
 * @param {[number, number][]} cells as columns and rows
 * @param {number[]} corners of each cell on the border
 * @param {boolean} acuteEnd whether the acute corner is at the end
 * @param {string} tone of the player who connects the side
 */
function hexSide(cells, corners, acuteEnd, tone) {
  const border = cells.flatMap(([column, row]) => {
    const { x, y } = hexCentre(column, row);
    return corners.map((corner) => [x + hexCorner(corner)[0], y + hexCorner(corner)[1]]);
  });
  const [cut, next] = acuteEnd ? [border.length - 1, border.length - 2] : [0, 1];
  border[cut] = border[cut].map((part, axis) => (part + border[next][axis]) / 2);
  const points = border.map((point) => point.map((part) => part.toFixed(1)).join(",")).join(" ");
  return [`side edge tone-${tone}`, `side tone-${tone}`].map((style) => s("polyline", { class: style, points }));
}

/** The four sides of a board of hexagons. @param {number} columns @param {number} rows @param {string[]} tones */
function hexSides(columns, rows, [first, second]) {
  /** @param {number} row @returns {[number, number][]} */
  const rowCells = (row) => Array.from({ length: columns }, (_, column) => [column, row]);
  /** @param {number} column @returns {[number, number][]} */
  const columnCells = (column) => Array.from({ length: rows }, (_, row) => [column, row]);
  return [
    hexSide(rowCells(0), [5, 0, 1], true, first),
    hexSide(rowCells(rows - 1), [4, 3, 2], false, first),
    hexSide(columnCells(0), [5, 4, 3], true, second),
    hexSide(columnCells(columns - 1), [0, 1, 2], false, second),
  ].flat();
}

/**
 * @param {View} view
 * @param {Look} look
 * @param {number} columns
 * @param {number} rows
 * @param {(cell: Cell) => [number, number]} at
 * @returns {Layout}
 */
function hexagons(view, look, columns, rows, at) {
  const place = (/** @type {Cell} */ cell) => hexCentre(...at(cell));
  const width = columns * UNIT + (rows - 1) * HALF;
  const height = (rows - 1) * HEX_ROW + 2 * HEX_RADIUS;
  const text = names(view);
  const labels = view.cells.flatMap((cell) => {
    const { x, y } = place(cell);
    return [
      at(cell)[1] === 0 && label(x - 24, y - HEX_RADIUS - 32, text.column(cell)),
      at(cell)[0] === 0 && label(x - HALF - 34, y, text.row(cell)),
    ].filter((made) => made !== false);
  });
  return {
    box: [-92, -62, width + 124, height + 92],
    place,
    outline: (cell) =>
      s("polygon", { class: (cell.column + cell.row * 2) % 3 === 0 ? "spot dark" : "spot", points: HEXAGON }),
    under: [...hexSides(columns, rows, look.tones), ...labels],
  };
}

/**
 * @param {number} columns
 * @param {number} rows
 * @param {(cell: Cell) => [number, number]} at
 * @returns {Layout}
 */
function pits(columns, rows, at) {
  const [step, rowStep] = [UNIT * 1.2, UNIT * 1.9];
  const place = (/** @type {Cell} */ cell) => ({
    x: at(cell)[0] * step + step / 2,
    y: at(cell)[1] * rowStep + step / 2,
  });
  const [width, height] = [columns * step, (rows - 1) * rowStep + step];
  return {
    box: [-46, -66, width + 92, height + 138],
    place,
    outline: (cell) => {
      const above = at(cell)[1] === 0;
      return s(
        "g",
        { class: "spot" },
        s("circle", { class: "pit", r: 54 }),
        s("circle", { class: "well", r: 54 }),
        label(0, above ? -76 : 76, cell.name),
      );
    },
    under: frame(-40, -60, width + 80, height + 120, 76),
  };
}

/** @param {View} view @returns {Layout} */
function list(view) {
  const [width, height] = [520, 64];
  const tall = Math.max(8, Math.ceil(view.cells.length / 3));
  const columns = Math.ceil(view.cells.length / tall);
  const index = new Map(view.cells.map((cell, number) => [cell.name, number]));
  const place = (/** @type {Cell} */ cell) => {
    const number = index.get(cell.name) ?? 0;
    return { x: Math.floor(number / tall) * (width + 20) + width / 2, y: (number % tall) * (height + 10) + height / 2 };
  };
  // A short list is not drawn larger than a long one.
  const [wide, high] = [columns * (width + 20), Math.min(tall, view.cells.length) * (height + 10) + 10];
  const margin = Math.max(0, (2 * (width + 20) - wide) / 2);
  return {
    box: [-10 - margin, -10, wide + 2 * margin, high],
    place,
    outline: (cell) =>
      s(
        "g",
        { class: "spot" },
        s("rect", { class: "entry", x: -width / 2, y: -height / 2, width, height, rx: 10 }),
        s("text", { class: "entry-name", x: -width / 2 + 20 }, cell.name),
      ),
    under: [],
  };
}
