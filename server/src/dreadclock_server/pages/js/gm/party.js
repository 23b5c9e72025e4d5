// @ts-check
/** The characters, as far as the gm's controls ask for them. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

/** @param {Table} table @returns {T.Character[]} */
export function inPlay(table) {
  return [...table.view.characters.values()].filter((each) => each.status === "in_play");
}

/** Tell whether a character is the gm's to roll for. @param {Table} table @param {string} id */
export function isGms(table, id) {
  const owner = table.view.characters.get(id)?.owner;
  return owner === undefined || owner === table.room.seat;
}

/** Return the characters in play that have no part in a check yet. @param {Table} table @param {T.Check} [check] */
export function freeFor(table, check) {
  const taken = new Set(check?.parts.map((part) => part.character_id));
  return inPlay(table).filter((each) => !taken.has(each.id));
}
