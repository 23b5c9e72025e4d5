// @ts-check
/** The forms of characters: brought into play, and their sheets. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "./fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { button, field } from "../app/controls.js";
import { BOXES, CRISES, MAX_LEVEL, MAX_ON_SHEET } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { explained } from "../parts/word.js";
import { demanded, folded, rowsIn } from "./live.js";

const SCORE = 3;
const ATTRIBUTES_AT_FIRST = 3;
const SPECIALS_AT_FIRST = 1;

/** Draw the form that brings a character into play. @param {Table} table @param {Demand} demand */
export function addCharacter(table, demand) {
  return demanded(table, demand, {
    submit: demand.label,
    again: "character",
    seen: (f) => (isHidden(f) ? "acts" : "public"),
    command: (values) => ({
      type: "add_character",
      ...sheetOf(values),
      name: values.text("name") ?? "",
      level: values.number("level") ?? 1,
      visibility: !values.text("owner") && values.ticked("hidden") ? "gm" : "public",
      crises: CRISES.flatMap((kind) => Array.from({ length: values.number(`crises-${kind}`) ?? 0 }, () => ({ kind }))),
    }),
    done: () => forgetRows(table, demand.key),
    fields: (f) => html`${sheetFields(table, f, undefined, hiding(table, f))} ${crisisFields(table, f)}`,
  });
}

/** Draw the form that changes a sheet. @param {Table} table @param {Demand} demand @param {T.Character} character */
export function updateCharacter(table, demand, character) {
  return demanded(table, demand, {
    submit: table.t("gm.change"),
    command: (values) => ({ type: "update_character", character_id: character.id, ...sheetOf(values) }),
    done: () => forgetRows(table, demand.key),
    fields: (f) => sheetFields(table, f, character),
  });
}

/** Draw the crises that a character had before it enters play. @param {Table} table @param {Fields} f */
function crisisFields(table, f) {
  const most = BOXES - 1;
  const crises = CRISES.map((kind) => f.steps(`crises-${kind}`, `gm.earlier.${kind}`, 0, { min: 0, max: most }));
  return folded(table.t("gm.seldom"), html`<div class="fields">${crises}</div>`);
}

/** Draw whether a foe enters play hidden. @param {Table} table @param {Fields} f */
function hiding(table, f) {
  if (!isFoe(f)) return nothing;
  const hidden = { name: "hidden", type: "checkbox", label: table.t("gm.character.hidden"), checked: isHidden(f) };
  return html`<input type="hidden" name="foe" value="yes" />${field(hidden)}`;
}

/** Tell whether a character is to be the gm's own. @param {Fields} f */
function isFoe(f) {
  return f.read("owner") === "";
}

/** Tell whether a character is to be the gm's alone until it acts, as foes are unless she says otherwise. Source: rules.md C24. @param {Fields} f */
function isHidden(f) {
  return isFoe(f) && (!f.has("foe") || f.ticked("hidden"));
}

/**
 * Draw a character's sheet; one that has an owner passes to another, never to nobody.
 * @param {Table} table @param {Fields} f @param {T.Character} [known] @param {unknown} [beside] drawn beside the owner
 */
function sheetFields(table, f, known, beside) {
  return html`<div class="fields">
      ${f.text("name", "gm.name", { value: known?.name, required: true })}
      ${f.owner(known?.owner ? "gm.owner.as_is" : "gm.owner.gm", known?.owner)} ${beside ?? nothing}
      ${f.steps("reflex", "character.reflex", known?.reflex, { required: false })}
      ${explained(table, "level", table.t("character.level"), f.key, f.steps("level", "character.level", known?.level ?? 1, { min: 1, max: MAX_LEVEL }))}
    </div>
    ${attributeRows(table, f, Object.entries(known?.attributes ?? {}))}
    ${specialRows(table, f, known?.specials ?? [])}`;
}

/** @param {Table} table @param {Fields} f @param {readonly (readonly [string, number])[]} known */
function attributeRows(table, f, known) {
  const first = Math.max(ATTRIBUTES_AT_FIRST, known.length + 1, rowsIn(f.values, "attribute"));
  const words = { all: "gm.attributes", one: "gm.attribute_number", another: "gm.attribute_more" };
  return rows(table, `${f.key}:attributes`, words, first, (at, describes) => {
    const [name, score = undefined] = known[at] ?? [""];
    const named = f.read(`attribute${at}`, name).trim() !== "";
    return html`${f.text(`attribute${at}`, "gm.attribute", { value: name })}
    ${f.steps(`score${at}`, "gm.score", score ?? (named ? SCORE : undefined), { describes, required: named })}`;
  });
}

/** @param {Table} table @param {Fields} f @param {readonly T.Special[]} known */
function specialRows(table, f, known) {
  const first = Math.max(known.length + SPECIALS_AT_FIRST, rowsIn(f.values, "special"));
  const words = { all: "gm.specials", one: "gm.special_number", another: "gm.special_more" };
  return rows(table, `${f.key}:specials`, words, first, (at) => {
    const { name, starred } = known[at] ?? {};
    return html`${f.text(`special${at}`, "gm.special", { value: name })}
    ${f.tick(`starred${at}`, "gm.starred", starred)}`;
  });
}

/**
 * Draw rows of fields, and a button for one more.
 * @param {Table} table @param {string} key @param {{ all: string, one: string, another: string }} words
 * @param {number} first how many there are at first @param {(at: number, describes: string) => unknown} row
 */
function rows(table, key, words, first, row) {
  const number = Math.max(first, table.ui.get(`rows:${key}`) ?? 0);
  const work = async () => table.set(`rows:${key}`, number + 1);
  const another = button(table, { key: `${key}:row`, label: table.t(words.another), work });
  return html`<fieldset class="rows">
    <legend>${table.t(words.all)}</legend>
    ${Array.from({ length: number }, (_, at) => {
      const describes = table.t(words.one, { number: at + 1 });
      return html`<div class="fields" role="group" aria-label=${describes}>${row(at, describes)}</div>`;
    })}
    ${number < MAX_ON_SHEET ? another : nothing}
  </fieldset>`;
}

/** @param {Table} table @param {string} key */
function forgetRows(table, key) {
  table.ui.delete(`rows:${key}:attributes`);
  table.ui.delete(`rows:${key}:specials`);
}

/** Read what `sheetFields` drew. @param {Values} values */
function sheetOf(values) {
  const places = Array.from({ length: MAX_ON_SHEET }, (_, at) => at);
  const attributes = places
    .map((at) => /** @type {const} */ ([values.text(`attribute${at}`) ?? "", values.number(`score${at}`) ?? 0]))
    .filter(([name]) => name);
  const specials = places
    .map((at) => ({ name: values.text(`special${at}`) ?? "", starred: values.ticked(`starred${at}`) }))
    .filter(({ name }) => name);
  return {
    name: values.text("name"),
    owner: values.text("owner"),
    level: values.number("level"),
    reflex: values.number("reflex"),
    attributes: Object.fromEntries(attributes),
    specials,
  };
}
