// @ts-check
/** A phone's bar, under the thumb: what waits for the viewer, which comes up by itself; the latest roll; the log, which opens as a sheet. */

/** @import { Table } from "../app/table.js" @import { Waiting } from "./waiting.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily } from "../app/controls.js";
import { cameOf } from "../parts/rolled.js";
import { goTo } from "./waiting.js";
import { isOpen } from "./mine.js";
import { ownThings } from "./now.js";
import { isPhone } from "./phone.js";
import { called } from "../parts/card.js";

const within = lazily(() => import("./reach.js"));
const OPEN = "sheet:log";
const PLAIN_DICE = "reach:dice"; // as in reach.js
const STEP = "log"; // of the tab's history, that going back closes it
/** @type {WeakSet<Table>} */ const heard = new WeakSet();

const TYPED = "input:not([type=checkbox], [type=radio]), textarea, select";

/** Return the thing whose card shows what waits. @param {Waiting} waiting */
function cardOf({ thing }) {
  return thing.replace(/^part:(.*):[^:]*$/, "check:$1");
}

/** @param {Table} table @returns {ReadonlySet<string>} what waits, and was put aside to look at the table */
const asideOf = (table) => table.ui.get("aside") ?? new Set();

/** @param {Table} table @returns {ReadonlySet<string>} what may be done, need not, and was asked for with the bar */
const askedOf = (table) => table.ui.get("asked") ?? new Set();

/**
 * Choose the card that stands above the bar: of what must be answered or was asked for, the first that was not put aside.
 * None comes up over what somebody types, or reads in the log.
 * @param {Table} table @param {readonly Waiting[]} all
 */
export function raise(table, all) {
  const before = table.ui.get("up");
  table.ui.set("asked", new Set(all.map(({ thing }) => thing).filter((each) => askedOf(table).has(each))));
  const due = all.filter(({ thing, may }) => !asideOf(table).has(thing) && (!may || askedOf(table).has(thing)));
  const up = logIsOpen(table) || isReaching(table) ? [] : due.map(cardOf);
  if (up.includes(before)) return;
  const typed = document.activeElement?.matches(TYPED) && !document.activeElement.closest(".up");
  table.ui.set("up", typed ? undefined : up[0]);
}

/** Tell whether something stands above the bar that nobody waits for, but the viewer asked for. @param {Table} table */
function isReaching({ ui }) {
  return ui.get(`open:${ui.get("reach")}`) ?? false;
}

/** Draw the bar. @param {Table} table @param {readonly Waiting[]} all what waits for the viewer */
export function bar(table, all) {
  const up = table.ui.get("up");
  return html`<nav class="bar-below" data-part="bar" aria-label=${table.t("my.bar")}>
    ${isPhone(table) && !logIsOpen(table) ? within(table, (it) => it.reach(table, Boolean(up))) : nothing}
    ${waits(table, all, up)} ${up && new Set(all.map(cardOf)).size > 1 ? next(table, all, up) : nothing} ${latest(table)}
    <button
      type="button"
      class="button"
      data-bar="log"
      aria-expanded=${String(logIsOpen(table))}
      @click=${() => turnLog(table)}
    >
      ${table.t("my.bar.log")}
    </button>
  </nav>`;
}

/** @param {Table} table @param {readonly Waiting[]} all @param {string | undefined} up */
function waits(table, all, up) {
  const label = up || isReaching(table) ? "my.bar.aside" : !all.length && asks(table) ? "my.bar.asked" : "my.bar.roll";
  const press = () => {
    if (logIsOpen(table)) turnLog(table);
    if (isReaching(table)) return table.set(`open:${table.ui.get("reach")}`, false);
    const things = all.map(({ thing }) => thing);
    table.ui.set("up", undefined);
    table.ui.set("asked", new Set(up ? [] : things));
    table.set("aside", new Set(up ? things : []));
    if (!all.length) ownThings(table).length || !isOpen(table) ? goTo("[data-place=my_now], main") : offerDice(table);
  };
  return html`<button
    type="button"
    class=${`button ${label === "my.bar.roll" && all.some(({ may }) => !may) ? "main" : ""}`}
    data-bar="roll"
    aria-expanded=${all.length ? String(Boolean(up)) : nothing}
    @click=${press}
  >
    ${table.t(label)} ${all.length ? html`<b class="number" translate="no">${all.length}</b>` : nothing}
  </button>`;
}

/** Say that nothing waits for the viewer, and offer plain dice. @param {Table} table */
function offerDice(table) {
  table.ui.set("reach", PLAIN_DICE);
  table.set(`open:${PLAIN_DICE}`, true);
  goTo("[data-part=reached]");
}

/** Tell whether the gm has yet to say whether something that the viewer proposed is rolled. @param {Table} table */
function asks(table) {
  return ownThings(table).some(({ status }) => status === "proposed");
}

/** @param {Table} table @param {readonly Waiting[]} all @param {string} up */
function next(table, all, up) {
  const cards = [...new Set(all.map(cardOf))];
  const press = () => {
    table.ui.set("aside", new Set());
    table.ui.set("asked", new Set(all.map(({ thing }) => thing)));
    table.set("up", cards[(cards.indexOf(up) + 1) % cards.length]);
  };
  return html`<button type="button" class="button" data-bar="next" @click=${press}>${table.t("my.bar.next")}</button>`;
}

/** @param {Table} table */
function latest(table) {
  const told = table.told.findLast(({ roll }) => roll);
  if (!told?.roll) return html`<span class="rolled-last">${table.t("my.bar.no_roll")}</span>`;
  const { roll } = told;
  const { came } = cameOf(table, told.record.event) ?? roll;
  const go = () => goTo(`[data-thing="${thingOf(told.record.event)}"]`, `[data-records~="${told.key}"]`);
  return html`<button type="button" class="button rolled-last" data-bar="latest" @click=${go}>
    <span class="unseen">${table.t("latest")}:</span> <span class="who">${called(roll.name)}</span>
    <b translate="no">${came ?? roll.label}</b>
  </button>`;
}

/** Name the thing whose card shows a roll. @param {any} event */
function thingOf({ countdown_id: countdown, check_id: check, total_id: total, roll }) {
  if (countdown) return `countdown:${countdown}`;
  if (check) return `check:${check}`;
  return total ? `total:${total}` : `roll:${roll?.id}`;
}

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
