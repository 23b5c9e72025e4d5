// @ts-check
/** What a total has to reach, and what a push puts at stake. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "../forms/fields.js"
 */

import { explained } from "../parts/word.js";
import { CRISES } from "../../client/limits.js";

/** Return the number required, as far as the gm has named one. @param {Table} table @param {T.Total} total */
export function knownNumber(table, { id, required }) {
  return required ?? table.view.secrets.get(id)?.required;
}

/**
 * Draw the choice of what a push puts at stake.
 * @param {Table} table @param {Fields} f @param {T.CrisisKind} [crisis]
 */
export function stakeField(table, f, crisis) {
  const kinds = CRISES.map((each) => /** @type {const} */ ([each, table.t(`stake.${each}`)]));
  const field = f.pick("crisis", "gm.stake", [["", table.t("gm.stake.later")], ...kinds], crisis);
  return explained(table, "push", table.t("gm.push"), f.key, field);
}
