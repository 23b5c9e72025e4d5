// @ts-check
/** Practice dice on the first page: three dice of a countdown, which the page rolls without a server. They load after the first paint. */

/** @import { Table } from "../app/table.js" @import { Thrown } from "../arena/cubes.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { ASSETS } from "../app/settings.js";
import { fall, throwDice } from "../arena/cubes.js";
import { loadThrows, plan } from "../arena/throws.js";

/**
 * @typedef {object} Roll
 * @property {readonly number[]} faces the faces of the dice
 * @property {number} left how many dice remain
 * @property {Thrown} thrown
 */

const LEAVES = 6; // a die with this face leaves the countdown
const AT_FIRST = [5, 2, 4];
const [LARGEST, HIGHEST] = [104, 300]; // px: the largest side of a die, and the largest height of the tray; both grow on a large screen
const throws = await loadThrows(`${ASSETS}throws.bin`).catch(() => []); // without recorded throws, dice are flat
let seed = Date.now() % 1_000;
/** @type {Roll | null} */ let latest = null;

/** Draw the dice. @param {Table} table */
export function practice(table) {
  latest ??= thrown(AT_FIRST, true);
  const { faces, left, thrown: { element } } = latest;
  const said = table.t("home.tide", { left });
  const gone = faces === AT_FIRST ? said : `${table.t("home.tide.gone", { gone: faces.length - left })} ${said}`;
  return html`<button type="button" data-key="practice" aria-label=${table.t("home.practice.roll")} @click=${() => roll(table)}>${element}</button>
    <p role="status">${element.matches(".landed") ? gone : ""}</p>
    <p class="hint">${table.t("home.practice")}</p>`;
}

/** Roll when the space key is pressed and no element has the focus. @param {Table} table */
export function rollByKey(table) {
  addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target !== document.body || event.repeat) return;
    event.preventDefault(); // space would scroll the page
    roll(table);
  });
}

/** Roll the remaining dice, or three new dice. If dice are still moving, end their animation. @param {Table} table */
function roll(table) {
  const { thrown: before, left } = /** @type {Roll} */ (latest);
  if (!before.element.matches(".landed")) return before.animations.forEach((animation) => animation.finish());
  const { dice, landed } = (latest = thrown(Array.from({ length: left || AT_FIRST.length }, () => 1 + Math.floor(Math.random() * 6)))).thrown;
  const { faces } = latest;
  void landed.then(() => {
    dice.forEach((die, place) => faces[place] === LEAVES && fall(die));
    table.redraw();
  });
  table.redraw();
}

/** Throw dice. With `still`, the dice lie on the tray without a movement. @param {readonly number[]} faces @param {boolean} [still] @returns {Roll} */
function thrown(faces, still) {
  const dice = faces.map((face) => ({ face }));
  const planned = plan(throws, dice, seed++);
  const wide = document.querySelector(".practice")?.clientWidth ?? innerWidth;
  const side = Math.floor(Math.min(Math.max(LARGEST, 0.06 * innerWidth), wide / planned.width, Math.max(HIGHEST, 0.27 * innerHeight) / planned.depth));
  return { faces, left: faces.filter((face) => face !== LEAVES).length, thrown: throwDice(planned, dice, side, still) };
}
