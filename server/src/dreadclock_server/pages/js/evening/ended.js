// @ts-check
/** The end of an evening, on everybody's page: until something else happens. */

/** @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { recapButton } from "./recap.js";

/** Say when the evening ended, and show the way to its recap. @param {Table} table @param {number} at */
export function ended(table, at) {
  const time = new Date(at).toLocaleTimeString(table.words.language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return html`<div class="closed controls" data-place="ended">
    <p class="badge closed">${table.t("evening.ended", { time })}</p>
    ${recapButton(table, "ended")}
  </div>`;
}
