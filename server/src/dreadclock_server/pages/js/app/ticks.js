// @ts-check
/** Ticks of clocks: every press is one, is shown at once, and goes back if it is refused. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Press } from "./controls.js" @import { Table } from "./table.js" */

/** Return a clock as it stands once all ticks that are under way are done. @param {Table} table @param {T.Clock} clock @returns {T.Clock} */
export function asTicked(table, clock) {
  const on = table.unsettled(sumOf(clock));
  if (!on) return clock;
  const value = clock.value + (clock.direction === "down" ? -on : on);
  return { ...clock, value: Math.min(clock.size, Math.max(0, value)) };
}

/** Say what a button needs that ticks a clock, or with `back` un-ticks it. @param {T.Clock} clock @param {boolean} [back] @returns {Required<Pick<Press, "command" | "adds">>} */
export function tickOf(clock, back = false) {
  const command = /** @type {const} */ ({ type: "tick_clock", clock_id: clock.id, ...(back ? { back } : {}) });
  return { command, adds: { sum: sumOf(clock), by: back ? -1 : 1 } };
}

/** Tell whether a tick, or with `back` an un-tick, would still move a clock. @param {Table} table @param {T.Clock} clock @param {boolean} [back] */
export function canTick(table, clock, back = false) {
  const { value, size, direction } = asTicked(table, clock);
  return (direction === "down") === back ? value < size : value > 0;
}

/** @param {T.Clock} clock */
function sumOf({ id }) {
  return `clock:${id}`;
}
