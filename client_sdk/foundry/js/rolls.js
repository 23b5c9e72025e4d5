// @ts-check
/** Rolls as pictures and as Foundry's own: the faces are the server's, and nobody rolls them again. */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { View } from "../client/views.js"
 *
 * @typedef {{ face: number, lost: boolean }} Shown a die as it fell, and whether it was taken away
 */

import { EXPIRES_FROM } from "../client/limits.js";
import { rolledIn } from "../client/rolled.js";

/** Return the dice of an event; none if it rolled none. @param {T.Event} event @param {View} view @returns {Shown[]} */
export function diceOf(event, view) {
  const faces = rolledIn(event)?.faces ?? [];
  const lost = lostIn(event, view, faces);
  return faces.map((face, place) => ({ face, lost: lost[place] ?? false }));
}

/** Tell of each face whether it was taken away. @param {T.Event} event @param {View} view @param {readonly number[]} faces @returns {boolean[]} */
function lostIn(event, view, faces) {
  switch (event.type) {
    case "countdown_rolled": {
      const from = EXPIRES_FROM[view.countdowns.get(event.countdown_id)?.speed ?? "slow"];
      return faces.map((face) => face >= from);
    }
    case "check_rolled":
      return beside(faces, event.part.roll?.remaining ?? []);
    case "total_rolled":
      return beside(faces, event.kept);
    case "luck_pushed":
      return [event.push.crisis];
    default:
      return [];
  }
}

/** @param {readonly number[]} faces @param {readonly number[]} remaining */
function beside(faces, remaining) {
  const left = [...remaining];
  return faces.map((face) => {
    const place = left.indexOf(face);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

/** Make a roll of Foundry's that shows these faces. @param {readonly Shown[]} dice @returns {Roll} */
export function rollOf(dice) {
  const total = dice.reduce((sum, { face }) => sum + face, 0);
  const results = dice.map(({ face }) => ({ result: face, active: true }));
  const die = { class: "Die", options: {}, evaluated: true, number: dice.length, faces: 6, modifiers: [], results };
  const formula = `${dice.length}d6`;
  return Roll.fromData({ class: "Roll", options: {}, dice: [], formula, terms: [die], total, evaluated: true });
}
