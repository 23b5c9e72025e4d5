// @ts-check
/** Draws dice as CSS cubes that tumble onto a tray, and as flat dice. Animations change only transform and opacity. css/throws.css has the styles. */

/** @import { Plan, Pose } from "./throws.js" */

import { FLAT_MS, matrixOf, ownTurn, POSE_MS } from "./throws.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LAMP = [-0.33, -0.92, 0.22]; // the direction of the light
const [DARKEST, LIT] = [0.5, 0.55]; // the shade of a face without light (1 is black), and how much full light reduces it
const MOVE_MS = 400; // how long a landed die takes to fall or to slide
/** The shadow of each cube. @type {WeakMap<HTMLElement, HTMLElement>} */ const shadows = new WeakMap();
const FLAT_FRAMES = [{ transform: "translateY(-60%) rotate(-30deg)", opacity: 0 }, { transform: "none", opacity: 1 }];

/**
 * @typedef {object} Die
 * @property {number} [face] 1 to 6; absent if nobody may see the face
 * @property {string} [kind] a CSS class of its look
 *
 * @typedef {object} Thrown
 * @property {HTMLElement} element the tray, and below it the flat dice
 * @property {readonly HTMLElement[]} dice the elements of the dice, in the order rolled
 * @property {readonly Animation[]} animations of dice and shadows; none if nothing moves. `finish()` lands the dice at once
 * @property {Promise<void>} landed resolves when all dice lie still
 */

/**
 * Make a tray, and throw dice onto it. With `still`, the dice lie there at once; this is the default with reduced motion.
 * @param {Plan} plan @param {readonly Die[]} dice as many dice as the plan has @param {number} side the side of a die in px @param {boolean} [still]
 * @returns {Thrown}
 */
export function throwDice({ width, depth, flights }, dice, side, still = STILL.matches) {
  const [element, tray, felt, air, flats] = ["throw", "tray", "felt", "air", "flats"].map((name) => made("div", name));
  for (const [name, value] of Object.entries({ side: `${side}px`, wide: width, deep: depth })) element.style.setProperty(`--${name}`, String(value));
  tray.append(felt, air);
  element.append(tray, flats);
  const animations = /** @type {Animation[]} */ ([]);
  /**
   * Animate an element, from the first to the last keyframe. The element keeps the style of the last keyframe. Times are in
   * ms.
   * @type {(moving: HTMLElement, frames: Keyframe[], delay: number, duration: number) => void}
   */
  const move = (moving, frames, delay, duration) => {
    Object.assign(moving.style, frames[frames.length - 1]);
    if (!still && frames.length > 1) animations.push(moving.animate(frames, { delay, duration, fill: "backwards" }));
  };
  const elements = dice.map(({ face, kind = "" }, place) => {
    const { track, delay } = flights[place];
    const look = face ? kind : "sealed";
    if (!track) {
      const flat = flats.appendChild(made("b", `flat ${look} f${face}`));
      move(flat, FLAT_FRAMES, delay, FLAT_MS);
      return flat;
    }
    const matrices = track.map((pose) => matrixOf(pose, ownTurn(face ?? 1), side));
    const cube = air.appendChild(cubeOf(look, matrices[matrices.length - 1]));
    const shadow = felt.appendChild(made("i", "shadow"));
    shadows.set(cube, shadow);
    const duration = (track.length - 1) * POSE_MS;
    const poses = matrices.map((matrix) => ({ transform: `matrix3d(${matrix.map((number) => +number.toFixed(4))})` }));
    move(cube, poses.length > 1 ? [hiddenAt(matrices[0]), { ...poses[0], offset: 0.0005 }, ...poses.slice(1)] : poses, delay, duration);
    move(shadow, track.map((pose) => shadowFrame(pose, side)), delay, duration);
    return cube;
  });
  const landed = Promise.all(animations.map(({ finished }) => finished)).then(() => element.classList.add("landed"));
  if (!animations.length) element.classList.add("landed");
  return { element, dice: elements, animations, landed };
}

/**
 * Return the keyframe of a die that has not appeared yet: it is too small to be seen. (Opacity would flatten the 3D cube.)
 * @param {readonly number[]} matrix @returns {Keyframe}
 */
function hiddenAt(matrix) {
  return { transform: `matrix3d(${matrix.map((number, place) => +(place < 12 ? number / 1000 : number).toFixed(6))})`, offset: 0 };
}

/** Make an element of a class. @param {string} tag @param {string} name the class @returns {HTMLElement} */
function made(tag, name) {
  const element = document.createElement(tag);
  element.className = name;
  return element;
}

/**
 * Build a cube, with light on its faces for its final position. The light is only shown when all dice lie: in flight, it
 * would reveal the face.
 * @param {string} look its CSS class @param {readonly number[]} matrix its final position, as in `matrix3d`
 */
function cubeOf(look, matrix) {
  const cube = made("div", `cube ${look}`);
  const [x, y, z] = [0, 4, 8].map((column) => LAMP.reduce((sum, length, row) => sum + length * matrix[column + row], 0));
  for (const [face, light] of Object.entries({ 1: -y, 2: z, 3: x, 4: -x, 5: -z, 6: y })) {
    const painted = cube.appendChild(made("b", `f${face}`));
    painted.style.setProperty("--dark", Math.max(0, DARKEST - LIT * Math.max(0, light)).toFixed(2));
  }
  return cube;
}

/**
 * Return the keyframe of a die's shadow. The higher the die, the larger and paler its shadow.
 * @param {Pose} pose @param {number} side of a die, in px
 */
function shadowFrame({ at: [x, y, z] }, side) {
  const height = Math.max(0, -y - 0.5);
  const [right, near] = [x + height * 0.3, z - height * 0.3].map((length) => (length * side).toFixed(1));
  return { transform: `translate(${right}px, ${near}px) scale(${(1 + height * 0.22).toFixed(3)})`, opacity: Math.max(0.12, 1 - height * 0.4) };
}

/**
 * Let a die fall off the front edge of its tray. Resolves when it has fallen. The die's style keeps the
 * transform that it had on the tray.
 * @param {HTMLElement} die
 */
export async function fall(die) {
  const [lies, side] = [new DOMMatrix(die.style.transform), lift(die)];
  const over = new DOMMatrix().translate(0, 0, 3 * side).multiply(lies).rotate(40, 0, 25);
  const below = new DOMMatrix().translate(0, 3 * side, 4 * side).multiply(lies).rotate(160, 0, 70);
  if (side) await move(die, [lies, over, below]);
  die.classList.add("fallen");
}

/** Let a die slide under another. Flat dice stay in place. @param {HTMLElement} die @param {HTMLElement} upper the other die */
export function slideUnder(die, upper) {
  const [lies, side] = [new DOMMatrix(die.style.transform), lift(die)];
  if (!side) return;
  const { m41, m42, m43 } = new DOMMatrix(upper.style.transform);
  const under = Object.assign(DOMMatrix.fromMatrix(lies), { m41, m42: m42 + 1.02 * side, m43 });
  die.style.transform = String(under);
  void move(die, [lies, under]);
}

/** Remove a die's shadow, and return the side of the die in px; 0 for a flat die. @param {HTMLElement} die */
function lift(die) {
  const shadow = shadows.get(die);
  shadow?.remove();
  return shadow ? parseFloat(getComputedStyle(die).getPropertyValue("--side")) : 0;
}

/**
 * Animate a die along matrices, in no time with reduced motion. Resolves at the end.
 * @param {HTMLElement} die @param {readonly DOMMatrix[]} matrices
 */
function move(die, matrices) {
  const duration = STILL.matches ? 0 : MOVE_MS;
  return die.animate(matrices.map((matrix) => ({ transform: String(matrix) })), { duration, easing: "ease-in" }).finished.catch(() => {});
}
