/** Which key of a US keyboard a key on another layout stands for. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { latin } from "../../server/src/dreadclock_server/pages/js/app/keys.js";

/** @param {string} key @param {string} code @param {boolean} [shiftKey] */
const on = (key, code, shiftKey = false) => latin(/** @type {KeyboardEvent} */ ({ key, code, shiftKey }));

// What layouts have on the keys K, C and Z of a US keyboard.
const LAYOUTS = { cyrillic: "лся", greek: "κψζ", arabic: "نؤئ", hebrew: "לבז" };

for (const [layout, keys] of Object.entries(LAYOUTS)) {
  test(`letters of a ${layout} layout stand for those of a US keyboard`, () => {
    const found = ["KeyK", "KeyC", "KeyZ"].map((code, at) => on(keys[at], code));

    assert.deepEqual(found, ["K", "C", "Z"]);
  });
}

test("digits and signs of other scripts stand for those of a US keyboard", () => {
  assert.deepEqual(
    [on("١", "Digit1"), on("لا", "KeyB"), on("ю", "Period"), on("ظ", "Slash"), on("؟", "Slash", true)],
    ["1", "B", ".", "/", "?"],
  );
});

test("keys of latin layouts are taken as they are", () => {
  const taken = [on("é", "Digit2"), on("q", "KeyA"), on(";", "KeyQ"), on("k", "KeyK"), on("Escape", "Escape")];

  assert.deepEqual(taken, ["é", "q", ";", "k", "Escape"]);
});
