// @ts-check
/** Rolls as rows of dice for chat cards, and as Foundry rolls that show the server's faces. */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { View } from "../client/views.js"
 *
 * @typedef {object} Die
 * @property {number} face
 * @property {boolean} [lost] whether the die does not count, or leaves the countdown
 * @property {boolean} [gold] whether it decides the roll
 * @property {boolean} [blood] whether it causes a crisis
 * @typedef {{ name: string, dice: Die[] }} Row a row of dice. `name`: the roller, if there are several rows
 */

import { EXPIRES_FROM } from "../client/limits.js";
import { rolledIn } from "../client/rolled.js";
import { text } from "./words.js";

/** Return the faces that an event rolled; none if it rolled no dice. @param {T.Event} event */
export const facesOf = (event) => rolledIn(event)?.faces ?? [];

/** Return the dice that a card shows of an event. @param {T.Event} event @param {View} view after the event @returns {Row[]} */
export function rowsOf(event, view) {
  switch (event.type) {
    case "check_rolled":
      return event.part.roll ? [{ name: "", dice: partDice(event.part.roll, isAlone(event, view) ? deciding(event.part.roll) : 0) }] : [];
    case "check_resolved":
      return sidesOf(view, event);
    case "total_rolled":
      return [{ name: "", dice: beside(event.faces, event.kept, 0) }];
    case "push_offered":
      return [nextRow(view.totals.get(event.total_id))];
    case "luck_pushed":
      return [{ name: "", dice: [{ face: event.push.face, gold: event.push.enough === true, blood: event.push.crisis }] }];
    case "countdown_rolled": {
      const from = EXPIRES_FROM[view.countdowns.get(event.countdown_id)?.speed ?? "slow"];
      return [{ name: "", dice: event.faces.map((face) => ({ face, lost: face >= from })) }];
    }
  }
  const faces = facesOf(event);
  return faces.length ? [{ name: "", dice: faces.map((face) => ({ face })) }] : [];
}

/** Tell whether a part is the only part of its check, so that its roll decides the check. @param {T.CheckRolled} event @param {View} view */
export function isAlone({ check_id: id }, view) {
  const check = view.checks.get(id);
  return check !== undefined && !check.contest && check.parts.length === 1;
}

/** Name the character of a part. @param {T.Part} part @param {View} view */
export const nameOf = ({ name, character_id: id }, view) => name ?? view.characters.get(id)?.name ?? id;

/** Return the face that decides: the highest; 0 for a fumble. @param {{ outcome: T.Outcome, highest?: number }} roll */
const deciding = ({ outcome, highest = 0 }) => (outcome === "fumble" ? 0 : highest);

/**
 * Return the dice of all parts of a check. On the winning side, the deciding dice are gold.
 * @param {View} view @param {T.CheckResolved} event @returns {Row[]}
 */
function sidesOf(view, { check_id: id, result }) {
  const { winner, decided_by: by, deals } = result;
  const side = winner ?? "acting";
  const top = winner ? (result[side]?.highest ?? 0) : deciding(result.acting);
  const isByDice = by !== "reflex" && by !== "deal";
  const rows = (view.checks.get(id)?.parts ?? []).flatMap((part) => {
    const gold = isByDice && part.side === side ? top : 0;
    return part.roll ? [{ name: nameOf(part, view), dice: partDice(part.roll, gold) }] : [];
  });
  const last = deals.length - (winner === "opposing" ? 1 : 2); // dealt in pairs, the acting side's first
  return deals.length ? [...rows, { name: text("Card.Deal"), dice: deals.map((face, place) => ({ face, gold: place === last })) }] : rows;
}

/** @param {T.PartRoll} roll @param {number} gold the face that decides */
const partDice = ({ faces, remaining }, gold) => beside(faces, remaining, gold);

/** @param {readonly number[]} faces @param {readonly number[]} remaining @param {number} gold @returns {Die[]} */
function beside(faces, remaining, gold) {
  const left = [...remaining];
  return faces.map((face) => {
    const place = left.indexOf(face);
    if (place >= 0) left.splice(place, 1);
    return { face, lost: place < 0, gold: place >= 0 && face === gold };
  });
}

/**
 * Return the six possible faces of a push. A face that is enough is gold, if the required number is public.
 * @param {T.Total | undefined} total @returns {Row}
 */
function nextRow(total) {
  const { kept = [], total: sum = 0, required = Infinity } = total ?? {};
  const dice = [1, 2, 3, 4, 5, 6].map((face) => ({ face, blood: kept.includes(face), gold: !kept.includes(face) && sum + face >= required }));
  return { name: dice.some(({ gold }) => gold) ? text("Card.NextKnown") : text("Card.Next"), dice };
}

/** Make a roll of Foundry's that shows these faces. @param {readonly number[]} faces @returns {Roll} */
export function rollOf(faces) {
  const total = faces.reduce((sum, face) => sum + face, 0);
  const results = faces.map((face) => ({ result: face, active: true }));
  const die = { class: "Die", options: {}, evaluated: true, number: faces.length, faces: 6, modifiers: [], results };
  const formula = `${faces.length}d6`;
  return Roll.fromData({ class: "Roll", options: {}, dice: [], formula, terms: [die], total, evaluated: true });
}
