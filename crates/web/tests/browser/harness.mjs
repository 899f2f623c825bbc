/** Runs tests in the studio. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { browse, open, serve } from "./studio.mjs";

/** The server and the browser shared by all tests of a run. */
let shared;
export const both = () => (shared ??= serve().then(async (server) => ({ server, browser: await browse() })));

after(async () => {
  const { browser, server } = (await shared) ?? {};
  await browser?.close();
  server?.end();
});

/**
 * Defines a test in the studio. It fails if the page reports an error.
 * @param {string} name
 * @param {Parameters<typeof open>[2]} options
 * @param {(page: any, context: { server: { address: string } }) => Promise<void>} run
 */
export function page(name, options, run) {
  test(name, async () => {
    const { browser, server } = await both();
    const opened = await open(browser, server.address, options);
    try {
      await run(opened, { server });
      assert.deepEqual(opened.pageErrors, []);
    } finally {
      await opened.close();
    }
  });
}
