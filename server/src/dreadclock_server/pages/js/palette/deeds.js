// @ts-check
/** The actions ("deeds") on a page with their shortcuts: its buttons, folded controls, and links to things. */

/** @import { Table } from "../app/table.js" */

import { actionOf, nameOf, wholeOf } from "../actions/actions.js";

/**
 * @typedef {object} Deed
 * @property {string} id the `data-key` or `data-place` of its control; for a link to a thing, the `data-thing`
 * @property {string} label
 * @property {string} about the name of its thing; empty without a thing
 * @property {string} thing the kind and id of its thing; empty without a thing
 * @property {string} keys its shortcut; empty if it has none
 * @property {readonly string[]} behind the disclosures and menus around its control, from the outside in; empty if it is visible
 * @property {string} [also] other words for it, separated by commas
 */

const PRESSED = "button[data-key], details[data-place] > summary";
const NUMBERS = "123456789abcdefghijklmnopqrstuvwxyz";

const LASTING = /^(?:countdown|clock|scene|situation|challenge|character):/;

/**
 * By kind: the number in the shortcut of each deed. It stays the same as long as the deed's thing is on the table.
 * @type {Map<string, Map<string, { number: string, thing: string }>>}
 */
const numbered = new Map();

/** The first letters of the shortcuts of rare actions. */
export const OTHERS = "xy";

/** The shortcut that moves to the next thing that waits for the viewer. */
export const NEXT = ".";
const WAITING = "[data-place=desk] [data-thing], .knocks, .call:not(.quiet)";
const ENTERED = "input:not([type=hidden]), select, textarea, button:not(.word > *)";

/**
 * Return the deeds of the controls in an element, in their order. Submit buttons of forms are left out.
 * @param {ParentNode} root @param {string} [about] the name of the thing of all these controls @param {string} [thing]
 * @returns {Deed[]}
 */
export function deedsIn(root, about = "", thing = "") {
  return deedsOf(/** @type {HTMLElement[]} */ ([...root.querySelectorAll(PRESSED)]), about, thing);
}

/** @param {HTMLElement[]} elements @param {string} [about] @param {string} [thing] @returns {Deed[]} */
function deedsOf(elements, about = "", thing = "") {
  return elements.filter(isPressed).map((element) => ({
    id: idOf(element),
    keys: "",
    behind: foldsAround(element),
    thing: thingAround(element) ?? thing,
    ...calledBy(element, about),
  }));
}

/** Return the deeds of the visible controls of a page, with the shortcuts of frequent actions. @param {Table} table */
export function deedsInSight(table) {
  const elements = /** @type {HTMLElement[]} */ ([...table.root.querySelectorAll(PRESSED)]);
  const deeds = deedsOf(elements.filter((element) => element.checkVisibility?.() !== false));
  return withKeys(table, deeds.map((deed) => ({ ...deed, behind: [] })), (keys) => keys.length === 1);
}

/**
 * Return the targets of the shortcut NEXT: for each thing that waits, its first field, or its first button.
 * @param {ParentNode} root @returns {HTMLElement[]}
 */
export function waysToWaiting(root) {
  return [...root.querySelectorAll(WAITING)].flatMap((place) => {
    const all = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(ENTERED)]).filter((control) => control.checkVisibility());
    return (all.find((control) => !control.matches("button")) ?? all[0]) ?? [];
  });
}

/** Return a deed for moving to each thing on the table. @param {ParentNode} root @returns {Deed[]} */
export function waysTo(root) {
  const cards = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("article[data-thing]")]);
  return cards.map((card) => ({ id: card.dataset.thing ?? "", label: headingOf(card), about: "", thing: "", keys: "", behind: [] }));
}

/** Give all deeds shortcuts, frequent actions first. @param {Table} table @param {Deed[]} deeds */
export function withAllKeys(table, deeds) {
  const lettered = withKeys(table, deeds, () => true);
  const taken = new Set(lettered.map(({ keys }) => keys.slice(0, 2)));
  const groups = grouped(lettered.filter(({ keys }) => !keys), ({ id }) => nameOf(table, id));
  for (const [name, same] of groups) number(name, same, freeKeys(name, taken));
  return lettered;
}

/** Return the control of a deed, or the thing to which it moves. @param {ParentNode} root @param {string} id @returns {HTMLElement | null} */
export function controlOf(root, id) {
  const name = CSS.escape(id);
  return root.querySelector(`button[data-key="${name}"], details[data-place="${name}"] > summary, article[data-thing="${name}"]`);
}

/** @param {HTMLElement} element */
function idOf(element) {
  return element.dataset.key ?? element.parentElement?.dataset.place ?? "";
}

/**
 * Tell whether a button is an action of its own. The submit button of a form in a disclosure is not: the disclosure is the
 * action.
 * @param {HTMLElement} element
 */
function isPressed(element) {
  const form = element.closest("form");
  return !form || !form.closest("details[data-place$=':form']") || element.matches("summary");
}

/** @param {HTMLElement} element */
function thingAround(element) {
  return /** @type {HTMLElement | null} */ (element.closest("[data-thing]"))?.dataset.thing;
}

/** @param {Element} element */
function foldsAround(element) {
  const folds = [];
  let fold = (element.matches("summary") ? element.parentElement : element)?.parentElement?.closest("details[data-place]");
  for (; fold; fold = fold.parentElement?.closest("details[data-place]")) folds.unshift(/** @type {HTMLElement} */ (fold).dataset.place ?? "");
  return folds;
}

/** Return the label and the thing of an element's action. @param {HTMLElement} element @param {string} about */
function calledBy(element, about) {
  const label = (element.textContent ?? "").trim().replace(/\s+/g, " ");
  const said = element.getAttribute("aria-label") ?? "";
  const told = said.startsWith(`${label}: `) ? said.slice(label.length + 2) : "";
  const card = element.closest("[data-thing]");
  const isDrawn = !/\p{L}/u.test(label); // labels made of signs have a text for screen readers
  return { label: isDrawn ? said || label : label, about: told || (card ? headingOf(card) : about) };
}

/** @param {Element} card */
function headingOf(card) {
  return (card.querySelector("h3, h4") ?? card).textContent?.trim() ?? "";
}

/**
 * Give deeds their shortcuts: the letters of the action, and one more letter if several things have the action.
 * @param {Table} table @param {Deed[]} deeds @param {(keys: string) => boolean} wanted which letters to use to use
 */
function withKeys(table, deeds, wanted) {
  const groups = grouped(deeds, ({ id }) => actionOf(table, id)?.keys ?? "");
  for (const [keys, same] of groups) if (keys && wanted(keys)) number(keys, same, keys);
  return deeds;
}

/** @param {readonly Deed[]} deeds @param {(deed: Deed) => string} by */
function grouped(deeds, by) {
  /** @type {Map<string, Deed[]>} */ const groups = new Map();
  for (const deed of deeds) groups.set(by(deed), [...(groups.get(by(deed)) ?? []), deed]);
  return groups;
}

/** @param {string} kind @param {Deed[]} same @param {string} first their letters */
function number(kind, same, first) {
  if (!first) return;
  const numbers = numbersOf(kind, same);
  for (const deed of same) {
    const number = numbers.get(deed.id)?.number;
    if (number) deed.keys = numbers.size === 1 && number === NUMBERS[0] ? first : first + number;
  }
}

/**
 * Number the deeds of an action that several things have. A deed keeps its number. A new deed gets the lowest free number,
 * if there is one.
 * @param {string} kind @param {readonly Deed[]} deeds
 */
function numbersOf(kind, deeds) {
  const numbers = numbered.get(kind) ?? new Map();
  numbered.set(kind, numbers);
  const now = new Set(deeds.map(({ id }) => id));
  for (const [id, { thing }] of numbers) if (!now.has(id) && !isOnTable(thing)) numbers.delete(id);
  for (const { id, thing } of deeds) {
    const taken = new Set([...numbers.values()].map((entry) => entry.number));
    const number = [...NUMBERS].find((digit) => !taken.has(digit));
    if (number && !numbers.has(id)) numbers.set(id, { number, thing });
  }
  return numbers;
}

/** Tell whether a thing is of a kind whose actions are repeated, such as a countdown, unlike a check. @param {string} thing */
function isOnTable(thing) {
  const name = CSS.escape(thing);
  return LASTING.test(thing) && !!document.querySelector(`[data-thing="${name}"]:not(.ended *)`);
}

/** Tell whether a mistyped letter must not carry out a deed. @param {Table} table @param {Deed} deed */
export function isFinal(table, { id }) {
  return actionOf(table, id)?.final ?? false;
}

/** Return the label keys of the other words for a deed, the most specific first. @param {Table} table @param {string} id */
export function keysOfWords(table, id) {
  return [wholeOf(id), nameOf(table, id)].map((name) => `also.${name}`);
}

/** Return shortcuts that no other kind of action uses. @param {string} kind @param {Set<string>} taken */
function freeKeys(kind, taken) {
  const letters = [...kind.replace(/[^a-z]/g, ""), ...NUMBERS];
  const keys = letters.map((letter) => OTHERS[1] + letter).find((candidate) => !taken.has(candidate)) ?? "";
  taken.add(keys);
  return keys;
}
