// @ts-check
/** Odds that stay in their place until the next ones are here. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { oddsAt } from "../app/odds.js";

/**
 * Ask for odds, and draw with them. Until they are here, those that stood in this place before stay, marked as busy; of
 * the first ones the place is there, so that a form that has odds is as high before as after.
 * @param {Table} table @param {string} place @param {string} path @param {Record<string, any>} params
 * @param {(known: any) => unknown} draw
 */
export function withOdds(table, place, path, params, draw) {
  const answer = oddsAt(table).ask(place, path, params);
  if (answer !== undefined) table.ui.set(`odds:${place}`, answer);
  const known = answer === undefined ? table.ui.get(`odds:${place}`) : answer;
  return html`<div class="asked" data-odds=${path} aria-busy=${answer === undefined ? "true" : "false"}>${known ? draw(known) : nothing}</div>`;
}
