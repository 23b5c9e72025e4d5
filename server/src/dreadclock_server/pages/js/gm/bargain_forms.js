// @ts-check
/** The forms of a bargain over a failure. */

/**
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Demand } from "./lazily.js"
 *
 * @typedef {{ check_id: string, character_id: string }} Which part's failure it is about
 */

import { MAX_CLOCK } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { demanded } from "../forms/live.js";

/**
 * Draw the form that names other terms.
 * @param {Table} table @param {Demand} demand @param {Which} which
 */
export function countering(table, demand, which) {
  return demanded(table, demand, {
    submit: table.t("gm.cost.say"),
    command: (values) => {
      const [state, track, by = 0] = [values.text("state"), values.text("track"), values.number("by")];
      const pays = [...(state ? [{ state, by: 0 }] : []), ...(track && by ? [{ track, by }] : [])];
      return { type: "answer_cost", ...which, answer: "counter", terms: values.text("terms"), pays };
    },
    fields: (f) =>
      html`${f.sentence("terms", "gm.cost.terms", { required: true })} ${f.text("state", "gm.cost.state")}
      ${trackFields(table, which, f)}`,
  });
}

/** Draw the choice of a track that moves as a cost. @param {Table} table @param {Which} which @param {Fields} f */
function trackFields(table, which, f) {
  const tracks = Object.keys(table.view.characters.get(which.character_id)?.tracks ?? {});
  if (!tracks.length) return nothing;
  const options = tracks.map((each) => /** @type {const} */ ([each, each]));
  return html`${f.pick("track", "gm.cost.track", [["", table.t("form.none")], ...options])}
  ${f.steps("by", "gm.cost.by", -1, { min: -MAX_CLOCK, max: MAX_CLOCK })}`;
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
