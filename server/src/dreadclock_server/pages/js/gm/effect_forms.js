// @ts-check
/** The form of what stands on a character, a scene or a situation: stunts, fumble effects, sixes. Source: rules.md C21, C27. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { field } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../parts/card.js";
import { deedFields, deedsIn } from "./effect_rows.js";
import { demanded } from "../forms/live.js";

const OPEN = "or_interference:"; // before the effect that a tick is for

/**
 * Draw the form.
 * @param {Table} table @param {Demand} demand @param {T.Character | T.Scene | T.Situation} thing
 */
export function standingEffects(table, demand, { id, effects, ...thing }) {
  const sixes = "sixes_add" in thing ? thing.sixes_add : undefined; // of a scene
  const { stunts = [], fumble_effects: fumbles = [], or_interference: open = [], fumble_does: does = [] } = effects ?? {};
  return demanded(table, demand, {
    submit: table.t("gm.effects.set"),
    command: (values) => ({
      type: "set_effects",
      thing_id: id,
      stunts: values.lines("stunts"),
      fumble_effects: values.lines("fumble_effects"),
      or_interference: openIn(values),
      ...deedsOf(values, does),
      ...(sixes === undefined ? {} : { sixes_add: values.ticked("sixes_add") }),
    }),
    fields: (f) =>
      html`${lines(table, "stunts", f, stunts)} ${lines(table, "fumble_effects", f, fumbles)}
      ${openFields(table, f, fumbles, open)} ${fumbleDeeds(table, f, fumbles, does)}
      ${sixes === undefined ? nothing : f.tick("sixes_add", "gm.scene.sixes", sixes)}`,
  });
}

/**
 * Draw a field for several texts, one a line.
 * @param {Table} table @param {"stunts" | "fumble_effects"} name @param {Fields} f @param {readonly string[]} known
 */
export function lines(table, name, f, known) {
  return html`<label class="field textarea">
    <span class="name">${table.t(`gm.${name}`)}</span>
    <textarea name=${name} rows="3" .defaultValue=${f.read(name, known.join("\n"))}></textarea>
    <span class="hint">${table.t("gm.one_a_line")}</span>
  </label>`;
}

/**
 * Draw a tick for each fumble effect that stands in a form: whether interference may be chosen in its place.
 * @param {Table} table @param {Fields} f @param {readonly string[]} fumbles @param {readonly string[]} open those ticked at first
 */
export function openFields(table, f, fumbles, open) {
  const all = typedEffects(f, fumbles);
  if (!all.length) return nothing;
  return html`<fieldset>
    <legend>${table.t("gm.or_interference")}</legend>
    ${keyed(
      all.map((id) => ({ id })),
      ({ id }) => field({ name: `${OPEN}${id}`, type: "checkbox", label: id, checked: f.ticked(`${OPEN}${id}`, open.includes(id)) }),
    )}
  </fieldset>`;
}

/** Read what `openFields` drew. @param {Values} values */
export function openIn(values) {
  return values.lines("fumble_effects").filter((each) => values.ticked(`${OPEN}${each}`));
}

/** Return the fumble effects that stand in a form now. @param {Fields} f @param {readonly string[]} fumbles those at first */
function typedEffects(f, fumbles) {
  return [...new Set(f.has("fumble_effects") ? f.values.lines("fumble_effects") : fumbles)];
}

/**
 * Draw what each fumble effect that stands in a form does by itself. Source: rules.md C26.
 * @param {Table} table @param {Fields} f @param {readonly string[]} fumbles @param {readonly T.FumbleDoes[]} known what they do at first
 */
export function fumbleDeeds(table, f, fumbles, known) {
  return keyed(
    typedEffects(f, fumbles).map((id) => ({ id })),
    ({ id }) => html`<fieldset class="rows">
      <legend>${table.t("gm.fumble_does", { effect: id })}</legend>
      ${deedFields(table, f, deed(id), doneBy(id, known), { ofFumble: true })}
    </fieldset>`,
  );
}

/** Begin the names of the rows of a fumble effect. @param {string} effect */
const deed = (effect) => `:${effect}`;

/** @param {string} effect @param {readonly T.FumbleDoes[]} known */
const doneBy = (effect, known) => known.find((each) => each.effect === effect)?.do ?? [];

/** Read what `fumbleDeeds` drew, if it is not what was known. @param {Values} values @param {readonly T.FumbleDoes[]} known */
export function deedsOf(values, known) {
  const effects = [...new Set(values.lines("fumble_effects"))];
  const does = effects.map((effect) => ({ effect, do: deedsIn(values, deed(effect), doneBy(effect, known)) })).filter((each) => each.do.length);
  const before = effects.flatMap((effect) => known.filter((each) => each.effect === effect)); // what else is gone with its effect
  return JSON.stringify(does) === JSON.stringify(before) ? {} : { fumble_does: does };
}
