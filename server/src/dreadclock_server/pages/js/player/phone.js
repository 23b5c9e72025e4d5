// @ts-check
/** The layout on phones: three screens (me, table, story), and folded sections. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";

const PHONE = matchMedia("(max-width: 48rem), (max-height: 30rem) and (pointer: coarse)"); // the same condition as in player.css
const KEPT = "dreadclock:folds";
const STEP = "screen"; // marks an entry of the tab's history, so that going back shows the first screen
const SWIPE_PX = 60;
const STILL = ".reach, .card.up, input, textarea, select, [role=slider], dialog"; // dragging inside these elements is no swipe

/** @typedef {"me" | "table" | "story"} Screen */

const FIRST = /** @type {Screen} */ (document.documentElement.dataset.screen ?? "me"); // beside a map: the table
const SCREENS = [...new Set(/** @type {Screen[]} */ ([FIRST, "me", "table", "story"]))];

let shown = FIRST;
/** The scroll position of each screen. @type {Partial<Record<Screen, number>>} */ const places = {};

/** @type {WeakSet<Table>} */ const heard = new WeakSet();

/** Tell whether the page has the phone layout. The page is drawn again when this changes. @param {Table} table */
export function isPhone(table) {
  if (!heard.has(table)) listen(table);
  return PHONE.matches;
}

/** Draw the page again when a phone is turned, when another screen is shown, and when the viewer stops typing. @param {Table} table */
function listen(table) {
  heard.add(table);
  mark();
  PHONE.addEventListener("change", () => (mark(), table.redraw()));
  addEventListener("focusout", () => PHONE.matches && table.redraw());
  addEventListener("screen", () => table.redraw());
  addEventListener("popstate", () => change(FIRST));
  addEventListener("focusin", ({ target }) => target instanceof Element && showScreenOf(target));
  addEventListener("touchstart", swipe, { passive: true });
}

// The three screens

/** Return the screen that is shown. */
export function screen() {
  return shown;
}

/** Show a screen. The back button leads from the other screens to the first. @param {Screen} name */
export function show(name) {
  if (name === shown) return;
  if (name === FIRST && history.state === STEP) return history.back();
  if (name !== FIRST && history.state !== STEP) history.pushState(STEP, "");
  change(name);
}

/** @param {Screen} name */
function change(name) {
  if (name === shown) return;
  places[shown] = scrollY;
  shown = name;
  mark();
  scrollTo(0, places[name] ?? 0);
  dispatchEvent(new Event("screen"));
}

/** Mark the screen for the style sheet. Without the phone layout, all screens are shown. */
function mark() {
  if (PHONE.matches) document.documentElement.dataset.screen = shown;
  else delete document.documentElement.dataset.screen;
}

/** Show the screen with an element, in the phone layout. @param {Element} element */
export function showScreenOf(element) {
  if (!PHONE.matches || element.closest(".bar-below, .card.up")) return;
  const column = element.closest(".chronicle, .column");
  if (column) show(column.matches(".chronicle") ? "story" : column.matches(".mine") ? "me" : "table");
}

/** Show the next screen after a swipe. @param {TouchEvent} start */
function swipe({ touches, target }) {
  const from = touches[0];
  if (!PHONE.matches || touches.length > 1 || !from || !(target instanceof Element) || target.closest(STILL)) return;
  const end = (/** @type {TouchEvent} */ { changedTouches }) => {
    const [across, along] = [(changedTouches[0]?.clientX ?? 0) - from.clientX, (changedTouches[0]?.clientY ?? 0) - from.clientY];
    if (Math.abs(across) < Math.max(SWIPE_PX, 2 * Math.abs(along))) return;
    show(SCREENS[SCREENS.indexOf(shown) - Math.sign(across)] ?? shown);
  };
  addEventListener("touchend", end, { once: true, passive: true });
}

/** Draw the buttons that change the screen. @param {Table} table */
export function screens(table) {
  if (!isPhone(table)) return nothing;
  return html`<div class="screens" role="group" aria-label=${table.t("my.screens")}>
    ${SCREENS.map(
      (name) => html`<button type="button" class="button" data-screen=${name} aria-pressed=${String(name === shown)} @click=${() => show(name)}>
        ${table.t(`my.screen.${name}`)}
      </button>`,
    )}
  </div>`;
}

// Folded sections

/**
 * Draw a section that is folded on a phone, under a line that opens it. Elsewhere, it is open and has no line.
 * @param {Table} table @param {string} name @param {string} label @param {unknown} content @param {boolean} [open] whether it is open at first on a phone
 */
export function fold(table, name, label, content, open = false) {
  const phone = isPhone(table);
  const isOpen = !phone || (folds(table)[name] ?? open);
  const toggled = (/** @type {Event} */ event) => {
    const now = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
    if (!isPhone(table) || now === isOpen) return;
    table.set("folds", { ...folds(table), [name]: now });
    keep(folds(table));
  };
  return html`<details class="fold" data-place=${`fold:${name}`} ?open=${isOpen} @toggle=${toggled}>
    <summary>${label}</summary>
    ${content}
  </details>`;
}

/** @param {Table} table @returns {Record<string, boolean>} */
function folds(table) {
  if (!table.ui.has("folds")) table.ui.set("folds", kept());
  return table.ui.get("folds");
}

/** @param {Record<string, boolean>} all */
function keep(all) {
  if (window.name.startsWith("in-play-")) return; // in a demo room, the story opens the sections
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    // Without storage, the choice holds for this page.
  }
}

/** @returns {Record<string, boolean>} */
function kept() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return typeof stored === "object" && stored ? stored : {}; // ignore other values under this key
  } catch {
    return {};
  }
}
