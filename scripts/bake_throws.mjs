/**
 * Bake throws of dice into pages/throws.bin, which js/arena/throws.js plays: physics happen here, never in a browser.
 *
 *     npm install --no-save cannon-es@0.20.0
 *     node scripts/bake_throws.mjs            (with --check it writes nothing, and fails where the file would change)
 *
 * Lengths are in sides of a die, y points up, and the near edge of the tray has the largest z. A throw is simulated again
 * with other random numbers until it is good: all dice in the tray, flat, apart, and at rest in time.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { Body, Box, ContactMaterial, GSSolver, Material, Plane, Quaternion, Vec3, World } from "cannon-es";

const FILE = new URL("../server/src/dreadclock_server/pages/throws.bin", import.meta.url);
const SEED = 36;
const STEPS_PER_S = 300;
const STEPS_PER_POSE = 10; // 30 poses a second
const STEPS_APART = 12; // 40 ms
const MOST_POSES = 28; // a die rests at most 900 ms after its start
const REST = STEPS_PER_POSE * (MOST_POSES - 1);
const HOP_POSES = 25; // and one that bursts out of another after 800 ms
const GRAVITY = 85; // sides per square second: dice of 10 cm, which look heavy
const GAP = 0.12; // at least, between dice at rest
const APART = 1.35; // at least, between the centres that dice aim at
const PRACTISED = 150; // flights of single dice, of which throws are made
const TRIES = 150; // flights of a die, before those before it are changed
const MOST_DICE = 10;
const TRAYS = [ // by the number of dice, up to `most`; `times` throws of every number
  { most: 3, times: 3, width: 5, depth: 3.5 },
  { most: 6, times: 2, width: 6.5, depth: 4.5 },
  { most: MOST_DICE, times: 2, width: 8.5, depth: 5.5 },
];
const HOPS = [2.2, 2.6, 3, 3.5, 4.1]; // how far from another die the die lands that bursts out of it
const [POSITION, ROTATION] = [1024, 32767]; // units of stored numbers: throws.js has the same

/** Return a function that returns random numbers between two others (mulberry32). */
function random(seed) {
  return (low, high) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), seed | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return low + (((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * (high - low);
  };
}

/** Return where the dice of a throw shall lie: apart, anywhere in the tray. */
function places({ width, depth }, count, between) {
  const chosen = [];
  for (let tries = 0; chosen.length < count; tries++) {
    if (tries > 400) [chosen.length, tries] = [0, 0];
    const place = new Vec3(between(0.9 - width / 2, width / 2 - 0.9), 0, between(0.9 - depth / 2, depth / 2 - 0.9));
    if (chosen.every((other) => other.distanceTo(place) > APART)) chosen.push(place);
  }
  return chosen.sort((one, other) => one.z - other.z); // no die has to get past those before it
}

/** Return a start with a velocity to be on the table `air` s later, `way` to the right, and a spin like that of rolling there. */
function flight(height, way, air, between) {
  const speed = way / air;
  return {
    start: new Vec3(0, height, 0),
    velocity: new Vec3(speed, (0.7 - height) / air + (GRAVITY * air) / 2, 0),
    spin: new Vec3(between(-7, 7), between(-9, 9), -speed + between(-7, 7)),
    turn: new Quaternion(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)).normalize(),
  };
}

/** Fly single dice, and return those that rest in time: each with its start and where it came to rest. */
function practise(between) {
  const good = [];
  while (good.length < PRACTISED) {
    const launch = flight(between(2.6, 4.6), between(1.8, 4), between(0.25, 0.32), between);
    const [track] = simulate([launch]).map(rested);
    if (track) good.push({ ...launch, path: track.map(({ at }) => at), length: Math.hypot(track.at(-1).at.x, track.at(-1).at.z) });
  }
  return good;
}

/** Return a flight that was practised and not `chosen` before, turned and moved such that it comes from near a hand and ends on a place. */
function aimed(hand, place, practised, chosen, between) {
  const from = new Vec3(hand.x + between(-1.3, 1.3), 0, hand.z + between(-0.4, 0.8));
  const way = place.vsub(from);
  const unused = practised.filter((flown) => chosen.every(({ as }) => as !== flown));
  const fits = unused.filter(({ length }) => Math.abs(length - way.length()) < 0.5);
  const as = (fits.length ? fits : unused)[Math.floor(between(0, fits.length || unused.length))];
  const end = as.path.at(-1);
  const around = new Quaternion().setFromEuler(0, Math.atan2(-way.z, way.x) - Math.atan2(-end.z, end.x), 0);
  const by = place.vsub(around.vmult(end));
  const path = as.path.map((at) => around.vmult(at).vadd(new Vec3(by.x, 0, by.z)));
  return { as, path, start: path[0], velocity: around.vmult(as.velocity), spin: around.vmult(as.spin), turn: around.mult(as.turn) };
}

/** Tell whether a die would run right into those before it; it may touch them. */
function runsInto({ path }, tracks) {
  return tracks.some((track, place) => {
    const ahead = Math.round(((tracks.length - place) * STEPS_APART) / STEPS_PER_POSE);
    return path.some((at, pose) => at.distanceTo(track[Math.min(track.length - 1, pose + ahead)].at) < 1.05);
  });
}

function table() {
  const world = new World({ gravity: new Vec3(0, -GRAVITY, 0) });
  world.solver = Object.assign(new GSSolver(), { iterations: 15, tolerance: 0 });
  const [felt, bone] = [new Material(), new Material()];
  world.addContactMaterial(new ContactMaterial(felt, bone, { friction: 0.45, restitution: 0.38, contactEquationStiffness: 1e8 }));
  world.addContactMaterial(new ContactMaterial(bone, bone, { friction: 0.12, restitution: 0.35, contactEquationStiffness: 1e8 }));
  const floor = new Body({ type: Body.STATIC, shape: new Plane(), material: felt });
  floor.quaternion.setFromEuler(-Math.PI / 2, 0, 0);
  world.addBody(floor);
  return { world, bone };
}

/** Simulate dice. Returns the poses of every die from its own start on, long enough to see that all lie still; [null] if a die does not in time. */
function simulate(starts) {
  const { world, bone } = table();
  const dice = starts.map(({ start, velocity, spin, turn }) => new Body({
    mass: 1, shape: new Box(new Vec3(0.5, 0.5, 0.5)), material: bone, position: start, velocity, angularVelocity: spin,
    quaternion: turn, linearDamping: 0.05, angularDamping: 0.15,
  }));
  const tracks = dice.map(() => []);
  const last = STEPS_APART * (dice.length - 1) + STEPS_PER_POSE * (MOST_POSES + 8);
  for (let step = 0; step <= last; step++) {
    dice.forEach((die, place) => {
      const since = step - STEPS_APART * place;
      if (since === 0) world.addBody(die);
      if (since >= 0 && since % STEPS_PER_POSE === 0) tracks[place].push({ at: die.position.clone(), turn: die.quaternion.clone() });
    });
    if (dice.some((die, place) => step === STEPS_APART * place + REST && die.velocity.length() + die.angularVelocity.length() > 1)) return [null];
    world.step(1 / STEPS_PER_S);
  }
  return tracks;
}

const angleTo = (one, other) => 2 * Math.acos(Math.min(1, Math.abs(one.x * other.x + one.y * other.y + one.z * other.z + one.w * other.w)));

/** All rotations that bring a cube onto itself. */
const CUBES_OWN = [];
for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) for (const w of [-1, 0, 1]) {
  const turn = new Quaternion(x, y, z, w);
  const parts = [x, y, z, w].filter(Boolean).length;
  if ([1, 2, 4].includes(parts)) CUBES_OWN.push(turn.normalize());
}

/**
 * Return the poses of a die until it rests, the last of them exactly flat; null if it does not rest in time.
 * The cube is turned in its own frame such that its upper side ends above, less than 45 degrees around y.
 */
function rested(poses) {
  if (!poses) return null;
  const end = poses.at(-1);
  const own = CUBES_OWN.reduce((best, turn) => (end.turn.mult(turn).w ** 2 > end.turn.mult(best).w ** 2 ? turn : best));
  const turned = poses.map(({ at, turn }) => ({ at, turn: turn.mult(own) }));
  const { y, w } = turned.at(-1).turn;
  const flat = { at: new Vec3(end.at.x, 0.5, end.at.z), turn: new Quaternion(0, y, 0, w).normalize() };
  const off = ({ at, turn }) => Math.max(at.distanceTo(flat.at), angleTo(turn, flat.turn));
  const still = turned.findLastIndex((pose) => off(pose) > 0.02) + 1;
  if (still >= MOST_POSES || off(turned.at(-1)) > 0.02) return null;
  return [...turned.slice(0, still), flat];
}

/** Tell whether two dice at rest are apart: the sides of either separate them. */
function apart(one, other) {
  return [[one, other], [other, one]].some(([die, far]) => {
    const corners = [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([x, z]) =>
      die.turn.inverse().vmult(far.turn.vmult(new Vec3(x / 2, 0, z / 2)).vadd(far.at).vsub(die.at)));
    const beyond = (axis, way) => Math.min(...corners.map((corner) => way * corner[axis])) > 0.5 + GAP;
    return ["x", "z"].some((axis) => beyond(axis, 1) || beyond(axis, -1));
  });
}

/** Tell whether all dice of a throw are inside of the tray, and apart. */
function isGood(tracks, { width, depth }) {
  const lying = tracks.map((track) => track.at(-1));
  const inside = lying.every(({ at }) => Math.abs(at.x) < width / 2 - 0.75 && Math.abs(at.z) < depth / 2 - 0.75);
  return inside && lying.every((die, place) => lying.slice(place + 1).every((other) => apart(die, other)));
}

/** Add dice to a throw until there are `count`. If no flight of the next die makes a good throw, the two dice before it get other flights, too. */
function bake(tray, count, practised, between) {
  const hand = new Vec3(between(-tray.width / 5, tray.width / 5), 0, tray.depth / 2 + between(0.8, 1.4));
  const goals = places(tray, count, between);
  let [chosen, tracks] = [[], []];
  for (let tries = 1; chosen.length < count; tries++) {
    const next = aimed(hand, goals[chosen.length], practised, chosen, between);
    const flown = runsInto(next, tracks) ? [] : simulate([...chosen, next]).map(rested);
    if (flown.length && flown.every(Boolean) && isGood(flown, tray)) [chosen, tracks, tries] = [[...chosen, next], flown, 0];
    else if (tries === TRIES) [chosen, tracks, tries] = [chosen.slice(0, -2), tracks.slice(0, -2), 0];
  }
  console.log(`${count} dice: at rest after ${tracks.map((track) => Math.round(((track.length - 1) * 1000) / 30)).join(" ")} ms`);
  return { ...tray, tracks };
}

/** Bake the throw of a die that bursts out of another, which shows a 6: it jumps off its top, and lands beside it. */
function bakeHop(distance, between) {
  for (;;) {
    const [track] = simulate([flight(1.3, distance * between(0.6, 0.9), between(0.42, 0.5), between)]).map(rested);
    const end = track?.at(-1).at;
    if (!end || track.length > HOP_POSES || Math.abs(Math.hypot(end.x, end.z) - distance) > 0.25) continue;
    const falls = track.slice(track.findIndex(({ at }, place) => at.y > track[place + 1].at.y));
    if (falls.some(({ at }) => at.y < 1.7 && Math.hypot(at.x, at.z) < 1.45)) continue; // it would meet the other die
    console.log(`a hop of ${distance}: at rest after ${Math.round(((track.length - 1) * 1000) / 30)} ms`);
    return { width: 2 * distance + 2, depth: 2 * distance + 2, hop: true, tracks: [track] };
  }
}

function bakeAll() {
  const between = random(SEED);
  const practised = practise(between);
  const throws = HOPS.map((distance) => bakeHop(distance, random(SEED + distance)));
  for (let count = 1; count <= MOST_DICE; count++) {
    const tray = TRAYS.find(({ most }) => count <= most);
    for (let left = tray.times; left > 0; left--) throws.push(bake(tray, count, practised, between));
  }
  return throws;
}

/** Pack throws as 16-bit numbers: how many; of each its width, depth, and number of dice; the poses of each die. */
function pack(throws) {
  const numbers = [throws.length];
  for (const { width, depth, hop: hops, tracks } of throws) {
    numbers.push(hops ? 1 : 0, width * POSITION, depth * POSITION, tracks.length, ...tracks.map((track) => track.length));
    for (const { at, turn } of tracks.flat()) {
      const sign = turn.w < 0 ? -1 : 1;
      numbers.push(...[at.x, at.y, at.z].map((length) => length * POSITION), ...[turn.x, turn.y, turn.z].map((part) => sign * part * ROTATION));
    }
  }
  const bytes = Buffer.alloc(numbers.length * 2);
  numbers.forEach((number, place) => bytes.writeInt16LE(Math.round(number), place * 2));
  return bytes;
}

const packed = pack(bakeAll());
console.log(`${packed.length} bytes`);
if (!process.argv.includes("--check")) writeFileSync(FILE, packed);
else if (!packed.equals(readFileSync(FILE))) process.exit(1);
