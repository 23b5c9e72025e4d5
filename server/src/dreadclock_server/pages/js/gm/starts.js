// @ts-check
/** What a table begins with. */

/** @import { Table } from "../app/table.js" */

const BEGUN = "begin-"; // begins the ids of what beginning.js puts on the table

/** Tell whether nothing is on the table but beginnings, in the first turn and before anybody rolls. @param {Table} table */
export function isFresh({ view: { checks, totals, rolls, turn, countdowns, scenes, clocks } }) {
  const free = [...clocks.values()].filter(({ kind }) => kind === "free");
  const things = [...countdowns.values(), ...scenes.values(), ...free];
  return turn === 1 && !checks.size && !totals.size && !rolls.size && things.every(({ id }) => id.startsWith(BEGUN));
}

/** Return the id of a beginning that is on the table, if it is. @param {Table} table @param {string} kind */
export function beginningOf({ view: { countdowns, scenes } }, kind) {
  return [...countdowns.keys(), ...scenes.keys()].findLast((id) => id.startsWith(`${BEGUN}${kind}-`));
}
