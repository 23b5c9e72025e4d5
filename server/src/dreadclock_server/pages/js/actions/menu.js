// @ts-check
/**
 * Menus with the rare actions of a thing. A menu opens with the button ⋯, a right click or a long press. The key `m` opens the
 * menu of the focused thing, or of the thing that was used last. Frequent actions have buttons on the thing itself.
 */

/** @import { Table } from "../app/table.js" @import { Action } from "./actions.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { button, toggled } from "../app/controls.js";
import { formPanel, lazily, raise } from "../gm/panel.js";
import { ownDice, sure } from "../gm/presses.js";
import { actionsOf, openMenuAround } from "./actions.js";

const LONG_MS = 500;
const STILL_PX = 8;
const EDGE_PX = 8;
const ITEMS = ":is(details, .control, .sure, .apart) > :is(button, summary):not(.panel *)";
const AT_ONCE = new Set(["countdown", "clock"]); // kinds whose buttons are drawn before the labels of forms are loaded
const words = lazily(async () => ({}));

/**
 * Draw the gm's controls of a thing: buttons for frequent actions, and a menu with the other actions.
 * @param {Table} table @param {string} kind @param {any} thing @param {string} name
 */
export function controlsOf(table, kind, thing, name) {
  return AT_ONCE.has(kind) ? drawn(table, kind, thing, name) : words(table, () => drawn(table, kind, thing, name));
}

/** @param {Table} table @param {string} kind @param {any} thing @param {string} name */
function drawn(table, kind, thing, name) {
  const { face, rest, draw } = controlsNow(table, kind, thing, name);
  const items = () => words(table, () => menuItems(table, kind, thing, name));
  return html`${repeat(face, named, draw)} ${rest.length ? menu(table, `${kind}:${thing.id}`, name, items) : nothing}`;
}

/** Draw the buttons for frequent actions of a thing, without a menu. @param {Table} table @param {string} kind @param {any} thing @param {string} name */
export function faceOf(table, kind, thing, name) {
  const { face, draw } = controlsNow(table, kind, thing, name);
  return words(table, () => repeat(face, named, draw));
}

/** Draw the items of a thing's menu: the forms for physical dice, then the rare actions. @param {Table} table @param {string} kind @param {any} thing @param {string} name */
export function menuItems(table, kind, thing, name) {
  const { all, rest, draw } = controlsNow(table, kind, thing, name);
  return html`${all.filter((action) => action.dice).map((action) => ownDice(table, pressOf(table, kind, thing, name, action)))} ${repeat(rest, named, draw)}`;
}

/**
 * Return the actions that are possible for a thing now: `all` of them, `face` on its card, and `rest` in its menu. `draw` draws an action's control.
 * @param {Table} table @param {string} kind @param {any} thing @param {string} name
 */
function controlsNow(table, kind, thing, name) {
  const all = actionsOf(table, kind).filter((action) => !action.begins && (action.label || action.text || action.draw) && (action.when?.(table, thing) ?? true));
  const draw = (/** @type {Action} */ action) => control(table, kind, thing, name, action);
  return { all, face: all.filter((action) => action.face), rest: all.filter((action) => !action.face && !action.press), draw };
}

/** Draw a thing's dice or dial, and the controls of the actions that a press there does. @param {Table} table @param {string} kind @param {any} thing @param {unknown} drawing */
export function pressed(table, kind, thing, drawing) {
  const { all, draw } = controlsNow(table, kind, thing, thing.name);
  return html`<div class="pressed">${drawing} ${repeat(all.filter((action) => action.press), named, draw)}</div>`;
}

/** @param {Action} action */
const named = ({ name }) => name;

/** Return the properties of an action's button. `thing` is null for an action that starts a new thing. @param {Table} table @param {string} kind @param {any} thing @param {string} describes @param {Action} action */
function pressOf(table, kind, thing, describes, { name, label = "", text, does, command, work, kind: look }) {
  return {
    key: thing ? `${kind}:${thing.id}:${name}` : kind === name ? name : `${kind}:${name}`,
    label: text?.(thing, table) ?? table.t(label),
    describes,
    title: does && table.t(does),
    kind: look?.(thing, table) ?? "plain",
    command: /** @type {import("../../client/dreadclock.types.js").Command} */ (command?.(thing, table)),
    work: work && (() => work(thing, table)),
  };
}

/** @param {Table} table @param {string} kind @param {any} thing @param {string} name @param {Action} action */
function control(table, kind, thing, name, action) {
  const { form, draw, sure: yes, does, about } = action;
  if (draw) return draw(table, thing);
  const press = pressOf(table, kind, thing, name, action);
  if (form) return formPanel(table, { ...press, about, does: does && table.t(does) }, (panel) => form(table, thing, panel));
  return yes ? sure(table, { ...press, yes: yes(thing, table) }) : button(table, press);
}

/** Draw the buttons and forms that start new things. @param {Table} table */
export function adding(table) {
  const kinds = Object.entries(table.role.actions ?? {});
  const all = kinds.flatMap(([kind, actions]) => actions.filter((action) => action.begins && (action.when?.(table, null) ?? true)).map((action) => ({ kind, action })));
  return repeat(all, ({ kind }) => kind, ({ kind, action }) => control(table, kind, null, "", action));
}

/**
 * Draw a menu: a popover beside its button, inside the window. Only one menu is open at a time.
 * @param {Table} table @param {string} of the kind and id of its thing, as in `data-thing` @param {string} name
 * @param {() => unknown} items @param {{ sign?: unknown, label?: string, kind?: string, first?: string, always?: boolean }} [how]
 *   `first`: the key of a form that opens together with the menu; `always`: whether the items are in the document while the menu is closed
 */
export function menu(table, of, name, items, { sign = "⋯", label = table.t("gm.menu", { name }), kind = "", first, always = false } = {}) {
  const place = `menu:${of}`;
  const isOpen = table.ui.get(`open:${place}`) ?? false;
  const onToggle = (/** @type {Event} */ event) => {
    const details = /** @type {HTMLDetailsElement} */ (event.currentTarget);
    const form = table.ui.get("panel");
    if (!details.open) /** @type {HTMLElement | null} */ (details.querySelector(".items:popover-open"))?.hidePopover();
    if (!details.open && form && details.querySelector(`[data-place="${CSS.escape(form)}"]`)) table.setOpen(form, false);
    toggled(table, event);
  };
  const asked = (/** @type {Event} */ { currentTarget }) => {
    const { open } = /** @type {HTMLDetailsElement} */ (/** @type {Element} */ (currentTarget).parentElement); // before the browser toggles it
    only(table, place);
    if (!first) table.ui.set("menu:focus", place);
    else if (!open) openForm(table, first);
  };
  if (isOpen) closeOnceDone(table);
  return html`<details class=${`actions ${kind}`} data-place=${place} ?open=${isOpen} @toggle=${onToggle} @keydown=${steer} @focusout=${leave}>
    <summary class="button" aria-label=${label} title=${label} @click=${asked}>${sign}</summary>
    ${isOpen || always
      ? html`<div class="items" role="group" aria-label=${label} popover="manual" @click=${(/** @type {Event} */ event) => chosen(table, event)} ${isOpen ? raise((shown, isNew) => enter(table, place, shown, isNew)) : nothing}>
          ${items()}
        </div>`
      : nothing}
  </details>`;
}

/** Close the open menu, because another menu opens. @param {Table} table @param {string} place the menu that opens */
function only(table, place) {
  const { ui } = table;
  const before = ui.get("menu");
  if (before && before !== place) table.setOpen(before, false);
  ui.set("menu", place);
  ui.delete("menu:chosen"); // forget the last choice, because its thing may not exist any more
}

/** Open a form in a menu, as a press on the form's button does. @param {Table} table @param {string} key */
function openForm(table, key) {
  const before = table.ui.get("panel");
  if (before) table.setOpen(before, false);
  for (const name of ["panel", "panel:focus"]) table.ui.set(name, `${key}:form`);
  table.setOpen(`${key}:form`, true);
}

/** Close the open menu, for example after its form was sent. @param {Table} table */
export function closeMenu(table) {
  const place = table.ui.get("menu");
  if (place) table.setOpen(place, false);
}

/** Place a menu when it appears. After a press on its button, focus its first item as soon as the item is drawn. @param {Table} table @param {string} place @param {HTMLElement} shown @param {boolean} isNew */
function enter({ ui }, place, shown, isNew) {
  if (isNew) beside(shown, /** @type {HTMLElement} */ (shown.parentElement?.querySelector("summary")).getBoundingClientRect());
  if (ui.get("menu:focus") !== place) return;
  const [first = shown.querySelector("button, summary")] = itemsOf(shown);
  if (!(first instanceof HTMLElement) || ui.get("panel:focus")) return;
  first.focus();
  ui.delete("menu:focus");
}

/** Place a menu above or below its button, where more space is. @param {HTMLElement} menu @param {DOMRect} box the place of its button */
function beside({ style }, { top, bottom, left, right }) {
  const below = innerHeight - bottom >= top;
  Object.assign(style, below ? { top: `${bottom}px`, bottom: "auto" } : { top: "auto", bottom: `${innerHeight - top}px` });
  Object.assign(style, right > innerWidth / 2 ? { left: "auto", right: `${Math.max(EDGE_PX, innerWidth - right)}px` } : { left: `${Math.max(EDGE_PX, left)}px`, right: "auto" });
  style.maxHeight = `${(below ? innerHeight - bottom : top) - EDGE_PX}px`;
}

/** @param {Element} menu @returns {HTMLElement[]} */
function itemsOf(menu) {
  return /** @type {HTMLElement[]} */ ([...menu.querySelectorAll(ITEMS)]).filter((item) => item.checkVisibility());
}

/** Move between the items with the arrow keys, and close the menu with Escape. @param {KeyboardEvent} event */
function steer(event) {
  const details = /** @type {HTMLDetailsElement} */ (event.currentTarget);
  const element = /** @type {Element} */ (event.target);
  if (!details.open || element.closest(".panel")) return;
  if (event.key === "Escape") {
    event.stopPropagation();
    details.open = false;
    return details.querySelector("summary")?.focus({ preventScroll: true });
  }
  const shown = details.querySelector(".items"); // drawn later than the menu opens
  const items = shown ? itemsOf(shown) : [];
  if (!items.length) return;
  const at = items.findIndex((item) => item === element);
  const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined || element.matches("input, textarea, select")) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

/** Close a menu when the focus moves to an element outside of it, unless one of the menu's forms is open. @param {FocusEvent} event */
function leave({ currentTarget, relatedTarget }) {
  const details = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (relatedTarget && !details.contains(/** @type {Node} */ (relatedTarget))) close(details);
}

/** @param {HTMLDetailsElement} details */
function close(details) {
  if (!details.querySelector(".panel:popover-open")) details.open = false;
}

/** Note which action was chosen. The menu closes when that action is done. @param {Table} table @param {Event} event */
function chosen(table, { target }) {
  const pressed = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("button[data-key]"));
  const key = pressed?.dataset.key ?? "";
  if (!pressed || pressed.closest("form, .panel, .drawer") || pressed.matches("[data-adds]") || /:(ask|no)$/.test(key)) return;
  table.set("menu:chosen", key);
}

/** Close the menu when the chosen action is done. If the action was refused, the menu stays open and shows the reason. @param {Table} table */
function closeOnceDone(table) {
  const key = table.ui.get("menu:chosen");
  if (!key || table.busy(key)) return;
  table.ui.delete("menu:chosen");
  if (!table.refusal(key)) queueMicrotask(() => closeMenu(table));
}

/** Open the menu for an element after a long press. Suppress the click that would follow when the finger is lifted. @param {Element} element */
function longPressed(element) {
  if (!openMenuAround(element)) return;
  const over = new AbortController();
  const end = (/** @type {Event} */ event) => (event.preventDefault(), over.abort());
  for (const type of ["touchend", "touchcancel"]) addEventListener(type, end, { passive: false, signal: over.signal });
}

/** Open menus on right clicks, long presses, and clicks on the hub of a dial. Close menus on presses outside of them. */
export function listenForMenus() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  let at = { x: 0, y: 0 };
  const still = (/** @type {PointerEvent} */ { clientX, clientY }) => Math.hypot(clientX - at.x, clientY - at.y) <= STILL_PX;
  addEventListener("contextmenu", (event) => {
    const element = /** @type {Element} */ (event.target);
    if (element.closest("a, input, textarea, select, .items") || !openMenuAround(element)) return;
    event.preventDefault();
  });
  addEventListener("click", ({ target }) => /** @type {Element} */ (target).matches(".rings > .hub") && openMenuAround(/** @type {Element} */ (target)));
  addEventListener("pointerdown", ({ target, pointerType, clientX, clientY }) => {
    const element = /** @type {Element} */ (target);
    for (const details of document.querySelectorAll("details.actions[open]")) if (!details.contains(element)) close(/** @type {HTMLDetailsElement} */ (details));
    at = { x: clientX, y: clientY };
    if (pointerType === "touch" && !element.closest("button:not(.pressed *), summary, input, a, .items")) timer = setTimeout(() => longPressed(element), LONG_MS);
  }, { capture: true });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) addEventListener(end, () => clearTimeout(timer));
  addEventListener("pointermove", (event) => still(event) || clearTimeout(timer));
}
