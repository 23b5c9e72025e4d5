// @ts-check
/** The form for plain rolls. Damage includes the dice of ventures, and dice that sixes add. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { MAX_POOL } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { unclaimed } from "../app/checks.js";
import { placeField, placeIn } from "../parts/damage.js";
import { claimFields, claimsIn } from "../parts/ventures.js";
import { choice, field, form, numberField } from "../app/controls.js";
import { facesField, mayTypeFaces } from "./roll.js";


/**
 * Draw the form.
 * @param {Table} table
 * @param {string} place
 * @param {T.Character} [character]
 */
export function rollForm(table, place, character) {
  const ready = character ? unclaimed(table, character, "damage") : [];
  const purposes = /** @type {const} */ (["other", "damage"]).map(
    (purpose) => /** @type {const} */ ([purpose, table.t(`my.purpose.${purpose}`)]),
  );
  const value = ready.length ? "damage" : "other";
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.roll_plainly"),
    describes: character?.name,
    keep: true,
    fields: html`${numberField("pool", table.t("my.dice"), { max: MAX_POOL })}
    ${field({ name: "name", label: table.t("my.roll_name") })}
    ${character ? choice({ name: "purpose", label: table.t("my.roll_purpose"), options: purposes, value }) : nothing}
    ${character ? placeField(table) : nothing}
    ${claimFields(table, ready, [])}
    ${character ? field({ name: "action", label: table.t("action"), type: "checkbox" }) : nothing}
    ${mayTypeFaces(table) ? facesField(table, table.t("my.faces_optional")) : nothing}`,
    command: (values) => rollCommand(table, values, character, ready),
  });
}

/** @param {Table} table @param {Values} values @param {T.Character | undefined} character @param {readonly T.Bonus[]} ready @returns {T.Command} */
function rollCommand(table, values, character, ready) {
  return {
    type: "roll_dice",
    pool: values.number("pool") ?? 0,
    name: values.text("name"),
    character_id: character?.id,
    purpose: values.choice("purpose"),
    claims: claimsIn(values, ready),
    action: values.ticked("action"),
    within_id: placeIn(table, values),
    faces: values.faces("faces"),
  };
}
