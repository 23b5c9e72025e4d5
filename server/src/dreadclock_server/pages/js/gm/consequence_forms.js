// @ts-check
/** The form that lets something follow by itself: from which moment of a thing, and what. Source: rules.md E5. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Options } from "../forms/fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { MAX_EFFECTS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button } from "../app/controls.js";
import { nameOfClock, openClocks } from "./clock_forms.js";
import { effectFields, effectOf } from "./effect_rows.js";
import { demanded } from "../forms/live.js";

/** The moments of kinds of things that have always the same. @type {{ [kind: string]: T.When[] }} */
const MOMENTS = {
  total: ["succeeded", "failed", "crisis"],
  character: ["crisis"],
};
const OUTCOMES = /** @type {T.When[]} */ (["success", "triumph", "fail", "fumble"]);

/**
 * Draw the form.
 * @param {Table} table @param {Demand} demand @param {any} thing
 */
export function attaching(table, demand, thing) {
  const [kind] = demand.key.split(":");
  const rows = `rows:${demand.key}`;
  const effects = table.ui.get(rows) ?? 1;
  const work = async () => table.set(rows, effects + 1);
  const another = button(table, { key: `${demand.key}:row`, label: table.t("gm.effect.another"), work });
  return demanded(table, demand, {
    submit: table.t("gm.follows.attach"),
    command: (values) => commandOf(values, effects),
    done: () => table.ui.delete(rows),
    fields: (f) => {
      const isGms = f.read("visibility", atFirst(thing)) === "gm";
      return html`<div class="fields">
          ${f.pick("when", "gm.when", momentsOf(table, kind, thing))}
          ${f.among("visibility", "gm.visibility", ["public", "gm"], (each) => `gm.visibility.${each}`, atFirst(thing))}
        </div>
        ${Array.from({ length: effects }, (_, row) => effectFields(table, f, `${row}`, { number: row + 1, isGms, required: row === 0 }))}
        ${effects < MAX_EFFECTS ? another : nothing}`;
    },
  });
}

/** Choose the form's first visibility: what names a hidden thing is the gm's. @param {{ visibility?: string }} thing */
const atFirst = ({ visibility = "public" }) => (visibility === "public" ? "public" : "gm");

/**
 * Return the moments that something can follow from, each as `kind|id|when|at`, which `commandOf` takes apart.
 * @param {Table} table @param {string} kind @param {any} thing @returns {Options}
 */
function momentsOf(table, kind, thing) {
  const moment = (/** @type {string} */ when, /** @type {number | ""} */ at = "") => `${kind}|${thing.id}|${when}|${at}`;
  switch (kind) {
    case "countdown": {
      const places = [...new Set(thing.stages.map((/** @type {T.Stage} */ stage) => stage.at))];
      const stages = places.map((at) => /** @type {const} */ ([moment("stage", at), table.t("gm.when.stage", { at })]));
      return [...stages, [moment("end"), table.t("gm.when.end")]];
    }
    case "clock":
      return [[moment("end"), table.t("gm.when.end")]];
    case "scene":
      return openClocks(table, thing).map((clock) => [
        `clock|${clock.id}|end|`,
        table.t("gm.when.clock", { name: nameOfClock(table, clock) }),
      ]);
    case "check": {
      const outcomes = thing.contest ? [...OUTCOMES, "won", "lost"] : OUTCOMES;
      return outcomes.map((each) => [moment(each), table.t(`gm.when.${each}`)]);
    }
    default:
      return MOMENTS[kind].map((each) => [moment(each), table.t(`gm.when.${each}`)]);
  }
}

/** @param {Values} values @param {number} rows @returns {T.AttachConsequence} */
function commandOf(values, rows) {
  const [kind, id, when, at] = (values.text("when") ?? "").split("|");
  const places = Array.from({ length: rows }, (_, row) => row).filter((row) => values.text(`does${row}`));
  return {
    type: "attach_consequence",
    of: { kind: /** @type {T.Subject["kind"]} */ (kind), id },
    when: { when: /** @type {T.When} */ (when), ...(at ? { at: Number(at) } : {}) },
    do: places.map((row) => effectOf(values, `${row}`)),
    visibility: values.choice("visibility"),
  };
}
