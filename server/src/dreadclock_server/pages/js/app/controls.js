// @ts-check
/**
 * Buttons and forms. A refusal is shown beside its control. A control ignores further presses until the server has
 * answered the first, except buttons with `adds` and forms with `stays`, where every press counts. The focus stays when the
 * page is drawn again.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
import { Values } from "./fields.js";

export { Values, choice, field, numberField, segments } from "./fields.js";

/**
 * @typedef {object} Press the options of a button
 * @property {string} key a unique name on the page, such as `countdown:air:roll`
 * @property {string} label in the visitor's language
 * @property {T.Command} [command] the command that a press sends ...
 * @property {() => Promise<unknown>} [work] ... or a function that a press calls instead
 * @property {string} [kind] `main` (the main action here), `risk` (cannot be undone) or `plain`
 * @property {string} [title] an explanation, if the label does not say enough
 * @property {string} [describes] the name of the thing that the button is about: screen readers read it after the label
 * @property {string} [shortcut] the button's keyboard shortcut, for screen readers
 * @property {{ sum: string, by: number }} [adds] makes every press count. Until the server answers a press, `table.unsettled(sum)`
 *   includes `by`
 */

/** Draw a button that sends a command. @param {Table} table @param {Press} press */
export function button(table, { key, label, command, work, kind = "plain", title, describes, adds, shortcut }) {
  const press = () => {
    if (adds) return table.add(key, /** @type {T.Command} */ (command), adds.sum, adds.by);
    return work ? table.attempt(key, work) : table.act(key, /** @type {T.Command} */ (command));
  };
  const waits = adds ? table.unsettled(adds.sum) !== 0 : table.busy(key);
  return html`<span class="control">
    <button
      type="button"
      class="button ${kind}"
      data-key=${key}
      ?data-adds=${adds !== undefined}
      aria-busy=${waits ? "true" : "false"}
      aria-label=${ifDefined(describes ? `${label}: ${describes}` : undefined)}
      aria-keyshortcuts=${ifDefined(shortcut)}
      title=${ifDefined(title)}
      @click=${press}
    >
      ${label}
    </button>
    ${refusal(table, key, waits)}
  </span>`;
}

/**
 * Draw a button that sends a command about a thing.
 * @param {Table} table @param {string} key unique on the page, such as `total:7:stop` @param {string} label the key of its label
 * @param {string} describes the name of the thing @param {T.Command} command @param {string} [kind] as in `Press`
 */
export function commandButton(table, key, label, describes, command, kind) {
  return button(table, { key, label: table.t(label), describes, command, kind });
}

/**
 * Draw why a control's last command was refused, or that the command waits for the connection; nothing otherwise.
 * @param {Table} table @param {string} key of the control @param {boolean} [waits] whether a command has no answer yet
 */
export function refusal(table, key, waits = table.busy(key)) {
  if (waits && table.room && !table.room.connected) {
    return html`<span class="hint" role="status">${table.t("control.waits")}</span>`;
  }
  const sentence = table.refusal(key);
  return sentence ? html`<span class="refusal" role="alert" data-refusal=${key}>${sentence}</span>` : nothing;
}

/**
 * @typedef {object} Form
 * @property {string} key
 * @property {string} submit the label of the submit button
 * @property {(data: Values) => T.Command | null} [command] makes the command from the values of the form; null: send nothing ...
 * @property {(data: Values) => Promise<unknown>} [work] ... or a function to call instead
 * @property {unknown} fields
 * @property {string} [kind] the kind of its button
 * @property {string} [label] the name of the form for screen readers
 * @property {string} [describes] the name of the thing that the form is about: screen readers read it after the label
 * @property {boolean} [keep] whether the values stay after the form was sent
 * @property {(form: HTMLFormElement) => void} [changed] called whenever somebody changes a field
 * @property {(answer: unknown, values: Values, form: HTMLFormElement) => void} [done] called after the command was acknowledged or
 *   `work` has succeeded; with `stays`, already when the command is sent
 * @property {boolean} [inline] whether the form is drawn in one line
 * @property {boolean} [stays] whether the form is emptied when it is sent, so that the next command can be typed at once
 * @property {(values: Values, form: HTMLFormElement) => void} [refused] called if a command of a form with `stays` was refused
 */

/** Draw a form. @param {Table} table @param {Form} given */
export function form(table, given) {
  const { key, submit, fields, kind = "main", label, describes, inline = false } = given;
  return html`<form
    class="form ${inline ? "inline" : ""}"
    data-form=${key}
    aria-label=${ifDefined(label ?? (describes ? `${submit}: ${describes}` : undefined))}
    @submit=${(/** @type {SubmitEvent} */ event) => send(table, given, event)}
    @keydown=${sendAtOnce}
    @input=${(/** @type {InputEvent} */ event) => given.changed?.(/** @type {any} */ (event.currentTarget))}
  >
    ${fields}
    <span class="control">
      <button
        class="button ${kind}"
        data-key=${key}
        aria-keyshortcuts="Control+Enter"
        aria-busy=${table.busy(key) ? "true" : "false"}
        aria-label=${ifDefined(describes ? `${submit}: ${describes}` : undefined)}
      >
        ${submit}
      </button>
      ${refusal(table, key)}
    </span>
  </form>`;
}

/** Send a form on Ctrl+Enter in any of its fields. @param {KeyboardEvent} event */
function sendAtOnce(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  event.preventDefault();
  /** @type {HTMLFormElement} */ (event.currentTarget).requestSubmit();
}

/** Send a form's command, or call its `work`. @param {Table} table @param {Form} given @param {SubmitEvent} event */
async function send(table, given, event) {
  const { key, command, work, keep, done } = given;
  event.preventDefault();
  const element = /** @type {HTMLFormElement} */ (event.currentTarget);
  const blank = /** @type {HTMLInputElement[]} */ ([...element.elements]).filter(({ required, value }) => required && value && !value.trim());
  for (const field of blank) field.value = ""; // spaces alone are no answer: the browser asks for the field again
  if (blank.length) return void element.reportValidity();
  const values = valuesOf(element);
  if (values.faces("faces") === null) return table.refuse(key, table.t("control.faces"));
  const wanted = command?.(values);
  if (!wanted && !work) return;
  if (wanted && given.stays) return sendOneOfMany(table, given, wanted, values, element);
  const answer = await (wanted ? table.act(key, wanted) : table.attempt(key, () => work?.(values) ?? Promise.resolve()));
  if (answer === null) return;
  if (!keep) element.reset();
  done?.(answer, values, element);
}

/**
 * Send a command of a form with `stays`.
 * @param {Table} table @param {Form} given @param {T.Command} command @param {Values} values @param {HTMLFormElement} element
 */
async function sendOneOfMany(table, { key, done, refused }, command, values, element) {
  element.reset();
  done?.(undefined, values, element);
  if ((await table.add(key, command, `form:${key}`, 1)) === null) refused?.(values, element);
}

/** Return the values of a form. @param {HTMLFormElement} element */
function valuesOf(element) {
  return new Values(new FormData(element));
}

/**
 * Draw a disclosure. Its content is drawn only while the disclosure is open. `open`: whether the disclosure is open at
 * first. `kind`: a CSS class; with `action`, the first field gets the focus when somebody opens the disclosure.
 * @param {Table} table
 * @param {{ key: string, label: string, content: () => unknown, kind?: string, open?: boolean, describes?: string }} given
 */
export function disclosure(table, { key, label, content, kind = "", open = false, describes }) {
  const isOpen = table.ui.get(`open:${key}`) ?? open;
  return html`<details
    class="disclosure ${kind}"
    data-place=${key}
    ?open=${isOpen}
    @toggle=${(/** @type {Event} */ event) => {
      const now = toggled(table, event, open);
      if (now && kind === "action") enter(/** @type {HTMLDetailsElement} */ (event.currentTarget));
    }}
  >
    <summary aria-label=${ifDefined(describes ? `${label}: ${describes}` : undefined)}>${label}</summary>
    ${isOpen ? html`<div class="inside">${content()}</div>` : nothing}
  </details>`;
}

/**
 * Note that the visitor opened or closed a disclosure. Return undefined if the page did it, which has noted it already.
 * @param {Table} table @param {Event} event @param {boolean} [first] whether the disclosure is open at first
 * @returns {boolean | undefined} whether it is open now
 */
export function toggled(table, { currentTarget }, first = false) {
  const { open, dataset } = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (open === (table.ui.get(`open:${dataset.place}`) ?? first)) return;
  table.set(`open:${dataset.place}`, open);
  return open;
}

const FRAMES = 300; // how many frames to wait at most for the content of an opened disclosure

/**
 * Focus the first field in a disclosure that the visitor has opened, once its content is loaded. On devices with an
 * on-screen keyboard, only scroll to the disclosure.
 * @param {HTMLDetailsElement} details
 */
function enter(details, frames = FRAMES) {
  const first = /** @type {HTMLElement | null} */ (details.querySelector(":scope > .inside :is(input, select, textarea)"));
  if (!first) return void (frames && requestAnimationFrame(() => enter(details, frames - 1)));
  if (!details.contains(document.activeElement)) return; // the focus has moved elsewhere meanwhile
  if (matchMedia("(pointer: coarse)").matches) details.scrollIntoView({ block: "nearest" });
  else first.focus();
}

/**
 * Close a disclosure, for example after its form was sent. On devices with an on-screen keyboard, scroll back to the
 * disclosure.
 * @param {Table} table @param {string} key
 */
export function closeDisclosure(table, key) {
  table.setOpen(key, false);
  if (!matchMedia("(pointer: coarse)").matches) return;
  const stay = () => document.querySelector(`[data-place="${CSS.escape(key)}"]`)?.scrollIntoView({ block: "nearest" });
  requestAnimationFrame(() => requestAnimationFrame(stay)); // after the page is drawn without the form
}

/** @type {Set<Promise<unknown>>} */ const awaited = new Set();

/** Wait for the modules that `lazily` was loading since the last call. Return whether there were any. */
export async function whatIsLoading() {
  const all = [...awaited];
  awaited.clear();
  await Promise.allSettled(all);
  return all.length > 0;
}

/**
 * Return a function that draws with a module. Its first call loads the module. Until the module is loaded, the function draws
 * nothing. Then the page is drawn again.
 * @template Module
 * @param {(table: Table) => Promise<Module>} load
 * @returns {(table: Table, draw: (module: Module) => unknown) => unknown}
 */
export function lazily(load) {
  /** @type {Module | undefined} */ let module;
  /** @type {Promise<void> | undefined} */ let loading;
  return (table, draw) => {
    if (module) return draw(module);
    loading ??= load(table).then(
      (loaded) => {
        module = loaded;
      },
      () => (loading = undefined), // the next drawing tries again
    );
    awaited.add(loading);
    void loading.then(() => table.redraw());
    return nothing;
  };
}

/** Run `work` before the next frame is painted. A hidden tab paints no frames: there, run it after 50 ms. @param {() => void} work */
export function soon(work) {
  if (document.visibilityState === "visible") requestAnimationFrame(work);
  else setTimeout(work, 50);
}

/** Return the focused element, and the elements with `data-thing` or `data-place` around it, the innermost first, for `keepFocus`. */
export function placeOfFocus() {
  const places = [];
  let element = document.activeElement?.closest("[data-thing], [data-place]");
  for (; element; element = element.parentElement?.closest("[data-thing], [data-place]")) places.push(element);
  return { focused: document.activeElement, places };
}

/**
 * Focus the element that had the focus before a drawing. If the drawing removed or hid that element, focus the innermost
 * remaining element around it.
 * @param {ReturnType<typeof placeOfFocus>} before
 */
export function keepFocus({ focused, places }) {
  if (!focused || focused === document.body || document.activeElement === focused) return;
  const place = /** @type {HTMLElement | undefined} */ ([focused, ...places].find((element) => element.isConnected && element.checkVisibility?.() !== false));
  if (!place) return;
  const summary = place instanceof HTMLDetailsElement ? place.querySelector("summary") : null;
  if (place !== focused && !summary) place.tabIndex = -1; // not for details: the tab key would skip their summary
  (summary ?? place).focus({ preventScroll: true });
}
