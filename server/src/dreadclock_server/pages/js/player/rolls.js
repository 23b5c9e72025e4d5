// @ts-check
/** Plain rolls, outside every rule; damage takes along the dice that ventures were made for. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { choice, disclosure, field, form } from "../app/controls.js";
import { numberField } from "./fields.js";
import { isOpen, waitingDice } from "./mine.js";
import { facesField, mayTypeFaces } from "./roll.js";

const MOST_DICE = 60;

/** Draw the way to roll plain dice for a character. @param {Table} table @param {T.Character} character */
export function rollFor(table, character) {
  const dice = waitingDice(character, "damage");
  return disclosure(table, {
    key: `character:${character.id}:dice`,
    label: table.t("my.plain_roll"),
    describes: character.name,
    kind: "action",
    content: () => rollForm(table, `character:${character.id}:dice`, character, dice),
  });
}

/** Draw the way to roll plain dice for nobody. @param {Table} table */
export function rollPlainly(table) {
  if (!isOpen(table)) return nothing;
  const place = "roll:dice";
  return disclosure(table, { key: place, label: table.t("my.plain_roll"), content: () => rollForm(table, place) });
}

/**
 * @param {Table} table
 * @param {string} place
 * @param {T.Character} [character]
 * @param {number} [paid] dice that ventures add to damage
 */
function rollForm(table, place, character, paid = 0) {
  const purposes = /** @type {const} */ (["other", "damage"]).map(
    (each) => /** @type {const} */ ([each, table.t(`my.purpose.${each}`)]),
  );
  const value = paid ? "damage" : "other";
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.roll_plainly"),
    describes: character?.name,
    keep: true,
    fields: html`${numberField("pool", table.t("my.dice"), { max: MOST_DICE })}
    ${field({ name: "name", label: table.t("my.roll_name") })}
    ${character ? choice({ name: "purpose", label: table.t("my.roll_purpose"), options: purposes, value }) : nothing}
    ${paid ? html`<p class="hint">${table.t("my.damage_dice", { dice: paid })}</p>` : nothing}
    ${mayTypeFaces(table) ? facesField(table, table.t("my.faces_optional")) : nothing}`,
    command: (values) => rollCommand(values, character),
  });
}

/** @param {Values} values @param {T.Character | undefined} character @returns {T.Command} */
function rollCommand(values, character) {
  return {
    type: "roll_dice",
    pool: values.number("pool") ?? 0,
    name: values.text("name"),
    character_id: character?.id,
    purpose: values.choice("purpose"),
    faces: values.faces("faces"),
  };
}
