// @ts-check
/** The forms that add a character and change a sheet. Only the gm can choose the owner and hide the character. A player owns each character that the player adds. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "./fields.js"
 * @import { Panel } from "../gm/panel.js"
 */

import { button, field } from "../app/controls.js";
import { BOXES, CRISES, MAX_LEVEL, MAX_NAME, MAX_ON_SHEET } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { explained } from "../parts/word.js";
import { panelForm, folded, rowsIn } from "./live.js";

const SCORE = 3; // the initial score of a new attribute
const ROWS = { attribute: 3, special: 1 }; // how many rows a form has at first, by kind
const USUAL = 5; // how many attributes are offered to a new character
const DOTS = 8; // the number of dots, which is the highest score of a new character here. A later change of the sheet can set a higher score
const OFFERED = "dots:"; // prefix of the names of fields for offered attributes; the attribute follows

/** Draw the form that adds a character. @param {Table} table @param {Panel} panel */
export function addCharacter(table, panel) {
  return panelForm(table, panel, {
    submit: table.isGm ? panel.label : table.t("my.add"),
    again: "character",
    seen: (f) => (isHidden(f) ? "acts" : "public"),
    command: (entered, values) => ({ type: "add_character", ...entered, ...listsIn(values), ...(table.isGm && onlyGms(values)) }),
    done: () => forgetRows(table, panel.key),
    fields: (f) => html`${sheetFields(table, f)} ${table.isGm ? crisisFields(table, f) : nothing}`,
  });
}

/**
 * Draw the form that changes a sheet. If the house rules make a player's changes wait for the gm's approval, a hint says so.
 * @param {Table} table @param {Panel} panel @param {T.Character} character
 */
export function updateCharacter(table, panel, character) {
  const waits = !table.isGm && table.view.policy.sheets === "gm";
  return panelForm(table, panel, {
    submit: table.t("form.sheet.send"),
    command: (entered, values) => ({ type: "update_character", character_id: character.id, ...entered, ...listsIn(values) }),
    done: () => forgetRows(table, panel.key),
    fields: (f) => html`${sheetFields(table, f, character)} ${waits ? html`<p class="hint">${table.t("my.sheet.waits")}</p>` : nothing}`,
  });
}

/** Return the values that only the gm can set for a new character. @param {Values} values */
function onlyGms(values) {
  const crises = CRISES.flatMap((kind) => Array.from({ length: values.number(`crises-${kind}`) ?? 0 }, () => ({ kind })));
  const visibility = !values.text("owner") && values.ticked("hidden") ? "gm" : "public";
  return { visibility: /** @type {"gm" | "public"} */ (visibility), crises };
}

/** Draw the fields for the crises that a new character already has. @param {Table} table @param {Fields} f */
function crisisFields(table, f) {
  const most = BOXES - 1;
  const crises = CRISES.map((kind) => f.apart().steps(`crises-${kind}`, `gm.earlier.${kind}`, 0, { min: 0, max: most }));
  return folded(table.t("form.seldom"), html`<div class="fields">${crises}</div>`);
}

/** Tell whether no owner is chosen. The new character then belongs to the gm. @param {Fields} f */
function isFoe(f) {
  return f.read("owner") === "";
}

/** Tell whether the new character will be hidden until it acts. This is the default for characters of the gm, and impossible for other characters. Source: rules.md C24. @param {Fields} f */
function isHidden(f) {
  return isFoe(f) && (!f.has("foe") || f.ticked("hidden"));
}

/** Draw the fields of a sheet. For a player, the optional fields are folded. @param {Table} table @param {Fields} f @param {T.Character} [character] */
function sheetFields(table, f, character) {
  const { attributes = {}, specials = [], level = 1, reflex } = (!table.isGm && character?.proposed) || character || {};
  const name = f.text("name", "form.name", { value: character?.name, required: true });
  const numbers = html`${f.steps("reflex", "character.reflex", reflex, { required: false })}
  ${explained(table, "level", table.t("character.level"), f.key, f.steps("level", "character.level", level, { min: 1, max: MAX_LEVEL }))}`;
  const scores = character ? attributeRows(table, f, Object.entries(attributes)) : offered(table, f);
  const rest = specialRows(table, f, specials);
  if (table.isGm) return html`<div class="fields">${name} ${ownerFields(table, f, character)} ${numbers}</div> ${scores} ${rest}`;
  const more = html`<div class="fields">${numbers}</div> <p class="hint">${table.t("form.reflex.hint")}</p> ${rest}`;
  return html`<div class="fields">${name}</div> ${scores} ${folded(table.t("form.sheet.more"), more, character !== undefined)}`;
}

/**
 * Draw the choice of the owner. For a new character of the gm, draw also a checkbox that hides the character. The form can change
 * the owner of a character, but not remove the owner.
 * @param {Table} table @param {Fields} f @param {T.Character} [character]
 */
function ownerFields(table, f, character) {
  const hidden = { name: "hidden", type: "checkbox", label: table.t("gm.character.hidden"), checked: isHidden(f) };
  return html`${f.owner(character?.owner ? "gm.owner.as_is" : "gm.owner.gm", character?.owner)}
  ${!character && isFoe(f) ? html`<input type="hidden" name="foe" value="yes" />${field(hidden)}` : nothing}`;
}

// Attributes as chips with dots

/**
 * Draw a field for each offered attribute, and fields for attributes with typed names. First offered are the attributes of the
 * players' characters, then usual ones. Offered attributes without dots are not added to the sheet.
 * @param {Table} table @param {Fields} f
 */
function offered(table, f) {
  const others = [...table.view.characters.values()].filter(({ owner }) => owner);
  const theirs = others.flatMap(({ attributes }) => Object.keys(attributes));
  const names = [...new Set([...theirs, ...table.t("form.attributes.usual").split(", ")])].slice(0, USUAL);
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

/** Draw a score as a range input that looks like dots. A press on a dot, or a typed digit, sets the score. @param {Fields} f @param {string} name @param {string} label @param {number} first */
function dots(f, name, label, first) {
  const typed = (/** @type {KeyboardEvent} */ event) => {
    if (!(Number(event.key) <= DOTS) || event.key === " ") return;
    event.preventDefault(); // the page has shortcuts for digits
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    input.value = event.key;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const value = f.number(name, first);
  return html`<input class="dots" type="range" name=${name} aria-label=${label} min="0" max=${DOTS} value=${value} .style=${`--filled: ${value}`} @keydown=${typed} />`;
}

// Rows

/** @param {Table} table @param {Fields} f @param {readonly (readonly [string, number])[]} before the attributes of the sheet */
function attributeRows(table, f, before) {
  return rows(table, f, "attribute", before.length, (at, describes) => {
    const [name, score = undefined] = before[at] ?? [""];
    const named = f.read(`attribute${at}`, name).trim() !== "";
    return html`${f.apart().text(`attribute${at}`, "form.attribute", { value: name })}
    ${f.apart().steps(`score${at}`, "form.score", score ?? (named ? SCORE : undefined), { describes, required: named })}`;
  });
}

/** @param {Table} table @param {Fields} f @param {readonly T.Special[]} before the special attributes of the sheet */
function specialRows(table, f, before) {
  return rows(table, f, "special", before.length, (at) => {
    const { name, starred } = before[at] ?? {};
    return html`${f.apart().text(`special${at}`, "form.special", { value: name })} ${f.apart().tick(`starred${at}`, "form.starred", starred)}`;
  });
}

/**
 * Draw rows of fields, and a button that adds a row.
 * @param {Table} table @param {Fields} f @param {keyof typeof ROWS} kind
 * @param {number} filled how many rows the sheet fills at first @param {(at: number, describes: string) => unknown} row
 */
function rows(table, f, kind, filled, row) {
  const key = `rows:${f.key}:${kind}`;
  const number = Math.min(MAX_ON_SHEET, Math.max(ROWS[kind], filled + 1, rowsIn(f.values, kind), table.ui.get(key) ?? 0));
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

/** Reset how many rows were added to a form. @param {Table} table @param {string} key */
function forgetRows(table, key) {
  for (const kind of Object.keys(ROWS)) table.ui.delete(`rows:${key}:${kind}`);
}

/** Return the attributes and the special attributes in a form. @param {Values} values */
function listsIn(values) {
  const places = Array.from({ length: MAX_ON_SHEET }, (_, at) => at);
  const dotted = [...values.data.keys()].filter((name) => name.startsWith(OFFERED) && values.number(name));
  const offered = dotted.map((name) => [name.slice(OFFERED.length), values.number(name)]);
  const attributes = places.map((at) => [values.text(`attribute${at}`), values.number(`score${at}`) ?? 0]).filter(([name]) => name);
  const specials = places.map((at) => ({ name: values.text(`special${at}`) ?? "", starred: values.ticked(`starred${at}`) }));
  return { attributes: Object.fromEntries([...offered, ...attributes]), specials: specials.filter(({ name }) => name) };
}
