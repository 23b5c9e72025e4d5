// @ts-check
/** The form for what a character, scene or situation adds to rolls: stunts after a triumph, effects of a fumble and, for a scene, whether sixes add dice. Source: rules.md C21 and C27. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Panel } from "./panel.js"
 *
 * @typedef {{ stunts: readonly string[], fumble_effects: readonly string[], or_interference: readonly string[], fumble_does: readonly T.FumbleDoes[] }} Effects
 *   the effects of a thing, or of a single check. `or_interference`: the fumble effects in place of which the player may take an
 *   interference token (a handicap). `fumble_does`: what each fumble effect does automatically
 */

import { field } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../parts/card.js";
import { effectRows, effectsIn } from "./effect_rows.js";
import { panelForm } from "../forms/live.js";

const OR_INTERFERENCE = "or_interference:"; // prefix of the name of a checkbox; the fumble effect follows

/** @type {Effects} */
const NO_EFFECTS = { stunts: [], fumble_effects: [], or_interference: [], fumble_does: [] };

/** Draw the form. @param {Table} table @param {Panel} panel @param {T.Character | T.Scene | T.Situation} thing */
export function standingEffects(table, panel, { id, effects, ...thing }) {
  const sixes = "sixes_add" in thing ? thing.sixes_add : undefined; // only scenes have `sixes_add`
  const before = { ...NO_EFFECTS, ...effects };
  return panelForm(table, panel, {
    submit: table.t("gm.effects.set"),
    command: ({ sixes_add }, values) => ({ type: "set_effects", thing_id: id, ...effectsOf(values, before), sixes_add }),
    fields: (f) => html`${effectsFields(table, f, before)} ${sixes === undefined ? nothing : f.tick("sixes_add", "gm.scene.sixes", sixes)}`,
  });
}

/** Draw the fields for the effects of a thing or a check. @param {Table} table @param {Fields} f @param {Effects} before */
export function effectsFields(table, f, { stunts, fumble_effects: fumbles, or_interference: open, fumble_does: does }) {
  const typed = [...new Set(f.has("fumble_effects") ? f.values.lines("fumble_effects") : fumbles)].map((id) => ({ id }));
  const choices = html`<fieldset>
    <legend>${table.t("gm.or_interference")}</legend>
    ${keyed(typed, ({ id }) => {
      const name = `${OR_INTERFERENCE}${id}`;
      return field({ name, type: "checkbox", label: id, checked: f.ticked(name, open.includes(id)) });
    })}
  </fieldset>`;
  return html`${lines(table, "stunts", f, stunts)} ${lines(table, "fumble_effects", f, fumbles)} ${typed.length ? choices : nothing}
  ${keyed(
    typed,
    ({ id }) => html`<fieldset class="rows">
      <legend>${table.t("gm.fumble_does", { effect: id })}</legend>
      ${effectRows(table, f, `:${id}`, effectsBefore(id, does), { ofFumble: true })}
    </fieldset>`,
  )}`;
}

/** Draw a field for several texts, one per line. @param {Table} table @param {"stunts" | "fumble_effects"} name @param {Fields} f @param {readonly string[]} before */
function lines(table, name, f, before) {
  return html`<label class="field textarea">
    <span class="name">${table.t(`gm.${name}`)}</span>
    <textarea name=${name} rows="3" .defaultValue=${f.read(name, before.join("\n"))}></textarea>
    <span class="hint">${table.t("gm.one_a_line")}</span>
  </label>`;
}

/** Return what a fumble effect does automatically, as stored; empty if it does nothing. @param {string} fumble @param {readonly T.FumbleDoes[]} before */
const effectsBefore = (fumble, before) => before.find(({ effect }) => effect === fumble)?.do ?? [];

/** Return what was entered into `effectsFields`. `fumble_does` is absent if it has not changed. Source: rules.md C26. @param {Values} values @param {Effects} before */
export function effectsOf(values, { fumble_does: does }) {
  const fumbles = values.lines("fumble_effects");
  const effects = [...new Set(fumbles)];
  const entered = effects.map((effect) => ({ effect, do: effectsIn(values, `:${effect}`, effectsBefore(effect, does)) })).filter((fumble) => fumble.do.length);
  const kept = effects.flatMap((effect) => does.filter((fumble) => fumble.effect === effect)); // without removed fumble effects, which the server forgets itself
  return {
    stunts: values.lines("stunts"),
    fumble_effects: fumbles,
    or_interference: fumbles.filter((fumble) => values.ticked(`${OR_INTERFERENCE}${fumble}`)),
    ...(JSON.stringify(entered) === JSON.stringify(kept) ? {} : { fumble_does: entered }),
  };
}
