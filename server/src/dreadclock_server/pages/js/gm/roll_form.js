// @ts-check
/** The form of plain rolls, open and hidden. */

/**
 * @import { Table } from "../app/table.js"
 * @import { Panel } from "./lazily.js"
 * @import { Fields } from "../forms/fields.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { unclaimed } from "../app/checks.js";
import { placeField, placeIn } from "../parts/damage.js";
import { claimFields, claimsIn } from "../parts/ventures.js";
import { panelForm, seenAs } from "../forms/live.js";
import { facesField } from "./presses.js";

const POOL = 2;

/** Draw the form that rolls plain dice. @param {Table} table @param {Panel} panel */
export function rollDice(table, panel) {
  return panelForm(table, panel, {
    submit: table.t("gm.roll"),
    seen: seenAs,
    command: (_, values) => ({
      type: "roll_dice",
      claims: claimsIn(values, table.view.characters.get(values.text("character") ?? "")?.bonuses ?? []),
      action: values.ticked("action"),
      within_id: values.choice("visibility") === "public" ? placeIn(table, values) : undefined,
      pool: values.number("pool") ?? POOL,
      name: values.text("name"),
      character_id: values.text("character"),
      purpose: values.choice("purpose"),
      visibility: values.choice("visibility"),
      faces: values.faces("faces"),
    }),
    fields: (f) =>
      html`<div class="fields">
        ${f.steps("pool", "form.dice", POOL, { min: 1 })} ${f.text("name", "gm.dice.what_for")}
        ${f.character("character", "form.character", "form.none")}
        ${f.among("purpose", "gm.dice.purpose", ["other", "damage"], "gm.dice.purpose")}
        ${f.read("purpose") === "damage" && seenAs(f) === "public" ? placeField(table, f.read("within")) : nothing}
        ${who(table, f)} ${f.visibility()} ${table.view.policy.physical_dice === "off" ? nothing : facesField(table, false)}
      </div>`,
  });
}

/** Draw what somebody's roll may claim, and whether it is her action. @param {Table} table @param {Fields} f */
function who(table, f) {
  const character = table.view.characters.get(f.read("character"));
  if (!character) return nothing;
  return html`${claimFields(table, unclaimed(table, character, "damage"), claimsIn(f.values, character.bonuses))}
  ${f.tick("action", "action")}`;
}
