// @ts-check
/** The toolbar at the lower edge of the gm's page: the turn, the menus "Add" and "☰", undo, the palette and the log. It stays visible when the page is scrolled. */

/** @import { Table } from "../app/table.js" */

import { adding, menu } from "../actions/menu.js";
import { button, disclosure, toggled } from "../app/controls.js";
import { keep, storyWasOpen } from "../app/settings.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { checkWords, chronicle, evening } from "../parts/chronicle.js";
import { isDue } from "../parts/countdown.js";
import { paletteButton } from "../parts/frame.js";
import { keeping } from "../parts/people.js";
import { choices } from "../parts/pickers.js";
import { undo } from "../parts/undo.js";
import { checkWaits, totalWaits, waiting } from "./inbox.js";
import { close, raise } from "./panel.js";
import { rollsAlong } from "./presses.js";
import { closing, houseRules, people } from "./people.js";
import { totalIsOver } from "../app/over.js";
import { isDiscussed, nameOfCheck } from "../parts/check.js";
import { nameOfTotal } from "../parts/total.js";

const PRESSED = "button:not(.word > *), input, select, summary";
const BESIDE = matchMedia("(min-width: 75rem)"); // the same condition as in gm.css: wide enough for the log beside the table

/** Draw the toolbar. @param {Table} table */
export function toolbar(table) {
  return html`<section class="strip" data-place="strip" aria-label=${table.t("gm.strip")}>
    <div class="strip-head">
      ${turn(table)}
      <div class="tools">
        ${waits(table)} ${add(table)} ${undo(table, table.t("undo.this"))} ${paletteButton(table, table.t("palette.find"))} ${story(table)} ${drawer(table)}
      </div>
    </div>
  </section>`;
}

/** Draw the menu of things to add. In the opened menu, the form for a countdown is open. @param {Table} table */
function add(table) {
  const label = table.t("gm.add_thing");
  return menu(table, "add", "", () => adding(table), { sign: label, label, kind: "adding", first: "countdown:start", always: true });
}

/** Draw the menu "☰": people and their links, house rules, settings, words that verify the log, looking back, the evening's end. @param {Table} table */
function drawer(table) {
  const label = table.t("gm.drawer");
  const chosen = { key: "settings", label: table.t("settings"), kind: "more", content: () => choices(table) };
  const content = () => html`${people(table)} ${houseRules(table)}
    <div class="controls">${disclosure(table, chosen)} ${keeping(table)}</div>
    ${checkWords(table)} ${evening(table)} ${closing(table)}`;
  return menu(table, "drawer", "", content, { sign: "☰", label, kind: "drawer", always: true });
}

/**
 * Draw the button of the log, and the open log at the side of the page. In a wide window, the log is open from the start if it
 * was open at the end of the last visit.
 * @param {Table} table
 */
function story(table) {
  const isOpen = table.ui.get("open:story") ?? (BESIDE.matches && storyWasOpen());
  const onToggle = (/** @type {Event} */ event) => {
    const now = toggled(table, event, isOpen);
    if (now !== undefined) keep("story", now ? "open" : "closed");
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && isOpen && close(event);
  const label = table.t("gm.story");
  return html`<details class="story" data-place="story" ?open=${isOpen} @toggle=${onToggle} @keydown=${onKey}>
    <summary class="button">${label}</summary>
    ${isOpen
      ? html`<div class="side" popover="manual" ${raise()}>
          <button type="button" class="button close" aria-label=${`${table.t("gm.panel.close")}: ${label}`} @click=${close}>✕</button>
          ${chronicle(table, nothing)}
        </div>`
      : nothing}
  </details>`;
}

/** Draw a button that scrolls to the things that wait for the gm, with their number. Draw nothing if nothing waits. @param {Table} table */
function waits(table) {
  const number = waiting(table).length + table.room.knocks.length;
  if (!number) return nothing;
  const press = () => {
    const place = document.querySelector(".now");
    place?.scrollIntoView({ block: "start" });
    /** @type {HTMLElement | null | undefined} */ (place?.querySelector(PRESSED))?.focus({ preventScroll: true });
  };
  return html`<button type="button" class="button way" translate="no" data-waits=${number} @click=${press}>
    ${table.t("section.desk", { number })}
  </button>`;
}

/** Draw the number of the turn and the button that ends the turn. A hint names the countdowns that the button rolls, and the checks and totals that wait for players. @param {Table} table */
function turn(table) {
  const { view } = table;
  const due = [...view.countdowns.values()].filter((countdown) => isDue(view, countdown));
  const names = unfinished(table);
  return html`<div class="turn-bar" data-place="turn" role="group" aria-labelledby="turn-now">
    <h2 id="turn-now" translate="no">${table.t("turn", { turn: view.turn })}</h2>
    ${button(table, { key: "turn:end", label: table.t("gm.turn.end"), kind: "main", command: { type: "end_turn" } })}
    <p class="hint" data-part="due" translate="no" tabindex=${due.length + names.length > 1 ? 0 : nothing}>
      ${rollsAlong(table, due)}
      ${names.length ? html`<span data-part="unfinished">${table.t("gm.turn.unfinished", { names: names.join(" · ") })}</span>` : nothing}
    </p>
  </div>`;
}

/** Return the names of the open checks and totals that wait for players, not for the gm. @param {Table} table */
function unfinished(table) {
  const { checks, totals } = table.view;
  const open = [...checks.values()].filter((check) => (check.status !== "resolved" || isDiscussed(check)) && !checkWaits(table, check));
  const others = [...totals.values()].filter((total) => !totalIsOver(total) && !totalWaits(table, total));
  return [...open.map((check) => nameOfCheck(table, check)), ...others.map((total) => nameOfTotal(table, total))];
}
