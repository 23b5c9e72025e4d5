// @ts-check
/**
 * The actions of a role, by kind of thing. Menus, the palette and the shortcuts use them. The gm's actions say how they are
 * drawn and carried out (`gm.js`). A player's controls are drawn by the player's page, so `player.js` lists only their
 * names and shortcuts.
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Panel } from "../gm/panel.js"
 *
 * @typedef {object} Action
 * @property {string} name the last part of the control's key, such as `roll` in `countdown:air:roll`
 * @property {string} [keys] its shortcut: one key, or two keys for a rarer action
 * @property {boolean} [final] whether it cannot be undone. If so, its shortcut only moves the focus to its control
 * @property {string} [label] the key of the control's label
 * @property {(thing: any, table: Table) => string} [text] returns the control's label, for an action without `label`
 * @property {string} [does] the key of a sentence that says what it does
 * @property {string} [about] the term of the rules that the form explains
 * @property {boolean} [begins] whether it starts a new thing of this kind. Such actions are in the menu "Add"
 * @property {boolean} [face] whether its control is on the thing's card, not in its menu
 * @property {boolean} [press] whether a press on the thing's dice or dial does the action
 * @property {(table: Table, thing: any) => boolean} [when] whether the action is possible now; by default always
 * @property {(thing: any, table: Table) => T.Command} [command] returns the command that a press sends
 * @property {(thing: any, table: Table) => Promise<unknown>} [work] does the work of a press, for an action without `command`
 * @property {(thing: any, table: Table) => string} [kind] returns the kind of its button: `main`, `plain` or `risk`; by default `plain`
 * @property {(thing: any, table: Table) => string} [sure] the label for the second press, if the first press asks for confirmation
 * @property {boolean} [dice] whether the faces of physical dice can be typed in for it
 * @property {(table: Table, thing: any, panel: Panel) => unknown} [form] draws the form that a press opens
 * @property {(table: Table, thing: any) => unknown} [draw] draws the control, if it is neither an ordinary button nor a form
 *
 * @typedef {{ readonly [kind: string]: readonly Action[] }} Actions
 */

/** The actions that every role has, by kind of thing. @type {Actions} */
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

/** Return a role's actions for a kind of thing. @param {Table} table @param {string} kind @returns {readonly Action[]} */
export function actionsOf({ role: { actions = {} } }, kind) {
  return [...of(actions, kind), ...of(EVERYONE, kind)];
}

/** @param {Actions} actions @param {string} kind */
const of = (actions, kind) => (Object.hasOwn(actions, kind) ? actions[kind] : []);

/** Return a control's id without the suffix of its confirmation or form: `:ask`, `:form` or `:send`. @param {string} id */
export function wholeOf(id) {
  return id.replace(/:(ask|form|send)$/, "");
}

/**
 * Return the action of a control, from the control's id. The id is `KIND:ID:NAME`, and may have further parts in
 * between or at the end. Search from the end for a part that names an action of this kind, because a thing's id may equal the
 * name of an action. If there is no such part, return the action with the name of the kind.
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

/** Return the name of a control's action. Without an action, return the last part of the control's id, or the first if there are at most two parts. @param {Table} table @param {string} id */
export function nameOf(table, id) {
  const parts = wholeOf(id).split(":");
  return actionOf(table, id)?.name ?? (parts.length > 2 ? /** @type {string} */ (parts.at(-1)) : parts[0]);
}

/** Open a menu for an element. The things around the element are tried from the inside out, and the first menu is opened. Return whether there is a menu. @param {Element | null} element */
export function openMenuAround(element) {
  for (let thing = element?.closest("[data-thing]"); thing; thing = thing.parentElement?.closest("[data-thing]")) {
    const summary = thing.querySelector(`[data-place="menu:${CSS.escape(/** @type {HTMLElement} */ (thing).dataset.thing ?? "")}"] > summary`);
    if (!(summary instanceof HTMLElement)) continue;
    if (!(/** @type {HTMLDetailsElement} */ (summary.parentElement).open)) summary.click();
    return true;
  }
  return false;
}
