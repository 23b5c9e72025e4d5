/** Thrown dice: every track ends on the face that was asked for, without a mirror or an exchanged face, apart, and in time. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  FACES, lastOf, matrixOf, MOST_CUBES, MOST_WAVES, ownTurn, plan, planOneMore, POSE_MS, unpack,
} from "../../server/src/dreadclock_server/pages/js/arena/throws.js";

const PAGES = new URL("../../server/src/dreadclock_server/pages/", import.meta.url);
const FILE = readFileSync(new URL("throws.bin", PAGES));
const CSS = readFileSync(new URL("css/throws.css", PAGES), "utf8");
const PACKED = FILE.buffer.slice(FILE.byteOffset, FILE.byteOffset + FILE.byteLength);
const THROWS = unpack(PACKED);
const TRACKS = THROWS.flatMap(({ tracks }) => tracks);
const ALL_FACES = [1, 2, 3, 4, 5, 6];
const NO_TURN = [0, 0, 0, 1];
const SIDE = 92;

/** Return how far each face points up, -1 to 1, by the face. @param {ArrayLike<number>} matrix by columns, without scaling @returns {Record<number, number>} */
function heights(matrix) {
  return { 1: matrix[5], 2: -matrix[9], 3: -matrix[1], 4: matrix[1], 5: matrix[9], 6: -matrix[5] };
}

/** Return the face on top of a die. @param {ArrayLike<number>} matrix by columns */
function topFace(matrix) {
  const ups = heights(matrix);
  return [1, 2, 3, 4, 5, 6].reduce((top, face) => (ups[face] > ups[top] ? face : top));
}

/** Return a function that returns whole numbers below another, the same ones in every run. */
function random(seed) {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

/** Return a rotation by its three columns, from what the quaternion q does to a vector v: q v q*. */
function columns([x, y, z, w]) {
  const times = ([a, b, c, d], [e, f, g, h]) => [
    d * e + a * h + b * g - c * f, d * f - a * g + b * h + c * e, d * g + a * f - b * e + c * h, d * h - a * e - b * f - c * g,
  ];
  return [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]].map((axis) => times(times([x, y, z, w], axis), [-x, -y, -z, w]).slice(0, 3));
}

const columnsOf = (matrix) => [0, 4, 8].map((first) => matrix.slice(first, first + 3));

function determinant([[a, b, c], [d, e, f], [g, h, i]]) {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

function close(found, expected, within, said) {
  found.flat().forEach((number, place) => assert.ok(Math.abs(number - expected.flat()[place]) <= within, `${said}: ${found} is not ${expected}`));
}

/** Read the poses of all tracks as the file has them, y up. */
function stored() {
  const numbers = new Int16Array(PACKED);
  const poses = [];
  let place = 1;
  for (let left = numbers[0]; left > 0; left--) {
    const dice = numbers[place + 3];
    const count = numbers.slice(place + 4, place + 4 + dice).reduce((sum, each) => sum + each, 0);
    place += 4 + dice;
    for (const end = place + 6 * count; place < end; place += 6) poses.push([...numbers.slice(place, place + 6)]);
  }
  assert.equal(place, numbers.length);
  return poses;
}

/** Tell whether two dice overlap, by the separating axes of two cubes: their faces' and those of pairs of their edges. */
function overlap(one, other) {
  const [ours, theirs] = [one, other].map((matrix) => columnsOf(matrix).map((axis) => axis.map((part) => part * 0.5)));
  const apart = [12, 13, 14].map((place) => (other[place] - one[place]) / SIDE);
  const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
  const axes = [...ours, ...theirs, ...ours.flatMap((our) => theirs.map((their) => cross(our, their)))].filter((axis) => Math.hypot(...axis) > 1e-3);
  const along = (axis, vector) => Math.abs(axis[0] * vector[0] + axis[1] * vector[1] + axis[2] * vector[2]);
  const reach = (axis, halves) => halves.reduce((sum, half) => sum + along(axis, half), 0);
  return axes.every((axis) => along(axis, apart) < reach(axis, ours) + reach(axis, theirs));
}

function assertApart(matrices) {
  matrices.forEach((matrix, place) => matrices.slice(place + 1).forEach((other) => assert.ok(!overlap(matrix, other), "two dice overlap")));
}

/** Roll as the rules do: every 6 adds a die, which is rolled once all dice before it lie. */
function roll(pool, below) {
  const dice = [];
  for (let [wave, left] = [0, pool]; left > 0; wave++) {
    const rolled = Array.from({ length: left }, () => ({ face: 1 + below(6), wave }));
    dice.push(...rolled);
    left = rolled.filter(({ face }) => face === 6).length;
  }
  return dice;
}

test("there are throws of 1 to 10 dice, and all of them fit into 40 KiB", () => {
  const counts = THROWS.filter(({ hop }) => !hop).map(({ tracks }) => tracks.length);

  assert.ok(PACKED.byteLength <= 40 * 1024, `${PACKED.byteLength} bytes`);
  for (let count = 1; count <= MOST_CUBES; count++) assert.ok(counts.filter((each) => each === count).length >= 2, `throws of ${count}`);
  assert.ok(THROWS.some(({ hop }) => hop));
});

test("every track ends flat on any face that is asked for", () => {
  for (const track of TRACKS) {
    for (const face of ALL_FACES) {
      const matrix = matrixOf(lastOf(track), ownTurn(face), SIDE);
      assert.equal(topFace(matrix), face);
      close([matrix[13] / SIDE], [-0.5], 1e-3, "the height");
      for (const part of [matrix[1], matrix[5], matrix[9]]) assert.ok(Math.min(Math.abs(part), 1 - Math.abs(part)) < 2e-4, "it is not flat");
    }
  }
});

test("poses become those of CSS by S·M·S, and none of them mirrors a die", () => {
  const poses = TRACKS.flat();
  const flip = (vector) => [vector[0], -vector[1], vector[2]];

  stored().forEach(([x, y, z, a, b, c], place) => {
    const [i, j, k] = [a, b, c].map((part) => part / 32767);
    const [ours, own] = [matrixOf(poses[place], NO_TURN, SIDE), ownTurn(1 + (place % 6))];
    const [right, up, near] = columns([i, j, k, Math.sqrt(Math.max(0, 1 - i * i - j * j - k * k))]).map(flip);
    close(columnsOf(ours), [right, up.map((part) => -part), near], 1e-4, "the turn"); // stored parts are rounded
    close(ours.slice(12, 15), flip([x, y, z]).map((part) => (part / 1024) * SIDE), 1e-9, "the place");
    close([determinant(columnsOf(matrixOf(poses[place], own, SIDE)))], [1], 1e-3, "the determinant");
  });
  assert.equal(poses.length, stored().length);
});

test("a die is turned in its own frame, by the same turn of a cube in every pose", () => {
  for (const face of ALL_FACES) {
    const own = columns(ownTurn(face));
    assert.ok(own.flat().every((part) => Math.abs(part - Math.round(part)) < 1e-9), "no turn of a cube onto itself");
    close([determinant(own)], [1], 1e-9, "the determinant");
    for (const pose of TRACKS[7]) {
      const plain = columnsOf(matrixOf(pose, NO_TURN, SIDE));
      const expected = own.map((column) => [0, 1, 2].map((row) => column.reduce((sum, part, which) => sum + part * plain[which][row], 0)));
      close(columnsOf(matrixOf(pose, ownTurn(face), SIDE)), expected, 1e-3, `the turn to ${face}`);
    }
  }
});

test("opposite faces sum to 7, and CSS draws every face where its number of pips belongs", () => {
  const pips = { middle: 1, rising: 2, falling: 2, sides: 2 };
  const turns = { X: (angle) => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)], Y: (angle) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] };
  for (const face of ALL_FACES) {
    const out = (turn) => columns(turn)[2];
    const [, axis, degrees] = CSS.match(new RegExp(`\\.cube > \\.f${face} \\{ transform: (?:rotate([XY])\\((-?\\d+)deg\\) )?translateZ`));
    const [, background] = CSS.match(new RegExp(`\\.throw \\.f${face}::before \\{ background: ([^;]*);`));

    close(out(FACES[face]), out(FACES[7 - face]).map((part) => -part), 1e-9, "the opposite face");
    close(columns(FACES[face]), columns(axis ? turns[axis]((degrees * Math.PI) / 180) : NO_TURN), 1e-9, `the face ${face} in CSS`);
    assert.equal([...background.matchAll(/--(\w+)/g)].reduce((sum, [, name]) => sum + (pips[name] ?? 0), 0), face);
  }
  // 1, 2 and 3 stand counterclockwise around their corner, as on Western dice; y points down, so that is -1
  close([determinant([1, 2, 3].map((face) => columns(FACES[face])[2]))], [-1], 1e-9, "the order of 1, 2 and 3");
});

test("every die lands within 900 ms of its start, 40 ms after the die before it", () => {
  for (const { hop, tracks } of THROWS) {
    for (const track of tracks) assert.ok((track.length - 1) * POSE_MS <= 900.001, `${(track.length - 1) * POSE_MS} ms`);
    if (hop) continue;
    const { flights, landed } = plan([{ hop, width: 8, depth: 5, tracks }], tracks.map(() => ({ face: 1 })), 0);
    assert.deepEqual(flights.map(({ delay }) => delay), tracks.map((_, place) => 40 * place));
    assert.ok(landed <= 900.001 + 40 * (tracks.length - 1), `${landed} ms`);
  }
});

test("the dice of a throw lie apart in its tray, whatever they show", () => {
  for (const { width, depth, tracks } of THROWS) {
    for (const face of ALL_FACES) {
      const matrices = tracks.map((track) => matrixOf(lastOf(track), ownTurn(face), SIDE));
      assertApart(matrices);
      for (const matrix of matrices) {
        assert.ok(Math.abs(matrix[12]) <= (width / 2 - 0.7) * SIDE && Math.abs(matrix[14]) <= (depth / 2 - 0.7) * SIDE, "outside of the tray");
      }
    }
  }
});

test("in 500 rolls of 0 to 60 dice, the dice that 6s add lie apart from all others; more than 10 dice, and waves beyond the third, are flat", () => {
  const below = random(7);
  let [bursts, flat] = [0, 0];
  for (let rolled = 0; rolled < 500; rolled++) {
    const dice = roll(rolled % 20 ? 1 + below(9) : 60 * below(2), below);
    const { flights, width, depth } = plan(THROWS, dice, rolled);

    assert.equal(flights.length, dice.length);
    dice.forEach(({ wave }, place) => {
      const [isCube, mayBe] = [flights[place].track !== null, dice.length <= MOST_CUBES && wave <= MOST_WAVES];
      assert.ok(isCube ? mayBe : wave > 0 || !mayBe, "flat or not");
      if (mayBe && wave) isCube ? bursts++ : flat++;
    });
    const cubes = dice.flatMap(({ face }, place) => (flights[place].track ? [{ face, flight: flights[place] }] : []));
    const matrices = cubes.map(({ face, flight }) => matrixOf(lastOf(flight.track), ownTurn(face), SIDE));
    assert.deepEqual(matrices.map(topFace), cubes.map(({ face }) => face));
    assertApart(matrices);
    for (const matrix of matrices) close([determinant(columnsOf(matrix))], [1], 1e-3, "the determinant");
    for (const matrix of matrices) assert.ok(Math.abs(matrix[12]) < (width / 2) * SIDE && Math.abs(matrix[14]) < (depth / 2) * SIDE);
  }
  assert.ok(bursts > 10 * flat, `${bursts} dice burst out of others, and ${flat} found no place`);
});

test("one more die is thrown among those that lie: they stay, and it lies apart", () => {
  const below = random(3);
  for (let rolled = 0; rolled < 300; rolled++) {
    const faces = Array.from({ length: 1 + below(9) }, () => 1 + below(6));
    const before = plan(THROWS, faces.map((face) => ({ face })), rolled);
    const { flights, landed } = planOneMore(THROWS, before, rolled);

    assert.equal(flights.length, faces.length + 1);
    assert.deepEqual(flights.slice(0, -1), before.flights.map(({ track }) => ({ track: [lastOf(track)], delay: 0 })));
    assert.ok(flights.at(-1).track.length > 10 && landed <= 900.001);
    assertApart(flights.map(({ track }) => matrixOf(lastOf(track), NO_TURN, SIDE)));
  }
  assert.equal(planOneMore(THROWS, plan(THROWS, Array(11).fill({ face: 1 }), 0), 0).flights.at(-1).track, null);
});

test("a throw follows from its seed", () => {
  const dice = [{ face: 1 }, { face: 2 }, { face: 3 }];

  assert.deepEqual(plan(THROWS, dice, 41), plan(THROWS, dice, 41));
  assert.notDeepEqual(plan(THROWS, dice, 41), plan(THROWS, dice, 42));
  assert.deepEqual(plan(THROWS, [], 1).flights, []);
});
