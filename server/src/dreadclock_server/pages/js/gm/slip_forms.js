// @ts-check
/** The form that takes a command back after a slip of the hand. */

/**
 * @import { Table, Told } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { demanded } from "./live.js";

/** Draw the form. @param {Table} table @param {Demand} demand @param {Told} told a sentence of the command */
export function takingBack(table, demand, { channel, record: { seq } }) {
  return demanded(table, demand, {
    submit: table.t("gm.mistake"),
    kind: "risk",
    command: (values) => {
      const reason = values.text("reason");
      if (!reason) table.refuse(demand.key, table.t("gm.slip.needs"));
      return reason ? { type: "void_command", channel, seq, reason } : null;
    },
    fields: (f) => f.sentence("reason", "gm.slip.reason", { required: true }),
  });
}
