// @ts-check
/** The end of an evening, on everybody's page, until something else happens; loaded when the last thing was told by somebody. */

/** @import { Table, Told } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { recapButton } from "./recap.js";

/** What a gm says to end an evening, in every language: the page that says it has it from its labels. */
const SAID = ["The evening is over.", "Der Abend ist zu Ende."];

/** Say when the evening ended, if the last word ended it, and show the way to its recap. @param {Table} table @param {Told} last */
export function ended(table, { at, back, record: { by, event } }) {
  const ends = event.type === "narrated" && SAID.includes(event.text) && table.view.seats.get(by)?.role === "gm";
  if (!ends || back) return nothing;
  const time = new Date(at).toLocaleTimeString(table.words.language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return html`<div class="closed controls" data-place="ended">
    <p class="badge closed">${table.t("evening.ended", { time })}</p>
    ${recapButton(table, "ended")}
  </div>`;
}
