// @ts-check
/** The forms for the name of a seat and for the house rules. */

/** @import { Table } from "../app/table.js" */

import { PHYSICAL_DICE } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { commandForm, liveForm } from "../forms/live.js";

/** Draws the form that gives a seat another name. */
export const renaming = commandForm(
  "rename_seat",
  "seat_id",
  (f, { name }) => f.text("name", "form.name", { value: name, required: true }),
  { submit: "gm.change", inline: true },
);

/** Draw the form of the house rules. @param {Table} table */
export function houseRules(table) {
  const { physical_dice, check_approval, player_countdowns, care, sheets, specials } = table.view.policy;
  return liveForm(table, {
    key: "room:policy",
    submit: table.t("gm.change"),
    describes: table.t("section.rules"),
    keep: true,
    command: (entered) => ({ type: "set_policy", ...entered }),
    fields: (f) =>
      html`<div class="fields">
        ${f.among("physical_dice", "gm.physical", PHYSICAL_DICE, "gm.physical", physical_dice)}
        ${f.among("check_approval", "gm.approval", ["gm", "open"], "gm.approval", check_approval)}
        ${f.among("care", "gm.care", ["gm", "owner", "players"], "gm.care", care)}
        ${f.among("sheets", "gm.sheets", ["gm", "players"], "gm.sheets", sheets)}
        ${f.among("specials", "gm.specials.rule", ["one", "several"], "gm.specials.rule", specials)}
        ${f.tick("player_countdowns", "gm.countdowns.allow", player_countdowns)}
      </div>`,
  });
}
