/** The tabs beside the board: one panel is open at a time. */

/** @import { State } from "./protocol.js" */
/** @import { Panel } from "./studio.js" */
import { button, byId, set } from "./dom.js";

export class Tabs {
  /** The open panel. @type {Panel | null} */
  open = null;
  /** @type {HTMLButtonElement[]} */
  #tabs;

  /** @param {Panel[]} panels @param {(panel: Panel) => void} opened called when a panel is opened */
  constructor(panels, opened) {
    this.panels = panels;
    this.opened = opened;
    this.#tabs = panels.map((panel, index) => this.#tab(panel, index));
    byId("tabs").append(...this.#tabs);
    for (const { key, element } of panels) {
      set(element, { role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, class: "view" });
      byId("panels").append(element);
    }
  }

  /** Opens a panel. @param {Panel} panel */
  choose(panel) {
    if (panel === this.open) return;
    this.open?.left?.();
    this.open = panel;
    for (const [index, other] of this.panels.entries()) {
      other.element.hidden = other !== panel;
      set(this.#tabs[index], { "aria-selected": String(other === panel), tabindex: other === panel ? 0 : -1 });
    }
    history.replaceState(null, "", `#${panel.key}`);
    this.opened(panel);
  }

  /** Offers the panels that suit a game; Play opens if the open one does not. @param {State} state */
  offer(state) {
    for (const [index, panel] of this.panels.entries()) {
      this.#tabs[index].hidden = !(panel.suits?.(state) ?? true);
      if (this.#tabs[index].hidden && panel === this.open) this.choose(this.panels[0]);
    }
  }

  /** Whether a panel is offered. @param {Panel} panel */
  offers(panel) {
    return !this.#tabs[this.panels.indexOf(panel)].hidden;
  }

  /** @param {Panel} panel @param {number} index */
  #tab(panel, index) {
    const attributes = { role: "tab", id: `tab-${panel.key}`, "aria-controls": `panel-${panel.key}` };
    const tab = button(panel.title, () => this.choose(panel), attributes);
    tab.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      let next = index;
      do next = (next + step + this.panels.length) % this.panels.length;
      while (this.#tabs[next].hidden);
      this.choose(this.panels[next]);
      this.#tabs[next].focus();
    });
    return tab;
  }
}
