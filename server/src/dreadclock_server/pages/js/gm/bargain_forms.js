// @ts-check
/** The forms of a bargain over a failure. */

/**
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 *
 * @typedef {{ check_id: string, character_id: string }} Which part's failure it is about
 */

import { html } from "../../vendor/lit-html/lit-html.js";
import { demanded } from "./live.js";

/**
 * Draw the form that names other terms.
 * @param {Table} table @param {Demand} demand @param {Which} which
 */
export function countering(table, demand, which) {
  return demanded(table, demand, {
    submit: table.t("gm.cost.say"),
    command: (values) => {
      const state = values.text("state");
      const pays = state ? [{ state }] : [];
      return { type: "answer_cost", ...which, answer: "counter", terms: values.text("terms"), pays };
    },
    fields: (f) => html`${f.sentence("terms", "gm.cost.terms", { required: true })} ${f.text("state", "gm.cost.state")}`,
  });
}

/**
 * Draw the form that proposes a cost.
 * @param {Table} table @param {Demand} demand @param {Which} which
 */
export function proposing(table, demand, which) {
  return demanded(table, demand, {
    submit: table.t("gm.cost.propose"),
    command: (values) => ({ type: "propose_cost", ...which, cost: values.text("cost") ?? "" }),
    fields: (f) => f.sentence("cost", "gm.cost.what", { required: true }),
  });
}
