// @ts-check
/** What a phone shows otherwise: sections that are folded until asked for, and remember that they were; all clocks in one line on top. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { countdownIsOver } from "../app/over.js";
import { keyed } from "../parts/card.js";
import { dial } from "../parts/dial.js";
import { smallRings } from "../parts/scene.js";
import { goTo } from "./waiting.js";

const PHONE = matchMedia("(max-width: 48rem), (max-height: 30rem) and (pointer: coarse)"); // as in player.css
const KEPT = "dreadclock:folds";

/** @type {WeakSet<Table>} */ const heard = new WeakSet();

/** Tell whether the page is on a phone; it is drawn anew when that changes. @param {Table} table */
export function isPhone(table) {
  if (!heard.has(table)) listen(table);
  return PHONE.matches;
}

/** Draw anew when a phone is turned, and when what somebody typed is done: what waited for that may come up. @param {Table} table */
function listen(table) {
  heard.add(table);
  PHONE.addEventListener("change", () => table.redraw());
  addEventListener("focusout", () => PHONE.matches && table.redraw());
}

/**
 * Draw what a phone folds away under a line; elsewhere it stands open, without the line.
 * @param {Table} table @param {string} name @param {string} label @param {unknown} content @param {boolean} [open] on a phone, at first
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

/** Draw fields that a phone folds away until they are asked for; each form begins anew. @param {Table} table @param {string} name @param {unknown} fields */
export function rare(table, name, fields) {
  return html`<details class="fold fields" data-place=${name} ?open=${!isPhone(table)}>
    <summary>${table.t("my.rare")}</summary>
    <div class="inside">${fields}</div>
  </details>`;
}

/** @param {Table} table @returns {Record<string, boolean>} */
function folds(table) {
  if (!table.ui.has("folds")) table.ui.set("folds", kept());
  return table.ui.get("folds");
}

/** @param {Record<string, boolean>} all */
function keep(all) {
  if (window.name.startsWith("in-play-")) return; // the story opens them
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    // It holds for this page then.
  }
}

/** @returns {Record<string, boolean>} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return typeof found === "object" && found ? found : {}; // whatever else wrote there
  } catch {
    return {};
  }
}

/** Draw the line. @param {Table} table */
export function glance(table) {
  const countdowns = [...table.view.countdowns.values()].filter((each) => !countdownIsOver(each));
  const scenes = [...table.view.scenes.values()].filter(({ status, aside }) => status === "open" && !aside);
  const clocks = [...table.view.clocks.values()].filter(({ kind }) => kind === "free");
  const chips = [
    ...countdowns.map((each) => ({ id: `countdown:${each.id}`, draw: () => ofCountdown(table, each) })),
    ...scenes.map((each) => ({ id: `scene:${each.id}`, draw: () => chip(`scene:${each.id}`, each.name, smallRings(table, each)) })),
    ...clocks.map((each) => ({ id: `clock:${each.id}`, draw: () => chip(`clock:${each.id}`, each.name, dial(table, each)) })),
  ];
  if (!chips.length) return nothing;
  return html`<nav class="glance" data-place="glance" aria-label=${table.t("my.glance")}>
    <ul>
      ${keyed(chips, ({ id, draw }) => html`<li data-glance=${id}>${draw()}</li>`)}
    </ul>
  </nav>`;
}

/** @param {Table} table @param {T.Countdown} countdown */
function ofCountdown(table, { id, name, pool, speed }) {
  const left = html`<span class=${`left ${speed} ${pool === 1 ? "last" : ""}`} aria-hidden="true">${pool}</span>
    <span class="unseen">${table.t("countdown.left", { pool })}</span>`;
  return chip(`countdown:${id}`, name, left);
}

/** @param {string} thing whose card it leads to @param {string} name @param {unknown} picture */
function chip(thing, name, picture) {
  return html`<button type="button" class="button" title=${name} @click=${() => goTo(`[data-thing="${thing}"]`)}>
    ${picture} <bdi class="name" translate="no">${name}</bdi>
  </button>`;
}
