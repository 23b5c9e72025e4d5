// @ts-check
/** The form for a consequence: a trigger, and the effects that happen at the trigger. Source: rules.md E5. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Options } from "../forms/fields.js"
 * @import { Panel } from "./panel.js"
 */

import { MAX_EFFECTS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button } from "../app/controls.js";
import { nameOfClock, openClocks } from "./clock_forms.js";
import { effectFields, effectOf } from "./effect_rows.js";
import { panelForm } from "../forms/live.js";

/** The triggers by kind of thing. This table has only the kinds whose triggers do not depend on the thing. @type {{ [kind: string]: T.When[] }} */
const TRIGGERS = {
  total: ["succeeded", "failed", "crisis"],
  character: ["crisis"],
};
const OUTCOMES = /** @type {T.When[]} */ (["success", "triumph", "fail", "fumble"]);

/** Draw the form. @param {Table} table @param {Panel} panel the form's panel, whose key starts with the kind of the thing @param {any} thing */
export function attaching(table, panel, thing) {
  const [kind] = panel.key.split(":");
  const rows = `rows:${panel.key}`;
  const effects = table.ui.get(rows) ?? 1;
  const another = { key: `${panel.key}:row`, label: table.t("gm.effect.another"), work: async () => table.set(rows, effects + 1) };
  const seen = (thing.visibility ?? "public") === "public" ? "public" : "gm"; // a public consequence would show the name of a hidden thing
  return panelForm(table, panel, {
    submit: table.t("gm.follows.attach"),
    command: (entered, values) => commandOf(entered, values, effects),
    done: () => table.ui.delete(rows),
    fields: (f) => {
      const isGms = f.read("visibility", seen) === "gm";
      return html`<div class="fields">
          ${f.pick("when", "gm.when", triggersOf(table, kind, thing))}
          ${f.among("visibility", "gm.visibility", ["public", "gm"], "gm.visibility", seen)}
        </div>
        ${Array.from({ length: effects }, (_, row) => effectFields(table, f, `${row}`, { number: row + 1, isGms, required: row === 0 }))}
        ${effects < MAX_EFFECTS ? button(table, another) : nothing}`;
    },
  });
}

/**
 * Return the possible triggers of a thing as options. Each value has the form `KIND|ID|WHEN|AT`, which `commandOf` splits.
 * @param {Table} table @param {string} kind @param {any} thing @returns {Options}
 */
function triggersOf(table, kind, thing) {
  const trigger = (/** @type {string} */ when, /** @type {number | ""} */ at = "") => `${kind}|${thing.id}|${when}|${at}`;
  const triggers = (/** @type {readonly string[]} */ all) => all.map((when) => /** @type {const} */ ([trigger(when), table.t(`gm.when.${when}`)]));
  switch (kind) {
    case "countdown": {
      /** @type {Set<number>} */ const places = new Set(thing.stages.map((/** @type {T.Stage} */ stage) => stage.at));
      const stages = [...places].map((at) => /** @type {const} */ ([trigger("stage", at), table.t("gm.when.stage", { at })]));
      return [...stages, ...triggers(["end"])];
    }
    case "clock":
      return triggers(["end"]);
    case "scene":
      return openClocks(table, thing).map((clock) => [`clock|${clock.id}|end|`, table.t("gm.when.clock", { name: nameOfClock(table, clock) })]);
    case "check":
      return triggers(thing.contest ? [...OUTCOMES, "won", "lost"] : OUTCOMES);
    default:
      return triggers(TRIGGERS[kind]);
  }
}

/** @param {any} entered @param {Values} values @param {number} rows @returns {T.AttachConsequence} */
function commandOf({ visibility, ...entered }, values, rows) {
  const [kind, id, when, at] = (entered.when ?? "").split("|");
  const filled = Array.from({ length: rows }, (_, row) => `${row}`).filter((row) => values.text(`does${row}`));
  return {
    type: "attach_consequence",
    of: { kind, id },
    when: { when, ...(at ? { at: Number(at) } : {}) },
    do: filled.map((row) => effectOf(values, row)),
    visibility,
  };
}
