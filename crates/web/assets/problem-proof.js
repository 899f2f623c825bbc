/** The proof of an answer to a Go problem: written on demand, verified, walked through and saved. */

/** @import { ProvenProblem, Verification } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
import { certificateFile } from "./certificate.js";
import { button, h, set, write } from "./dom.js";
import { ProofWalk } from "./walk.js";
import { bytes, count } from "./words.js";

/**
 * @typedef {object} ProofEvents
 * @property {(walking: boolean) => void} walking called when a walk starts or ends
 * @property {() => Promise<boolean>} start asks the server to write the certificate
 * @property {() => string[]} targets the stones in question
 * @property {() => string[]} zoom the cells to zoom in on
 */

export class ProblemProof {
  /** The ID of the verified certificate. @type {string | null} */
  #proof = null;
  /** What to do with the certificate when it is there. @type {"" | "walk" | "save"} */
  #purpose = "";

  walkButton = button("Walk through the proof", () => void this.#want("walk"), { class: "primary", disabled: true });
  saveButton = button("Save certificate", () => void this.#want("save"), { disabled: true });
  verdict = h("p", { class: "verdict-words", role: "status" });

  /** @param {Studio} studio @param {ProofEvents} events */
  constructor(studio, events) {
    this.studio = studio;
    this.events = events;
    this.walk = new ProofWalk(
      studio,
      (walking) => events.walking(walking),
      (state) => {
        const stones = new Set(state.view.cells.filter((cell) => cell.piece).map((cell) => cell.name));
        const targets = events.targets().filter((name) => stones.has(name));
        return { problem: { targets, region: [], moves: new Map() }, zoom: events.zoom() };
      },
    );
  }

  /** @param {boolean} offered whether there is an answer to prove */
  offer(offered) {
    for (const made of [this.walkButton, this.saveButton]) set(made, { disabled: !offered });
  }

  /** Forgets the proof of an earlier answer. */
  clear() {
    this.#proof = null;
    this.#purpose = "";
    this.walk.setProof(null);
    write(this.verdict, "");
  }

  /** No certificate is being written any more. */
  idle() {
    this.#purpose = "";
  }

  /** @param {"walk" | "save"} purpose */
  async #want(purpose) {
    if (this.#proof !== null) return this.#use(purpose);
    this.#purpose = purpose;
    write(this.verdict, "");
    if (!(await this.events.start())) this.#purpose = "";
  }

  /** Takes a written certificate and verifies it. @param {ProvenProblem} proven */
  async take({ proof, why_no_proof: reason }) {
    const purpose = this.#purpose;
    this.#purpose = "";
    if (proof === null) return this.#say(`No proof: ${reason}`, "bad");
    this.#say("Verifying…", "");
    /** @type {Verification | null} */
    const result = await this.studio.request("verify", { proof });
    if (!result?.verified) return this.#say(result ? `✗ Not verified: ${result.error}` : "", "bad");
    const claims = (result.claims ?? []).map((claim) => claim.words).join("; ");
    const size = `${count(result.positions ?? 0)} positions, ${bytes(result.bytes ?? 0)}`;
    this.#say(`✓ Verified: ${claims} (${result.game}, ${size})`, "good");
    this.#proof = proof;
    this.walk.setProof(proof);
    if (purpose) this.#use(purpose);
  }

  /** @param {"walk" | "save"} purpose */
  #use(purpose) {
    if (this.#proof === null) return;
    if (purpose === "walk") void this.walk.start();
    else h("a", certificateFile(this.studio, this.#proof)).click();
  }

  /** @param {string} words @param {"" | "good" | "bad"} kind */
  #say(words, kind) {
    write(this.verdict, words);
    this.verdict.dataset.kind = kind;
  }
}
