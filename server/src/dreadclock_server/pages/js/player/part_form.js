// @ts-check
/** The fields of a character's part of a check, for those who propose, help or oppose. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 *
 * A part as it stands in a form.
 * @typedef {object} Draft
 * @property {T.Character} character
 * @property {string | undefined} attribute undefined: `score` was typed in
 * @property {number} score
 * @property {number} bonus
 * @property {number} penalty
 * @property {number} level of the venture, 0 for none
 * @property {string | undefined} what
 * @property {T.Benefit} benefits
 * @property {string} beneficiary
 * @property {boolean} claim
 * @property {string[]} claims the ventures whose dice are for this roll
 */

import { BENEFITS, MAX_POOL, MAX_TEXT, MAX_VENTURE } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { choice, field } from "../app/controls.js";
import { unclaimed } from "../app/checks.js";
import { explained } from "../parts/word.js";
import { claimFields, claimsIn } from "../parts/ventures.js";

const FREE = "score"; // the choice of no attribute
const NAMED = "named:";
const LEVELS = Array.from({ length: MAX_VENTURE + 1 }, (_, level) => level);

/**
 * Remember what is typed into a form, for its odds.
 * @param {Table} table
 * @param {string} key
 * @returns {(values: Values) => void}
 */
export function remember(table, key) {
  return (values) => table.set(`draft:${key}`, values);
}

/** Forget what was typed into a form. @param {Table} table @param {string} key */
export function forget(table, key) {
  table.set(`draft:${key}`, undefined);
}

/**
 * Return what is typed into a form; undefined before anything is. It lasts as long as its form: one that is opened
 * again begins anew.
 * @param {Table} table
 * @param {string} key `KEY:send` is the form
 * @returns {Values | undefined}
 */
export function remembered(table, key) {
  if (!document.querySelector(`[data-form="${key}:send"]`)) table.ui.delete(`draft:${key}`);
  return table.ui.get(`draft:${key}`);
}

/**
 * Read a part from a form as it was left, or as it begins.
 * @param {readonly T.Character[]} characters
 * @param {Values | undefined} values
 * @returns {Draft}
 */
export function draftOf(characters, values) {
  const character = characters.find((each) => each.id === values?.text("character")) ?? characters[0];
  const attribute = attributeOf(character, values);
  return {
    character,
    attribute,
    score: attribute === undefined ? (values?.number("score") ?? 1) : character.attributes[attribute],
    bonus: values?.number("bonus") ?? 0,
    penalty: values?.number("penalty") ?? 0,
    level: values?.number("level") ?? 0,
    what: values?.text("what"),
    benefits: values?.choice("benefits") ?? "check",
    beneficiary: values?.text("beneficiary") ?? character.id,
    claim: false,
    claims: claimsIn(values, character.bonuses),
  };
}

/** @param {T.Character} character @param {Values | undefined} values @returns {string | undefined} */
function attributeOf({ attributes }, values) {
  const names = Object.keys(attributes);
  const chosen = values?.text("attribute");
  if (chosen === FREE) return undefined;
  const best = Math.max(...Object.values(attributes));
  return names.find((name) => NAMED + name === chosen) ?? names.find((name) => attributes[name] === best);
}

/** Return the fields of a command that a part is made of. @param {Draft} draft */
export function partOf({ character, attribute, score, bonus, penalty, level, what, benefits, beneficiary, claims }) {
  return {
    character_id: character.id,
    ...(attribute === undefined ? { score } : { attribute }),
    ...(bonus ? { bonus } : {}),
    ...(penalty ? { penalty } : {}),
    claims,
    ...(level ? { venture: { level, benefits, beneficiary, what: what ?? "" } } : {}),
  };
}

/**
 * Draw the fields.
 * @param {Table} table
 * @param {readonly T.Character[]} characters to choose from
 * @param {Draft} draft
 */
export function partFields(table, characters, draft) {
  return html`${characters.length > 1 ? who(table, characters, draft) : nothing} ${attributeFields(table, draft)}
  ${claimed(table, draft)}`;
}

/** Draw the fields that are rarely set. @param {Table} table @param {Draft} draft */
export function rareFields(table, draft) {
  return html`${field({ name: "bonus", label: table.t("my.bonus"), type: "number", min: 0, max: MAX_POOL, placeholder: "0" })}
  ${field({ name: "penalty", label: table.t("my.penalty"), type: "number", min: 0, max: MAX_POOL, placeholder: "0" })}
  ${venture(table, draft)}`;
}

/** Draw a choice among a few as chips: one press each. @param {{ name: string, label: string, options: readonly (readonly [string, string])[], value: string }} given */
function chips({ name, label, options, value }) {
  return html`<fieldset class="chips">
    <legend class="name">${label}</legend>
    ${options.map(
      ([each, words]) => html`<label class="chip"
        ><input type="radio" name=${name} value=${each} ?checked=${each === value} /><span>${words}</span></label
      >`,
    )}
  </fieldset>`;
}

/** @param {Table} table @param {readonly T.Character[]} characters @param {Draft} draft */
function who(table, characters, { character }) {
  const options = characters.map((each) => /** @type {const} */ ([each.id, each.name]));
  return again(options, choice({ name: "character", label: table.t("my.character"), options, value: character.id }));
}

/**
 * Draw the choice of an attribute, or of a score without one.
 * @param {Table} table
 * @param {Pick<Draft, "character" | "attribute" | "score">} draft
 */
export function attributeFields(table, { character, attribute, score }) {
  const named = Object.entries(character.attributes).map(
    ([name, dice]) => /** @type {const} */ ([NAMED + name, `${name} ${dice}`]),
  );
  const options = [...named, /** @type {const} */ ([FREE, table.t("my.other_score")])];
  const value = attribute === undefined ? FREE : NAMED + attribute;
  return html`${again(options, chips({ name: "attribute", label: table.t("my.attribute"), options, value }))}
  ${
    attribute === undefined
      ? field({
          name: "score",
          label: table.t("my.score"),
          type: "number",
          min: 0,
          max: MAX_POOL,
          value: score,
          required: true,
        })
      : nothing
  }`;
}

/** @param {Table} table @param {Draft} draft */
function venture(table, { level, character }) {
  const levels = LEVELS.map(
    (each) => /** @type {const} */ ([String(each), each ? `−${each}` : table.t("my.no_venture")]),
  );
  const those = [...table.view.characters.values()].filter((each) => each.status === "in_play");
  const people = those.map((each) => /** @type {const} */ ([each.id, each.name]));
  const rolls = BENEFITS.map((each) => /** @type {const} */ ([each, table.t(`benefits.${each}`)]));
  return html`${explained(table, "venture", table.t("my.venture"), character.id, choice({ name: "level", label: table.t("my.venture"), options: levels, value: "0" }))}
  ${
    level
      ? html`<div class="venture">
          ${field({
            name: "what",
            label: table.t("my.venture_what"),
            placeholder: table.t("my.venture_example"),
            required: true,
            length: MAX_TEXT,
            hint: table.t("my.venture_hint", { level }),
          })}
          ${choice({ name: "benefits", label: table.t("my.venture_benefits"), options: rolls })}
          ${again(people, beneficiary(table, people, character))}
        </div>`
      : nothing
  }`;
}

/** @param {Table} table @param {readonly (readonly [string, string])[]} options @param {T.Character} character */
function beneficiary(table, options, { id }) {
  return choice({ name: "beneficiary", label: table.t("my.venture_for"), options, value: id });
}

/** @param {Table} table @param {Draft} draft */
function claimed(table, { character, claims }) {
  return claimFields(table, unclaimed(table, character, "check"), claims);
}

/**
 * Draw a choice anew when its options change: else it would keep the place of what was chosen, not the thing.
 * @param {readonly (readonly [string, string])[]} options
 * @param {unknown} drawn
 */
export function again(options, drawn) {
  return keyed(JSON.stringify(options.map(([value]) => value)), drawn);
}
