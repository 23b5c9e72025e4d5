// @ts-check
/** The controls that end an evening, and that close and reopen the room. The end of an evening does not close the room. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { REOPEN_MS } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { recapButton } from "../parts/chronicle.js";
import { sure } from "./presses.js";

const ANNOUNCED = "evening:told"; // a key in `ui`; its value says whether the end was announced

/** Draw the button that announces the end of the evening to everyone, and the button of the recap (a summary). After the announcement, draw only the second. @param {Table} table */
export function evening(table) {
  if (table.ui.get(ANNOUNCED)) {
    return html`<p role="status">${table.t("gm.evening.told")}</p>
      <div class="controls">${recapButton(table, "closing", "main")}</div>`;
  }
  const announce = async () => {
    await table.room.submit({ type: "narrate", text: table.t("gm.evening.said") });
    table.set(ANNOUNCED, true);
  };
  const end = { key: "evening:end", label: table.t("gm.evening.now"), kind: "main", work: announce };
  return html`<p>${table.t("gm.evening.goes_on")}</p>
    <div class="controls">${button(table, end)} ${recapButton(table, "closing")}</div>`;
}

/** Draw the button that closes the room. The button asks for confirmation. @param {Table} table */
export function closing(table) {
  const close = { key: "room:close", label: table.t("gm.close.now"), yes: table.t("gm.close.yes") };
  return html`<p>${table.t("gm.close.hint")}</p>
    ${sure(table, { ...close, command: { type: "close_room" } })}`;
}

/** Draw the button that reopens a closed room, and say until when. After that time, say that it is too late. @param {Table} table */
export function closed(table) {
  const last = /** @type {T.EventRecord} */ (table.view.public.recent.at(-1)); // closing was the last event of the room
  const until = last.at + REOPEN_MS;
  if (until < Date.now()) return html`<p>${table.t("gm.reopen.late")}</p>`;
  const time = new Intl.DateTimeFormat(table.words.language, { dateStyle: "long", timeStyle: "short" }).format(until);
  const command = /** @type {const} */ ({ type: "reopen_room" });
  return html`<p>${table.t("gm.reopen.until", { time })}</p>
    <div class="controls">${button(table, { key: "room:reopen", label: table.t("gm.reopen"), kind: "main", command })}</div>`;
}
