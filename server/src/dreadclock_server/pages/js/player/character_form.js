// @ts-check
/** The form that brings a character into play. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { MAX_LEVEL, MAX_ON_SHEET, MAX_POOL } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { closeDisclosure, field, form, numberField } from "../app/controls.js";

const ROWS = { attribute: 3, special: 1 };

/** Draw the form. @param {Table} table @param {string} place */
export function characterForm(table, place) {
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.add"),
    describes: table.t("my.character"),
    fields: html`${field({ name: "name", label: table.t("my.name"), required: true })}
    ${numberField("level", table.t("character.level"), { max: MAX_LEVEL })}
    ${field({
      name: "reflex",
      label: table.t("character.reflex"),
      type: "number",
      min: 0,
      max: MAX_POOL,
      hint: table.t("my.reflex_hint"),
    })}
    ${rows(table, place, "attribute", attributeRow)} ${rows(table, place, "special", specialRow)}`,
    command: characterCommand,
    done: () => {
      table.ui.delete(`rows:${place}:attribute`);
      table.ui.delete(`rows:${place}:special`);
      closeDisclosure(table, place);
    },
  });
}

/** @typedef {(table: Table, row: number) => unknown} DrawRow */

/** @param {Table} table @param {string} place @param {keyof typeof ROWS} kind @param {DrawRow} draw */
function rows(table, place, kind, draw) {
  const key = `rows:${place}:${kind}`;
  const number = table.ui.get(key) ?? ROWS[kind];
  return html`<fieldset class="rows">
    <legend>${table.t(`my.${kind}s`)}</legend>
    ${Array.from({ length: number }, (_, row) => html`<div class="row">${draw(table, row)}</div>`)}
    ${
      number < MAX_ON_SHEET
        ? html`<button type="button" class="button" @click=${() => table.set(key, number + 1)}>
            ${table.t(`my.more_${kind}s`)}
          </button>`
        : nothing
    }
  </fieldset>`;
}

/** @type {DrawRow} */
function attributeRow(table, row) {
  const number = row + 1;
  return html`${field({ name: `attribute-${row}`, label: table.t("my.attribute_name", { number }) })}
  ${field({
    name: `score-${row}`,
    label: table.t("my.attribute_score", { number }),
    type: "number",
    min: 0,
    max: MAX_POOL,
  })}`;
}

/** @type {DrawRow} */
function specialRow(table, row) {
  const number = row + 1;
  return html`${field({ name: `special-${row}`, label: table.t("my.special_name", { number }) })}
  ${field({ name: `starred-${row}`, label: table.t("my.starred"), type: "checkbox" })}`;
}

/** @param {Values} values @returns {T.Command} */
function characterCommand(values) {
  const numbers = Array.from({ length: MAX_ON_SHEET }, (_, row) => row);
  const attributes = numbers.flatMap((row) => {
    const name = values.text(`attribute-${row}`);
    return name === undefined ? [] : [/** @type {const} */ ([name, values.number(`score-${row}`) ?? 0])];
  });
  const specials = numbers.flatMap((row) => {
    const name = values.text(`special-${row}`);
    return name === undefined ? [] : [{ name, starred: values.ticked(`starred-${row}`) }];
  });
  return {
    type: "add_character",
    name: values.text("name") ?? "",
    level: values.number("level"),
    reflex: values.number("reflex"),
    attributes: Object.fromEntries(attributes),
    specials,
  };
}
