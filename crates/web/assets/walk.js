/** A walk through a proof: the user chooses moves of the losing side, the proof replies. */

/** @import { State, WalkStep } from "./protocol.js" */
/** @import { Scene, Studio } from "./studio.js" */
import { button, h, set, write } from "./dom.js";

export class ProofWalk {
  /** The ID of the proof. @type {string | null} */
  #proof = null;
  #walking = false;
  /** The number of moves chosen so far. */
  #steps = 0;

  #status = h("p", { class: "headline", role: "status" });
  #line = h("p", { class: "variation" });
  #claim = h("select", { "aria-label": "claim", onchange: () => void this.#go({}) });
  #replies = h("div", { class: "replies", role: "group", "aria-label": "replies" });
  #hint = h("p", { class: "note" });
  #back = button("Back", () => void this.#go({ back: true }));

  /**
   * @param {Studio} studio
   * @param {(walking: boolean) => void} changed called when a walk starts or ends
   * @param {(state: State) => Partial<Scene>} [marks] what else to show at a position of the walk
   */
  constructor(studio, changed, marks = () => ({})) {
    this.studio = studio;
    this.changed = changed;
    this.marks = marks;
    const leave = button("Back to the game", () => this.end());
    this.element = h(
      "section",
      { class: "walk", hidden: true },
      h("h2", {}, "Walk through the proof"),
      this.#claim,
      h("div", { class: "card" }, this.#status, this.#line),
      this.#hint,
      this.#replies,
      h("div", { class: "row" }, this.#back, leave),
    );
  }

  /** Ends a walk and sets the proof of the next one. @param {string | null} proof */
  setProof(proof) {
    this.#proof = proof;
    this.end();
    this.#claim.replaceChildren();
  }

  /** Starts a walk at the root of the proof. */
  start() {
    return this.#go({});
  }

  end() {
    if (!this.#walking) return;
    this.#walking = false;
    this.element.hidden = true;
    this.changed(false);
    this.studio.show(null);
  }

  /** @param {{ move?: string, back?: boolean }} fields */
  async #go(fields) {
    const claim = this.#claim.selectedIndex + 1 || 1;
    /** @type {WalkStep | null} */
    const step = await this.studio.request("walk", { proof: this.#proof, claim, move: null, ...fields });
    if (!step) return;
    this.#walking = true;
    this.#steps = fields.back ? this.#steps - 1 : fields.move ? this.#steps + 1 : 0;
    this.element.hidden = false;
    this.changed(true);
    this.#showStep(step);
    this.studio.show({
      state: step.state,
      words: step.reply ? `The proof replies ${step.reply}` : "Proof: choose a move",
      play: (move) => void this.#go({ move }),
      leave: () => this.end(),
      ...this.marks(step.state),
    });
  }

  /** @param {WalkStep} step */
  #showStep(step) {
    if (this.#claim.childElementCount !== step.claims.length) {
      this.#claim.replaceChildren(...step.claims.map((text) => h("option", {}, text)));
    }
    this.#claim.selectedIndex = step.claim - 1;
    this.#claim.hidden = step.claims.length < 2;
    write(this.#status, step.words);
    write(this.#line, step.line.length ? step.line.join(" ") : "start of the proof");
    const buttons = step.replies.map((move) => button(move, () => void this.#go({ move }), { class: "reply" }));
    this.#replies.replaceChildren(...buttons);
    const opponent = step.state.to_move === null ? "" : step.state.players[step.state.to_move];
    const hint = `Choose a move for ${opponent}, here or on the board. The proof has a reply to every move.`;
    write(this.#hint, step.replies.length ? hint : "");
    set(this.#back, { disabled: this.#steps === 0 });
  }
}
