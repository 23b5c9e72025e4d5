// @ts-check
/**
 * Presses. A double click or a held key counts once, except on controls where every press counts, such as the button that
 * ticks (moves) a clock. A tick is shown at once, and disappears if the server refuses it. A press counts for the control on
 * which the pointer went down.
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Press } from "./controls.js"
 * @import { Table } from "./table.js"
 */

const COMMANDS = "button[data-key], form[data-form] button:not([type=button])";
const ADDS = "[data-adds]";
const PRESSING = new Set(["Enter", " "]);
const CONTROLS = "button, summary, a[href], label, [role=option]";
const STILL_PX = 8;

/** @type {WeakSet<Element>} */ const listening = new WeakSet();

/** Let only the first of several quick presses reach controls that send commands. @param {Element} root */
export function oncePerPress(root) {
  root.addEventListener("click", (event) => again(/** @type {MouseEvent} */ (event)), { capture: true });
  root.addEventListener("keydown", (event) => held(/** @type {KeyboardEvent} */ (event)), { capture: true });
}

/** Open the closed disclosures around an element. @param {Element} element */
export function unfold(element) {
  for (let fold; (fold = element.closest("details:not([open])")); ) fold.setAttribute("open", "");
}

/**
 * Give each press to the control on which the pointer went down, as long as that control is visible. A new event of the room
 * may move the control before the pointer goes up. Then the browser would click an ancestor, or the element that is now
 * under the pointer, or nothing.
 * @param {Element} root
 */
export function holdPresses(root) {
  if (listening.has(root)) return;
  listening.add(root);
  /** @type {{ control: HTMLElement | null, down: PointerEvent } | null} */ let held = null;
  const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => root.addEventListener(type, listener, { capture: true });
  on("pointerdown", (/** @type {PointerEvent} */ event) => {
    held = event.isPrimary && event.button === 0 ? { control: controlAt(event), down: event } : null;
  });
  on("pointercancel", () => {
    held = null;
  });
  on("click", (/** @type {MouseEvent} */ event) => {
    const pressed = held;
    held = null;
    if (!pressed || !ends(pressed.down, event) || controlAt(event) === pressed.control) return;
    drop(event);
    press(pressed.control);
  });
  on("mouseup", (/** @type {MouseEvent} */ event) => {
    const pressed = held;
    const withoutClick = () => {
      if (!pressed || held !== pressed) return;
      held = null;
      if (ends(pressed.down, event)) press(pressed.control);
    };
    setTimeout(withoutClick); // if there is a click, it comes before this timeout
  });
}

/**
 * Tell whether this event ends a single press near the place where it started. A press that was dragged away is cancelled.
 * @param {PointerEvent} down @param {MouseEvent} event
 */
function ends(down, { detail, clientX, clientY }) {
  return detail === 1 && Math.hypot(clientX - down.clientX, clientY - down.clientY) <= STILL_PX;
}

/** Click a control, if it is still visible. @param {HTMLElement | null} control */
function press(control) {
  if (control?.getClientRects().length) control.click();
}

/** Return the control that an event hits; null for other elements. @param {Event} event @returns {HTMLElement | null} */
function controlAt(event) {
  return elementOf(event).closest(CONTROLS);
}

/**
 * Drop a second click on a control that sends a command.
 * @param {MouseEvent} event its `detail` is the number of clicks within the double-click time of the system
 */
function again(event) {
  const element = elementOf(event);
  if (event.detail > 1 && element.closest(COMMANDS) && !element.closest(ADDS)) drop(event);
}

/** Drop the repeated key events of a held key, if they would send a command again. @param {KeyboardEvent} event */
function held(event) {
  const element = elementOf(event);
  if (!event.repeat || !PRESSING.has(event.key)) return;
  const sends = event.key === "Enter" ? element.matches("input, select") : false; // Enter in a field sends its form
  if (sends || element.closest(COMMANDS)) drop(event);
}

/** Stop an event from reaching any control. @param {Event} event */
function drop(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** Return the element of an event. @param {Event} event */
function elementOf(event) {
  return /** @type {Element} */ (event.target);
}

/** Return a clock as it will be if the server accepts all ticks that have no answer yet. @param {Table} table @param {T.Clock} clock @returns {T.Clock} */
export function asTicked(table, clock) {
  const on = table.unsettled(sumOf(clock));
  if (!on) return clock;
  const value = clock.value + (clock.direction === "down" ? -on : on);
  return { ...clock, value: Math.min(clock.size, Math.max(0, value)) };
}

/**
 * Return the properties of a button that ticks a clock, or with `back`, moves it back.
 * @param {T.Clock} clock @param {boolean} [back] @returns {Required<Pick<Press, "command" | "adds">>}
 */
export function tickOf(clock, back = false) {
  const command = /** @type {const} */ ({ type: "tick_clock", clock_id: clock.id, ...(back ? { back } : {}) });
  return { command, adds: { sum: sumOf(clock), by: back ? -1 : 1 } };
}

/**
 * Tell whether a tick, or with `back` a tick backwards, would still move a clock.
 * @param {Table} table @param {T.Clock} clock @param {boolean} [back]
 */
export function canTick(table, clock, back = false) {
  const { value, size, direction } = asTicked(table, clock);
  return (direction === "down") === back ? value < size : value > 0;
}

/** Return the key under which unanswered ticks are summed up. @param {T.Clock} clock */
function sumOf({ id }) {
  return `clock:${id}`;
}
