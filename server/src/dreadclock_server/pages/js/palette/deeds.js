// @ts-check
/** What can be done on a page: its buttons, what it folds away, and the ways to things; each with its shortcut. */

/** @import { Table } from "../app/table.js" */

import { actionOf, nameOf, wholeOf } from "../actions/actions.js";

/**
 * @typedef {object} Deed
 * @property {string} id of the control that does it, its `data-key` or `data-place`; of a way to a thing, its `data-thing`
 * @property {string} label
 * @property {string} about the name of the thing that it is about; empty if it is about none
 * @property {string} thing that thing's kind and id; empty if it is about none
 * @property {string} keys its shortcut; empty where it has none
 * @property {readonly string[]} behind what it is folded away behind, from the outside in; empty where it is in sight
 * @property {string} [also] other words for it, with commas between them
 */

const PRESSED = "button[data-key], details[data-place] > summary";
const NUMBERS = "123456789abcdefghijklmnopqrstuvwxyz";

const LASTING = /^(?:countdown|clock|scene|situation|challenge|character):/;

/** Which number each deed of a kind has, so that it is the same as long as its thing is on the table. @type {Map<string, Map<string, { number: string, thing: string }>>} */
const numbered = new Map();

/** The letters that begin the shortcuts of what is not done all the time. */
export const OTHERS = "xy";

/** The shortcut that leads to what waits for the viewer, one thing after another. */
export const NEXT = ".";
const WAITING = "[data-place=desk] [data-thing], .knocks, .call:not(.quiet)";
const ENTERED = "input:not([type=hidden]), select, textarea, button:not(.word > *)";

/**
 * Return what can be done with what is in an element, in its order; what a form needs is sent from within the form.
 * @param {ParentNode} root @param {string} [about] the name of the thing that all of it is about @param {string} [thing]
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

/** Return what can be done on a page right now, with the shortcuts of what is done all the time. @param {Table} table */
export function deedsInSight(table) {
  const elements = /** @type {HTMLElement[]} */ ([...table.root.querySelectorAll(PRESSED)]);
  const deeds = deedsOf(elements.filter((element) => element.checkVisibility?.() !== false));
  return withKeys(table, deeds.map((deed) => ({ ...deed, behind: [] })), (keys) => keys.length === 1);
}

/**
 * Return where the shortcut for what waits leads to: of each thing that waits, the first field, or else the first button.
 * @param {ParentNode} root @returns {HTMLElement[]}
 */
export function waysToWaiting(root) {
  return [...root.querySelectorAll(WAITING)].flatMap((place) => {
    const all = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(ENTERED)]).filter((each) => each.checkVisibility());
    return (all.find((each) => !each.matches("button")) ?? all[0]) ?? [];
  });
}

/** Return ways to the things on the table. @param {ParentNode} root @returns {Deed[]} */
export function waysTo(root) {
  const cards = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("article[data-thing]")]);
  return cards.map((card) => ({ id: card.dataset.thing ?? "", label: headingOf(card), about: "", thing: "", keys: "", behind: [] }));
}

/** Give all deeds shortcuts: first those of what is done all the time. @param {Table} table @param {Deed[]} deeds */
export function withAllKeys(table, deeds) {
  const lettered = withKeys(table, deeds, () => true);
  const taken = new Set(lettered.map(({ keys }) => keys.slice(0, 2)));
  const groups = grouped(lettered.filter(({ keys }) => !keys), ({ id }) => nameOf(table, id));
  for (const [name, same] of groups) number(name, same, freeKeys(name, taken));
  return lettered;
}

/** Find the control of a deed, or the thing that it leads to. @param {ParentNode} root @param {string} id @returns {HTMLElement | null} */
export function controlOf(root, id) {
  const name = CSS.escape(id);
  return root.querySelector(`button[data-key="${name}"], details[data-place="${name}"] > summary, article[data-thing="${name}"]`);
}

/** @param {HTMLElement} element */
function idOf(element) {
  return element.dataset.key ?? element.parentElement?.dataset.place ?? "";
}

/** Tell whether something is pressed by itself: not what only sends a form that is unfolded by a line of its own. @param {HTMLElement} element */
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

/** Name what an element does, and to what. @param {HTMLElement} element @param {string} about */
function calledBy(element, about) {
  const label = (element.textContent ?? "").trim().replace(/\s+/g, " ");
  const said = element.getAttribute("aria-label") ?? "";
  const told = said.startsWith(`${label}: `) ? said.slice(label.length + 2) : "";
  const card = element.closest("[data-thing]");
  const isDrawn = !/\p{L}/u.test(label) || element.closest(".chip"); // with signs, which are read aloud otherwise
  return { label: isDrawn ? said || label : label, about: told || (card ? headingOf(card) : about) };
}

/** @param {Element} card */
function headingOf(card) {
  return (card.querySelector("h3, h4") ?? card).textContent?.trim() ?? "";
}

/**
 * Give deeds their shortcuts: the letters of the action, and one more where it can be done to several things.
 * @param {Table} table @param {Deed[]} deeds @param {(keys: string) => boolean} wanted which letters
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

/** Number what can be done to several things: each keeps its number, and a new one takes the lowest that is free, if one is. @param {string} kind @param {readonly Deed[]} deeds */
function numbersOf(kind, deeds) {
  const numbers = numbered.get(kind) ?? new Map();
  numbered.set(kind, numbers);
  const now = new Set(deeds.map(({ id }) => id));
  for (const [id, { thing }] of numbers) if (!now.has(id) && !isOnTable(thing)) numbers.delete(id);
  for (const { id, thing } of deeds) {
    const taken = new Set([...numbers.values()].map((each) => each.number));
    const number = [...NUMBERS].find((each) => !taken.has(each));
    if (number && !numbers.has(id)) numbers.set(id, { number, thing });
  }
  return numbers;
}

/** Tell whether a thing is on the table on which the same is done again and again, unlike a check. @param {string} thing */
function isOnTable(thing) {
  const name = CSS.escape(thing);
  return LASTING.test(thing) && !!document.querySelector(`[data-thing="${name}"]:not(.ended *)`);
}

/** Tell whether a slip of a finger must not do it. @param {Table} table @param {Deed} deed */
export function isFinal(table, { id }) {
  return actionOf(table, id)?.final ?? false;
}

/** Return the keys of the other words for a deed, the closest first. @param {Table} table @param {string} id */
export function keysOfWords(table, id) {
  return [wholeOf(id), nameOf(table, id)].map((each) => `also.${each}`);
}

/** Choose keys that no other kind has. @param {string} kind @param {Set<string>} taken */
function freeKeys(kind, taken) {
  const letters = [...kind.replace(/[^a-z]/g, ""), ...NUMBERS];
  const keys = letters.map((letter) => OTHERS[1] + letter).find((each) => !taken.has(each)) ?? "";
  taken.add(keys);
  return keys;
}
