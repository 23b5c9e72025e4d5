// @ts-check
/** Helpers that tell whether prepared beginnings are offered, and which beginnings are on the table. */

/** @import { Table } from "../app/table.js" */

const PREFIX = "begin-"; // the ids of the things that beginning.js makes start like this

/** Tell whether beginnings are offered: in the first turn, without checks, totals and rolls, while all countdowns, scenes and free clocks come from beginnings. @param {Table} table */
export function isFresh({ view: { checks, totals, rolls, turn, countdowns, scenes, clocks } }) {
  const free = [...clocks.values()].filter(({ kind }) => kind === "free");
  const things = [...countdowns.values(), ...scenes.values(), ...free];
  return turn === 1 && !checks.size && !totals.size && !rolls.size && things.every(({ id }) => id.startsWith(PREFIX));
}

/** Return the id of the latest countdown or scene that a beginning of this kind made; undefined if there is none. @param {Table} table @param {string} kind */
export function beginningOf({ view: { countdowns, scenes } }, kind) {
  return [...countdowns.keys(), ...scenes.keys()].findLast((id) => id.startsWith(`${PREFIX}${kind}-`));
}
