// @ts-check
/** Presses: a double click and a key held down are one wish, but every tick of a clock is one, shown at once, and goes back if it is refused. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Press } from "./controls.js"
 * @import { Table } from "./table.js"
 */

const COMMANDS = "button[data-key], form[data-form] button:not([type=button])";
const ADDS = "[data-adds]";
const PRESSING = new Set(["Enter", " "]);

/** Let only the first of a row of presses through to what sends commands. @param {Element} root */
export function oncePerPress(root) {
  root.addEventListener("click", (event) => again(/** @type {MouseEvent} */ (event)), { capture: true });
  root.addEventListener("keydown", (event) => held(/** @type {KeyboardEvent} */ (event)), { capture: true });
}

/** @param {MouseEvent} event whose `detail` counts the clicks of a double click, as fast as this system wants them */
function again(event) {
  const element = elementOf(event);
  if (event.detail > 1 && element.closest(COMMANDS) && !element.closest(ADDS)) drop(event);
}

/** @param {KeyboardEvent} event */
function held(event) {
  const element = elementOf(event);
  if (!event.repeat || !PRESSING.has(event.key)) return;
  const sends = event.key === "Enter" ? element.matches("input, select") : false; // Enter in a field sends its form
  if (sends || element.closest(COMMANDS)) drop(event);
}

/** @param {Event} event */
function drop(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** @param {Event} event */
function elementOf(event) {
  return /** @type {Element} */ (event.target);
}

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
