/** Where the segments of a ring and the studs on it are, in turns clockwise from the top. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { arc, isLow, place, segments, studs } from "../../server/src/dreadclock_server/pages/js/parts/ring.js";

const RADIUS = 40;

/** @param {number} value @param {number} size @param {"up" | "down"} [direction] */
const ring = (value, size, direction = "down") => segments(RADIUS, { value, size, direction });

/** @param {{ on: boolean }[]} all */
const drawn = (all) => all.map(({ on }) => (on ? "x" : "-")).join("");

/** @param {number} one @param {number} other */
const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`);

/** Return the points that a path names. @param {string} path */
const points = (path) => [...path.matchAll(/(?:M|1 )(-?[\d.]+) (-?[\d.]+)(?=A|M|$)/g)].map(([, x, y]) => [Number(x), Number(y)]);

test("a clock that counts down empties clockwise from the top, one that counts up fills clockwise", () => {
  assert.equal(drawn(ring(10, 10)), "xxxxxxxxxx");
  assert.equal(drawn(ring(7, 10)), "---xxxxxxx");
  assert.equal(drawn(ring(0, 4)), "----");
  assert.equal(drawn(ring(2, 6, "up")), "xx----");
  assert.equal(drawn(ring(6, 6, "up")), "xxxxxx");
});

test("segments have equal lengths, gaps between them, and go around once", () => {
  for (const size of [2, 3, 10, 15, 24]) {
    const all = ring(1, size);
    assert.equal(all.length, size);
    for (const [at, { from, to }] of all.entries()) {
      near((from + to) / 2, (at + 0.5) / size);
      assert.ok(to - from > 0.7 / size && to - from < 1 / size, `${to - from} of ${1 / size}`);
    }
  }
});

test("a ring of one point is whole", () => {
  assert.deepEqual(ring(1, 1), [{ from: 0, to: 1, on: true }]);
  assert.deepEqual(ring(0, 1), [{ from: 0, to: 1, on: false }]);
});

test("over 24 points a ring is one arc of what is left, or of what is filled", () => {
  assert.equal(ring(24, 24).length, 24);
  assert.deepEqual(ring(25, 100), [{ from: 0.75, to: 1, on: true }]);
  assert.deepEqual(ring(25, 100, "up"), [{ from: 0, to: 0.25, on: true }]);
  assert.deepEqual(ring(0, 25), []);
  assert.deepEqual(ring(25, 25), [{ from: 0, to: 1, on: true }]);
});

test("a threat is low in its last quarter", () => {
  const low = Array.from({ length: 16 }, (_, value) => value).filter((value) => isLow({ value, size: 15 }));
  assert.deepEqual(low, [0, 1, 2, 3]);
  assert.deepEqual([isLow({ value: 10, size: 40 }), isLow({ value: 11, size: 40 })], [true, false]);
});

test("places on a ring go clockwise from the top", () => {
  const found = [0, 0.25, 0.5, 0.75].map((turn) => place(RADIUS, turn).map(Math.round));
  assert.deepEqual(found, [[50, 10], [90, 50], [50, 90], [10, 50]]);
});

test("an arc goes from its start to its end the long way where it is more than half a turn", () => {
  assert.equal(arc(RADIUS, 0, 0.25), "M50.00 10.00A40 40 0 0 1 90.00 50.00");
  assert.match(arc(RADIUS, 0.25, 1), /^M90\.00 50\.00A40 40 0 1 1 50\.00 10\.00$/);
});

test("a whole turn is two halves, which end where they began", () => {
  assert.deepEqual(points(arc(RADIUS, 0, 1)), [[50, 10], [50, 90], [50, 90], [50, 10]]);
});

test("the challenges of one situation stand all around, those of several on an arc for each", () => {
  assert.deepEqual(studs([4]), [{ from: 0, to: 1, studs: [0, 0.25, 0.5, 0.75] }]);
  assert.deepEqual(studs([]), []);
  const [first, empty, last] = studs([6, 0, 1]) ?? [];
  assert.equal(first.studs.length, 6);
  assert.deepEqual(empty.studs, []);
  assert.equal(last.studs.length, 1);
  for (const { from, to, studs: all } of [first, empty, last]) for (const each of all) assert.ok(from < each && each < to);
  assert.ok(first.to < empty.from && empty.to < last.from && last.to < 1);
});

test("over twelve challenges there are no studs", () => {
  assert.equal(studs([7, 5])?.length, 2);
  assert.equal(studs([7, 6]), null);
});
