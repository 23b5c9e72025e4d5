// @ts-check
/** The strip that stays in sight: the turn, what waits for the gm, what can be added, undo, the palette, the log, and the drawer. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { adding, menu } from "../actions/menu.js";
import { button, disclosure } from "../app/controls.js";
import { keep, storyWasOpen } from "../app/settings.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { checkWords, chronicle, evening } from "../parts/chronicle.js";
import { isDue } from "../parts/countdown.js";
import { paletteButton } from "../parts/frame.js";
import { keeping } from "../parts/people.js";
import { choices } from "../parts/pickers.js";
import { undo } from "../parts/undo.js";
import { waiting } from "./desk.js";
import { lazily } from "./lazily.js";
import { closing, houseRules, people } from "./people.js";
import { isolated } from "../../client/messages.js";

const PRESSED = "button:not(.word > *), input, select, summary";
const DONE = new Set(["resolved", "succeeded", "failed"]);
const BESIDE = matchMedia("(min-width: 75rem)"); // as in gm.css: there is room for the log beside the table
const open = lazily(() => import("./unfinished.js"));

/** Draw the strip. @param {Table} table */
export function strip(table) {
  return html`<section class="strip" data-place="strip" aria-label=${table.t("gm.strip")}>
    <div class="strip-head">
      ${turn(table)}
      <div class="tools">
        ${waits(table)} ${add(table)} ${undo(table, table.t("undo.this"))} ${paletteButton(table, table.t("palette.find"))} ${story(table)} ${drawer(table)}
      </div>
    </div>
  </section>`;
}

/** Draw the menu of what can be added: it opens on a countdown. @param {Table} table */
function add(table) {
  const label = table.t("gm.add_thing");
  return menu(table, "add", "", () => adding(table), { sign: label, label, kind: "adding", first: "countdown:start", always: true });
}

/** Draw what is beside the table: people with their links, house rules, settings, the ways into the log, the end. @param {Table} table */
function drawer(table) {
  const label = table.t("gm.drawer");
  const chosen = { key: "settings", label: table.t("settings"), kind: "more", content: () => choices(table) };
  const content = () => html`${people(table)} ${houseRules(table)} <div class="controls">${disclosure(table, chosen)} ${keeping(table)}</div> ${checkWords(table)} ${evening(table)} ${closing(table)}`;
  return menu(table, "drawer", "", content, { sign: "☰", label, kind: "drawer", always: true });
}

/** Draw the log behind its button: it opens at the side, and where there is room beside the table also on the next visit, if it was left open. @param {Table} table */
function story(table) {
  const isOpen = table.ui.get("open:story") ?? (BESIDE.matches && storyWasOpen());
  const toggled = (/** @type {Event} */ { currentTarget }) => {
    const now = /** @type {HTMLDetailsElement} */ (currentTarget).open;
    if (now === isOpen) return;
    keep("story", now ? "open" : "closed");
    table.set("open:story", now);
  };
  const close = (/** @type {Event} */ { currentTarget }) => {
    const details = /** @type {HTMLDetailsElement} */ (/** @type {Element} */ (currentTarget).closest("details"));
    details.open = false;
    details.querySelector("summary")?.focus({ preventScroll: true });
  };
  return html`<details class="story" data-place="story" ?open=${isOpen} @toggle=${toggled} @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && isOpen && close(event)}>
    <summary class="button">${table.t("gm.story")}</summary>
    ${isOpen ? html`<div class="side" popover="manual" ${ref((element) => raised(element))}>
      <button type="button" class="button close" aria-label=${`${table.t("gm.panel.close")}: ${table.t("gm.story")}`} @click=${close}>✕</button>
      ${chronicle(table, nothing)}
    </div>` : nothing}
  </details>`;
}

/** Show the log above the page: it outlasts a look into the past, in which the page is not there. @param {Element | undefined} element */
function raised(element) {
  queueMicrotask(() => {
    if (element instanceof HTMLElement && element.isConnected && element.popover && !element.matches(":popover-open")) element.showPopover();
  });
}

/** Draw how much waits, as the way there where it is not in sight. @param {Table} table */
function waits(table) {
  const number = waiting(table).length + table.room.knocks.length;
  if (!number) return nothing;
  return html`<button type="button" class="button way" translate="no" data-waits=${number} @click=${goToWaiting}>
    ${table.t("section.desk", { number })}
  </button>`;
}

function goToWaiting() {
  const place = document.querySelector(".now");
  place?.scrollIntoView({ block: "start" });
  /** @type {HTMLElement | null | undefined} */ (place?.querySelector(PRESSED))?.focus({ preventScroll: true });
}

/** Draw the turn. @param {Table} table */
export function turn(table) {
  const { view } = table;
  const due = [...view.countdowns.values()].filter((each) => isDue(view, each));
  const begun = [...view.checks.values(), ...view.totals.values()];
  const named = due.length + begun.filter((each) => !DONE.has(each.status)).length;
  return html`<div class="turn-bar" data-place="turn" role="group" aria-labelledby="turn-now">
    <h2 id="turn-now" translate="no">${table.t("turn", { turn: view.turn })}</h2>
    ${button(table, { key: "turn:end", label: table.t("gm.turn.end"), kind: "main", command: { type: "end_turn" } })}
    <p class="hint" data-part="due" translate="no" tabindex=${named > 1 ? 0 : nothing}>
      ${rollsAlong(table, due)} ${begun.length ? open(table, (it) => it.unfinished(table)) : nothing}
    </p>
  </div>`;
}

/** Say which countdowns the end of a turn rolls, hidden ones marked: it cannot be taken back. @param {Table} table @param {readonly T.Countdown[]} due */
export function rollsAlong(table, due) {
  if (!due.length) return table.t("gm.turn.rolls_none");
  const named = due.map(({ name, visibility: seen }) => (seen === "public" ? isolated(name) : `${isolated(name)} (${table.t(`visibility.${seen}`)})`));
  return table.t("gm.turn.rolls", { number: due.length, names: new Intl.ListFormat(table.words.language).format(named) });
}
