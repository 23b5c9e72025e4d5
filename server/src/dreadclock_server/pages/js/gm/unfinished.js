// @ts-check
/** What is still to be done in a turn, said at the button that ends it. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { totalIsOver } from "../app/over.js";
import { isDiscussed, nameOfCheck } from "../parts/check.js";
import { nameOfTotal } from "../parts/total.js";
import { checkWaits, totalWaits } from "./desk.js";

/** Name the checks and totals that wait for players; what waits for the gm is named beside it. @param {Table} table */
export function unfinished(table) {
  const checks = [...table.view.checks.values()].filter((each) => each.status !== "resolved" || isDiscussed(each));
  const totals = [...table.view.totals.values()].filter((each) => !totalIsOver(each));
  const names = [
    ...checks.filter((each) => !checkWaits(table, each)).map((each) => nameOfCheck(table, each)),
    ...totals.filter((each) => !totalWaits(table, each)).map((each) => nameOfTotal(table, each)),
  ];
  return names.length ? html`<span data-part="unfinished">${table.t("gm.turn.unfinished", { names: names.join(" · ") })}</span>` : nothing;
}
