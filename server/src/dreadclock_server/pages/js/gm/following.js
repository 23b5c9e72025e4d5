// @ts-check
/** What follows by itself, in the gm's hands: attached to a thing, or taken away. Source: rules.md E5. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { isOver } from "../app/over.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { nameOfCheck } from "../parts/check.js";
import { nameOfTotal } from "../parts/total.js";
import { lazily, onDemand } from "./lazily.js";

const forms = lazily(() => import("./consequence_forms.js"));

/**
 * Return a function that draws a thing's controls and, unless it is over, the form that attaches a consequence to it.
 * @param {T.Consequence["of"]["kind"] | "scene"} kind @param {(table: Table, thing: any) => unknown} controls
 */
export function following(kind, controls) {
  return (/** @type {Table} */ table, /** @type {any} */ thing) => {
    const own = controls(table, thing);
    const of = kind === "scene" ? { kind: /** @type {const} */ ("clock"), id: thing.clock_id } : { kind, id: thing.id };
    const ended = kind === "check" ? thing.status === "resolved" : isOver(table.view, of);
    return ended ? own : html`${own} ${attaching(table, kind, thing)}`;
  };
}

/** @param {Table} table @param {string} kind @param {any} thing */
function attaching(table, kind, thing) {
  const describes = nameOf(table, kind, thing);
  const demand = { key: `${kind}:${thing.id}:attach`, label: table.t("gm.follows"), describes };
  return onDemand(table, demand, (asked) => forms(table, (module) => module.attaching(table, asked, kind, thing)));
}

/** @param {Table} table @param {string} kind @param {any} thing */
function nameOf(table, kind, thing) {
  if (kind === "check") return nameOfCheck(table, thing);
  return kind === "total" ? nameOfTotal(table, thing) : thing.name;
}

/** Draw the button that takes a consequence away. @param {Table} table @param {T.Consequence} consequence */
export function consequenceControls(table, { id }) {
  const command = /** @type {const} */ ({ type: "detach_consequence", consequence_id: id });
  return button(table, { key: `consequence:${id}:detach`, label: table.t("gm.follows.detach"), describes: id, command });
}
