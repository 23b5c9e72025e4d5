// @ts-check
/** Helpers for the prepared beginnings of a table: whether they are offered, and which of them are on the table. */

/** @import { Table } from "../app/table.js" */

const PREFIX = "begin-"; // of the ids of the things that beginning.js makes

/** Tell whether it is the first turn, nobody has rolled, and nothing but beginnings is on the table. @param {Table} table */
export function isFresh({ view: { checks, totals, rolls, turn, countdowns, scenes, clocks } }) {
  const free = [...clocks.values()].filter(({ kind }) => kind === "free");
  const things = [...countdowns.values(), ...scenes.values(), ...free];
  return turn === 1 && !checks.size && !totals.size && !rolls.size && things.every(({ id }) => id.startsWith(PREFIX));
}

/** Return the id of the latest beginning of a kind; undefined if there is none. @param {Table} table @param {string} kind */
export function beginningOf({ view: { countdowns, scenes } }, kind) {
  return [...countdowns.keys(), ...scenes.keys()].findLast((id) => id.startsWith(`${PREFIX}${kind}-`));
}
