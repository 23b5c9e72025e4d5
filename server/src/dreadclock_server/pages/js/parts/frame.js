// @ts-check
/** The frame of a table's page: title, connection, people, language and theme around what a role draws. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { chronicle } from "./chronicle.js";
import { people } from "./people.js";
import { pickers } from "./pickers.js";

/** Draw a whole page. @param {Table} table */
export function frame(table) {
  const { view, t } = bound(table);
  document.title = `${view.title} · Dreadclock`;
  return html`
    <a class="skip" href="#table" @click=${skip}>${t("skip")}</a>
    <header class="top">
      <h1>${view.title}</h1>
      <p class="turn">${t("turn", { turn: view.turn })}</p>
      ${view.closed ? html`<p class="badge closed">${t("closed")}</p>` : nothing} ${connection(table)}
      ${pickers(table)}
      ${people(table)}
    </header>
    <main id="table" tabindex="-1" class=${`table ${table.room.role}`} data-role=${table.room.role}>${table.role.layout(table)}</main>
    ${chronicle(table)}
  `;
}

/** @param {Table} table */
function bound(table) {
  return { view: table.view, t: table.t.bind(table) };
}

/** Go to the table without a step in the tab's history. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("table")?.focus();
}

/** @param {Table} table */
function connection(table) {
  const { over, alarm, room } = table;
  const state = over ? "over" : room.connected ? "open" : "away";
  const text = over || table.t(room.connected ? "connected" : "reconnecting");
  return html`<p class="connection" role="status" data-connection=${state}>${text}</p>
    ${alarm ? html`<div class="alarm"><p class="refusal" role="alert" data-alarm>${alarm}</p> ${seen(table)}</div>` : nothing}`;
}

/** Draw a button that takes an alarm for seen. @param {Table} table */
function seen(table) {
  const press = () => {
    table.alarm = "";
    table.redraw();
  };
  return html`<button type="button" class="button" @click=${press}>${table.t("alarm.seen")}</button>`;
}
