// @ts-check
/** Helpers for the gm's actions: functions that load forms and make commands, and actions that several kinds of things have. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Panel } from "../gm/panel.js" @import { Action } from "./actions.js" */

import { isOver } from "../app/over.js";
import { lazily } from "../gm/panel.js";
import { revealing } from "../gm/presses.js";

/**
 * Return a function that takes the name of a form in a module, and returns the function that draws the form. The module is
 * loaded when a form is opened.
 * @param {() => Promise<any>} load
 */
export function formsOf(load) {
  const forms = lazily(load);
  return (/** @type {string} */ name) => (/** @type {Table} */ table, /** @type {any} */ thing, /** @type {Panel} */ panel) =>
    forms(table, (module) => module[name](table, panel, thing));
}

/**
 * Return a function that takes the name of a control in a module, and returns the function that draws the control.
 * @param {() => Promise<any>} load
 */
export function controlsIn(load) {
  const controls = lazily(load);
  return (/** @type {string} */ name) => (/** @type {Table} */ table, /** @type {any} */ thing) => controls(table, (module) => module[name](table, thing));
}

/** Return a function for the property `command` of an action. It returns a command for a thing. @param {string} type @param {string} field the command's field for the thing's id @param {object} [more] further fields @returns {Action["command"]} */
export const sends = (type, field, more) => ({ id }) => /** @type {T.Command} */ (/** @type {unknown} */ ({ type, [field]: id, ...more }));

/** Return actions that have only a name and a shortcut, because other modules draw their controls. @param {Record<string, string>} shortcuts the shortcut of each action, by its name @returns {Action[]} */
export const lettered = (shortcuts) => Object.entries(shortcuts).map(([name, keys]) => ({ name, keys }));

/**
 * Return the action that shows a hidden thing to everyone.
 * @param {string} kind @param {(table: Table, thing: any) => boolean} [when] a further condition
 * @param {(table: Table, thing: any) => string} [called] returns the name of a thing, by default its field `name`
 * @returns {Action}
 */
export const reveal = (kind, when = () => true, called) => ({
  name: "reveal",
  keys: "v",
  final: true,
  face: true,
  when: (table, thing) => thing.visibility !== "public" && when(table, thing),
  draw: (table, thing) => revealing(table, kind, thing, called?.(table, thing)),
});

const consequences = formsOf(() => import("../gm/consequence_forms.js"));

/** Return the action that adds a consequence (effects at a trigger), until the thing is over; for a scene, until its clock is over. @param {T.Subject["kind"] | "scene"} kind @returns {Action} */
export const attach = (kind) => ({
  name: "attach",
  keys: "xf",
  label: "gm.follows",
  does: "gm.follows.does",
  when: ({ view }, { id, clock_id: clock }) => !isOver(view, kind === "scene" ? { kind: "clock", id: clock } : { kind, id }),
  form: consequences("attaching"),
});
