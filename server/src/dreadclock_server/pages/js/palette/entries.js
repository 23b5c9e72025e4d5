// @ts-check
/** The entries of the palette, with their shortcuts. An entry presses a button, opens a disclosure, or moves to a thing. */

/** @import { Table } from "../app/table.js" */

import { actionOf, nameOf, wholeOf } from "../actions/actions.js";

/**
 * @typedef {object} Entry
 * @property {string} id the `data-key` or `data-place` of its control; for an entry that moves to a thing, the thing's `data-thing`
 * @property {string} label
 * @property {string} about the name of its thing; empty without a thing
 * @property {string} thing the kind and id of its thing; empty without a thing
 * @property {string} keys its shortcut; empty if it has none
 * @property {readonly string[]} behind the disclosures and menus around its control, from the outside in; empty if it is visible
 * @property {string} [also] synonyms by which people may search for it, separated by commas
 */

const PRESSED = "button[data-key], details[data-place] > summary";
const NUMBERS = "123456789abcdefghijklmnopqrstuvwxyz";

const LASTING = /^(?:countdown|clock|scene|situation|challenge|character):/;

/**
 * The numbers that distinguish the shortcuts of entries with the same action: by the action's letters or name, then by the
 * entry's id. An entry keeps its number as long as its thing is on the table.
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
 * Return the entries of the controls in an element, in the order of the document. Buttons of a form in a disclosure are left
 * out, because the disclosure is the action.
 * @param {ParentNode} root
 * @param {string} [about] the name of the thing of all these controls @param {string} [thing] the kind and id of that thing
 * @param {(element: HTMLElement) => boolean} [filter] which of the controls to use
 * @returns {Entry[]}
 */
export function entriesIn(root, about = "", thing = "", filter = () => true) {
  const elements = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(PRESSED)]);
  return elements.filter((element) => isPressed(element) && filter(element)).map((element) => ({
    id: idOf(element),
    keys: "",
    behind: foldsAround(element),
    thing: /** @type {HTMLElement | null} */ (element.closest("[data-thing]"))?.dataset.thing ?? thing,
    ...calledBy(element, about),
  }));
}

/** Return the entries of the visible controls of a page. Only frequent actions, which have a single key, get their shortcuts. @param {Table} table */
export function entriesInSight(table) {
  const entries = entriesIn(table.root, "", "", (element) => element.checkVisibility?.() !== false);
  return withKeys(table, entries.map((entry) => ({ ...entry, behind: [] })), (keys) => keys.length === 1);
}

/**
 * Return the targets of the shortcut NEXT: for each thing that waits, its first visible field, or its first visible button if it
 * has no field.
 * @param {ParentNode} root @returns {HTMLElement[]}
 */
export function waysToWaiting(root) {
  return [...root.querySelectorAll(WAITING)].flatMap((place) => {
    const all = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(ENTERED)]).filter((control) => control.checkVisibility());
    return (all.find((control) => !control.matches("button")) ?? all[0]) ?? [];
  });
}

/** Return an entry for each thing on the table. The entry moves to the thing. @param {ParentNode} root @returns {Entry[]} */
export function waysTo(root) {
  const cards = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("article[data-thing]")]);
  return cards.map((card) => ({ id: card.dataset.thing ?? "", label: headingOf(card), about: "", thing: "", keys: "", behind: [] }));
}

/** Give all entries shortcuts. Actions with letters of their own come first. The others get free letters. @param {Table} table @param {Entry[]} entries */
export function withAllKeys(table, entries) {
  const lettered = withKeys(table, entries, () => true);
  const taken = new Set(lettered.map(({ keys }) => keys.slice(0, 2)));
  const groups = grouped(lettered.filter(({ keys }) => !keys), ({ id }) => nameOf(table, id));
  for (const [name, same] of groups) number(name, same, freeKeys(name, taken));
  return lettered;
}

/** Return the control of an entry, or the card of the thing to which the entry moves, or null if there is none. @param {ParentNode} root @param {string} id @returns {HTMLElement | null} */
export function controlOf(root, id) {
  const name = CSS.escape(id);
  return root.querySelector(`button[data-key="${name}"], details[data-place="${name}"] > summary, article[data-thing="${name}"]`);
}

/** Return the id of a control's entry. @param {HTMLElement} element */
function idOf(element) {
  return element.dataset.key ?? element.parentElement?.dataset.place ?? "";
}

/**
 * Tell whether a control is an action of its own. A button of a form in a disclosure is none, because the disclosure is
 * the action.
 * @param {HTMLElement} element
 */
function isPressed(element) {
  const form = element.closest("form");
  return !form || !form.closest("details[data-place$=':form']") || element.matches("summary");
}

/** Return the `data-place` of each disclosure and menu around an element, from the outside in. @param {Element} element */
function foldsAround(element) {
  const folds = [];
  let fold = (element.matches("summary") ? element.parentElement : element)?.parentElement?.closest("details[data-place]");
  for (; fold; fold = fold.parentElement?.closest("details[data-place]")) folds.unshift(/** @type {HTMLElement} */ (fold).dataset.place ?? "");
  return folds;
}

/** Return the label of a control, and the name of its thing. @param {HTMLElement} element @param {string} about used if neither the element nor a card around it names the thing */
function calledBy(element, about) {
  const label = (element.textContent ?? "").trim().replace(/\s+/g, " ");
  const said = element.getAttribute("aria-label") ?? "";
  const described = said.startsWith(`${label}: `) ? said.slice(label.length + 2) : "";
  const card = element.closest("[data-thing]");
  const isDrawn = !/\p{L}/u.test(label); // a label made of signs has a text for screen readers
  return { label: isDrawn ? said || label : label, about: described || (card ? headingOf(card) : about) };
}

/** @param {Element} card */
function headingOf(card) {
  return (card.querySelector("h3, h4") ?? card).textContent?.trim() ?? "";
}

/**
 * Give shortcuts to the entries whose action has letters. If several things have the action, a digit or letter follows.
 * @param {Table} table @param {Entry[]} entries @param {(keys: string) => boolean} wanted tells whether to use the letters of an action
 */
function withKeys(table, entries, wanted) {
  const groups = grouped(entries, ({ id }) => actionOf(table, id)?.keys ?? "");
  for (const [keys, same] of groups) if (keys && wanted(keys)) number(keys, same, keys);
  return entries;
}

/** Group entries by the result of `by`. @param {readonly Entry[]} entries @param {(entry: Entry) => string} by */
function grouped(entries, by) {
  /** @type {Map<string, Entry[]>} */ const groups = new Map();
  for (const entry of entries) groups.set(by(entry), [...(groups.get(by(entry)) ?? []), entry]);
  return groups;
}

/** Give shortcuts to the entries of an action: only the letters if there is a single entry, otherwise the letters and a number. @param {string} kind the action's key in `numbered` @param {Entry[]} same @param {string} first the letters */
function number(kind, same, first) {
  if (!first) return;
  const numbers = numbersOf(kind, same);
  for (const entry of same) {
    const number = numbers.get(entry.id)?.number;
    if (number) entry.keys = numbers.size === 1 && number === NUMBERS[0] ? first : first + number;
  }
}

/**
 * Number the entries of an action. An entry keeps its number, even without its control, while its thing is on the table. A new
 * entry gets the lowest free number, if there is one.
 * @param {string} kind the action's key in `numbered` @param {readonly Entry[]} entries
 */
function numbersOf(kind, entries) {
  const numbers = numbered.get(kind) ?? new Map();
  numbered.set(kind, numbers);
  const now = new Set(entries.map(({ id }) => id));
  for (const [id, { thing }] of numbers) if (!now.has(id) && !isOnTable(thing)) numbers.delete(id);
  for (const { id, thing } of entries) {
    const taken = new Set([...numbers.values()].map((entry) => entry.number));
    const number = [...NUMBERS].find((digit) => !taken.has(digit));
    if (number && !numbers.has(id)) numbers.set(id, { number, thing });
  }
  return numbers;
}

/** Tell whether a thing is on the table, and is of a kind that stays there for long, such as a countdown, unlike a check. @param {string} thing */
function isOnTable(thing) {
  const name = CSS.escape(thing);
  return LASTING.test(thing) && !!document.querySelector(`[data-thing="${name}"]:not(.ended *)`);
}

/** Tell whether the action of an entry cannot be undone. A mistyped letter must not do it. @param {Table} table @param {Entry} entry */
export function isFinal(table, { id }) {
  return actionOf(table, id)?.final ?? false;
}

/** Return the label keys that may have synonyms for an entry, the most specific first. @param {Table} table @param {string} id */
export function keysOfWords(table, id) {
  return [wholeOf(id), nameOf(table, id)].map((name) => `also.${name}`);
}

/** Return a free shortcut of two keys for an action without letters, and add it to `taken`; empty if none is free. @param {string} kind the action's name @param {Set<string>} taken */
function freeKeys(kind, taken) {
  const letters = [...kind.replace(/[^a-z]/g, ""), ...NUMBERS];
  const keys = letters.map((letter) => OTHERS[1] + letter).find((candidate) => !taken.has(candidate)) ?? "";
  taken.add(keys);
  return keys;
}
