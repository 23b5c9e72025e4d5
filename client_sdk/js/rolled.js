// @ts-check
/** Where the events of a log say what was rolled, and what it comes from. */

/**
 * @import * as T from "./dreadclock.types.js"
 *
 * @typedef {object} Rolled
 * @property {readonly number[]} faces
 * @property {T.RollProof} [proof]
 * @property {boolean} physical
 * @property {string} thing what was rolled, as lanes of hidden things call it: `countdown/fever`
 */

/**
 * Return what an event rolled, if it rolled any dice.
 * @param {T.Event} event
 * @returns {Rolled | null}
 */
export function rolledIn(event) {
  const rolled = read(event);
  return rolled && rolled.faces.length ? rolled : null;
}

/** Tell whether somebody rolled real dice: then there is nothing to check. @param {Rolled} rolled */
export function isByHand({ physical, proof }) {
  return physical && proof === undefined;
}

/** @param {T.Event} event @returns {Rolled | null} */
function read(event) {
  switch (event.type) {
    case "countdown_rolled":
      return { ...dice(event), thing: `countdown/${event.countdown_id}` };
    case "total_rolled":
      return { ...dice(event), thing: `total/${event.total_id}` };
    case "dice_rolled":
      return { ...dice(event.roll), thing: `roll/${event.roll.id}` };
    case "check_rolled":
      return event.part.roll ? { ...dice(event.part.roll), thing: `check/${event.check_id}` } : null;
    case "check_resolved":
      return { ...dealt(event.result), thing: `check/${event.check_id}` };
    case "luck_pushed":
      return { ...dice({ ...event.push, faces: [event.push.face] }), thing: `total/${event.total_id}` };
    default:
      return null;
  }
}

/** @param {{ faces: readonly number[], physical: boolean, proof?: T.RollProof }} rolled */
function dice({ faces, physical, proof }) {
  return { faces, physical, proof };
}

/** @param {T.CheckResult} result */
function dealt({ deals, proof }) {
  return { faces: deals, physical: false, proof };
}

/**
 * Return what was rolled in secret and comes to light, in the order in which it was rolled.
 * @param {T.Things} things
 * @returns {Rolled[]}
 */
export function rolledInSecret({ countdowns, rolls, checks }) {
  return [
    ...countdowns.flatMap(({ id, hidden_rolls }) =>
      hidden_rolls.map((roll) => ({ ...dice(roll), thing: `countdown/${id}` })),
    ),
    ...rolls.map((roll) => ({ ...dice(roll), thing: `roll/${roll.id}` })),
    ...checks.flatMap(inCheck).sort(inLane),
  ].filter(({ faces }) => faces.length);
}

/** @param {T.Check} check @returns {Rolled[]} */
function inCheck({ id, parts, result }) {
  const rolls = parts.flatMap(({ roll }) => (roll ? [dice(roll)] : []));
  return [...rolls, ...(result ? [dealt(result)] : [])].map((rolled) => ({ ...rolled, thing: `check/${id}` }));
}

/** Put the parts of a check in the order in which they were rolled. @param {Rolled} one @param {Rolled} other */
function inLane({ proof: one }, { proof: other }) {
  return one && other ? one.n - other.n || one.start - other.start : 0;
}
