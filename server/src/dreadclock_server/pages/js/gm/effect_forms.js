// @ts-check
/** The form of the stunts and fumble effects that stand on a character, a scene or a situation. Source: rules.md C21. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Fields } from "./fields.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { liveForm } from "./live.js";

/**
 * Draw the form.
 * @param {Table} table @param {string} kind @param {T.Character | T.Scene | T.Situation} thing
 */
export function standingEffects(table, kind, { id, name, effects }) {
  const { stunts = [], fumble_effects: fumbles = [], or_interference: open = [] } = effects ?? {};
  return liveForm(table, {
    key: `${kind}:${id}:effects`,
    describes: name,
    submit: table.t("gm.effects.set"),
    kind: "plain",
    command: (values) => ({
      type: "set_effects",
      thing_id: id,
      stunts: values.lines("stunts"),
      fumble_effects: values.lines("fumble_effects"),
      or_interference: values.lines("or_interference"),
    }),
    fields: (f) =>
      html`${lines(table, "stunts", f, stunts)} ${lines(table, "fumble_effects", f, fumbles)}
      ${lines(table, "or_interference", f, open)}`,
  });
}

/**
 * Draw a field for several texts, one a line.
 * @param {Table} table @param {"stunts" | "fumble_effects" | "or_interference"} name @param {Fields} f @param {readonly string[]} known
 */
export function lines(table, name, f, known) {
  return html`<label class="field textarea">
    <span class="name">${table.t(`gm.${name}`)}</span>
    <textarea name=${name} rows="3" .defaultValue=${f.read(name, known.join("\n"))}></textarea>
    <span class="hint">${table.t("gm.one_a_line")}</span>
  </label>`;
}
