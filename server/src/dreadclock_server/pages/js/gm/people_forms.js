// @ts-check
/** The forms of seats and of the house rules. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { PHYSICAL_DICE } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { demanded, liveForm } from "../forms/live.js";

const APPROVALS = ["gm", "open"]; // the usual one first

/** Draw the form that gives a seat another name. @param {Table} table @param {Demand} demand @param {T.Seat} seat */
export function renaming(table, demand, { id, name }) {
  return demanded(table, demand, {
    submit: table.t("gm.change"),
    inline: true,
    command: (values) => ({ type: "rename_seat", seat_id: id, name: values.text("name") ?? "" }),
    fields: (f) => f.text("name", "form.name", { value: name, required: true }),
  });
}

/** Draw the form of the house rules. @param {Table} table */
export function houseRules(table) {
  const { physical_dice: dice, check_approval: approval, player_countdowns: countdowns, care, sheets, specials } = table.view.policy;
  return liveForm(table, {
    key: "room:policy",
    submit: table.t("gm.change"),
    describes: table.t("section.rules"),
    keep: true,
    command: (values) => ({
      type: "set_policy",
      physical_dice: values.choice("physical_dice"),
      check_approval: values.choice("check_approval"),
      player_countdowns: values.ticked("player_countdowns"),
      care: /** @type {T.Care} */ (values.choice("care")),
      sheets: /** @type {T.Sheets} */ (values.choice("sheets")),
      specials: /** @type {T.Specials} */ (values.choice("specials")),
    }),
    fields: (f) =>
      html`<div class="fields">
        ${f.among("physical_dice", "gm.physical", PHYSICAL_DICE, (each) => `gm.physical.${each}`, dice)}
        ${f.among("check_approval", "gm.approval", APPROVALS, (each) => `gm.approval.${each}`, approval)}
        ${f.among("care", "gm.care", ["gm", "owner", "players"], (each) => `gm.care.${each}`, care)}
        ${f.among("sheets", "gm.sheets", ["gm", "players"], (each) => `gm.sheets.${each}`, sheets)}
        ${f.among("specials", "gm.specials.rule", ["one", "several"], (each) => `gm.specials.rule.${each}`, specials)}
        ${f.tick("player_countdowns", "gm.countdowns.allow", countdowns)}
      </div>`,
  });
}
