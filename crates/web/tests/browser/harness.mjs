/** Tests in the studio. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { browse, open, serve } from "./studio.mjs";

/** The server and the browser that all tests of a run share. */
let shared;
export const both = () => (shared ??= serve().then(async (server) => ({ server, browser: await browse() })));

after(async () => {
  const { browser, server } = (await shared) ?? {};
  await browser?.close();
  server?.end();
});

/**
 * A test in the studio; at its end nothing must have gone wrong in the page.
 * @param {string} name
 * @param {Parameters<typeof open>[2]} wishes
 * @param {(page: any, context: { server: { address: string } }) => Promise<void>} run
 */
export function page(name, wishes, run) {
  test(name, async () => {
    const { browser, server } = await both();
    const opened = await open(browser, server.address, wishes);
    try {
      await run(opened, { server });
      assert.deepEqual(opened.faults, []);
    } finally {
      await opened.close();
    }
  });
}
