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
 * @property {string} begins what may go on with its slot: deals with a roll of their check, and what the end of a turn
 *   rolls with what it rolled before; empty if nothing may
 * @property {string} follows what it may go on with itself
 */

const TURN = "turn";

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
      return { ...dice(event), thing: `countdown/${event.countdown_id}`, begins: TURN, follows: TURN };
    case "total_rolled":
      return { ...dice(event), thing: `total/${event.total_id}` };
    case "dice_rolled":
      return { ...dice(event.roll), thing: `roll/${event.roll.id}` };
    case "check_rolled":
      return event.part.roll ? partOf(event.check_id, event.part.roll) : null;
    case "check_resolved":
      return dealt(event.check_id, event.result);
    case "luck_pushed":
      return { ...dice({ ...event.push, faces: [event.push.face] }), thing: `total/${event.total_id}` };
    default:
      return null;
  }
}

/** @param {{ faces: readonly number[], physical: boolean, proof?: T.RollProof }} rolled */
function dice({ faces, physical, proof }) {
  return { faces, physical, proof, begins: "", follows: "" };
}

/** @param {string} id @param {T.PartRoll} roll @returns {Rolled} */
function partOf(id, roll) {
  return { ...dice(roll), thing: `check/${id}`, begins: `check/${id}` };
}

/** @param {string} id @param {T.CheckResult} result @returns {Rolled} */
function dealt(id, { deals, proof }) {
  return { ...dice({ faces: deals, physical: false, proof }), thing: `check/${id}`, follows: `check/${id}` };
}

/** Return the countdowns that an event shows whole. @param {T.Event} event @returns {readonly T.Countdown[]} */
export function countdownsIn(event) {
  switch (event.type) {
    case "countdown_started":
      return [event.countdown];
    case "room_continued":
      return event.carried.countdowns;
    case "revealed":
      return event.things.countdowns;
    case "command_voided":
      return event.restored.countdowns;
    default:
      return [];
  }
}

/** The countdowns in public that are bound to the turn: only their rolls at its end share a slot. */
export class TurnBound {
  /** @type {Set<string>} */
  #things = new Set();

  /** Note how countdowns are bound. @param {readonly T.Countdown[]} countdowns */
  hear(countdowns) {
    for (const { id, bound_to } of countdowns) {
      if (bound_to === "turn") this.#things.add(`countdown/${id}`);
      else this.#things.delete(`countdown/${id}`);
    }
  }

  /**
   * Return a roll as it may share its slot.
   * @param {T.EventRecord} record
   * @param {Rolled} rolled
   * @returns {Rolled}
   */
  settled({ channel }, rolled) {
    const shares = channel === "public" && this.#things.has(rolled.thing);
    return rolled.begins === TURN && !shares ? { ...rolled, begins: "", follows: "" } : rolled;
  }
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
  const rolls = parts.flatMap(({ roll }) => (roll ? [partOf(id, roll)] : []));
  return result ? [...rolls, dealt(id, result)] : rolls;
}

/** Put the parts of a check in the order in which they were rolled. @param {Rolled} one @param {Rolled} other */
function inLane({ proof: one }, { proof: other }) {
  return one && other ? one.n - other.n || one.start - other.start : 0;
}
