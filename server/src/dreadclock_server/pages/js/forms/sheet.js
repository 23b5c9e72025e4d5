// @ts-check
/** The form that changes a sheet, or adds a character. Only the gm can choose the owner and hide the character. A player owns the new character. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "./fields.js"
 * @import { Demand } from "../gm/lazily.js"
 */

import { button, field } from "../app/controls.js";
import { BOXES, CRISES, MAX_LEVEL, MAX_NAME, MAX_ON_SHEET } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { explained } from "../parts/word.js";
import { demanded, folded, rowsIn } from "./live.js";

const SCORE = 3; // the initial score of a new attribute
const ROWS = { attribute: 3, special: 1 }; // how many rows there are at first
const USUAL = 5; // how many attributes are offered
const DOTS = 8; // dots of an attribute; higher scores are possible on a sheet
const OFFERED = "dots:"; // prefix of the names of the offered attributes' fields

/** Draw the form that adds a character. @param {Table} table @param {Demand} demand */
export function addCharacter(table, demand) {
  return demanded(table, demand, {
    submit: table.isGm ? demand.label : table.t("my.add"),
    again: "character",
    seen: (f) => (isHidden(f) ? "acts" : "public"),
    command: (values) => ({
      type: "add_character",
      ...sheetOf(values),
      name: values.text("name") ?? "",
      level: values.number("level") ?? 1,
      ...(table.isGm ? onlyGms(values) : {}),
    }),
    done: () => forgetRows(table, demand.key),
    fields: (f) => html`${sheetFields(table, f)} ${table.isGm ? crisisFields(table, f) : nothing}`,
  });
}

/**
 * Draw the form that changes a sheet. A player's changes may wait for the gm's approval.
 * @param {Table} table @param {Demand} demand @param {T.Character} character
 */
export function updateCharacter(table, demand, character) {
  const waits = !table.isGm && table.view.policy.sheets === "gm";
  return demanded(table, demand, {
    submit: table.t("form.sheet.send"),
    command: (values) => ({ type: "update_character", character_id: character.id, ...sheetOf(values) }),
    done: () => forgetRows(table, demand.key),
    fields: (f) => html`${sheetFields(table, f, character)} ${waits ? html`<p class="hint">${table.t("my.sheet.waits")}</p>` : nothing}`,
  });
}

/** Return the values that only the gm can set for a new character. @param {Values} values */
function onlyGms(values) {
  const crises = CRISES.flatMap((kind) => Array.from({ length: values.number(`crises-${kind}`) ?? 0 }, () => ({ kind })));
  const visibility = !values.text("owner") && values.ticked("hidden") ? "gm" : "public";
  return { visibility: /** @type {"gm" | "public"} */ (visibility), crises };
}

/** Draw the crises with which a character enters play. @param {Table} table @param {Fields} f */
function crisisFields(table, f) {
  const most = BOXES - 1;
  const crises = CRISES.map((kind) => f.steps(`crises-${kind}`, `gm.earlier.${kind}`, 0, { min: 0, max: most }));
  return folded(table.t("form.seldom"), html`<div class="fields">${crises}</div>`);
}

/** Draw the choice whether a foe enters play hidden. @param {Table} table @param {Fields} f */
function hiding(table, f) {
  if (!isFoe(f)) return nothing;
  const hidden = { name: "hidden", type: "checkbox", label: table.t("gm.character.hidden"), checked: isHidden(f) };
  return html`<input type="hidden" name="foe" value="yes" />${field(hidden)}`;
}

/** Tell whether the new character will belong to the gm. @param {Fields} f */
function isFoe(f) {
  return f.read("owner") === "";
}

/** Tell whether the new character will be hidden until it acts. This is the default for foes. Source: rules.md C24. @param {Fields} f */
function isHidden(f) {
  return isFoe(f) && (!f.has("foe") || f.ticked("hidden"));
}

/** Draw a character's sheet. A player finds what can be left out folded away. @param {Table} table @param {Fields} f @param {T.Character} [known] */
function sheetFields(table, f, known) {
  const { attributes = {}, specials = [], level = 1, reflex } = (!table.isGm && known?.proposed) || known || {};
  const name = f.text("name", "form.name", { value: known?.name, required: true });
  const numbers = html`${f.steps("reflex", "character.reflex", reflex, { required: false })}
  ${explained(table, "level", table.t("character.level"), f.key, f.steps("level", "character.level", level, { min: 1, max: MAX_LEVEL }))}`;
  const scores = known ? attributeRows(table, f, Object.entries(attributes)) : offered(table, f);
  const rest = specialRows(table, f, specials);
  if (table.isGm) return html`<div class="fields">${name} ${ownerFields(table, f, known)} ${numbers}</div> ${scores} ${rest}`;
  const more = html`<div class="fields">${numbers}</div> <p class="hint">${table.t("form.reflex.hint")}</p> ${rest}`;
  return html`<div class="fields">${name}</div> ${scores} ${folded(table.t("form.sheet.more"), more, known !== undefined)}`;
}

/**
 * Draw the choice of the owner, and of whether the character is hidden. The owner can be changed, but not removed.
 * @param {Table} table @param {Fields} f @param {T.Character} [known]
 */
function ownerFields(table, f, known) {
  return html`${f.owner(known?.owner ? "gm.owner.as_is" : "gm.owner.gm", known?.owner)} ${known ? nothing : hiding(table, f)}`;
}

// Attributes as chips with dots

/**
 * Draw offered attributes: of other players' characters, and usual attributes. Attributes without dots are not added to the
 * sheet.
 * @param {Table} table @param {Fields} f
 */
function offered(table, f) {
  const others = [...table.view.characters.values()].filter(({ owner }) => owner);
  const known = others.flatMap(({ attributes }) => Object.keys(attributes));
  const names = [...new Set([...known, ...table.t("form.attributes.usual").split(", ")])].slice(0, USUAL);
  const places = Array.from({ length: rowsIn(f.values, "attribute") }, (_, at) => at);
  const own = Math.max(0, ...places.filter((at) => f.read(`attribute${at}`)).map((at) => at + 1)) + 1;
  return html`<fieldset class="attributes">
    <legend>${table.t("form.attributes")} <span class="hint">${table.t("form.attributes.hint")}</span></legend>
    ${names.map((name) => html`<label class="dotted"><span translate="no">${name}</span>${dots(f, OFFERED + name, name, 0)}</label>`)}
    ${Array.from({ length: own }, (_, at) => ownAttribute(table, f, at))}
  </fieldset>`;
}

/** @param {Table} table @param {Fields} f @param {number} at */
function ownAttribute(table, f, at) {
  const number = at + 1;
  return html`<div class="dotted">
    <input name=${`attribute${at}`} aria-label=${table.t("form.attribute_number", { number })} placeholder=${table.t("form.attribute_own")} value=${f.read(`attribute${at}`)} maxlength=${MAX_NAME} autocomplete="off" />
    ${f.read(`attribute${at}`).trim() ? dots(f, `score${at}`, table.t("form.attribute_score", { number }), SCORE) : nothing}
  </div>`;
}

/** Draw a score as dots: a press on a dot or its digit sets it, arrow keys change it. @param {Fields} f @param {string} name @param {string} label @param {number} first */
function dots(f, name, label, first) {
  const typed = (/** @type {KeyboardEvent} */ event) => {
    if (!(Number(event.key) <= DOTS) || event.key === " ") return;
    event.preventDefault(); // prevents the shortcut of the same digit
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    input.value = event.key;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const value = f.number(name, first);
  return html`<input class="dots" type="range" name=${name} aria-label=${label} min="0" max=${DOTS} value=${value} .style=${`--filled: ${value}`} @keydown=${typed} />`;
}

// Rows

/** @param {Table} table @param {Fields} f @param {readonly (readonly [string, number])[]} known */
function attributeRows(table, f, known) {
  return rows(table, f, "attribute", known.length, (at, describes) => {
    const [name, score = undefined] = known[at] ?? [""];
    const named = f.read(`attribute${at}`, name).trim() !== "";
    return html`${f.text(`attribute${at}`, "form.attribute", { value: name })}
    ${f.steps(`score${at}`, "form.score", score ?? (named ? SCORE : undefined), { describes, required: named })}`;
  });
}

/** @param {Table} table @param {Fields} f @param {readonly T.Special[]} known */
function specialRows(table, f, known) {
  return rows(table, f, "special", known.length, (at) => {
    const { name, starred } = known[at] ?? {};
    return html`${f.text(`special${at}`, "form.special", { value: name })} ${f.tick(`starred${at}`, "form.starred", starred)}`;
  });
}

/**
 * Draw rows of fields, and a button that adds a row.
 * @param {Table} table @param {Fields} f @param {keyof typeof ROWS} kind
 * @param {number} known how many are filled in already @param {(at: number, describes: string) => unknown} row
 */
function rows(table, f, kind, known, row) {
  const key = `rows:${f.key}:${kind}`;
  const number = Math.min(MAX_ON_SHEET, Math.max(ROWS[kind], known + 1, rowsIn(f.values, kind), table.ui.get(key) ?? 0));
  const work = async () => table.set(key, number + 1);
  return html`<fieldset class="rows">
    <legend>${table.t(`form.${kind}s`)}</legend>
    ${Array.from({ length: number }, (_, at) => {
      const describes = table.t(`form.${kind}_number`, { number: at + 1 });
      return html`<div class="fields" role="group" aria-label=${describes}>${row(at, describes)}</div>`;
    })}
    ${number < MAX_ON_SHEET ? button(table, { key: `${f.key}:${kind}:row`, label: table.t(`form.${kind}_more`), work }) : nothing}
  </fieldset>`;
}

/** @param {Table} table @param {string} key */
function forgetRows(table, key) {
  for (const kind of Object.keys(ROWS)) table.ui.delete(`rows:${key}:${kind}`);
}

/** Return the values of `sheetFields`. @param {Values} values */
function sheetOf(values) {
  const places = Array.from({ length: MAX_ON_SHEET }, (_, at) => at);
  const chosen = [...values.data.keys()].filter((name) => name.startsWith(OFFERED) && values.number(name));
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
    attributes: Object.fromEntries([...chosen.map((name) => [name.slice(OFFERED.length), values.number(name) ?? 0]), ...attributes]),
    specials,
  };
}
