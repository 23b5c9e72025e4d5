// @ts-check
/** The forms with which the gm moves and corrects clocks, and cancels things. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { openRaces } from "../../client/views.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed, titled } from "../parts/card.js";
import { demanded, reasonFor } from "../forms/live.js";

/**
 * Draw the form that moves a clock, or enlarges it. It moves a scene's clocks only back. Source: rules.md B14.
 * @param {Table} table @param {Demand} demand @param {T.Clock | T.Scene} thing
 */
export function moving(table, demand, thing) {
  const clocks = clocksOf(table, thing).filter((each) => each.kind !== "threat");
  return demanded(table, demand, {
    submit: table.t("gm.clock.move"),
    command: (values) => {
      const clock_id = values.text("clock") ?? clocks[0].id;
      const [how, by] = [values.text("how"), values.number("by") ?? 1];
      return how === "enlarge" ? { type: "enlarge_clock", clock_id, by } : { type: "tick_clock", clock_id, by, back: how === "back" };
    },
    fields: (f) => {
      const { kind, size } = clocks.find((each) => each.id === f.read("clock")) ?? clocks[0];
      const ways = kind === "free" ? ["on", "back", "enlarge"] : ["back", "enlarge"];
      return html`<div class="fields">
        ${clocks.length > 1 ? f.pick("clock", "gm.clock", clockOptions(table, clocks)) : nothing}
        ${f.among("how", "gm.clock.how", ways, (each) => `gm.clock.${each}`)}
        ${f.steps("by", "gm.points", kind === "free" ? 2 : 1, { min: 1, max: size, describes: thing.name })}
      </div>`;
    },
  });
}

/** Draw the form that corrects a clock after a slip of the hand. @param {Table} table @param {Demand} demand @param {T.Clock | T.Scene} thing */
export function amending(table, demand, thing) {
  const clocks = clocksOf(table, thing);
  return demanded(table, demand, {
    submit: table.t("gm.amend"),
    command: (values) => ({
      type: "amend_clock",
      clock_id: values.text("clock") ?? clocks[0].id,
      value: values.number(`value:${values.text("clock") ?? clocks[0].id}`) ?? 0,
      reason: values.text("reason") ?? "",
    }),
    fields: (f) => {
      const clock = clocks.find((each) => each.id === f.read("clock")) ?? clocks[0];
      return html`<div class="fields">
        ${clocks.length > 1 ? f.pick("clock", "gm.clock", clockOptions(table, clocks)) : nothing}
        ${keyed([clock], ({ id, value, size }) => f.steps(`value:${id}`, "gm.amend_to", value, { max: size }))}
        ${f.sentence("reason", reasonFor(clock.visibility), { required: true })}
      </div>`;
    },
  });
}

/** Return the clocks of a scene, or the clock itself. @param {Table} table @param {T.Clock | T.Scene} thing @returns {T.Clock[]} */
function clocksOf(table, thing) {
  return "clock_id" in thing ? openClocks(table, thing) : [thing];
}

/** Name clocks to choose from. @param {Table} table @param {readonly T.Clock[]} clocks */
export function clockOptions(table, clocks) {
  return clocks.map((each) => {
    const words = `${nameOfClock(table, each)} (${each.value}/${each.size})`;
    return /** @type {const} */ ([each.id, words]);
  });
}

/** Name a clock, also one of a scene. @param {Table} table @param {T.Clock} clock */
export function nameOfClock(table, { kind, name }) {
  if (kind === "threat") return table.t("scene.threat");
  return kind === "scene" ? titled(table.t("scene.clock"), name) : name;
}

/**
 * Draw the form that cancels a thing opened by mistake. The server shows a sealed thing to everyone before it cancels it.
 * @param {Table} table @param {Demand} demand @param {{ id: string, visibility?: T.Visibility, situation_id?: string }} thing
 */
export function cancelling(table, demand, { id, situation_id: around = "", visibility = table.view.situations.get(around)?.visibility ?? "public" }) {
  return demanded(table, demand, {
    submit: demand.label,
    kind: "risk",
    command: (values) => ({ type: "cancel", thing_id: id, reason: values.text("reason") ?? "" }),
    fields: (f) => f.sentence("reason", visibility === "sealed" && !around ? "gm.reason" : reasonFor(visibility), { required: true, hint: "gm.mistake.hint" }),
  });
}

/**
 * Return the scene's clock and threat, then the clocks of its open situations and of their open challenges.
 * @param {Table} table @param {T.Scene} scene @returns {T.Clock[]}
 */
export function openClocks(table, scene) {
  const { view } = table;
  const situations = [...view.situations.values()].filter(
    (each) => each.scene_id === scene.id && each.status === "open",
  );
  const inside = new Set(situations.map((each) => each.id));
  const all = [...view.challenges.values()].filter((each) => inside.has(each.situation_id) && each.status === "open");
  const ids = [scene.clock_id, scene.threat_id, ...[...situations, ...all].map((each) => each.clock_id)];
  return ids.map((id) => view.clocks.get(id ?? "")).filter((clock) => clock !== undefined);
}

/** Return the clocks of a scene that can move now. The threat can move only while a race is open. @param {Table} table @param {T.Scene} scene */
export function runningClocks(table, scene) {
  const races = openRaces(table.view, scene.id).length > 0;
  return openClocks(table, scene).filter((each) => each.kind !== "threat" || races);
}
