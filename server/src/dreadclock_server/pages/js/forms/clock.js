// @ts-check
/** The form that starts a clock. Only the gm can choose the owner and hide the clock. A player owns each clock that the player starts. */

/** @import { Table } from "../app/table.js" @import { Panel } from "../gm/panel.js" */

import { DIRECTIONS, MAX_CLOCK } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { panelForm, seenAs } from "./live.js";

/** @param {Table} table @param {Panel} panel */
export function startClock(table, panel) {
  return panelForm(table, panel, {
    submit: table.t("form.start"),
    again: "clock",
    seen: seenAs,
    command: (entered) => ({ type: "start_clock", ...entered }),
    fields: (f) =>
      html`<div class="fields">
        ${f.text("name", "form.name", { required: true })}
        ${f.steps("size", "form.segments", table.isGm ? 8 : 6, { min: 1, max: MAX_CLOCK })}
        ${f.segments("direction", "form.direction", DIRECTIONS, "form.direction")}
        ${table.isGm ? html`${f.owner("gm.owner.gm")} ${f.visibility()}` : nothing}
      </div>`,
  });
}
