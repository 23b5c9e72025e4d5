// @ts-check
/** The form that brings a character into play, or changes its sheet. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { MAX_LEVEL, MAX_NAME, MAX_ON_SHEET, MAX_POOL } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { explained } from "../parts/word.js";
import { closeDisclosure, field, form, numberField, soon } from "../app/controls.js";

const NOBODY = { attributes: {}, specials: [], level: 1, reflex: undefined };
const ROWS = { attribute: 3, special: 1 };
const USUAL = 5; // attributes that are offered
const DOTS = 8; // of an attribute; a sheet takes more
const OWN = 3; // dots of an attribute that gets a name
const OFFERED = "dots:"; // begins the names of their fields

/** Draw the form. @param {Table} table @param {string} place @param {T.Character} [known] whose sheet is changed */
export function characterForm(table, place, known) {
  if (!known) begin(table, place);
  const waits = known && table.view.policy.sheets === "gm";
  return form(table, {
    key: `${place}:send`,
    submit: table.t(known ? "my.sheet.send" : "my.add"),
    describes: known ? known.name : table.t("my.character"),
    fields: html`${field({ name: "name", label: table.t("my.name"), value: known?.name, required: true })}
    ${known ? sheetRows(table, place, known) : offered(table, place)} ${rarer(table, place, known)}
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

/** @param {Table} table @param {string} place @param {T.Character} known */
function sheetRows(table, place, known) {
  const scores = Object.entries((known.proposed ?? known).attributes);
  return rows(table, place, "attribute", scores.length, (row) => attributeRow(table, row, scores[row]));
}

/** Draw what a new character can do without: it begins folded away. @param {Table} table @param {string} place @param {T.Character} [known] */
function rarer(table, place, known) {
  const { specials, level, reflex } = known?.proposed ?? known ?? NOBODY;
  const enter = (/** @type {Event} */ { currentTarget }) => {
    const details = /** @type {HTMLDetailsElement} */ (currentTarget);
    if (details.open && details.contains(document.activeElement)) details.querySelector("input")?.focus();
  };
  return html`<details class="disclosure" ?open=${known !== undefined} @toggle=${enter}>
    <summary>${table.t("my.sheet.more")}</summary>
    <div class="inside">
      ${rows(table, place, "special", specials.length, (row) => specialRow(table, row, specials[row]))}
      ${explained(table, "level", table.t("character.level"), "sheet", numberField("level", table.t("character.level"), { max: MAX_LEVEL, value: level }))}
      ${field({ name: "reflex", label: table.t("character.reflex"), type: "number", min: 0, max: MAX_POOL, value: reflex, hint: table.t("my.reflex_hint") })}
    </div>
  </details>`;
}

/** Let whoever has come with a keyboard type her first character at once, unless she is about something else. @param {Table} table @param {string} place */
function begin(table, place) {
  if (table.ui.has("began")) return;
  const isBusy = document.activeElement !== document.body || !matchMedia("(pointer: fine)").matches;
  if (isBusy) return void table.ui.set("began", true);
  soon(() => {
    const first = /** @type {HTMLElement | null} */ (document.querySelector(`[data-form="${place}:send"] input`));
    if (first) table.ui.set("began", true); // else the page is not shown yet: its next picture tries again
    first?.focus({ preventScroll: true });
  });
}

// Attributes as chips with dots

/** Offer attributes that other players' characters have, and usual ones; none without dots is on the sheet. @param {Table} table @param {string} place */
function offered(table, place) {
  const others = [...table.view.characters.values()].filter(({ owner }) => owner);
  const known = others.flatMap(({ attributes }) => Object.keys(attributes));
  const names = [...new Set([...known, ...table.t("my.attributes.usual").split(", ")])].slice(0, USUAL);
  const own = table.ui.get(`rows:${place}:attribute`) ?? 1;
  return html`<fieldset class="chips offered">
    <legend>${table.t("my.attributes")}</legend>
    ${names.map((name) => html`<label class="dotted"><span translate="no">${name}</span>${dots(OFFERED + name, name, 0)}</label>`)}
    ${Array.from({ length: own }, (_, row) => ownAttribute(table, row, () => row === own - 1 && table.set(`rows:${place}:attribute`, own + 1)))}
  </fieldset>`;
}

/** @param {Table} table @param {number} row @param {() => void} typed */
function ownAttribute(table, row, typed) {
  const number = row + 1;
  return html`<div class="dotted">
    <input name=${`attribute-${row}`} aria-label=${table.t("my.attribute_name", { number })} placeholder=${table.t("my.attribute_own")} maxlength=${MAX_NAME} autocomplete="off" @input=${typed} />
    ${dots(`score-${row}`, table.t("my.attribute_score", { number }), OWN)}
  </div>`;
}

/** Draw a score as dots: a press on a dot or its digit sets it, arrow keys change it. @param {string} name @param {string} label @param {number} value */
function dots(name, label, value) {
  const show = (/** @type {Event} */ { currentTarget }) => {
    const field = /** @type {HTMLInputElement} */ (currentTarget);
    field.style.setProperty("--filled", field.value);
  };
  const typed = (/** @type {KeyboardEvent} */ event) => {
    if (!(Number(event.key) <= DOTS) || event.key === " ") return;
    event.preventDefault(); // digits are shortcuts, too
    /** @type {HTMLInputElement} */ (event.currentTarget).value = event.key;
    show(event);
  };
  return html`<input class="dots" type="range" name=${name} aria-label=${label} min="0" max=${DOTS} value=${value} .style=${`--filled: ${value}`} @input=${show} @keydown=${typed} />`;
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
  return html`${field({ name: `attribute-${row}`, label: table.t("my.attribute_name", { number }), value: name })}
  ${field({
    name: `score-${row}`,
    label: table.t("my.attribute_score", { number }),
    type: "number",
    min: 0,
    max: MAX_POOL,
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
  const chosen = [...values.data.keys()].filter((name) => name.startsWith(OFFERED) && values.number(name));
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
    attributes: Object.fromEntries([...chosen.map((name) => [name.slice(OFFERED.length), values.number(name)]), ...attributes]),
    specials,
  };
}
