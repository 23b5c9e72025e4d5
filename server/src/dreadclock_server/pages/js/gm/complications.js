// @ts-check
/** Complications: a text, and if the gm likes its effect on a clock, or a new countdown. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { MAX_CLOCK } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { isFull } from "../app/over.js";
import { keyed } from "../parts/card.js";
import { clockOptions, runningClocks } from "./clock_forms.js";
import { newCountdown, sizeFields, sizeIn } from "../forms/countdown.js";
import { demanded } from "../forms/live.js";
import { averages } from "../forms/sizing.js";

const EFFECTS = ["nothing", "clock", "countdown"];

/**
 * Draw the form that introduces a complication.
 * @param {Table} table @param {Demand} demand @param {T.Scene | T.Situation} place
 */
export function complicating(table, demand, place) {
  return demanded(table, demand, {
    submit: table.t("gm.complication.tell"),
    seen: () => sceneOf(table, place)?.visibility ?? "public",
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

/** @param {Table} table @param {T.Scene | T.Situation} place */
function sceneOf(table, place) {
  return table.view.scenes.get("scene_id" in place ? place.scene_id : place.id);
}

/** @param {Table} table @param {T.Scene | T.Situation} place @param {Fields} f */
function clockFields(table, place, f) {
  const scene = sceneOf(table, place);
  const free = [...table.view.clocks.values()].filter((each) => each.kind === "free");
  const clocks = [...(scene ? runningClocks(table, scene) : []), ...free];
  const first = clocks.find((each) => each.kind === "threat" && !isFull(each)) ?? clocks[0];
  const clock = clocks.find((each) => each.id === f.read("clock")) ?? first;
  return html`<div class="fields">
    ${f.pick("clock", "gm.clock", clockOptions(table, clocks), first?.id)}
    ${clock ? keyed([clock], (each) => moveFields(table, f, each)) : nothing}
  </div>`;
}

/**
 * Draw how a clock moves, at first against the party: a threat runs on, and what the party works off goes back or grows.
 * @param {Table} table @param {Fields} f @param {T.Clock} clock
 */
function moveFields(table, f, clock) {
  const { id, kind, value, size, direction } = clock;
  const atStart = value === (direction === "down" ? size : 0);
  const [by, enlarge] = kind === "free" || kind === "threat" ? [1, 0] : atStart ? [0, 1] : [-1, 0];
  const [label, min] = kind === "threat" ? ["gm.complication.by_threat", 1] : ["gm.complication.by", -MAX_CLOCK];
  return html`${f.steps(`by:${id}`, label, by, { min, max: MAX_CLOCK })}
    ${kind === "threat" ? nothing : f.steps(`enlarge:${id}`, "gm.complication.enlarge", enlarge, { max: MAX_CLOCK })}
    <p class="hint" data-part="direction">
      ${wayOf(table, clock, f.number(`by:${id}`, by), kind === "threat" ? 0 : f.number(`enlarge:${id}`, enlarge))}
    </p>`;
}

/** Say in words which way a clock goes, and where it stands then. @param {Table} table @param {T.Clock} clock @param {number} by @param {number} enlarge */
function wayOf(table, { value, size, direction }, by, enlarge) {
  const grown = size + enlarge;
  const before = direction === "down" ? value + enlarge : value;
  const after = Math.min(grown, Math.max(0, direction === "down" ? before - by : before + by));
  const way = by > 0 ? "on" : by < 0 ? "back" : "still";
  return table.t(`gm.complication.way.${way}`, { before: `${value}/${size}`, after: `${after}/${grown}` });
}

/** @param {T.Scene | T.Situation} place @param {Values} values @returns {T.IntroduceComplication} */
function commandOf(place, values) {
  const effect = values.text("effect");
  const clock_id = values.text("clock") ?? "";
  const [by, enlarge] = [values.number(`by:${clock_id}`) ?? 0, values.number(`enlarge:${clock_id}`) ?? 0];
  return {
    type: "introduce_complication",
    ...("scene_id" in place ? { situation_id: place.id } : { scene_id: place.id }),
    text: values.text("text") ?? "",
    ...(effect === "clock" ? { clock: { clock_id, by, enlarge } } : {}),
    ...(effect === "countdown" ? { countdown: { ...newCountdown(values), bound_to: "turn" } } : {}),
  };
}
