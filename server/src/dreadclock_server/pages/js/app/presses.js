// @ts-check
/** Presses: a double click and a key held down are one wish, unless every press adds one, as to a clock. */

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
