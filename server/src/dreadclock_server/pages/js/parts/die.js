// @ts-check
/** Drawings of dice: faces with pips, and dice that are not rolled yet. */

/** @import { Table } from "../app/table.js" */

import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";

const NEAR = 8;
const MIDDLE = 16;
const FAR = 24;
/** @type {readonly (readonly (readonly [number, number])[])[]} where the pips of 1 to 6 are */
const PIPS = [
  [[MIDDLE, MIDDLE]],
  [[NEAR, FAR], [FAR, NEAR]],
  [[NEAR, FAR], [MIDDLE, MIDDLE], [FAR, NEAR]],
  [[NEAR, NEAR], [NEAR, FAR], [FAR, NEAR], [FAR, FAR]],
  [[NEAR, NEAR], [NEAR, FAR], [MIDDLE, MIDDLE], [FAR, NEAR], [FAR, FAR]],
  [[NEAR, NEAR], [NEAR, MIDDLE], [NEAR, FAR], [FAR, NEAR], [FAR, MIDDLE], [FAR, FAR]],
];

/**
 * @typedef {object} DieFace
 * @property {number} [face] 1 to 6; absent for a die that is not rolled yet
 * @property {boolean} [lost] whether the die does not count: it is struck through
 * @property {boolean} [again] whether an earlier die of a total shows the same number, so that this die does not count
 * @property {boolean} [hidden] whether the viewer may not know the face
 * @property {"gold" | "red" | ""} [look] `gold`: this face reaches the required number. `red`: it causes a crisis
 * @property {string} [mark] a letter or sign in the corner of the die
 * @property {number} [wave] 0 for a die of the first throw, 1 for a die that a six of wave 0 added, and so on
 */

/**
 * Draw dice in a row.
 * @param {readonly DieFace[]} dice @param {string} label their meaning, for screen readers @param {unknown} [mark] drawn after the dice
 */
export function diceRow(dice, label, mark = nothing) {
  return html`<span class="dice" role="img" aria-label=${label}>${dice.map(drawDie)} ${mark}</span>`;
}

/**
 * Return the label of rolled dice. The label says if they were physical dice.
 * @param {Table} table @param {{ label: string, physical?: boolean }} roll
 */
export function labelOf(table, { label, physical }) {
  return physical ? `${label} (${table.t("physical")})` : label;
}

/** Draw the mark of physical dice. @param {string} words the tooltip of the mark */
export function ownDice(words) {
  return html`<span class="physical" title=${words} aria-hidden="true"
    ><svg viewBox="0 0 20 20">
      <path
        d="M6.2 10.5V5.2a1.2 1.2 0 0 1 2.4 0v-1.6a1.2 1.2 0 0 1 2.4 0v1.1a1.2 1.2 0 0 1 2.4 0v2a1.2 1.2 0 0 1 2.4 0v6.1a5 5 0 0 1-5 5h-.9a4.6 4.6 0 0 1-3.8-2L3.3 11.7a1.3 1.3 0 0 1 2.1-1.5Z"
      /></svg
  ></span>`;
}

/** Draw a single die. @param {DieFace} die */
export function drawDie({ face, lost = false, again = false, hidden = false, look = "", mark }) {
  const kind = hidden ? "hidden" : face === undefined ? "blank" : `face-${face}`;
  return html`<svg class=${`die ${kind} ${look} ${lost ? "lost" : ""} ${again ? "again" : ""}`} viewBox="0 0 32 34" aria-hidden="true">
    <rect class="edge" x="1.5" y="4" width="29" height="29" rx="7.5" />
    <rect class="body" x="1.5" y="1.5" width="29" height="29" rx="7.5" />
    ${hidden ? svg`<text class="secret" font-size="18" x="16" y="22.5" text-anchor="middle">?</text>` : pips(face)}
    ${lost ? svg`<path class="strike" d="M3 29 29 3" />` : nothing}
    ${mark ? svg`<circle class="spot" cx="28" cy="4" r="6" /><text class="mark" font-size="10" x="28" y="7.5" text-anchor="middle">${mark}</text>` : nothing}
  </svg>`;
}

/** Draw the pips of a face, or the dot of a die that is not rolled. @param {number | undefined} face */
function pips(face) {
  if (face === undefined) return svg`<circle class="unrolled" cx="16" cy="16" r="4" />`;
  return PIPS[face - 1]?.map(([x, y]) => svg`<circle class="pip" cx=${x} cy=${y} r="2.9" />`);
}

/**
 * Return for each face whether its die was removed. `remaining`: the faces that were not removed, in any order.
 * @param {readonly number[]} faces @param {readonly number[]} remaining
 */
export function lostAmong(faces, remaining) {
  const left = [...remaining];
  return faces.map((face) => {
    const place = left.indexOf(face);
    if (place < 0) return true;
    left.splice(place, 1);
    return false;
  });
}

/**
 * Return the wave of each die: 0 for the first throw, 1 for dice that sixes of wave 0 added, and so on. Source: rules.md C2.
 * @param {readonly number[]} faces in the order rolled @param {number} pool how many dice there were at first
 */
export function wavesOf(faces, pool) {
  const waves = /** @type {number[]} */ ([]);
  let [wave, ends] = [0, pool];
  faces.forEach((_, place) => {
    if (place === ends) {
      const added = faces.slice(0, place).filter((face, earlier) => face === 6 && waves[earlier] === wave).length;
      [wave, ends] = [wave + 1, place + Math.max(1, added)];
    }
    waves.push(wave);
  });
  return waves;
}

/**
 * Return the dice of a total. Each number counts once, so a die is marked `again` if an earlier die shows the same number.
 * @param {readonly number[]} faces
 */
export function diceOfTotal(faces) {
  return faces.map((face, place) => ({ face, again: faces.indexOf(face) < place }));
}

/** Return faces as digits, in their order. @param {readonly number[]} faces */
export function digits(faces) {
  return faces.join(" ");
}
