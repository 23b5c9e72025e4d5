// @ts-check
/**
 * Throws of dice, precomputed by scripts/bake_throws.mjs: where dice start, how they tumble, and where they lie.
 *
 * The unit of length is the side of a die. The axes are those of CSS: x points right, y down, and z towards the viewer. The table is at y = 0.
 *
 * @typedef {readonly [number, number, number]} Point
 * @typedef {readonly [number, number, number, number]} Turn a unit quaternion: x, y, z, w
 * @typedef {{ at: Point, turn: Turn }} Pose of a die's centre
 * @typedef {readonly Pose[]} Track the poses of a die, 30 a second; the last is at rest
 * @typedef {{ width: number, depth: number }} Tray
 * @typedef {Tray & { hop: boolean, tracks: readonly Track[] }} Throw the tracks of dice that are thrown together. `hop`: whether
 *   this is a single die that jumps off another die
 *
 * @typedef {object} Flight how a die of a roll moves
 * @property {Track | null} track null for a flat die, which appears below the tray
 * @property {number} delay in ms
 *
 * @typedef {object} Roll
 * @property {readonly Flight[]} flights the flights of the dice, in the order rolled
 * @property {number} landed the time in ms after which all dice lie still
 *
 * @typedef {Tray & Roll} Plan of a roll; its tray has no size if all dice are flat
 */

export const MOST_CUBES = 10; // in a roll with more dice, all are flat
export const MOST_WAVES = 3; // sixes of the pool add dice of wave 1, their sixes add dice of wave 2, and so on; dice of later waves are flat
export const POSE_MS = 1000 / 30; // between two poses
const APART_MS = 40; // between the throws of two cubes
const FLAT_APART_MS = 10; // between the appearances of two flat dice
export const FLAT_MS = 240; // the time in ms in which a flat die appears
const [POSITION, ROTATION] = [1024, 32767]; // units of the stored numbers, as in bake_throws.mjs
const BESIDE = 1.42; // dice whose centres are this far apart do not touch, however they are turned
const WIDEST = { width: 10, depth: 6.5 }; // the tray within which later dice may lie
const FLAT = { width: 0, depth: 0, tracks: [] };
const CLEAR = 1.5; // the distance of a tumbling die's centre from other dice
const HALF = Math.SQRT1_2;
/** @type {Readonly<Record<number, Turn>>} how each face lies on a cube, as css/throws.css turns it: 1 is above, 2 in front, 3 on the right */
export const FACES = { 1: [HALF, 0, 0, HALF], 2: [0, 0, 0, 1], 3: [0, HALF, 0, HALF], 4: [0, -HALF, 0, HALF], 5: [0, 1, 0, 0], 6: [-HALF, 0, 0, HALF] };

/** Load the throws. Rejects if the server cannot be reached. @param {string} address */
export async function loadThrows(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`throws.bin is missing (${answer.status})`);
  return unpack(await answer.arrayBuffer());
}

/**
 * Read the throws that scripts/bake_throws.mjs packed. In that file, y points up: its matrix M is S·M·S here, with S = diag(1, -1, 1).
 * @param {ArrayBuffer} packed @returns {Throw[]}
 */
export function unpack(packed) {
  const data = new DataView(packed);
  let place = -2;
  const next = () => data.getInt16((place += 2), true);
  const pose = () => {
    const [x, y, z] = [next() / POSITION, next() / POSITION, next() / POSITION];
    const [a, b, c] = [next() / ROTATION, next() / ROTATION, next() / ROTATION];
    return /** @type {Pose} */ ({ at: [x, -y, z], turn: [-a, b, -c, Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c))] });
  };
  return times(next(), () => {
    const [hop, width, depth, dice] = [next() === 1, next() / POSITION, next() / POSITION, next()];
    return { hop, width, depth, tracks: times(dice, next).map((poses) => times(poses, pose)) };
  });
}

/** Call `make` several times, and return the results. @template T @param {number} count @param {() => T} make @returns {T[]} */
function times(count, make) {
  return Array.from({ length: count }, make);
}

/**
 * Plan how the dice of a roll move. A die that a 6 added jumps off this 6 after the 6 has landed.
 * @param {readonly Throw[]} throws @param {readonly { face?: number, wave?: number }[]} dice in the order rolled
 * @param {number} seed the same for every viewer, such as the seq of the roll's record
 * @returns {Plan}
 */
export function plan(throws, dice, seed) {
  const pool = dice.filter(({ wave }) => !wave).length;
  const fitting = throws.filter(({ hop, tracks }) => !hop && tracks.length === pool);
  const isFlat = dice.length > MOST_CUBES || !fitting.length;
  const { width, depth, tracks } = isFlat ? FLAT : fitting[seed % fitting.length];
  const flights = /** @type {Flight[]} */ (tracks.map((track, place) => ({ track, delay: APART_MS * place })));
  const sixes = dice.flatMap(({ face, wave = 0 }, place) => (face === 6 ? [{ wave, place }] : []));
  for (const { wave = 0 } of dice.slice(flights.length)) {
    const place = sixes.findIndex((six) => six.wave === wave - 1);
    const six = place < 0 ? null : flights[sixes.splice(place, 1)[0].place];
    const delay = isFlat ? FLAT_APART_MS * flights.length : endOf(flights);
    flights.push((wave <= MOST_WAVES && six && burst(throws, six, flights)) || { track: null, delay });
  }
  return { ...around(flights, { width, depth }), flights, landed: endOf(flights) };
}

/** Return a tray that is at least as large as `tray`, and includes all dice. @param {readonly Flight[]} flights @param {Tray} tray @returns {Tray} */
function around(flights, { width, depth }) {
  const ends = flights.flatMap(({ track }) => (track ? [lastOf(track).at] : []));
  const [x, z] = [0, 2].map((axis) => Math.max(0, ...ends.map((at) => 2 * Math.abs(at[axis]) + BESIDE)));
  return { width: Math.max(width, x), depth: Math.max(depth, z) };
}

/** Return the time in ms after which the dice lie still. @param {readonly Flight[]} flights */
function endOf(flights) {
  return Math.max(0, ...flights.map(({ track, delay }) => delay + (track ? (track.length - 1) * POSE_MS : FLAT_MS)));
}

/**
 * Plan the throw of a push: one more die is thrown between dice that already lie. The tray keeps its size, so the new die may
 * lie a little outside the tray.
 * @param {readonly Throw[]} throws @param {Plan} before @param {number} seed @returns {Plan}
 */
export function planOneMore(throws, { width, depth, flights }, seed) {
  const lying = flights.map(({ track }) => ({ track: track && [lastOf(track)], delay: 0 }));
  const beyond = { width: width && width + BESIDE, depth: depth + BESIDE };
  const all = [...lying, { track: firstClear(toSpots(throws, beyond, seed), lying), delay: 0 }];
  return { width, depth, flights: all, landed: endOf(all) };
}

/**
 * Plan how a die jumps off the six that added it. Return null if that six is a flat die. If no way is free, the flight has
 * no track.
 * @param {readonly Throw[]} throws @param {Flight} six @param {readonly Flight[]} flights @returns {Flight | null}
 */
function burst(throws, six, flights) {
  if (!six.track) return null;
  const others = flights.filter((flight) => flight !== six);
  const track = firstClear(hops(throws, lastOf(six.track).at), others) ?? firstClear(toSpots(throws, WIDEST, 0), flights);
  return { track, delay: settled(six.delay, six.track) };
}

/**
 * Yield tracks of a die that jumps off another die, first towards the middle of the tray, last away from it.
 * @param {readonly Throw[]} throws @param {Point} from the place of the other die
 */
function* hops(throws, from) {
  for (let step = 0; step < 48; step++) {
    const angle = Math.atan2(from[2], -from[0]) + (step % 2 ? step + 1 : -step) * (Math.PI / 48);
    for (const { hop, tracks } of throws) {
      const [x, , z] = lastOf(tracks[0]).at;
      if (hop) yield tracks[0].map((pose) => moved(pose, angle - Math.atan2(-z, x), from));
    }
  }
}

/**
 * Yield tracks of single dice to places on a tray, first near its middle.
 * @param {readonly Throw[]} throws @param {Tray} tray @param {number} seed
 */
function* toSpots(throws, { width, depth }, seed) {
  const singles = throws.filter(({ hop, tracks }) => !hop && tracks.length === 1);
  for (let spot = 0; width && spot < 400; spot++) {
    const [track] = singles[(seed + spot) % singles.length].tracks;
    const [x, , z] = lastOf(track).at;
    const [right, near] = [0.618, 0.7549].map((part) => ((((seed % 100) + spot) * part) % 1) - 0.5); // successive places are far from each other
    const spread = Math.min(1, 0.4 + spot / 200);
    yield track.map((pose) => moved(pose, 0, [right * spread * (width - BESIDE) - x, 0, near * spread * (depth - BESIDE) - z]));
  }
}

/**
 * Return the first track that ends in the widest tray and touches no lying die; null if no track does.
 * @param {Iterable<Track>} tracks @param {readonly Flight[]} flights of the lying dice
 */
function firstClear(tracks, flights) {
  const lying = flights.flatMap(({ track }) => (track ? [lastOf(track).at] : []));
  const { width, depth } = WIDEST;
  for (const track of tracks) {
    const [x, , z] = lastOf(track).at;
    if (Math.abs(x) <= (width - BESIDE) / 2 && Math.abs(z) <= (depth - BESIDE) / 2 && isClear(track, lying)) return track;
  }
  return null;
}

/** Tell whether a die on this track touches no lying die. @param {Track} track @param {readonly Point[]} lying */
function isClear(track, lying) {
  const low = track.filter(({ at }) => at[1] > -1.85); // the part of the track that is low enough to touch a lying die
  return lying.every((place) => low.every(({ at }) => Math.hypot(at[0] - place[0], at[2] - place[2]) > CLEAR));
}

/** Return the time in ms at which a die has nearly landed. @param {number} delay @param {Track} track */
function settled(delay, track) {
  const end = lastOf(track).at;
  const still = track.findIndex((_, place) => track.slice(place).every(({ at }) => Math.hypot(at[0] - end[0], at[1] - end[1], at[2] - end[2]) < 0.06));
  return delay + still * POSE_MS;
}

/** Return the last pose of a track: the die is at rest. @param {Track} track */
export function lastOf(track) {
  return track[track.length - 1];
}

/** Return a pose, rotated around the middle of the table and moved. @param {Pose} pose @param {number} angle @param {Point} by @returns {Pose} */
function moved({ at: [x, y, z], turn }, angle, by) {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const around = /** @type {Turn} */ ([0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]);
  return { at: [cosine * x + sine * z + by[0], y, cosine * z - sine * x + by[2]], turn: product(around, turn) };
}

/** Return the rotation that applies `second`, then `first`. @param {Turn} first @param {Turn} second @returns {Turn} */
function product([a, b, c, d], [x, y, z, w]) {
  return [d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z];
}

/**
 * Return how to rotate a cube before the throw, so that `face` is up at the end of the track. A cube that is not rotated
 * ends with face 1 up. The result is one of the cube's 24 rotations, so no face is mirrored.
 * @param {number} face
 */
export function ownTurn(face) {
  const [x, y, z, w] = FACES[face];
  return product(FACES[1], [-x, -y, -z, w]);
}

/**
 * Return the 16 numbers of CSS `matrix3d` for a die, column by column.
 * @param {Pose} pose @param {Turn} own the rotation of its cube before the throw @param {number} side of a die, in px
 */
export function matrixOf({ at, turn }, own, side) {
  const [x, y, z, w] = product(turn, own);
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0],
    ...[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0],
    ...[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0],
    ...[at[0] * side, at[1] * side, at[2] * side, 1],
  ];
}
