// @ts-check
/** The end of an evening, after which the room goes on, and apart from it the closing of the room. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { REOPEN_MS } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { recapButton } from "../parts/chronicle.js";
import { sure } from "./presses.js";

const TOLD = "evening:told";

/** Draw what tells everyone that the evening is over, and once they were told, the recap. @param {Table} table */
export function over(table) {
  if (table.ui.get(TOLD)) {
    return html`<p role="status">${table.t("gm.evening.told")}</p>
      <div class="controls">${recapButton(table, "closing", "main")}</div>`;
  }
  const end = { key: "evening:end", label: table.t("gm.evening.now"), kind: "main", work: () => tell(table) };
  return html`<p>${table.t("gm.evening.goes_on")}</p>
    <div class="controls">${button(table, end)} ${recapButton(table, "closing")}</div>`;
}

/** @param {Table} table */
async function tell(table) {
  await table.room.submit({ type: "narrate", text: table.t("gm.evening.said") });
  table.set(TOLD, true);
}

/** Draw what closes the room, once that was asked for: it asks again. @param {Table} table */
export function closing(table) {
  const close = { key: "room:close", label: table.t("gm.close.now"), yes: table.t("gm.close.yes") };
  return html`<p>${table.t("gm.close.hint")}</p>
    ${sure(table, { ...close, command: { type: "close_room" } })}`;
}

/** Draw what opens a closed room again, as long as that is possible. @param {Table} table */
export function closed(table) {
  const until = closedAt(table) + REOPEN_MS;
  if (until < Date.now()) return html`<p>${table.t("gm.reopen.late")}</p>`;
  const time = new Intl.DateTimeFormat(table.words.language, { dateStyle: "long", timeStyle: "short" }).format(until);
  const command = /** @type {const} */ ({ type: "reopen_room" });
  return html`<p>${table.t("gm.reopen.until", { time })}</p>
    <div class="controls">${button(table, { key: "room:reopen", label: table.t("gm.reopen"), kind: "main", command })}</div>`;
}

/** Tell when the room was closed: that was the last that happened in it. @param {Table} table */
function closedAt({ view }) {
  return /** @type {T.EventRecord} */ (view.public.recent.at(-1)).at;
}
