// @ts-check
/** Records: what they are called, in which order they happened, and whose dice they rolled. */

/** @import * as T from "../../client/dreadclock.types.js" */

/**
 * Name the thing whose dice are to be seen settling, as `kind:id`; null if an event rolled none.
 * @param {T.Event} event
 * @returns {string | null}
 */
export function rolledBy(event) {
  switch (event.type) {
    case "countdown_rolled":
      return `countdown:${event.countdown_id}`;
    case "dice_rolled":
      return `roll:${event.roll.id}`;
    case "check_rolled":
      return `check:${event.check_id}:${event.part.character_id}`;
    case "total_rolled":
      return `total:${event.total_id}`;
    case "luck_pushed":
      return `push:${event.total_id}`;
    case "sealed_started":
      return event.thing.kind === "roll" ? `sealed:${event.thing.id}` : null;
    case "sealed_changed":
      return `sealed:${event.id}`;
    default:
      return null;
  }
}

/** Name a record for good. @param {T.EventRecord} record */
export function keyOf(record) {
  return `${record.channel}-${record.seq}`;
}

/** Put the records of several channels into the one order in which they happened. @param {readonly T.EventRecord[]} records */
export function inOrder(records) {
  /** @type {(record: T.EventRecord) => number} */
  const place = (record) => (record.channel === "public" ? record.seq : (record.after ?? 0) + 0.5);
  return [...records].sort((one, other) => place(one) - place(other) || one.seq - other.seq);
}

/** Return what the dice of an event are proven with, if anything. @param {any} event @returns {T.RollProof | undefined} */
export function proofOf(event) {
  return (event.roll ?? event.part?.roll ?? event.result ?? event.push ?? event).proof;
}

/** Name a roll by its place among those of its lane. @param {T.RollProof} proof */
export function placeOf({ lane, n, start }) {
  return `${lane} ${n} ${start}`;
}

/** Name the roll of a record by its place, if everyone can check it; else this is empty. @param {T.EventRecord} record */
export function rollIn({ channel, event }) {
  const proof = proofOf(event);
  return proof && channel === "public" ? placeOf(proof) : "";
}
