// @ts-check
/** Helpers that load parts of the gm's page, such as forms, when they are needed; and the panel in which a form opens. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { disclosure, toggled } from "../app/controls.js";
import { formsIn, learnForms } from "../forms/loading.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { word } from "../parts/word.js";
import { titled } from "../parts/card.js";

const LABELS = "gm_forms";
const FIELDS = "input:not([type=hidden]), select, textarea";

/**
 * @typedef {object} Panel a panel: a button that opens it, and a form inside
 * @property {string} key the key of the form
 * @property {string} label the label of the button, in the visitor's language
 * @property {string} [describes] the name of the thing, to distinguish buttons with the same label
 * @property {string} [does] a sentence about the form, if the label does not say enough
 * @property {string} [about] the term of the rules that the panel's heading explains
 * @property {string} [place] a CSS class of the panel
 * @property {string} [closes] the key of a disclosure around the form. The disclosure closes when the form was sent. When the form is opened again, it is empty
 * @property {readonly T.Character[]} [characters] the characters that can be chosen, by default all characters in play
 * @property {string} [challenge] the id of the challenge that is chosen at first
 */

/**
 * Return a function that draws with a module. Its first call loads the module, the labels of the gm's forms, and the styles of forms.
 * @template Module
 * @param {() => Promise<Module>} load
 */
export const lazily = (load) => formsIn(load, LABELS);

/**
 * Draw a disclosure for content that is rarely needed.
 * @param {Table} table @param {string} key
 * @param {string} describes the name of the thing, to distinguish buttons with the same label
 * @param {() => unknown} content
 * @param {string} [label] in the visitor's language
 */
export function more(table, key, describes, content, label = table.t("gm.more")) {
  return disclosure(table, { key: `${key}:more`, label, describes, kind: "more", content });
}

/**
 * Draw the button that opens a panel. While the panel is open, draw the panel too. Only one panel is open at a time, but a panel can
 * contain another panel. Typed values are kept while the panel is closed, unless `closes` is set.
 * @param {Table} table @param {Panel} panel @param {(panel: Panel) => unknown} draw draws the form
 */
export function formPanel(table, panel, draw) {
  const { key, label, describes, does, about, place = "" } = panel;
  const form = `${key}:form`;
  const isOpen = table.ui.get(`open:${form}`) ?? false;
  const heading = titled(label, describes);
  return html`<details class=${`disclosure ${place}`} data-place=${form} ?open=${isOpen} @toggle=${(/** @type {Event} */ event) => toggled(table, event)} @keydown=${escape}>
    <summary
      aria-label=${ifDefined(describes ? `${label}: ${describes}` : undefined)}
      title=${ifDefined(does)}
      @pointerenter=${() => prefetch(table)}
      @focus=${() => prefetch(table)}
      @click=${(/** @type {Event} */ { currentTarget }) => open(table, form, /** @type {Element} */ (currentTarget))}
    >
      ${label}
    </summary>
    ${isOpen
      ? html`<div class="inside panel" data-place=${`${form}:panel`} popover="manual" @focusin=${wholly} ${raise((shown) => focusFirst(table, form, shown))}>
          <div class="panel-head">
            <p>${heading} ${about ? word(table, about, label, form) : nothing}</p>
            <button type="button" class="button close" aria-label=${`${table.t("gm.panel.close")}: ${heading}`} @click=${close}>✕</button>
          </div>
          ${does ? html`<p class="hint">${does}</p>` : nothing} ${draw(panel)}
        </div>`
      : nothing}
  </details>`;
}

/**
 * Load the modules and labels that all forms share. This happens when the pointer or the focus reaches the button of a panel, so
 * that a press only has to wait for the module of its form.
 * @param {Table} table
 */
function prefetch(table) {
  Promise.all([import("../forms/live.js"), import("../forms/fields.js"), import("../forms/stepper.js"), learnForms(table, LABELS)]).catch(() => {});
}

/** Mark a panel as open, and keep the menu around it open. Close the panel that was open before, unless that panel contains the new panel. @param {Table} table @param {string} form @param {Element} summary */
function open(table, form, summary) {
  const before = table.ui.get("panel");
  if (before && before !== form && !summary.closest(`[data-place="${CSS.escape(before)}"]`)) table.setOpen(before, false);
  const menu = /** @type {HTMLElement | null} */ (summary.closest("details.actions:not([open])"))?.dataset.place;
  if (menu) table.ui.set("menu", menu);
  if (menu) table.setOpen(menu, true);
  table.ui.set("panel", form);
  table.set("panel:focus", form);
}

/**
 * Return a lit directive for an element. After each drawing, it shows the element as a popover if the element is not shown yet.
 * @param {(element: HTMLElement, isNew: boolean) => void} [then] called after each drawing. `isNew`: whether the element was just shown
 */
export function raise(then) {
  return ref((element) =>
    queueMicrotask(() => {
      if (!(element instanceof HTMLElement) || !element.isConnected) return;
      const isNew = element.popover !== null && !element.matches(":popover-open");
      if (isNew) element.showPopover();
      then?.(element, isNew);
    }),
  );
}

/** Focus the first field of a panel that was just opened. @param {Table} table @param {string} form @param {HTMLElement} panel */
function focusFirst({ ui }, form, panel) {
  if (ui.get("panel:focus") !== form) return;
  const first = /** @type {HTMLElement | null} */ (panel.querySelector(FIELDS));
  first?.focus();
  if (first && panel.contains(document.activeElement)) ui.delete("panel:focus"); // if the panel has no focus yet, the next drawing tries again
}

/** Scroll to the whole of a focused textarea, because browsers scroll only to its first line. @param {FocusEvent} event */
function wholly({ target }) {
  if (target instanceof HTMLTextAreaElement) target.scrollIntoView({ block: "nearest" });
}

/** @param {KeyboardEvent} event */
function escape(event) {
  if (event.key !== "Escape" || !(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)) return;
  event.stopPropagation();
  close(event);
}

/** Close the panel around an element and the menu around the panel. Focus the button of the menu, or without a menu, the button of the panel. @param {Event} event */
export function close(event) {
  const details = /** @type {HTMLDetailsElement} */ (/** @type {Element} */ (event.currentTarget).closest("details"));
  const menu = /** @type {HTMLDetailsElement | null} */ (details.closest("details.actions:not(.drawer)"));
  for (const place of [details, menu]) if (place) place.open = false;
  (menu ?? details).querySelector("summary")?.focus({ preventScroll: true });
}
