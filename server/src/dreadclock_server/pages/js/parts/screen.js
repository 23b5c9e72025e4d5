// @ts-check
/** The table on a screen across the room: all of it at once and large, what goes on now largest; nothing scrolls. */

/** @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { PANELS } from "../overlay/panels.js";
import { latest } from "./latest.js";

const CROWDED = 8; // countdowns; more of them are numbers

/** Draw the whole table. @param {Table} table */
export function screen(table) {
  const running = [...table.view.countdowns.values()].filter(({ status }) => status === "running").length;
  return html`<div class="across">
    ${latest(table)}
    <div class="now">
      ${PANELS.checks(table, 2)} ${PANELS.totals(table, 2)} ${PANELS.scenes(table, 2)}
    </div>
    <div class=${`beside ${running > CROWDED ? "crowded" : ""}`}>${PANELS.countdowns(table, 24)} ${PANELS.clocks(table, 12)}</div>
    <div class="sheets">${PANELS.characters(table, 6)}</div>
  </div>`;
}
