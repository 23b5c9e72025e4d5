// @ts-check
/** The rolls in events: faces with their proofs, shown at once or revealed later. */

/**
 * @import * as T from "./dreadclock.types.js"
 *
 * @typedef {object} Rolled
 * @property {readonly number[]} faces
 * @property {T.RollProof} [proof]
 * @property {boolean} physical
 * @property {string} thing the rolled thing, as in the labels of hidden things' lanes: `countdown/fever`
 * @property {string[]} begins marks of later rolls that may share its slot: deals share the slot of their check, the
 *   countdowns that the end of a turn or round rolls share a slot, and a countdown that repeats shares that of its last roll
 * @property {string} follows its own mark: it may share the slot of an earlier roll that has this mark in `begins`
 */

const TURN = "turn";

/**
 * Return the roll of an event; null if it rolls no dice.
 * @param {T.Event} event
 * @returns {Rolled | null}
 */
export function rolledIn(event) {
  const rolled = read(event);
  return rolled && rolled.faces.length ? rolled : null;
}

/** Return the proof of the roll in an event; undefined without one. @param {any} event @returns {T.RollProof | undefined} */
export function proofOf(event) {
  return (event.roll ?? event.part?.roll ?? event.result ?? event.push ?? event).proof;
}

/** Tell whether a roll used physical dice. Then there is nothing to check. @param {Rolled} rolled */
export function isByHand({ physical, proof }) {
  return physical && proof === undefined;
}

/** @param {T.Event} event @returns {Rolled | null} */
function read(event) {
  switch (event.type) {
    case "countdown_rolled":
      return ofCountdown(event.countdown_id, event, TURN);
    case "countdown_repeated":
      return anew(event.countdown_id, event, TURN);
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
  return { faces, physical, proof, begins: [], follows: "" };
}

/** @param {string} id @param {T.HiddenRoll | T.CountdownRolled} rolled @param {string} turn @returns {Rolled} */
function ofCountdown(id, rolled, turn) {
  return { ...dice(rolled), thing: `countdown/${id}`, begins: [turn, `countdown/${id}`], follows: turn };
}

/** @param {string} id @param {T.HiddenRoll | T.CountdownRepeated} rolled @param {string} turn @returns {Rolled} */
function anew(id, { faces, proof }, turn) {
  const rolled = dice({ faces, physical: false, proof });
  return { ...rolled, thing: `countdown/${id}`, begins: [turn], follows: `countdown/${id}` };
}

/** @param {string} id @param {T.PartRoll} roll @returns {Rolled} */
function partOf(id, roll) {
  return { ...dice(roll), thing: `check/${id}`, begins: [`check/${id}`] };
}

/** @param {string} id @param {T.CheckResult} result @returns {Rolled} */
function dealt(id, { deals, proof }) {
  return { ...dice({ faces: deals, physical: false, proof }), thing: `check/${id}`, follows: `check/${id}` };
}

/**
 * Return the bindings of countdowns that an event sets.
 * @param {T.Event} event
 * @returns {readonly { id: string, bound_to: string }[]}
 */
export function countdownsIn(event) {
  switch (event.type) {
    case "countdown_started":
      return [event.countdown];
    case "countdown_amended":
      return [{ id: event.countdown_id, bound_to: event.bound_to }];
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

/** The bindings of the public countdowns. Only countdowns that the end of a turn or round rolls share a slot. */
export class Bound {
  /** @type {Set<string>} */
  #things = new Set();

  /** Note the bindings of countdowns. @param {readonly { id: string, bound_to: string }[]} countdowns */
  hear(countdowns) {
    for (const { id, bound_to } of countdowns) {
      if (bound_to !== "nothing") this.#things.add(`countdown/${id}`);
      else this.#things.delete(`countdown/${id}`);
    }
  }

  /**
   * Return a roll with the marks that say with which rolls it may share its slot.
   * @param {T.EventRecord} record
   * @param {Rolled} rolled
   * @returns {Rolled}
   */
  settled({ channel }, rolled) {
    const shares = channel === "public" && this.#things.has(rolled.thing);
    if (shares) return rolled;
    const begins = rolled.begins.filter((mark) => mark !== TURN);
    return { ...rolled, begins, follows: rolled.follows === TURN ? "" : rolled.follows };
  }
}

/**
 * Return the rolls of revealed things, in the order in which they were made.
 * @param {T.Things} things
 * @returns {Rolled[]}
 */
export function rolledInSecret({ countdowns, rolls, checks }) {
  return [
    ...countdowns.flatMap(({ id, hidden_rolls }) =>
      hidden_rolls.map((roll) => (roll.pool === undefined ? ofCountdown(id, roll, "") : anew(id, roll, ""))),
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

/** Compare rolls of a check by their slots, because parts may be rolled in any order. @param {Rolled} a @param {Rolled} b */
function inLane({ proof: a }, { proof: b }) {
  return a && b ? a.n - b.n || a.start - b.start : 0;
}
