// @ts-check
/** Keyboard shortcuts. The palette, a search field for actions, is loaded at its first key. */

/** @import { Table } from "./table.js" */

import { shortcutsAreOn } from "./settings.js";

const COVERS = "details[open] > .panel:popover-open, details.menu[open]";
const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, [contenteditable]";

/**
 * Listen for keys. `/`, `?` and Ctrl+K open the palette. Letters, digits, `+` and `.` are shortcuts, unless they are
 * switched off. While something covers the table, only `.` works. Escape leaves a text field.
 * @param {Table} table
 */
export function listenForKeys(table) {
  /** The keys typed for the palette while its module is loading; null if the module is not loading. @type {string | null} */ let early = null;
  /** The element that had the focus when the palette was opened. Keys in other elements are not collected. @type {EventTarget | null} */ let from = null;
  /** @type {Promise<typeof import("../palette/palette.js")> | null} */ let loading = null;
  const taken = () => {
    const typed = early ?? "";
    early = null;
    return typed;
  };
  addEventListener("click", ({ target }) => noteThing(table, /** @type {Element} */ (target)), { capture: true });
  addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key === "Escape" && !event.defaultPrevented && target instanceof HTMLElement && target.matches(TYPING)) target.blur();
    if (early !== null && event.target === from && !event.ctrlKey && !event.metaKey && (isTyped(event.key) || event.key === "Enter")) {
      early += event.key === "Enter" ? "\n" : event.key;
      return event.preventDefault();
    }
    const wants = early === null ? wantOf(event) : null;
    if (!wants || event.defaultPrevented || !table.room || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    if (wants === "palette") [early, from] = ["", event.target];
    const key = latin(event);
    loading ??= import("../palette/palette.js"); // a single import, so that several keys are handled in the order in which they were pressed
    loading.then(
      (palette) => void (wants === "palette" ? palette.open(table, taken) : palette.shortcut(table, key.toLowerCase(), event.timeStamp)),
      () => {
        loading = null; // the server cannot be reached: the next key tries again
        taken();
      },
    );
  });
}

/** Tell whether a key types text. A few keys type two letters at once, such as the Arabic lam-alef. @param {string} key */
function isTyped(key) {
  return key.length === 1 || /\P{ASCII}/u.test(key);
}

/**
 * Remember the thing whose control was clicked last. The palette lists the actions of this thing first.
 * @param {Table} table @param {Element} target
 */
function noteThing({ ui }, target) {
  const thing = target.closest("[data-key], summary") && target.closest("[data-thing]");
  if (thing) ui.set("touched", thing.getAttribute("data-thing"));
}

/**
 * Return the typed key. On a keyboard layout with another script, such as Cyrillic or Arabic, return the letter of the same key on a US keyboard.
 * @param {KeyboardEvent} event
 */
export function latin({ key, code, shiftKey }) {
  if (!/^[^\p{ASCII}\p{Script=Latin}]+$/u.test(key)) return key;
  if (code === "Slash") return shiftKey ? "?" : "/";
  return code === "Period" ? "." : (/^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? key);
}

/** Return whether a key is for the palette, a shortcut, or neither. @param {KeyboardEvent} event @returns {"palette" | "shortcut" | null} */
function wantOf(event) {
  const { ctrlKey, metaKey, altKey, target, isComposing, repeat } = event;
  const key = latin(event);
  if (isComposing || altKey) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" ? "palette" : null;
  if (target instanceof Element && target.closest(TYPING)) return null;
  if (key === "/" || key === "?") return "palette";
  if (repeat || !/^[a-z0-9.+]$/i.test(key) || !shortcutsAreOn()) return null;
  return key === "." || !document.querySelector(COVERS) ? "shortcut" : null;
}
