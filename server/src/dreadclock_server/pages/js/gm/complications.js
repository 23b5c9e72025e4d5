// @ts-check
/** The form for a complication (a setback): a text and, optionally, either a change of a clock or a new countdown. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Panel } from "./panel.js"
 */

import { MAX_CLOCK } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { isFull } from "../app/over.js";
import { keyed } from "../parts/card.js";
import { clockOptions, runningClocks } from "./clock_forms.js";
import { sizeFields, sizeIn } from "../forms/countdown.js";
import { panelForm } from "../forms/live.js";
import { averages } from "../forms/sizing.js";

const EFFECTS = ["nothing", "clock", "countdown"];

/** Draw the form. @param {Table} table @param {Panel} panel @param {T.Scene | T.Situation} place the scene or situation in which the complication happens */
export function complicating(table, panel, place) {
  const scene = table.view.scenes.get("scene_id" in place ? place.scene_id : place.id);
  return panelForm(table, panel, {
    submit: table.t("gm.complication.tell"),
    seen: () => scene?.visibility ?? "public",
    command: (entered) => commandOf(place, entered),
    fields: (f) => {
      const effect = f.read("effect");
      return html`<div class="fields">
          ${f.sentence("text", "gm.complication.what", { required: true })}
          ${f.among("effect", "gm.complication.effect", EFFECTS, "gm.complication")}
        </div>
        ${effect === "clock" ? clockFields(table, scene, f) : nothing}
        ${effect === "countdown" ? html`<div class="fields">${sizeFields(f)}</div> ${averages(table, f.key, sizeIn(f))}` : nothing}`;
    },
  });
}

/** Draw the choice of a clock, and how far it moves. @param {Table} table @param {T.Scene | undefined} scene @param {Fields} f */
function clockFields(table, scene, f) {
  const free = [...table.view.clocks.values()].filter(({ kind }) => kind === "free");
  const clocks = [...(scene ? runningClocks(table, scene) : []), ...free];
  const first = clocks.find((clock) => clock.kind === "threat" && !isFull(clock)) ?? clocks[0];
  const chosen = clocks.find(({ id }) => id === f.read("clock")) ?? first;
  return html`<div class="fields">
    ${f.pick("clock", "gm.clock", clockOptions(table, clocks), first?.id)}
    ${chosen ? keyed([chosen], (clock) => moveFields(table, f, clock)) : nothing}
  </div>`;
}

/**
 * Draw the fields for how far a clock moves and how much it grows. A threat clock cannot grow. The initial values move a
 * threat clock or a free clock (without a scene) on by 1. Other clocks count the party's progress, so the initial values move
 * them back by 1, or enlarge a clock without progress by 1.
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
      ${preview(table, clock, f.number(`by:${id}`, by), kind === "threat" ? 0 : f.number(`enlarge:${id}`, enlarge))}
    </p>`;
}

/** Return a sentence with the direction in which a clock moves, and its values before and after the move. @param {Table} table @param {T.Clock} clock @param {number} by @param {number} enlarge */
function preview(table, { value, size, direction }, by, enlarge) {
  const grown = size + enlarge;
  const before = direction === "down" ? value + enlarge : value;
  const after = Math.min(grown, Math.max(0, direction === "down" ? before - by : before + by));
  const way = by > 0 ? "on" : by < 0 ? "back" : "still";
  return table.t(`gm.complication.way.${way}`, { before: `${value}/${size}`, after: `${after}/${grown}` });
}

/** @param {T.Scene | T.Situation} place @param {any} entered @returns {T.IntroduceComplication} */
function commandOf(place, { text, effect, clock: clock_id = "", name, pool, speed, ending, ...entered }) {
  const [by, enlarge] = [entered[`by:${clock_id}`] ?? 0, entered[`enlarge:${clock_id}`] ?? 0];
  return {
    type: "introduce_complication",
    ...("scene_id" in place ? { situation_id: place.id } : { scene_id: place.id }),
    text,
    ...(effect === "clock" ? { clock: { clock_id, by, enlarge } } : {}),
    ...(effect === "countdown" ? { countdown: { name, pool, speed, ending, bound_to: "turn" } } : {}),
  };
}
