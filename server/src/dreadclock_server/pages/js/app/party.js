// @ts-check
/** Answers questions about characters, totals, and parts (one character's share in a check). */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

/** Return the characters in play. @param {Table} table @returns {T.Character[]} */
export function inPlay(table) {
  return [...table.view.characters.values()].filter((character) => character.status === "in_play");
}

/** Tell on the gm's page whether the gm rolls for a character: it has no owner, or the gm owns it. @param {Table} table @param {string} id */
export function isGms(table, id) {
  const owner = table.view.characters.get(id)?.owner;
  return owner === undefined || owner === table.room.seat;
}

/** Return the characters in play that have no part in a check yet. @param {Table} table @param {T.Check} [check] */
export function freeFor(table, check) {
  const taken = new Set(check?.parts.map((part) => part.character_id));
  return inPlay(table).filter((character) => !taken.has(character.id));
}

/** Tell whether a part can be rolled now. A crisis may still prevent the roll. @param {Table} table @param {T.Check} check @param {T.Part} part */
export function canRoll(table, { status, contest, parts }, part) {
  const waits = contest && !parts.some((part) => part.side === "opposing");
  return (status === "ready" || status === "rolling") && !part.roll && !waits && !isStuck(table, part);
}

/** Tell whether a part cannot be rolled, because its character is out of play. @param {Table} table @param {T.Part} part */
export function isStuck(table, { roll, name, character_id: id }) {
  return !roll && name === undefined && table.view.characters.get(id)?.status !== "in_play";
}

export const USUAL_NUMBER = 12; // a total that the gm approves with one press requires this number

/**
 * Return the required number of a total; undefined if the gm has not set it, or keeps it secret from this viewer.
 * @param {Table} table @param {Pick<T.Total, "id" | "required">} total
 */
export function requiredOf(table, { id, required }) {
  return required ?? table.view.secrets.get(id)?.required;
}
