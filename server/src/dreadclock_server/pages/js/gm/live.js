// @ts-check
/** Forms that follow what is typed into them. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Form } from "../app/controls.js"
 * @import { Demand } from "./lazily.js"
 *
 * A form whose fields are drawn from what stands in it.
 * @typedef {Omit<Form, "fields" | "changed"> & { fields: (f: Fields) => unknown }} Live
 */

import { Values, closeDisclosure, form } from "../app/controls.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { Fields } from "./fields.js";

/** Draw a form whose fields follow what was typed into it. @param {Table} table @param {Live} given */
export function liveForm(table, { fields, done, ...given }) {
  const name = `typed:${given.key}`;
  return form(table, {
    ...given,
    fields: fields(new Fields(table, given.key)),
    changed: (values) => table.set(name, values),
    done: (answer) => {
      table.set(name, undefined);
      done?.(answer);
    },
  });
}

/**
 * Draw the form that was asked for; it closes again once its command is acknowledged.
 * @param {Table} table @param {Demand} demand @param {Omit<Live, "key" | "describes">} given
 */
export function demanded(table, { key, label, describes }, { done, ...given }) {
  return liveForm(table, {
    ...given,
    key,
    describes,
    label: describes ? `${label}: ${describes}` : label,
    done: (answer) => {
      closeDisclosure(table, `${key}:form`);
      done?.(answer);
    },
  });
}

/**
 * Draw fields that send nothing: what is typed in only changes what is shown.
 * @param {Table} table @param {string} key @param {(f: Fields) => unknown} fields
 */
export function question(table, key, fields) {
  return html`<form
    class="form"
    @submit=${(/** @type {Event} */ event) => event.preventDefault()}
    @input=${(/** @type {Event} */ { currentTarget }) => {
      table.set(`typed:${key}`, new Values(new FormData(/** @type {HTMLFormElement} */ (currentTarget))));
    }}
  >
    ${fields(new Fields(table, key))}
  </form>`;
}

/**
 * Draw fields that are folded away until they are asked for; what is typed into them counts even when they are folded.
 * @param {string} label @param {unknown} content
 */
export function folded(label, content) {
  return html`<details class="disclosure folded">
    <summary>${label}</summary>
    <div class="inside">${content}</div>
  </details>`;
}

/** Draw fields that change only the odds that are shown. @param {Table} table @param {unknown} fields */
export function onlyAsked(table, fields) {
  const caption = table.t("gm.only_odds");
  return html`<div class="only-odds" role="group" aria-label=${caption}>
    <p class="hint">${caption}</p>
    <div class="fields">${fields}</div>
  </div>`;
}

/** Name the label of a field for a reason: it is read by whoever sees the thing. @param {T.Visibility} visibility */
export function reasonFor(visibility) {
  return visibility === "public" ? "gm.reason" : "gm.reason.hidden";
}
