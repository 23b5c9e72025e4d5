// @ts-check
/** Keys that work on the whole page; what they do is loaded with the first of them. */

/** @import { Table } from "./table.js" */

import { shortcutsAreOn } from "./settings.js";

const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, [contenteditable]";

/**
 * Listen for keys as long as the page is there: `/`, `?` and Ctrl+K ask for the palette; letters and digits are
 * shortcuts, unless they are switched off.
 * @param {Table} table
 */
export function listenForKeys(table) {
  addEventListener("keydown", (event) => {
    const wants = wantOf(event);
    if (!wants || !table.room || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    void import("../palette/palette.js").then(
      (palette) => (wants === "palette" ? palette.open(table) : palette.shortcut(table, event.key.toLowerCase())),
      () => {}, // the server is away: the next key tries again
    );
  });
}

/** Say what a key asks for. @param {KeyboardEvent} event @returns {"palette" | "shortcut" | null} */
function wantOf({ key, ctrlKey, metaKey, altKey, target, isComposing, repeat }) {
  if (isComposing || altKey) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" ? "palette" : null;
  if (target instanceof Element && target.closest(TYPING)) return null;
  if (key === "/" || key === "?") return "palette";
  return !repeat && /^[a-z0-9]$/i.test(key) && shortcutsAreOn() ? "shortcut" : null;
}
