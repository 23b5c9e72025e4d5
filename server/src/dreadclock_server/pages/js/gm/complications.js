// @ts-check
/** Complications: a text, and if the gm likes its effect on a clock, or a new countdown. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "./fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { MAX_CLOCK } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockOptions, openClocks } from "./clock_forms.js";
import { newCountdown, sizeFields, sizeIn } from "./countdown_forms.js";
import { demanded } from "./live.js";
import { averages } from "./sizing.js";

const EFFECTS = ["nothing", "clock", "countdown"];

/**
 * Draw the form that introduces a complication.
 * @param {Table} table @param {Demand} demand @param {T.Scene | T.Situation} place
 */
export function complicating(table, demand, place) {
  return demanded(table, demand, {
    submit: table.t("gm.complication.tell"),
    command: (values) => commandOf(place, values),
    fields: (f) =>
      html`<div class="fields">
          ${f.sentence("text", "gm.complication.what", { required: true })}
          ${f.among("effect", "gm.complication.effect", EFFECTS, (each) => `gm.complication.${each}`)}
        </div>
        ${effectFields(table, place, f)}`,
  });
}

/** @param {Table} table @param {T.Scene | T.Situation} place @param {Fields} f */
function effectFields(table, place, f) {
  switch (f.read("effect")) {
    case "clock":
      return clockFields(table, place, f);
    case "countdown":
      return html`<div class="fields">${sizeFields(f)}</div>
        ${averages(table, f.key, sizeIn(f))}`;
    default:
      return nothing;
  }
}

/** @param {Table} table @param {T.Scene | T.Situation} place @param {Fields} f */
function clockFields(table, place, f) {
  const scene = table.view.scenes.get("scene_id" in place ? place.scene_id : place.id);
  const free = [...table.view.clocks.values()].filter((each) => each.kind === "free");
  const options = clockOptions(table, [...(scene ? openClocks(table, scene) : []), ...free]);
  return html`<div class="fields">
    ${f.pick("clock", "gm.clock", options)}
    ${f.steps("by", "gm.complication.by", 1, { min: -MAX_CLOCK, max: MAX_CLOCK })}
    ${f.steps("enlarge", "gm.complication.enlarge", 0, { max: MAX_CLOCK })}
  </div>`;
}

/** @param {T.Scene | T.Situation} place @param {Values} values @returns {T.IntroduceComplication} */
function commandOf(place, values) {
  const effect = values.text("effect");
  const [clock_id, by, enlarge] = [values.text("clock") ?? "", values.number("by") ?? 0, values.number("enlarge") ?? 0];
  return {
    type: "introduce_complication",
    ...("scene_id" in place ? { situation_id: place.id } : { scene_id: place.id }),
    text: values.text("text") ?? "",
    ...(effect === "clock" ? { clock: { clock_id, by, enlarge } } : {}),
    ...(effect === "countdown" ? { countdown: { ...newCountdown(values), bound_to: "turn" } } : {}),
  };
}
