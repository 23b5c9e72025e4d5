// @ts-check
/** Buttons and forms: every one sends a command at most once, and shows its refusal where it is; the focus outlives a drawing. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
import { Values } from "./fields.js";

export { Values, choice, field, numberField, segments } from "./fields.js";

/**
 * @typedef {object} Press what a button is
 * @property {string} key its name among all controls of the page, such as `countdown:air:roll`
 * @property {string} label already in the visitor's language
 * @property {T.Command} [command] what it sends ...
 * @property {() => Promise<unknown>} [work] ... or what it does instead
 * @property {string} [kind] `main` (the one that matters here), `risk` (cannot be taken back) or `plain`
 * @property {string} [title] what it does, where the label alone does not say
 * @property {string} [describes] a name to tell apart buttons of the same label: read aloud after it
 * @property {string} [shortcut] a key that does the same
 * @property {{ sum: string, by: number }} [adds] where every press counts: what it adds to which sum of `table.unsettled`
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

/** Draw why a control's last wish was refused, or that it waits for the server. @param {Table} table @param {string} key @param {boolean} [waits] */
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
 * @property {string} submit the label of its button
 * @property {(data: Values) => T.Command | null} [command] makes the command of what was typed in; null: nothing to send ...
 * @property {(data: Values) => Promise<unknown>} [work] ... or what it does instead
 * @property {unknown} fields
 * @property {string} [kind] of its button
 * @property {string} [label] names the form to those who do not see it
 * @property {string} [describes] a name to tell apart buttons of the same label: read aloud after it
 * @property {boolean} [keep] whether what was typed in stays after it was sent
 * @property {(data: Values) => void} [changed] called with every change
 * @property {(done: unknown, values: Values, form: HTMLFormElement) => void} [done] called after it was sent and acknowledged
 * @property {boolean} [inline] in one line
 * @property {boolean} [stays] whether it is for one after the other: it is empty at once, and nothing that is typed on is lost
 * @property {(values: Values, form: HTMLFormElement) => void} [refused] called where one that stays was refused
 */

/** Draw a form that sends a command. @param {Table} table @param {Form} given */
export function form(table, given) {
  const { key, submit, fields, kind = "main", label, describes, inline = false } = given;
  return html`<form
    class="form ${inline ? "inline" : ""}"
    data-form=${key}
    aria-label=${ifDefined(label ?? (describes ? `${submit}: ${describes}` : undefined))}
    @submit=${(/** @type {SubmitEvent} */ event) => send(table, given, event)}
    @keydown=${sendAtOnce}
    @input=${(/** @type {InputEvent} */ event) => given.changed?.(valuesOf(/** @type {any} */ (event.currentTarget)))}
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

/** Send a form by Ctrl+Enter from any of its fields. @param {KeyboardEvent} event */
function sendAtOnce(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  event.preventDefault();
  /** @type {HTMLFormElement} */ (event.currentTarget).requestSubmit();
}

/** @param {Table} table @param {Form} given @param {SubmitEvent} event */
async function send(table, given, event) {
  const { key, command, work, keep, done } = given;
  event.preventDefault();
  const element = /** @type {HTMLFormElement} */ (event.currentTarget);
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

/** @param {Table} table @param {Form} given @param {T.Command} command @param {Values} values @param {HTMLFormElement} element */
async function sendOneOfMany(table, { key, done, refused }, command, values, element) {
  element.reset();
  done?.(undefined, values, element);
  if ((await table.add(key, command, `form:${key}`, 1)) === null) refused?.(values, element);
}

/** @param {HTMLFormElement} element */
function valuesOf(element) {
  return new Values(new FormData(element));
}

/**
 * Draw something that is closed until it is asked for; what is inside is only made while it is open.
 * @param {Table} table
 * @param {{ key: string, label: string, content: () => unknown, kind?: string, open?: boolean, describes?: string }} given
 */
export function disclosure(table, { key, label, content, kind = "", open = false, describes }) {
  const name = `open:${key}`;
  const isOpen = table.ui.get(name) ?? open;
  return html`<details
    class="disclosure ${kind}"
    data-place=${key}
    ?open=${isOpen}
    @toggle=${(/** @type {Event} */ event) => {
      const details = /** @type {HTMLDetailsElement} */ (event.currentTarget);
      if (details.open === (table.ui.get(name) ?? open)) return;
      table.set(name, details.open);
      if (details.open && kind === "action") enter(details);
    }}
  >
    <summary aria-label=${ifDefined(describes ? `${label}: ${describes}` : undefined)}>${label}</summary>
    ${isOpen ? html`<div class="inside">${content()}</div>` : nothing}
  </details>`;
}

const FRAMES = 300; // that what is unfolded may take to be loaded

/** Go to the first field of a form that was unfolded; where keys cover half of the page, only bring it into sight. @param {HTMLDetailsElement} details */
function enter(details, frames = FRAMES) {
  const first = /** @type {HTMLElement | null} */ (details.querySelector(":scope > .inside :is(input, select, textarea)"));
  if (!first) return void (frames && requestAnimationFrame(() => enter(details, frames - 1)));
  if (!details.contains(document.activeElement)) return; // somebody has gone on
  if (matchMedia("(pointer: coarse)").matches) details.scrollIntoView({ block: "nearest" });
  else first.focus();
}

/** Close a disclosure, as after a form in it was sent, and stay with it where a thumb had scrolled down to the form's end. @param {Table} table @param {string} key */
export function closeDisclosure(table, key) {
  table.set(`open:${key}`, false);
  if (!matchMedia("(pointer: coarse)").matches) return;
  const stay = () => document.querySelector(`[data-place="${CSS.escape(key)}"]`)?.scrollIntoView({ block: "nearest" });
  requestAnimationFrame(() => requestAnimationFrame(stay)); // once it is drawn without the form
}

/** @type {Set<Promise<unknown>>} */ const awaited = new Set();

/** Wait for the modules that are needed for what was drawn; tell whether there were any. */
export async function whatIsLoading() {
  const all = [...awaited];
  awaited.clear();
  await Promise.allSettled(all);
  return all.length > 0;
}

/**
 * Return a function that draws with a module: it is loaded when something is drawn first, and drawn when it is here.
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
      () => (loading = undefined), // the next picture tries again
    );
    awaited.add(loading);
    void loading.then(() => table.redraw());
    return nothing;
  };
}

/** Run before the next picture; where none will be painted, as in a hidden tab, a little later. @param {() => void} work */
export function soon(work) {
  if (document.visibilityState === "visible") requestAnimationFrame(work);
  else setTimeout(work, 50);
}

/** Return where the focus is, from the inside out: elements that may outlive what is focused. */
export function placeOfFocus() {
  const places = [];
  let element = document.activeElement?.closest("[data-thing], [data-place]");
  for (; element; element = element.parentElement?.closest("[data-thing], [data-place]")) places.push(element);
  return { focused: document.activeElement, places };
}

/**
 * Give the focus back to what lost it by being moved, or else to what surrounded it.
 * @param {ReturnType<typeof placeOfFocus>} place
 */
export function keepFocus({ focused, places }) {
  if (!focused || focused === document.body || document.activeElement === focused) return;
  const place = /** @type {HTMLElement | undefined} */ ([focused, ...places].find((each) => each.isConnected && each.checkVisibility?.() !== false));
  if (!place) return;
  const summary = place instanceof HTMLDetailsElement ? place.querySelector("summary") : null;
  if (place !== focused && !summary) place.tabIndex = -1; // never on details: keys would pass over their summary
  (summary ?? place).focus({ preventScroll: true });
}
