// @ts-check
/** Dice in motion: cubes that tumble and land on the faces that the server rolled; those that a 6 added burst in after it. */

/** @import { DieFace } from "../parts/die.js" @import { Moment } from "./stage.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";

const CUBES = 10; // more of them would be a heap: they land as flat dice
const CALM = 2; // more rolls at once are one list
const CALM_MS = 350;
const LANDED_MS = [560, 740, 860, 960]; // by how often 6s added dice, as css/moments.css moves them
const MOST_WAVES = LANDED_MS.length - 1;
/** @type {{ [face: number]: readonly number[] }} what is on the right, the left, above and below of a face, as on a real die */
const AROUND = { 1: [3, 4, 2, 5], 2: [3, 4, 6, 1], 3: [6, 1, 2, 5], 4: [1, 6, 2, 5], 5: [3, 4, 1, 6], 6: [4, 3, 2, 5] };
const SIDES = ["right", "left", "above", "below"];

/** Tell whether so many rolls happened at once that they are one list. @param {Moment} moment */
export function isCalm({ rolls }) {
  return rolls.length > CALM;
}

/** Return after how many ms the dice of a moment lie still. @param {Moment} moment */
export function landsAfter(moment) {
  if (isCalm(moment)) return CALM_MS;
  const waves = moment.rolls.flatMap(({ roll }) => roll.dice.map((die) => die.wave ?? 0));
  return LANDED_MS[Math.min(MOST_WAVES, Math.max(0, ...waves))];
}

/** Draw dice as they tumble; what they mean is not said before they lie. @param {readonly DieFace[]} dice */
export function tumbling(dice) {
  const flat = dice.length > CUBES;
  return html`<span class=${`dice big ${flat ? "flat" : "cubes"}`}>
    ${dice.map((die, place) => {
      const how = `wave-${Math.min(MOST_WAVES, die.wave ?? 0)} turn-${place % 3}`;
      return die.hidden ? html`<i class=${`tumbles hidden ${how}`}>?</i>` : cube(die.face ?? 1, how, flat);
    })}
  </span>`;
}

/** @param {number} face @param {string} how @param {boolean} flat */
function cube(face, how, flat) {
  const sides = flat ? nothing : html`${SIDES.map((side, place) => html`<b class=${`${side} f${AROUND[face][place]}`}></b>`)}<b class=${`behind f${7 - face}`}></b>`;
  return html`<i class=${`tumbles ${how}`}><i class="solid"><b class=${`front f${face}`}></b>${sides}</i></i>`;
}
