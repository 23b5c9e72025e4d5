// @ts-check
/** Says whether beginnings (ready-made countdowns and scenes) are offered, and which exist. */

/** @import { Table } from "../app/table.js" */

const PREFIX = "begin-"; // start of the ids of things from beginning.js

/** Tell whether beginnings are offered. They are offered in the first turn, until there is a check, a total, a roll, or a countdown, scene or free clock that no beginning made. @param {Table} table */
export function isFresh({ view: { checks, totals, rolls, turn, countdowns, scenes, clocks } }) {
  const free = [...clocks.values()].filter(({ kind }) => kind === "free");
  const things = [...countdowns.values(), ...scenes.values(), ...free];
  return turn === 1 && !checks.size && !totals.size && !rolls.size && things.every(({ id }) => id.startsWith(PREFIX));
}

/** Return the id of the latest countdown or scene that a beginning of this kind made, or undefined if there is none. @param {Table} table @param {string} kind */
export function beginningOf({ view: { countdowns, scenes } }, kind) {
  return [...countdowns.keys(), ...scenes.keys()].findLast((id) => id.startsWith(`${PREFIX}${kind}-`));
}
