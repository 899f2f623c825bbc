/** Parses specs, `NAME[:item,item,...]`, and builds forms for the options of a game or search. */

/** @import { OptionInfo } from "./protocol.js" */
import { h } from "./dom.js";

/**
 * The name of a spec and its items by key: a switch has the value true, a bare size the key `size`.
 * @typedef {{ name: string, items: Map<string, string | true> }} Spec
 */

/**
 * Splits at commas outside of quotes and brackets.
 * @param {string} text
 */
function split(text) {
  const items = [];
  let depth = 0;
  let quoted = false;
  let item = "";
  for (const letter of text) {
    if (letter === "'") quoted = !quoted;
    if (!quoted && letter === "[") depth += 1;
    if (!quoted && letter === "]") depth -= 1;
    if (letter === "," && !quoted && depth === 0) {
      items.push(item);
      item = "";
    } else {
      item += letter;
    }
  }
  if (item) items.push(item);
  return items;
}

/**
 * @param {string} text
 * @param {OptionInfo[]} options
 * @returns {Spec}
 */
export function parse(text, options) {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  const known = new Set(options.map((option) => option.key));
  const items = new Map();
  for (const [place, item] of split(colon < 0 ? "" : text.slice(colon + 1)).entries()) {
    const equals = item.startsWith("[") ? -1 : item.indexOf("=");
    if (equals > 0) items.set(item.slice(0, equals), item.slice(equals + 1).replace(/^'(.*)'$/, "$1"));
    else if (item.startsWith("[")) items.set("[SPEC]", [items.get("[SPEC]"), item].filter(Boolean).join(","));
    else if (place === 0 && known.has("size") && !known.has(item)) items.set("size", item);
    else items.set(item, true);
  }
  return { name, items };
}

/** @param {Spec} spec */
export function print({ name, items }) {
  const texts = [];
  for (const [key, value] of items) {
    if (key === "[SPEC]") texts.push(value);
    else if (key === "size") texts.unshift(value);
    else if (value === true) texts.push(key);
    else texts.push(`${key}=${/[,' ]/.test(value) ? `'${value}'` : value}`);
  }
  return texts.length ? `${name}:${texts.join(",")}` : name;
}

/**
 * A control for one option: reads its value (null for the default) and sets it.
 * @typedef {{ element: HTMLElement, read: () => string | true | null, write: (value: string | true | null) => void }} Control
 */

/** @param {OptionInfo} option @returns {Control} */
function control(option) {
  const { accepted, key } = option;
  if (accepted === "on/off switch") return switchControl();
  const optional = accepted.match(/^optional .*\((.*?) if omitted\)/);
  if (optional) return optionalControl(optional[1]);
  const board = accepted.match(/^columns x rows from (\d+)x(\d+) to (\d+)x(\d+)$/);
  if (board) return sizeControl(board.slice(1).map(Number), option.default);
  const number = accepted.match(/^a (whole number|number|multiple of ([\d.]+)) from (-?[\d.]+) to (-?[\d.]+)$/);
  if (number && number[4].length < 12) {
    const step = number[2] ?? (number[1] === "whole number" ? "1" : "any");
    return textControl({ type: "number", step, min: number[3], max: number[4], placeholder: option.default });
  }
  if (/^[\w+-]+(, [\w+-]+)+$/.test(accepted)) return choiceControl(accepted.split(", "), option.default);
  return textControl({
    type: "text",
    placeholder: option.default === "none" ? accepted : option.default,
    "aria-label": key,
  });
}

/** @returns {Control} */
function switchControl() {
  const box = h("input", { type: "checkbox" });
  return { element: box, read: () => (box.checked ? true : null), write: (value) => (box.checked = value !== null) };
}

/** @param {string} omitted the value if the number is omitted @returns {Control} */
function optionalControl(omitted) {
  const box = h("input", { type: "checkbox" });
  const input = h("input", {
    type: "number",
    step: "any",
    placeholder: omitted,
    "aria-label": `value, ${omitted} if empty`,
  });
  input.addEventListener("input", () => (box.checked = box.checked || input.value !== ""));
  return {
    element: h("span", { class: "pair" }, box, input),
    read: () => (box.checked ? input.value || true : null),
    write: (value) => {
      box.checked = value !== null;
      input.value = typeof value === "string" ? value : "";
    },
  };
}

/**
 * @param {number[]} range the least columns and rows, the most columns and rows
 * @param {string} standard the default size
 * @returns {Control}
 */
function sizeControl([leastColumns, leastRows, mostColumns, mostRows], standard) {
  const [columns, rows] = standard.split("x");
  const across = h("input", {
    type: "number",
    min: leastColumns,
    max: mostColumns,
    placeholder: columns,
    "aria-label": "columns",
  });
  const down = h("input", { type: "number", min: leastRows, max: mostRows, placeholder: rows, "aria-label": "rows" });
  // Most boards are square: the rows follow the columns until they are edited.
  let edited = false;
  across.addEventListener("input", () => {
    if (!edited && across.valueAsNumber >= leastRows && across.valueAsNumber <= mostRows) down.value = across.value;
  });
  down.addEventListener("input", () => (edited = true));
  return {
    element: h("span", { class: "pair" }, across, "×", down),
    read: () => {
      const size = [across.value || columns, down.value || rows];
      if (size[0] === columns && size[1] === rows) return null;
      return size[0] === size[1] ? size[0] : size.join("x");
    },
    write: (value) => {
      const size = typeof value === "string" ? value.split("x") : ["", ""];
      across.value = size[0];
      down.value = size[1] ?? size[0];
      edited = size.length > 1 && size[0] !== size[1];
    },
  };
}

/** @param {string[]} choices @param {string} standard @returns {Control} */
function choiceControl(choices, standard) {
  const select = h("select", {}, ...choices.map((choice) => h("option", { value: choice }, choice)));
  select.value = standard;
  return {
    element: select,
    read: () => (select.value === standard ? null : select.value),
    write: (value) => (select.value = typeof value === "string" ? value : standard),
  };
}

/** @param {Record<string, string>} attributes @returns {Control} */
function textControl(attributes) {
  const input = h("input", attributes);
  return {
    element: input,
    read: () => input.value.trim() || null,
    write: (value) => (input.value = typeof value === "string" ? value : ""),
  };
}

/** A form for the options of one game or search. */
export class OptionForm {
  element = h("div", { class: "options" });
  /** @type {Map<string, Control>} */
  #controls = new Map();
  /** Items without a control are kept as they are. @type {Map<string, string | true>} */
  #others = new Map();

  /** @param {() => void} changed */
  constructor(changed) {
    this.element.addEventListener("input", changed);
  }

  /** @param {OptionInfo[]} options */
  offer(options) {
    this.#controls = new Map(options.map((option) => [option.key, control(option)]));
    this.#others = new Map();
    const fields = options.map((option) => {
      const made = this.#controls.get(option.key);
      if (!made) return [];
      const hint = `${option.accepted}; default ${option.default}`;
      const label = h("span", { class: "option-name" }, h("b", {}, option.key), ` ${option.meaning}`);
      return [h("label", { class: "field", title: hint }, label, made.element)];
    });
    this.element.replaceChildren(...fields.flat());
  }

  /** @returns {Map<string, string | true>} */
  read() {
    const items = new Map(this.#others);
    for (const [key, made] of this.#controls) {
      const value = made.read();
      if (value !== null) items.set(key, value);
    }
    return items;
  }

  /** @param {Map<string, string | true>} items */
  write(items) {
    for (const [key, made] of this.#controls) made.write(items.get(key) ?? null);
    this.#others = new Map([...items].filter(([key]) => !this.#controls.has(key)));
  }
}
