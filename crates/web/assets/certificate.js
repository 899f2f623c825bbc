/** The buttons for a proof: walk through it, verify it, save its certificate, or load another one. */

/** @import { Verification } from "./protocol.js" */
/** @import { Studio } from "./studio.js" */
/** @import { ProofWalk } from "./walk.js" */
import { button, h, set, write } from "./dom.js";
import { bytes, count } from "./words.js";

/** The address and the file name of a certificate. @param {Studio} studio @param {string} id */
export function certificateFile(studio, id) {
  const name = (studio.state?.game ?? "game").replace(/[^\w-]+/g, "-");
  return { href: `api/proof/${encodeURIComponent(id)}`, download: `${name}.proof` };
}

export class CertificateControls {
  /** The ID of the proof. @type {string | null} */
  #proof = null;

  #walk = button("Walk through the proof", () => void this.walk.start(), { class: "primary", disabled: true });
  #verify = button("Verify", () => void this.#check(this.#proof), { disabled: true });
  #save = h("a", { class: "button", download: "", hidden: true }, "Save certificate");
  #file = h("input", {
    type: "file",
    class: "hidden-file",
    "aria-label": "certificate",
    onchange: () => this.#file.files?.[0] && void this.load(this.#file.files[0]),
  });
  #load = button("Load certificate", () => this.#file.click());

  row = h("div", { class: "row" }, this.#walk, this.#verify, this.#save, this.#load, this.#file);
  verdict = h("p", { class: "verdict-words", role: "status" });

  /** @param {Studio} studio @param {ProofWalk} walk */
  constructor(studio, walk) {
    this.studio = studio;
    this.walk = walk;
  }

  /** @param {string | null} id of the proof; null if there is none */
  setProof(id) {
    this.#proof = id;
    this.walk.setProof(id);
    set(this.#walk, { disabled: id === null });
    set(this.#verify, { disabled: id === null });
    this.#save.hidden = id === null;
    if (id !== null) set(this.#save, certificateFile(this.studio, id));
    write(this.verdict, "");
  }

  /** Uploads and verifies a certificate. @param {File} certificate */
  async load(certificate) {
    this.walk.end();
    const id = await this.studio.upload(certificate);
    if (id !== null) await this.#check(id);
  }

  /** @param {string | null} proof */
  async #check(proof) {
    write(this.verdict, "Verifying…");
    /** @type {Verification | null} */
    const result = await this.studio.request("verify", { proof });
    if (!result) return write(this.verdict, "");
    if (result.proof) this.setProof(result.proof);
    const claims = (result.claims ?? []).map((claim) => claim.words).join("; ");
    const size = `${count(result.positions ?? 0)} positions, ${bytes(result.bytes ?? 0)}`;
    write(
      this.verdict,
      result.verified ? `✓ Verified: ${claims} (${result.game}, ${size})` : `✗ Not verified: ${result.error}`,
    );
    this.verdict.dataset.kind = result.verified ? "good" : "bad";
  }
}
