// @ts-check
/** Draws fields of forms, and reads their values. */

import { MAX_NAME } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";

const FACES = /^[1-6](?:[\s,]*[1-6])*$/;

/** The values of a form. The value of an empty field is undefined. */
export class Values {
  /** @param {FormData} data */
  constructor(data) {
    this.data = data;
  }

  /** Return the text of a field, without spaces around it. @param {string} name @returns {string | undefined} */
  text(name) {
    const value = this.data.get(name);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  }

  /** Return the same as `text`, but typed `any`: commands accept only certain words, not every `string`. @param {string} name @returns {any} */
  choice(name) {
    return this.text(name);
  }

  /** Return the number in a field; undefined if there is none. @param {string} name @returns {number | undefined} */
  number(name) {
    const text = this.text(name);
    return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
  }

  /** Tell whether a checkbox is ticked. @param {string} name @returns {boolean} */
  ticked(name) {
    return this.data.has(name);
  }

  /**
   * Return the faces in a text such as `5 2 4`, `5,2,4` or `524`; undefined for an empty field, null for another text.
   * @param {string} name
   * @returns {any}
   */
  faces(name) {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return FACES.test(text) ? [...text.replace(/[\s,]/g, "")].map(Number) : null;
  }

  /** Return the lines of a text that are not empty. @param {string} name */
  lines(name) {
    return (this.text(name) ?? "").split("\n").map((line) => line.trim()).filter(Boolean);
  }
}

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {string} [type] `textarea`, or the type of an input element; `text` by default
 * @property {string | number} [value] the initial value; a `textarea` and a `checkbox` ignore it
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [step]
 * @property {boolean} [required]
 * @property {boolean} [checked]
 * @property {string} [hint] a sentence below the field
 * @property {string} [placeholder]
 * @property {string} [list] the id of a datalist
 * @property {number} [length] the most characters of a `text`, 64 by default
 * @property {string} [inputmode]
 */

/** Draw a field with its label. @param {Field} given */
export function field(given) {
  const { name, label, type = "text", value, min, max, step, required = false, hint, placeholder, list } = given;
  if (type === "checkbox") return tick(given);
  const control =
    type === "textarea"
      ? html`<textarea name=${name} rows="3" ?required=${required} placeholder=${ifDefined(placeholder)}></textarea>`
      : html`<input
          name=${name}
          type=${type}
          value=${ifDefined(value)}
          min=${ifDefined(min)}
          max=${ifDefined(max)}
          step=${ifDefined(step)}
          ?required=${required}
          maxlength=${ifDefined(type === "text" ? (given.length ?? MAX_NAME) : undefined)}
          placeholder=${ifDefined(placeholder)}
          list=${ifDefined(list)}
          inputmode=${ifDefined(/** @type {any} */ (given.inputmode))}
          autocomplete="off"
        />`;
  return html`<label class="field ${type}"><span class="name">${label}</span>${control}${hinted(hint)}</label>`;
}

/**
 * Draw a required field for a whole number.
 * @param {string} name
 * @param {string} label
 * @param {{ max: number, min?: number, value?: number }} range `value`: the initial value
 */
export function numberField(name, label, { max, min = 1, value = min }) {
  return field({ name, label, type: "number", min, max, value, required: true });
}

/** Draw a checkbox with its label. @param {Field} given */
function tick({ name, label, checked = false, hint }) {
  return html`<label class="field tick"
    ><input type="checkbox" name=${name} value="yes" ?checked=${checked} /><span class="name">${label}</span>${hinted(hint)}</label
  >`;
}

/** Draw the hint of a field; nothing without one. @param {string | undefined} hint */
function hinted(hint) {
  return hint ? html`<span class="hint">${hint}</span>` : nothing;
}

/**
 * Draw a select field.
 * @param {{ name: string, label: string, options: readonly (readonly [value: string, label: string])[], value?: string, required?: boolean, hint?: string }} given
 */
export function choice({ name, label, options, value, required = false, hint }) {
  return html`<label class="field choice">
    <span class="name">${label}</span>
    <select name=${name} ?required=${required}>
      ${repeat(
        options,
        ([option]) => option, // keyed by value, so that the chosen option stays chosen when earlier options are removed
        ([option, words]) => html`<option value=${option} ?selected=${option === value}>${words}</option>`,
      )}
    </select>
    ${hinted(hint)}
  </label>`;
}

/**
 * Draw a choice between very few options as radio buttons in a row.
 * @param {{ name: string, label: string, options: readonly (readonly [value: string, label: string])[], value: string }} given
 */
export function segments({ name, label, options, value }) {
  return html`<span class="field segments" role="radiogroup" aria-label=${label}>
    <span class="name" aria-hidden="true">${label}</span>
    <span class="row">
      ${options.map(
        ([option, words]) =>
          html`<label><input type="radio" name=${name} value=${option} ?checked=${option === value} /><span>${words}</span></label>`,
      )}
    </span>
  </span>`;
}
