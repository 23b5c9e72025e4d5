// @ts-check
/** The bar of a phone: buttons for the screens and for the next step. The card of a thing that waits for the viewer is raised above the bar. */

/** @import { Table } from "../app/table.js" @import { Waiting } from "./waiting.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily } from "../app/controls.js";
import { isOpen } from "./mine.js";
import { ownThings } from "./now.js";
import { isPhone, screen, screens, show } from "./phone.js";
import { goTo } from "./waiting.js";

const within = lazily(() => import("./reach.js"));
const PLAIN_DICE = "reach:dice"; // the same key as in reach.js

const TYPED = "input:not([type=checkbox], [type=radio]), textarea, select";

/** Return the `data-thing` of the card on which a waiting thing is drawn. For a part of a check, this is the check's card. @param {Waiting} waiting */
function cardOf({ thing }) {
  return thing.replace(/^part:(.*):[^:]*$/, "check:$1");
}

/** Return the things that the viewer has put aside. @param {Table} table @returns {ReadonlySet<string>} */
const asideOf = (table) => table.ui.get("aside") ?? new Set();

/** Return the optional things that the viewer has opened with the bar. @param {Table} table @returns {ReadonlySet<string>} */
const askedOf = (table) => table.ui.get("asked") ?? new Set();

/**
 * Choose the card to raise above the bar. The raised card stays while its thing waits. If it goes, choose the card of the
 * first waiting thing. Skip things that the viewer has put aside, and optional things that the viewer has not opened. Raise no
 * card while the viewer types elsewhere, while the card of another action is open, or on a screen other than `me`.
 * @param {Table} table @param {readonly Waiting[]} all
 */
export function raise(table, all) {
  const before = table.ui.get("up");
  table.ui.set("asked", new Set(all.map(({ thing }) => thing).filter((thing) => askedOf(table).has(thing))));
  const due = all.filter(({ thing, may }) => !asideOf(table).has(thing) && (!may || askedOf(table).has(thing)));
  const up = screen() !== "me" || isReaching(table) ? [] : due.map(cardOf);
  if (up.includes(before)) return;
  const typed = document.activeElement?.matches(TYPED) && !document.activeElement.closest(".up");
  table.ui.set("up", typed ? undefined : up[0]);
}

/** Tell whether the card of an action of `reach.js` is open. @param {Table} table */
function isReaching({ ui }) {
  return ui.get(`open:${ui.get("reach")}`) ?? false;
}

/** @param {Table} table @param {readonly Waiting[]} all the things that wait for the viewer */
export function bar(table, all) {
  const up = table.ui.get("up");
  return html`<nav class="bar-below" data-part="bar" aria-label=${table.t("my.bar")}>
    ${isPhone(table) && screen() !== "story" ? within(table, (module) => module.reach(table, Boolean(up))) : nothing}
    ${screens(table)} ${up && new Set(all.map(cardOf)).size > 1 ? next(table, all, up) : nothing} ${isOpen(table) || all.length ? step(table, all, up) : nothing}
  </nav>`;
}

/**
 * Draw the button for the next step. It raises a waiting thing's card, or puts the raised card aside. If nothing waits, it
 * moves to the viewer's checks and totals. If there are none, it opens the card for plain dice (a roll of no check).
 * @param {Table} table @param {readonly Waiting[]} all @param {string | undefined} up the raised card
 */
function step(table, all, up) {
  const isUp = up || isReaching(table);
  const isAsking = ownThings(table).some(({ status }) => status === "proposed"); // waits for the gm's answer
  const label = isUp ? table.t("my.bar.aside") : all[0]?.label ?? table.t(isAsking ? "my.bar.asked" : "my.bar.roll");
  const press = () => {
    if (isReaching(table)) return table.set(`open:${table.ui.get("reach")}`, false);
    show("me");
    const things = all.map(({ thing }) => thing);
    table.ui.set("up", undefined);
    table.ui.set("asked", new Set(up ? [] : things));
    table.set("aside", new Set(up ? things : []));
    if (!all.length) ownThings(table).length || !isOpen(table) ? goTo("[data-place=my_now], main") : offerDice(table);
  };
  return html`<button
    type="button"
    class=${`button step ${!isUp && all.some(({ may }) => !may) ? "main" : ""}`}
    data-bar="roll"
    aria-expanded=${all.length ? String(Boolean(up)) : nothing}
    @click=${press}
  >
    ${label} ${all.length ? html`<b class="number" translate="no">${all.length}</b>` : nothing}
  </button>`;
}

/** Open the card for plain dice, which also says that nothing waits for the viewer. @param {Table} table */
function offerDice(table) {
  table.ui.set("reach", PLAIN_DICE);
  table.set(`open:${PLAIN_DICE}`, true);
  goTo("[data-part=reached]");
}

/** Draw the button for the next card. @param {Table} table @param {readonly Waiting[]} all @param {string} up the raised card */
function next(table, all, up) {
  const cards = [...new Set(all.map(cardOf))];
  const press = () => {
    table.ui.set("aside", new Set());
    table.ui.set("asked", new Set(all.map(({ thing }) => thing)));
    table.set("up", cards[(cards.indexOf(up) + 1) % cards.length]);
  };
  return html`<button type="button" class="button" data-bar="next" @click=${press}>${table.t("my.bar.next")}</button>`;
}
