// @ts-check
/** Fields for whole numbers, with the buttons "−" and "+". */

/** @import { Table } from "../app/table.js" */

import { MAX_POOL } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";

/**
 * @typedef {object} Steps
 * @property {number} [min] the lowest value, 0 by default
 * @property {number} [max] the highest value, MAX_POOL by default
 * @property {boolean} [required] whether the field must be filled, true by default
 * @property {string} [describes] the name of the thing, to distinguish fields with the same label
 * @property {(value: number) => void} [changed] called with the new value whenever the field contains a number after a change
 */

/**
 * Draw a field for a whole number.
 * @param {Table} table
 * @param {Steps & { key: string, name: string, label: string, value?: number }} given `key`: the key of the form, to distinguish fields with the same name
 */
export function stepper(table, given) {
  const { key, name, label, describes } = given;
  const id = `${key}-${name}`;
  const said = describes ? `${label}: ${describes}` : label;
  return html`<span class="field stepper">
    <label class="name" for=${id}>${label}</label>
    <span class="row">
      ${step(table.t("form.less", { what: said }), "−", -1)} ${input(given, id, said)}
      ${step(table.t("form.more_of", { what: said }), "+", 1)}
    </span>
  </span>`;
}

/** @param {Steps & { name: string, value?: number }} given @param {string} id @param {string} said */
function input({ name, value, min = 0, max = MAX_POOL, required = true, changed }, id, said) {
  return html`<input
    id=${id}
    name=${name}
    type="number"
    inputmode="numeric"
    autocomplete="off"
    aria-label=${said}
    min=${min}
    max=${max}
    step="1"
    value=${ifDefined(value)}
    ?required=${required}
    @focus=${(/** @type {Event} */ { currentTarget }) => /** @type {HTMLInputElement} */ (currentTarget).select()}
    @input=${(/** @type {Event} */ { currentTarget }) => {
      const typed = /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
      if (!Number.isNaN(typed)) changed?.(typed);
    }}
  />`;
}

/**
 * Draw a button that changes the number by 1. The Tab key skips the button, because the arrow keys do the same in the field.
 * @param {string} label @param {string} sign @param {1 | -1} by
 */
function step(label, sign, by) {
  return html`<button
    type="button"
    class="step"
    tabindex="-1"
    aria-label=${label}
    @click=${(/** @type {Event} */ { currentTarget }) => {
      const row = /** @type {HTMLElement} */ (currentTarget).parentElement;
      const number = /** @type {HTMLInputElement} */ (row?.querySelector("input"));
      if (by > 0) number.stepUp();
      else number.stepDown();
      number.dispatchEvent(new Event("input", { bubbles: true }));
    }}
  >
    ${sign}
  </button>`;
}
