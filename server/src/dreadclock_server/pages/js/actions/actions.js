// @ts-check
/**
 * What can be done at a table, as a table: for each kind of thing the actions of a role. Menus, the palette and the letter
 * keys come from it. The gm's actions say how they are drawn and done (`gm.js`); a player's stand where they belong on her
 * page, and only their names and letters are listed (`player.js`).
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "../gm/lazily.js"
 *
 * @typedef {object} Action
 * @property {string} name the last part of its control's key, as `roll` of `countdown:air:roll`
 * @property {string} [keys] its shortcut: a letter, or two for what is done less often
 * @property {boolean} [final] whether nobody can take it back: its letter only leads to its control
 * @property {string} [label] the key of its control's label ...
 * @property {(thing: any, table: Table) => string} [text] ... or that label itself
 * @property {string} [does] the key of a sentence that says what it does
 * @property {string} [about] the word of the rules that its form is about
 * @property {boolean} [begins] whether it begins a thing of the kind: it is in the menu of what can be added
 * @property {boolean} [face] whether its control stands on the thing, not in its menu
 * @property {(table: Table, thing: any) => boolean} [when] whether it can be done now; without it always
 * @property {(thing: any, table: Table) => T.Command} [command] what a press sends ...
 * @property {(thing: any, table: Table) => Promise<unknown>} [work] ... or what it does instead
 * @property {(thing: any, table: Table) => string} [kind] of its button: `main` or `risk`
 * @property {(thing: any, table: Table) => string} [sure] the label of the second press, where a press asks first
 * @property {boolean} [dice] whether faces of dice on the table can be typed in for it
 * @property {(table: Table, thing: any, demand: Demand) => unknown} [form] draws the form that a press opens
 * @property {(table: Table, thing: any) => unknown} [draw] draws a control that is none of these
 *
 * @typedef {{ readonly [kind: string]: readonly Action[] }} Actions
 */

/** What everyone does. @type {Actions} */
const EVERYONE = {
  menu: [{ name: "menu" }],
  undo: [{ name: "undo", keys: "z" }],
  void: [{ name: "void", keys: "w" }],
  narrate: [{ name: "narrate", keys: "n" }],
  settings: [{ name: "settings", keys: "xs" }],
  chronicle: [{ name: "earlier", keys: "xb" }],
  evening: [{ name: "evening", keys: "xg" }],
  seat: [{ name: "seat", keys: "xk" }],
};

/** Return what a role does with a kind of thing. @param {Table} table @param {string} kind @returns {readonly Action[]} */
export function actionsOf({ role: { actions = {} } }, kind) {
  return [...of(actions, kind), ...of(EVERYONE, kind)];
}

/** @param {Actions} actions @param {string} kind */
const of = (actions, kind) => (Object.hasOwn(actions, kind) ? actions[kind] : []);

/** Return a control's id without what is said of its form. @param {string} id */
export function wholeOf(id) {
  return id.replace(/:(ask|form|send)$/, "");
}

/**
 * Find the action that a control does, by the control's id: `KIND:ID:NAME`, with more between or behind them. An id may be
 * any word, also the name of an action: names count from the end, and only those of the kind.
 * @param {Table} table @param {string} id @returns {Action | undefined}
 */
export function actionOf(table, id) {
  const parts = wholeOf(id).split(":");
  const all = actionsOf(table, parts[0]);
  for (const part of [...parts.slice(1).reverse(), parts[0]]) {
    const action = all.find(({ name }) => name === part);
    if (action) return action;
  }
  return undefined;
}

/** Name what a control does: its action, or else what its id says. @param {Table} table @param {string} id */
export function nameOf(table, id) {
  const parts = wholeOf(id).split(":");
  return actionOf(table, id)?.name ?? (parts.length > 2 ? /** @type {string} */ (parts.at(-1)) : parts[0]);
}

/** Open the menu of a thing that an element belongs to. Return whether it has one. @param {Element | null} element */
export function openMenuAround(element) {
  const thing = element?.closest("[data-thing]");
  const summary = thing?.querySelector(`[data-place="menu:${CSS.escape(/** @type {HTMLElement} */ (thing).dataset.thing ?? "")}"] > summary`);
  if (!(summary instanceof HTMLElement)) return false;
  if (!(/** @type {HTMLDetailsElement} */ (summary.parentElement).open)) summary.click();
  return true;
}
