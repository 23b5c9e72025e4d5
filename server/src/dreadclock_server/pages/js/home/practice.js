// @ts-check
/** Practice dice on the first page: the last three dice of a countdown. The page rolls them without a server. */

/** @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { diceRow, digits } from "../parts/die.js";

/**
 * @typedef {object} Tide
 * @property {readonly number[]} faces the faces of the dice
 * @property {number} left how many dice remain
 * @property {boolean} [rolled] whether the page has rolled
 * @property {() => void} [land] ends the animation at once
 */

const NAME = "practice";
const LEAVES = 6;
const TURN_MS = 90;
const TURNS = 10; // changes of faces until the dice have landed
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Tide} */ const AT_FIRST = { faces: [5, 2, 4], left: 3 };

/** Draw the dice. @param {Table} table */
export function practice(table) {
  const { faces, land } = tideOf(table);
  const dice = faces.map((face) => ({ face, lost: !land && face === LEAVES }));
  return html`<section class="practice" data-place="practice" aria-label=${table.t("home.practice")}>
    <button type="button" class=${land ? "rolling" : ""} data-key="practice" aria-label=${table.t("home.practice.roll")} @click=${() => roll(table)}>
      ${diceRow(dice, { label: digits(faces) })}
    </button>
    <p role="status">${land ? "" : said(table)}</p>
    <p class="hint">${table.t("home.practice")}</p>
  </section>`;
}

/** Roll on the space key, if the focused element does not use it. @param {Table} table */
export function rollByKey(table) {
  addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target !== document.body || event.repeat) return;
    event.preventDefault(); // space would scroll the page
    roll(table);
  });
}

/** @param {Table} table @returns {Tide} */
const tideOf = ({ ui }) => ui.get(NAME) ?? AT_FIRST;

/** Return words for the result of the roll, and for how many dice are left. @param {Table} table */
function said(table) {
  const { faces, left, rolled } = tideOf(table);
  const tide = table.t("home.tide", { left });
  return rolled ? `${table.t("home.tide.gone", { gone: faces.length - left })} ${tide}` : tide;
}

/** Roll the remaining dice, or three new dice. If dice are still moving, end their animation. @param {Table} table */
function roll(table) {
  const before = tideOf(table);
  if (before.land) return before.land();
  const faces = Array.from({ length: before.left || AT_FIRST.left }, anyFace);
  const left = faces.filter((face) => face !== LEAVES).length;
  let turns = STILL.matches ? 0 : TURNS;
  let next = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  const turn = () => {
    if (turns-- <= 0) return table.set(NAME, { faces, left, rolled: true });
    table.set(NAME, { faces: faces.map(anyFace), left, land });
    next = setTimeout(turn, TURN_MS);
  };
  const land = () => {
    clearTimeout(next);
    turns = 0;
    turn();
  };
  turn();
}

function anyFace() {
  return 1 + Math.floor(Math.random() * 6);
}
