// @ts-check
/** The viewer's characters: bringing one into play, renaming it, and what it can set out to do. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { closeDisclosure, disclosure, field, form } from "../app/controls.js";
import { choosing } from "./checks.js";
import { note } from "./call.js";
import { numberField } from "./fields.js";
import { isAble, isOpen } from "./mine.js";
import { proposeCheck } from "./propose_check.js";
import { proposeTotal } from "./propose_total.js";
import { rollFor } from "./rolls.js";

const MOST_ROWS = 32;
const ROWS = { attribute: 3, special: 1 };

/**
 * Draw what the viewer can do with a character; nothing for one that is not her own, or out of play.
 * @param {Table} table
 * @param {T.Character} character
 */
export function characterControls(table, character) {
  if (!table.owns(character) || character.status !== "in_play") return nothing;
  const homeless = character.choices.filter((choice) => !table.view.checks.has(choice.check_id));
  return html`${homeless.map((choice) => choosing(table, choice.check_id, character, choice))}
  ${
    isAble(character)
      ? html`${proposeCheck(table, character)} ${proposeTotal(table, character)} ${rollFor(table, character)}`
      : note(table.t("my.crisis_first"))
  }
  ${renaming(table, character)}`;
}

/** @param {Table} table @param {T.Character} character */
function renaming(table, { id, name }) {
  const place = `character:${id}:rename`;
  return disclosure(table, {
    key: place,
    label: table.t("my.rename"),
    describes: name,
    kind: "action",
    content: () =>
      form(table, {
        key: `${place}:send`,
        submit: table.t("my.rename"),
        describes: name,
        inline: true,
        fields: field({ name: "name", label: table.t("my.name"), value: name, required: true }),
        command: (values) => ({ type: "update_character", character_id: id, name: values.text("name") ?? "" }),
        done: () => closeDisclosure(table, place),
      }),
  });
}

/**
 * Draw the way to bring a character into play; open for who has none yet.
 * @param {Table} table
 * @param {boolean} first
 */
export function addCharacter(table, first) {
  if (!isOpen(table)) return nothing;
  const place = "add:character";
  return disclosure(table, {
    key: place,
    label: table.t(first ? "my.first_character" : "my.add_character"),
    open: first,
    content: () => characterForm(table, place),
  });
}

/** @param {Table} table @param {string} place */
function characterForm(table, place) {
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.add"),
    describes: table.t("my.character"),
    fields: html`${field({ name: "name", label: table.t("my.name"), required: true })}
    ${numberField("level", table.t("character.level"), { max: 9 })}
    ${field({
      name: "reflex",
      label: table.t("character.reflex"),
      type: "number",
      min: 0,
      max: 60,
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
      number < MOST_ROWS
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
    max: 60,
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
  const numbers = Array.from({ length: MOST_ROWS }, (_, row) => row);
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
