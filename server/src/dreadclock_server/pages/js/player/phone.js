// @ts-check
/** The layout on phones: three screens (me, table, story), and folded sections. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { store, stored } from "../app/settings.js";

const PHONE = matchMedia("(max-width: 48rem), (max-height: 30rem) and (pointer: coarse)"); // the same condition as in player.css
const KEPT = "dreadclock:folds";
const STEP = "screen"; // for a screen other than the first, `show` adds a history entry with this state: going back shows the first screen
const SWIPE_PX = 60;
const STILL = ".reach, .card.up, input, textarea, select, [role=slider], dialog"; // dragging inside these elements is no swipe

/** @typedef {"me" | "table" | "story"} Screen */

const FIRST = /** @type {Screen} */ (document.documentElement.dataset.screen ?? "me"); // a page beside a map starts with `table`
const SCREENS = [...new Set(/** @type {Screen[]} */ ([FIRST, "me", "table", "story"]))];

let shown = FIRST;
/** The scroll position of each screen. @type {Partial<Record<Screen, number>>} */ const places = {};

/** The tables for which `listen` was called. @type {WeakSet<Table>} */ const listening = new WeakSet();

/** Tell whether the page has the phone layout. The page is drawn again when this changes. @param {Table} table */
export function isPhone(table) {
  if (!listening.has(table)) listen(table);
  return PHONE.matches;
}

/** Draw the page again when a phone is turned, when another screen is shown, and when the viewer stops typing. Change the screen when the viewer goes back or swipes, or when an element on another screen gets the focus. @param {Table} table */
function listen(table) {
  listening.add(table);
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

/** Show a screen at its scroll position. @param {Screen} name */
function change(name) {
  if (name === shown) return;
  places[shown] = scrollY;
  shown = name;
  mark();
  scrollTo(0, places[name] ?? 0);
  dispatchEvent(new Event("screen"));
}

/** Set the attribute that tells the style sheet which screen is shown. Without the phone layout, all are shown. */
function mark() {
  if (PHONE.matches) document.documentElement.dataset.screen = shown;
  else delete document.documentElement.dataset.screen;
}

/** In the phone layout, show the screen that contains an element. @param {Element} element */
export function showScreenOf(element) {
  if (!PHONE.matches || element.closest(".bar-below, .card.up")) return;
  const column = element.closest(".chronicle, .column");
  if (column) show(column.matches(".chronicle") ? "story" : column.matches(".mine") ? "me" : "table");
}

/** Show the next or previous screen after a swipe. @param {TouchEvent} start */
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
    if (!window.name.startsWith("in-play-")) store(KEPT, folds(table)); // not in a demo room, where the story opens the sections
  };
  return html`<details class="fold" data-place=${`fold:${name}`} ?open=${isOpen} @toggle=${toggled}>
    <summary>${label}</summary>
    ${content}
  </details>`;
}

/** Return which sections are open on this phone, by name. @param {Table} table @returns {Record<string, boolean>} */
function folds({ ui }) {
  if (!ui.has("folds")) ui.set("folds", Object(stored(KEPT) ?? {})); // a stored value that is no object opens no section
  return ui.get("folds");
}
