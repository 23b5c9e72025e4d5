// @ts-check
/** Forms that follow what is typed into them. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Form } from "../app/controls.js"
 * @import { Demand } from "../gm/lazily.js"
 *
 * A form whose fields are drawn from what stands in it.
 * @typedef {Omit<Form, "fields" | "changed"> & { fields: (f: Fields) => unknown }} Live
 *
 * @typedef {object} Making what a form does that makes something
 * @property {string} [again] of what it is: what was sent last can be filled in again
 * @property {(f: Fields) => string} [seen] who will see it: `public`, `sealed`, `gm` ..., said beside the button
 */

import { Values, button, closeDisclosure, form } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
import { Fields } from "./fields.js";
import { titled } from "../parts/card.js";

/** Draw a form whose fields follow what was typed into it. @param {Table} table @param {Live} given */
export function liveForm(table, { fields, done, ...given }) {
  const name = `typed:${given.key}`;
  return form(table, {
    ...given,
    fields: fields(new Fields(table, given.key)),
    changed: (values) => table.set(name, values),
    done: (answer, values, element) => {
      table.set(name, undefined);
      if (!given.stays && !given.keep) closeAround(table, element);
      done?.(answer, values, element);
    },
  });
}

/** Close the panel in which a form was sent, and the menu around it. @param {Table} table @param {HTMLFormElement} form */
function closeAround(table, form) {
  const places = ["details[data-place$=':form']", "details.actions:not(.drawer)"].map((each) => /** @type {HTMLElement | null} */ (form.closest(each))?.dataset.place);
  for (const place of places) if (place) closeDisclosure(table, place);
}

/**
 * Draw the form that was asked for; it closes again once its command is acknowledged, unless it stays for the next.
 * @param {Table} table @param {Demand} demand @param {Omit<Live, "key" | "describes"> & Making} given
 */
export function demanded(table, { key, label, describes, closes }, { done, fields, again, seen, ...given }) {
  if (closes && !document.querySelector(`[data-form="${CSS.escape(key)}"]`)) table.ui.delete(`typed:${key}`);
  return liveForm(table, {
    ...given,
    key,
    describes,
    label: titled(label, describes),
    fields: (f) => html`${fields(f)} ${again && table.isGm ? sameAgain(table, key, again) : nothing}
    ${seen && table.isGm ? html`<p class="hint seen" data-part="seen">${table.t(`gm.seen.${seen(f)}`)}</p>` : nothing}`,
    done: (answer, values, element) => {
      if (again) table.ui.set(`last:${again}`, values);
      if (given.stays) element.querySelector("input")?.focus();
      if (closes) closeDisclosure(table, closes);
      table.ui.delete(`preset:${closes}`); // what it was for
      done?.(answer, values, element);
    },
    refused: (values) => void fillIn(table, key, values),
  });
}

/** Draw the button that fills in what was sent last, for it to get a name of its own. @param {Table} table @param {string} key @param {string} again */
function sameAgain(table, key, again) {
  const last = table.ui.get(`last:${again}`);
  if (!last) return nothing;
  const work = () => fillIn(table, key, last);
  return button(table, { key: `${key}:again`, label: table.t("gm.again"), title: table.t("gm.again.does"), work });
}

/** Put into a form what was once sent, over what was typed into it since. @param {Table} table @param {string} key @param {Values} values */
async function fillIn(table, key, values) {
  table.set(`typed:${key}`, values);
  await new Promise(requestAnimationFrame);
  const element = /** @type {HTMLFormElement | null} */ (table.root.querySelector(`[data-form="${CSS.escape(key)}"]`));
  element?.reset(); // to what was just drawn
  element?.querySelector("input")?.select();
}

/** Say who will see what a form with the choice of a visibility makes. @param {Fields} f */
export function seenAs(f) {
  return f.read("visibility", "public");
}

/** Count the rows of a form whose fields are numbered. @param {Values} values @param {string} name of the first field of each row */
export function rowsIn(values, name) {
  const places = [...values.data.keys()].filter((each) => each.startsWith(name)).map((each) => Number(each.slice(name.length)));
  return Math.max(0, ...places.filter((place) => !Number.isNaN(place)).map((place) => place + 1));
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

const PHONE = matchMedia("(max-width: 48rem), (max-height: 30rem) and (pointer: coarse)"); // as in forms.css

/** Draw fields that a phone folds away until they are asked for; a player has letters for that. @param {Table} table @param {Fields} f @param {unknown} fields */
export function rare(table, f, fields) {
  return html`<details class="disclosure rare" data-place=${ifDefined(table.isGm ? undefined : f.key.replace(/send$/, "rare"))} ?open=${!PHONE.matches}>
    <summary>${table.t("form.rare")}</summary>
    <div class="inside"><div class="fields">${fields}</div></div>
  </details>`;
}

/**
 * Draw fields that are folded away until they are asked for; what is typed into them counts even when they are folded.
 * @param {string} label @param {unknown} content @param {boolean} [open] whether it is unfolded at first
 */
export function folded(label, content, open = false) {
  const enter = (/** @type {Event} */ { currentTarget }) => {
    const details = /** @type {HTMLDetailsElement} */ (currentTarget);
    if (details.open && details.contains(document.activeElement)) details.querySelector("input")?.focus();
  };
  return html`<details class="disclosure folded" ?open=${open} @toggle=${enter}>
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
