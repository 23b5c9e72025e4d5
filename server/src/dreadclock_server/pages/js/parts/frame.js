// @ts-check
/** The frame of a table's page: title, connection, people, settings and log. The role's page draws the content. */

/** @import { Table } from "../app/table.js" */

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { checkWords, chronicle, readAloud } from "./chronicle.js";
import { keeping, people } from "./people.js";
import { pickers } from "./pickers.js";

const presents = /** @type {WeakMap<Table, HTMLElement>} */ (new WeakMap());

/** @param {Table} table */
export function frame(table) {
  const { view } = table;
  const t = table.t.bind(table);
  document.title = `${view.title} · Dreadclock`;
  const hasTools = !table.ui.has("past") && table.role.hasTools?.(table);
  return html`
    <a class="skip" href="#table" @click=${skip}>${t("skip")}</a>
    <header class="top">
      <h1 translate="no"><bdi>${view.title}</bdi></h1>
      ${hasTools ? nothing : html`<p class="turn" translate="no">${t("turn", { turn: view.turn })}</p>`}
      ${view.closed ? html`<p class="badge closed">${t("closed")}</p>` : nothing} ${connection(table)} ${people(table)}
      ${hasTools ? nothing : html`<div class="tools">${paletteButton(table)} ${pickers(table, html`${keeping(table)} ${checkWords(table)}`)}</div>`}
    </header>
    ${table.ui.get("past")?.draw() ?? present(table)} ${readAloud(table)} ${hasTools ? nothing : chronicle(table)}
  `;
}

/**
 * Draw the present table into an element that outlives a look into the past. So its fields keep their typed values.
 * @param {Table} table
 */
function present(table) {
  const { role } = table.room;
  const main = presents.get(table) ?? Object.assign(document.createElement("main"), { id: "table", tabIndex: -1 });
  presents.set(table, main);
  main.className = `table ${role}`;
  main.dataset.role = role;
  if (table.view === table.truth) main.dataset.seen = String(table.room.positions.public?.seq); // no dice are in the air
  render(table.role.layout(table), main);
  return main;
}

/** Draw the button of the palette (search for actions). @param {Table} table @param {string} [label] */
export function paletteButton(table, label = table.t(table.room.role === "spectator" ? "palette.find" : "palette.open")) {
  const press = () => import("../palette/palette.js").then((palette) => palette.open(table), () => {});
  return html`<button type="button" class="button palette-button" aria-keyshortcuts="/ Control+K" @click=${press}>
    <kbd aria-hidden="true">/</kbd>
    <svg class="glass" viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5" /><path d="m13 13 4.5 4.5" /></svg>
    <span>${label}</span>
  </button>`;
}

/** Focus the table. The link alone would add an entry to the history. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("table")?.focus();
}

/** Draw the connection's state, and alarms. @param {Table} table */
function connection(table) {
  const { over, room } = table;
  const state = over ? "over" : room.connected ? "open" : "away";
  const text = over || table.t(stateOf(room));
  return html`<p class="connection" role="status" translate="no" data-connection=${state}><span>${text}</span></p>
    ${alarms(table)} ${table.ui.get("elsewhere")?.()}`;
}

/** Return the key of the label for the state of the connection. @param {Table["room"]} room */
function stateOf({ connected, doubtful, obstacle }) {
  if (connected || doubtful) return connected ? "connected" : "doubtful";
  return obstacle && obstacle !== "unreachable" ? `over.${obstacle}` : "reconnecting";
}

/** Draw the first and the latest alarm, until they are dismissed. @param {Table} table */
function alarms(table) {
  if (!table.alarms) return nothing;
  const { number, first, latest } = table.alarms;
  const press = () => {
    table.alarms = null;
    table.redraw();
  };
  return html`<div class="alarm" data-place="alarm">
    <div role="alert" data-alarm>
      <p>${first}</p>
      ${number > 1 ? html`<p>${table.t("alarm.further", { number: number - 1 })} ${latest}</p>` : nothing}
    </div>
    <button type="button" class="button" @click=${press}>${table.t("alarm.seen")}</button>
  </div>`;
}
