// @ts-check
/** What the gm's page loads only when it is asked for, most of its forms; and the panel in which each opens. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { disclosure, lazily as later } from "../app/controls.js";
import { learnForms } from "../forms/loading.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { word } from "../parts/word.js";
import { titled } from "../parts/card.js";

const FORMS = "gm_forms"; // labels
const FIELDS = "input:not([type=hidden]), select, textarea";

/**
 * @typedef {object} Demand a form that is closed until it is asked for
 * @property {string} key of the form
 * @property {string} label already in the visitor's language
 * @property {string} [describes] which thing it is for
 * @property {string} [does] what it is for, where the label alone does not say
 * @property {string} [about] the word of the rules that it is about
 * @property {string} [place]
 * @property {string} [closes] the fold that closes once it was sent; opened again, its form begins anew
 * @property {readonly T.Character[]} [characters] who can be chosen, unless it is everyone in play
 * @property {string} [challenge] that a roll is for, unless another is chosen
 */

/**
 * Return a function that draws with a module, once it is loaded with its labels, and with the styles of forms.
 * @template Module
 * @param {() => Promise<Module>} load @param {string} [labels] those of forms, unless it has a file of its own
 */
export function lazily(load, labels = FORMS) {
  return later(async (table) => {
    const [module] = await Promise.all([load(), labels === FORMS ? learnForms(table, FORMS) : table.words.learn(labels)]);
    return module;
  });
}

/**
 * Draw a form that is closed until it is asked for.
 * @param {Table} table @param {Demand} demand @param {(demand: Demand) => unknown} draw
 */
export function onDemand(table, demand, draw) {
  return panel(table, demand, () => draw(demand));
}

/**
 * Draw what is seldom wanted.
 * @param {Table} table @param {string} key
 * @param {string} describes which thing it is for
 * @param {() => unknown} content
 * @param {string} [label] already in the visitor's language
 */
export function more(table, key, describes, content, label = table.t("gm.more")) {
  return disclosure(table, { key: `${key}:more`, label, describes, kind: "more", content });
}

/**
 * Draw what opens in the place for forms. What was typed there is kept when another form takes its place.
 * @param {Table} table @param {Demand} demand @param {() => unknown} content
 */
export function panel(table, { key, label, describes, does, about, place = "" }, content) {
  const form = `${key}:form`;
  const name = `open:${form}`;
  const isOpen = table.ui.get(name) ?? false;
  const toggled = (/** @type {Event} */ { currentTarget }) => {
    const now = /** @type {HTMLDetailsElement} */ (currentTarget).open;
    if (now !== isOpen) table.set(name, now); // else it was drawn so
  };
  return html`<details class=${`disclosure ${place}`} data-place=${form} ?open=${isOpen} @toggle=${toggled} @keydown=${escape}>
    <summary
      aria-label=${ifDefined(describes ? `${label}: ${describes}` : undefined)}
      title=${ifDefined(does)}
      @pointerenter=${() => prefetch(table)}
      @focus=${() => prefetch(table)}
      @click=${(/** @type {Event} */ { currentTarget }) => only(table, form, /** @type {Element} */ (currentTarget))}
    >
      ${label}
    </summary>
    ${isOpen ? inside(table, form, titled(label, describes), about ? word(table, about, label, form) : nothing, html`${does ? html`<p class="hint">${does}</p>` : nothing}${content()}`) : nothing}
  </details>`;
}

/** Load what all forms share once the pointer or the focus is on a form's button: a press then waits for its own module alone. @param {Table} table */
function prefetch(table) {
  Promise.all([import("../forms/live.js"), import("../forms/fields.js"), import("../forms/stepper.js"), learnForms(table, FORMS)]).catch(() => {});
}

/** @param {Table} table @param {string} form @param {string} heading @param {unknown} about @param {unknown} content */
function inside(table, form, heading, about, content) {
  return html`<div class="inside panel" data-place=${`${form}:panel`} popover="manual" @focusin=${wholly} ${ref((element) => raised(table, form, element))}>
    <div class="panel-head">
      <p>${heading} ${about}</p>
      <button type="button" class="button close" aria-label=${`${table.t("gm.panel.close")}: ${heading}`} @click=${closed}>✕</button>
    </div>
    ${content}
  </div>`;
}

/** Close the form that is open, unless the one asked for stands in it. @param {Table} table @param {string} form @param {Element} summary */
function only(table, form, summary) {
  const before = table.ui.get("panel");
  if (before && before !== form && !summary.closest(`[data-place="${CSS.escape(before)}"]`)) table.ui.set(`open:${before}`, false);
  const menu = /** @type {HTMLElement | null} */ (summary.closest("details.actions:not([open])"))?.dataset.place;
  if (menu) table.ui.set("menu", menu).set(`open:${menu}`, true);
  table.ui.set("panel", form);
  table.ui.set("panel:focus", form);
  table.redraw();
}

/** Show a form above the page, and go to its first field as soon as that is here. @param {Table} table @param {string} form @param {Element | undefined} element */
function raised(table, form, element) {
  if (!element) return;
  queueMicrotask(() => {
    const panel = /** @type {HTMLElement} */ (element);
    if (!panel.isConnected) return;
    if (panel.popover && !panel.matches(":popover-open")) panel.showPopover();
    if (table.ui.get("panel:focus") !== form) return;
    const first = /** @type {HTMLElement | null} */ (panel.querySelector(FIELDS));
    first?.focus();
    if (first && panel.contains(document.activeElement)) table.ui.delete("panel:focus"); // else the next drawing tries again
  });
}

/** Bring all of a long field into sight that gets the focus: browsers care for its first line. @param {FocusEvent} event */
function wholly({ target }) {
  if (target instanceof HTMLTextAreaElement) target.scrollIntoView({ block: "nearest" });
}

/** @param {KeyboardEvent} event */
function escape(event) {
  if (event.key !== "Escape" || !(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)) return;
  event.stopPropagation();
  closed(event);
}

/** Close the form that something stands in, with its menu, and go back to what opened it. @param {Event} event */
function closed(event) {
  const details = /** @type {HTMLDetailsElement} */ (/** @type {Element} */ (event.currentTarget).closest("details"));
  const menu = /** @type {HTMLDetailsElement | null} */ (details.closest("details.actions:not(.drawer)"));
  for (const each of [details, menu]) if (each) each.open = false;
  (menu ?? details).querySelector("summary")?.focus({ preventScroll: true });
}
