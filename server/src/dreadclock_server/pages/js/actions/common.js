// @ts-check
/** Helpers for the gm's actions: loading forms, making commands, and actions for most kinds of things. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Panel } from "../gm/lazily.js" @import { Action } from "./actions.js" */

import { isOver } from "../app/over.js";
import { lazily } from "../gm/lazily.js";
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

/** @param {string} type @param {string} field the command's field for the thing's id @param {object} [more] @returns {Action["command"]} */
export const sends = (type, field, more) => ({ id }) => /** @type {T.Command} */ (/** @type {unknown} */ ({ type, [field]: id, ...more }));

/** @param {Record<string, string>} shortcuts by the name of the action @returns {Action[]} actions whose controls other modules draw */
export const lettered = (shortcuts) => Object.entries(shortcuts).map(([name, keys]) => ({ name, keys }));

/**
 * @param {string} kind
 * @param {(table: Table, thing: any) => boolean} [when] a further condition; in any case, the thing must be hidden
 * @param {(table: Table, thing: any) => string} [called] @returns {Action}
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

/** @param {T.Subject["kind"] | "scene"} kind @returns {Action} */
export const attach = (kind) => ({
  name: "attach",
  keys: "xf",
  label: "gm.follows",
  does: "gm.follows.does",
  when: ({ view }, { id, clock_id: clock }) => !isOver(view, kind === "scene" ? { kind: "clock", id: clock } : { kind, id }),
  form: consequences("attaching"),
});

export const declining = lazily(() => import("../gm/answer_forms.js"));
