// @ts-check
/** The form that brings a character into play, or changes its sheet. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { MAX_LEVEL, MAX_ON_SHEET, MAX_POOL } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { explained } from "../parts/word.js";
import { closeDisclosure, field, form, numberField, soon } from "../app/controls.js";

const NOBODY = { attributes: {}, specials: [], level: 1, reflex: undefined };
const ROWS = { attribute: 3, special: 1 };

/** Draw the form. @param {Table} table @param {string} place @param {T.Character} [known] whose sheet is changed */
export function characterForm(table, place, known) {
  if (!known) begin(table, place);
  const waits = known && table.view.policy.sheets === "gm";
  const { attributes, specials, level, reflex } = known?.proposed ?? known ?? NOBODY;
  const [scores, rest] = [Object.entries(attributes), specials];
  return form(table, {
    key: `${place}:send`,
    submit: table.t(known ? "my.sheet.send" : "my.add"),
    describes: known ? known.name : table.t("my.character"),
    fields: html`${field({ name: "name", label: table.t("my.name"), value: known?.name, required: true })}
    ${rows(table, place, "attribute", scores.length, (row) => attributeRow(table, row, scores[row]))}
    ${rows(table, place, "special", rest.length, (row) => specialRow(table, row, rest[row]))}
    ${explained(table, "level", table.t("character.level"), "sheet", numberField("level", table.t("character.level"), { max: MAX_LEVEL, value: level }))}
    ${field({
      name: "reflex",
      label: table.t("character.reflex"),
      type: "number",
      min: 0,
      max: MAX_POOL,
      value: reflex,
      hint: table.t("my.reflex_hint"),
    })}
    ${waits ? html`<p class="hint">${table.t("my.sheet.waits")}</p>` : nothing}`,
    command: (values) => {
      const sheet = { ...sheetOf(values), name: values.text("name") ?? "" };
      return known ? { type: "update_character", character_id: known.id, ...sheet } : { type: "add_character", ...sheet };
    },
    done: () => {
      table.ui.delete(`rows:${place}:attribute`);
      table.ui.delete(`rows:${place}:special`);
      closeDisclosure(table, place);
    },
  });
}

/** Let whoever has come with a keyboard type her first character at once, unless she is about something else. @param {Table} table @param {string} place */
function begin(table, place) {
  if (table.ui.has("began")) return;
  table.ui.set("began", true);
  if (document.activeElement !== document.body || !matchMedia("(pointer: fine)").matches) return;
  soon(() => /** @type {HTMLElement | null} */ (document.querySelector(`[data-form="${place}:send"] input`))?.focus({ preventScroll: true }));
}

/**
 * @param {Table} table @param {string} place @param {keyof typeof ROWS} kind
 * @param {number} known how many are filled in already @param {(row: number) => unknown} draw
 */
function rows(table, place, kind, known, draw) {
  const key = `rows:${place}:${kind}`;
  const number = table.ui.get(key) ?? Math.min(MAX_ON_SHEET, Math.max(ROWS[kind], known && known + 1));
  return html`<fieldset class="rows">
    <legend>${table.t(`my.${kind}s`)}</legend>
    ${Array.from({ length: number }, (_, row) => html`<div class="row">${draw(row)}</div>`)}
    ${
      number < MAX_ON_SHEET
        ? html`<button type="button" class="button" @click=${() => table.set(key, number + 1)}>
            ${table.t(`my.more_${kind}s`)}
          </button>`
        : nothing
    }
  </fieldset>`;
}

/** @param {Table} table @param {number} row @param {readonly [string, number]} [known] */
function attributeRow(table, row, [name, score] = ["", 0]) {
  const number = row + 1;
  return html`${field({ name: `attribute-${row}`, label: table.t("my.attribute_name", { number }), value: name, placeholder: row ? undefined : table.t("my.attribute_example") })}
  ${field({
    name: `score-${row}`,
    label: table.t("my.attribute_score", { number }),
    type: "number",
    min: 0,
    max: MAX_POOL,
    placeholder: row ? undefined : "4",
    value: name ? score : undefined,
  })}`;
}

/** @param {Table} table @param {number} row @param {T.Special} [known] */
function specialRow(table, row, known) {
  const number = row + 1;
  return html`${field({ name: `special-${row}`, label: table.t("my.special_name", { number }), value: known?.name })}
  ${field({ name: `starred-${row}`, label: table.t("my.starred"), type: "checkbox", checked: known?.starred })}`;
}

/** @param {Values} values */
function sheetOf(values) {
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
    level: values.number("level"),
    reflex: values.number("reflex"),
    attributes: Object.fromEntries(attributes),
    specials,
  };
}
