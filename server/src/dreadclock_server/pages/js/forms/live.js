// @ts-check
/** Forms that are drawn again while somebody types into them. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Form } from "../app/controls.js"
 * @import { Panel } from "../gm/panel.js"
 *
 * A form whose fields depend on its current values. When the form is sent, `command` returns the command to send. Forms that do
 * something else have `work` instead. Both get the entered values by field name, and all values of the form.
 * @typedef {{ command?: (entered: any, values: Values) => T.Command, work?: (entered: any, values: Values) => Promise<unknown> }} Sending
 * @typedef {Omit<Form, "fields" | "changed" | "command" | "work"> & Sending & { fields: (f: Fields) => unknown }} Live
 *
 * @typedef {object} Making properties of a form that makes a thing
 * @property {string} [again] the kind of thing. A button fills in the values that were sent last for this kind
 * @property {(f: Fields) => string} [seen] returns the end of a label key `gm.seen.…`, such as `public`, `sealed` or `gm`. The label tells the gm who will see the new thing
 */

import { Values, button, closeDisclosure, form } from "../app/controls.js";
import { html, noChange, nothing } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
import { Fields } from "./fields.js";
import { titled } from "../parts/card.js";

/** Draw a form whose fields depend on its current values. Every input draws the form again. @param {Table} table @param {Live} given */
export function liveForm(table, { fields, command, work, done, ...given }) {
  const name = `typed:${given.key}`;
  const f = new Fields(table, given.key);
  return form(table, {
    ...given,
    fields: fields(f),
    command: command && ((values) => command(f.entered(values), values)),
    work: work && ((values) => work(f.entered(values), values)),
    changed: (element) => table.set(name, f.typed(element)),
    done: (answer, values, element) => {
      table.set(name, undefined);
      if (!given.stays && !given.keep) closeAround(table, element);
      done?.(answer, values, element);
    },
  });
}

/** Close the panel of a form that was sent, and the menu around it. @param {Table} table @param {HTMLFormElement} form */
function closeAround(table, form) {
  const places = ["details[data-place$=':form']", "details.actions:not(.drawer)"].map((around) => /** @type {HTMLElement | null} */ (form.closest(around))?.dataset.place);
  for (const place of places) if (place) closeDisclosure(table, place);
}

/**
 * Draw the form in a panel. The panel closes when the form was sent, unless `stays` or `keep` is set. A form with `stays` is emptied for the next command.
 * @param {Table} table @param {Panel} panel
 * @param {Omit<Live, "key" | "describes" | "submit"> & Making & { submit?: string }} given `submit`: by default the label of the panel
 */
export function panelForm(table, { key, label, describes, closes }, { submit = label, done, fields, again, seen, ...given }) {
  if (closes && !document.querySelector(`[data-form="${CSS.escape(key)}"]`)) table.ui.delete(`typed:${key}`);
  return liveForm(table, {
    ...given,
    key,
    submit,
    describes,
    label: titled(label, describes),
    fields: (f) => html`${fields(f)} ${again && table.isGm ? sameAgain(table, key, again) : nothing}
    ${seen && table.isGm ? html`<p class="hint seen" data-part="seen">${table.t(`gm.seen.${seen(f)}`)}</p>` : nothing}`,
    done: (answer, values, element) => {
      if (again) table.ui.set(`last:${again}`, values);
      if (given.stays) element.querySelector("input")?.focus();
      if (closes) closeDisclosure(table, closes);
      table.ui.delete(`preset:${closes}`); // the challenge that a button chose when it opened the form
      done?.(answer, values, element);
    },
    refused: (values) => void fillIn(table, key, values),
  });
}

/**
 * Return a function that draws the form of a command for a thing. The names of the form's fields must be names of the command's fields.
 * @param {T.Command["type"]} type @param {string} idField the field of the command for the thing's id
 * @param {(f: Fields, thing: any) => unknown} fields
 * @param {{ submit?: string, kind?: string, inline?: boolean }} [more] `submit`: the key of the button's label, by default the label of the panel
 * @returns {(table: Table, panel: Panel, thing: any) => unknown}
 */
export const commandForm = (type, idField, fields, { submit, ...more } = {}) => (table, panel, thing) =>
  panelForm(table, panel, {
    ...more,
    submit: submit && table.t(submit),
    command: (entered) => /** @type {any} */ ({ type, [idField]: thing.id, ...entered }),
    fields: (f) => fields(f, thing),
  });

/**
 * Draw the button that fills in the values that were sent last, and selects the name, so that another can be typed.
 * @param {Table} table @param {string} key @param {string} again
 */
function sameAgain(table, key, again) {
  const last = table.ui.get(`last:${again}`);
  if (!last) return nothing;
  const work = () => fillIn(table, key, last);
  return button(table, { key: `${key}:again`, label: table.t("gm.again"), title: table.t("gm.again.does"), work });
}

/** Replace the current values of a form by values that were sent earlier. @param {Table} table @param {string} key @param {Values} values */
async function fillIn(table, key, values) {
  table.set(`typed:${key}`, values);
  await new Promise(requestAnimationFrame);
  const element = /** @type {HTMLFormElement | null} */ (table.root.querySelector(`[data-form="${CSS.escape(key)}"]`));
  element?.reset(); // inputs that were edited ignore new default values; a reset makes them show the values that were just drawn
  element?.querySelector("input")?.select();
}

/** Return the chosen visibility, which says who will see the new thing. @param {Fields} f */
export function seenAs(f) {
  return f.read("visibility", "public");
}

/** Return the number of rows in a form whose fields are numbered from 0. @param {Values} values @param {string} name the name of a field that every row has, without the number */
export function rowsIn(values, name) {
  const places = [...values.data.keys()].filter((field) => field.startsWith(name)).map((field) => Number(field.slice(name.length)));
  return Math.max(0, ...places.filter((place) => !Number.isNaN(place)).map((place) => place + 1));
}

/**
 * Draw a form that sends nothing. Its values only change what the page shows.
 * @param {Table} table @param {string} key @param {(f: Fields) => unknown} fields
 */
export function question(table, key, fields) {
  const f = new Fields(table, key);
  return html`<form
    class="form"
    @submit=${(/** @type {Event} */ event) => event.preventDefault()}
    @input=${(/** @type {Event} */ { currentTarget }) => table.set(`typed:${key}`, f.typed(/** @type {HTMLFormElement} */ (currentTarget)))}
  >
    ${fields(f)}
  </form>`;
}

const PHONE = matchMedia("(max-width: 48rem), (max-height: 30rem) and (pointer: coarse)"); // the same condition as in forms.css

/** Draw fields that are folded at first on a phone. For players, a shortcut unfolds them. @param {Table} table @param {Fields} f @param {unknown} fields */
export function rare(table, f, fields) {
  return html`<details class="disclosure rare" data-place=${ifDefined(table.isGm ? undefined : f.key.replace(/send$/, "rare"))} ?open=${!PHONE.matches}>
    <summary>${table.t("form.rare")}</summary>
    <div class="inside"><div class="fields">${fields}</div></div>
  </details>`;
}

/**
 * Draw fields that are folded until the user opens them. Folded fields are sent too.
 * @param {string} label @param {unknown} content @param {boolean} [open] whether to open the fields; false leaves them as they are
 */
export function folded(label, content, open = false) {
  const enter = (/** @type {Event} */ { currentTarget }) => {
    const details = /** @type {HTMLDetailsElement} */ (currentTarget);
    if (details.open && details.contains(document.activeElement)) details.querySelector("input")?.focus();
  };
  return html`<details class="disclosure folded" ?open=${open || noChange} @toggle=${enter}>
    <summary>${label}</summary>
    <div class="inside">${content}</div>
  </details>`;
}

/** Draw fields that only change the displayed odds. @param {Table} table @param {unknown} fields */
export function onlyAsked(table, fields) {
  const caption = table.t("gm.only_odds");
  return html`<div class="only-odds" role="group" aria-label=${caption}>
    <p class="hint">${caption}</p>
    <div class="fields">${fields}</div>
  </div>`;
}

/** Return the key of the label for the field of a reason. The label says who can read the reason: everyone who sees the thing. @param {T.Visibility} visibility */
export function reasonFor(visibility) {
  return visibility === "public" ? "gm.reason" : "gm.reason.hidden";
}
