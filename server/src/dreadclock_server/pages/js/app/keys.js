// @ts-check
/** Keys that work on the whole page; what they do is loaded with the first of them. */

/** @import { Table } from "./table.js" */

import { shortcutsAreOn } from "./settings.js";

const ELSE = "details[open] > :popover-open, details.menu[open], .chronicle.sheet";
const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, [contenteditable]";

/**
 * Listen for keys as long as the page is there: `/`, `?` and Ctrl+K ask for the palette; letters, digits,
 * `+` and `.` are shortcuts, unless they are switched off; all but `.` only where nothing lies over the table. Escape
 * leaves the field that one types in.
 * @param {Table} table
 */
export function listenForKeys(table) {
  /** What was typed for the palette while it was on its way; null if none is. @type {string | null} */ let early = null;
  /** Where that was typed: keys that go elsewhere by now are not for it. @type {EventTarget | null} */ let from = null;
  /** @type {Promise<typeof import("../palette/palette.js")> | null} */ let loading = null;
  const taken = () => {
    const typed = early ?? "";
    early = null;
    return typed;
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) leaveField(event.target);
    if (early !== null && event.target === from && !event.ctrlKey && !event.metaKey && (event.key.length === 1 || event.key === "Enter")) {
      early += event.key === "Enter" ? "\n" : event.key;
      return event.preventDefault();
    }
    const wants = early === null ? wantOf(event) : null;
    if (!wants || event.defaultPrevented || !table.room || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    if (wants === "palette") [early, from] = ["", event.target];
    const { key } = event;
    loading ??= import("../palette/palette.js"); // once: two imports under way may end in another order than they began
    loading.then(
      (palette) => void (wants === "palette" ? palette.open(table, taken) : palette.shortcut(table, key.toLowerCase())),
      () => {
        loading = null; // the server is away: the next key tries again
        taken();
      },
    );
  });
}

/** @param {EventTarget | null} target */
function leaveField(target) {
  if (target instanceof HTMLElement && target.matches(TYPING)) target.blur();
}

/** Say what a key asks for. @param {KeyboardEvent} event @returns {"palette" | "shortcut" | null} */
function wantOf({ key, ctrlKey, metaKey, altKey, target, isComposing, repeat }) {
  if (isComposing || altKey) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" ? "palette" : null;
  if (target instanceof Element && target.closest(TYPING)) return null;
  if (key === "/" || key === "?") return "palette";
  if (repeat || !/^[a-z0-9.+]$/i.test(key) || !shortcutsAreOn()) return null;
  return key === "." || !document.querySelector(ELSE) ? "shortcut" : null;
}
