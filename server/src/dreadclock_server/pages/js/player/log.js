// @ts-check
/** The log as a sheet over a phone's page: opened and closed by the bar, closed by Escape and by going back, too. */

/** @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";

const OPEN = "sheet:log";
const STEP = "log"; // of the tab's history, that going back closes it

/** @type {WeakSet<Table>} */ const heard = new WeakSet();

/** Tell whether the log is open. @param {Table} table */
export function logIsOpen(table) {
  return table.ui.has(OPEN);
}

/** Open the log, or close it. @param {Table} table */
export function turnLog(table) {
  if (logIsOpen(table)) return history.state === STEP ? history.back() : closeLog(table);
  listen(table);
  history.pushState(STEP, "");
  table.set(OPEN, closing(table));
  requestAnimationFrame(() => requestAnimationFrame(showNewest));
}

/** Close the log. @param {Table} table */
function closeLog(table) {
  if (!logIsOpen(table)) return;
  table.ui.delete(OPEN);
  table.redraw();
  if (!document.activeElement?.closest(".chronicle")) return; // somebody has gone on
  /** @type {HTMLElement | null} */ (document.querySelector("[data-bar=log]"))?.focus();
}

/** @param {Table} table */
function listen(table) {
  if (heard.has(table)) return;
  heard.add(table);
  addEventListener("popstate", () => closeLog(table));
  addEventListener("keydown", ({ key }) => key === "Escape" && logIsOpen(table) && turnLog(table));
  addEventListener("focusin", ({ target }) => {
    const beyond = target instanceof Element && !target.closest(".chronicle, .bar-below, .alarm");
    if (beyond && logIsOpen(table)) turnLog(table); // it would cover what has the focus
  });
}

/** Show the newest sentence, where a reader may have scrolled away before. */
function showNewest() {
  const log = /** @type {HTMLElement | null} */ (document.querySelector(".chronicle .told"));
  log?.scrollTo(0, 0); // it counts from the end
  log?.focus({ preventScroll: true });
}

/** @param {Table} table */
function closing(table) {
  return html`<button type="button" class="button" data-bar="close" @click=${() => turnLog(table)}>${table.t("my.bar.close")}</button>`;
}
