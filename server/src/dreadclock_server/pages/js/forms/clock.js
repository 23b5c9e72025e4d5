// @ts-check
/** The form that starts a clock. Only the gm can choose its owner and hide it. A player owns the new clock. */

/** @import { Table } from "../app/table.js" @import { Demand } from "../gm/lazily.js" */

import { DIRECTIONS, MAX_CLOCK } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { demanded, seenAs } from "./live.js";

/** Draw the form. @param {Table} table @param {Demand} demand */
export function startClock(table, demand) {
  return demanded(table, demand, {
    submit: table.t("form.start"),
    again: "clock",
    seen: seenAs,
    command: (values) => ({
      type: "start_clock",
      name: values.text("name") ?? "",
      size: values.number("size") ?? 0,
      direction: values.choice("direction"),
      owner: values.text("owner"),
      visibility: values.choice("visibility"),
    }),
    fields: (f) =>
      html`<div class="fields">
        ${f.text("name", "form.name", { required: true })}
        ${f.steps("size", "form.segments", table.isGm ? 8 : 6, { min: 1, max: MAX_CLOCK })}
        ${f.segments("direction", "form.direction", DIRECTIONS, (each) => `form.direction.${each}`)}
        ${table.isGm ? html`${f.owner("gm.owner.gm")} ${f.visibility()}` : nothing}
      </div>`,
  });
}
