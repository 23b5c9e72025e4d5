// @ts-check
/** The forms of a bargain over a failure. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { demanded } from "./live.js";

/** Draw the form that names other terms. @param {Table} table @param {Demand} demand @param {T.Check} check */
export function countering(table, demand, { id }) {
  return demanded(table, demand, {
    submit: table.t("gm.cost.say"),
    command: (values) => ({ type: "answer_cost", check_id: id, answer: "counter", terms: values.text("terms") }),
    fields: (f) => f.sentence("terms", "gm.cost.terms", { required: true }),
  });
}

/** Draw the form that proposes a cost. @param {Table} table @param {Demand} demand @param {T.Check} check */
export function proposing(table, demand, { id }) {
  return demanded(table, demand, {
    submit: table.t("gm.cost.propose"),
    command: (values) => ({ type: "propose_cost", check_id: id, cost: values.text("cost") ?? "" }),
    fields: (f) => f.sentence("cost", "gm.cost.what", { required: true }),
  });
}
