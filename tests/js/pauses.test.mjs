/** How long a client waits before it comes back. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Pauses } from "../../client_sdk/js/pauses.js";

/** @param {number} chance */
const pauses = (chance) => new Pauses({ firstMs: 1, longestMs: 2, chance: () => chance });

/** @param {Pauses} each @param {number} attempt */
async function waited(each, attempt) {
  const began = performance.now();
  await each.before(attempt);
  return performance.now() - began;
}

test("a server that ends says within what time to come back, and that is heeded once", async () => {
  const each = pauses(0.5);
  each.heed({ code: 4001, reason: "this server restarts: come back within 200 ms" });

  assert.ok((await waited(each, 0)) >= 99);
  assert.ok((await waited(each, 1)) < 99);
});

for (const [code, reason] of [
  [4000, "come back within 60000 ms"],
  [4001, "the store cannot be reached: come back"],
  [4001, "within 1e9 ms"],
  [null, ""],
]) {
  test(`${code} "${reason}" asks for nothing`, async () => {
    const each = pauses(1);
    each.heed({ code, reason });

    assert.ok((await waited(each, 1)) < 50_000);
  });
}
