// @ts-check
/** The forms that move or correct clocks, and that cancel things opened by mistake; and helpers for the choice of a clock. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Options } from "../forms/fields.js"
 * @import { Panel } from "./panel.js"
 */

import { openRaces } from "../../client/views.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed, titled } from "../parts/card.js";
import { panelForm, reasonFor } from "../forms/live.js";

/**
 * Draw the form that moves or enlarges a clock. A scene's clocks can only be moved back. Source: rules.md B15.
 * @param {Table} table @param {Panel} panel @param {T.Clock | T.Scene} thing a clock, or the scene whose clocks can be chosen
 */
export function moving(table, panel, thing) {
  const clocks = clocksOf(table, thing).filter(({ kind }) => kind !== "threat");
  return panelForm(table, panel, {
    command: ({ clock: clock_id = clocks[0].id, how, by = 1 }) =>
      how === "enlarge" ? { type: "enlarge_clock", clock_id, by } : { type: "tick_clock", clock_id, by, back: how === "back" },
    fields: (f) => {
      const { kind, size } = clocks.find(({ id }) => id === f.read("clock")) ?? clocks[0];
      const ways = kind === "free" ? ["on", "back", "enlarge"] : ["back", "enlarge"];
      return html`<div class="fields">
        ${clocks.length > 1 ? f.pick("clock", "gm.clock", clockOptions(table, clocks)) : nothing}
        ${f.among("how", "gm.clock.how", ways, "gm.clock")}
        ${f.steps("by", "gm.points", kind === "free" ? 2 : 1, { min: 1, max: size, describes: thing.name })}
      </div>`;
    },
  });
}

/**
 * Draw the form that sets a clock to another value, to correct a mistake.
 * @param {Table} table @param {Panel} panel @param {T.Clock | T.Scene} thing a clock, or the scene whose clocks can be chosen
 */
export function amending(table, panel, thing) {
  const clocks = clocksOf(table, thing);
  return panelForm(table, panel, {
    command: ({ clock: clock_id = clocks[0].id, reason, ...entered }) => ({ type: "amend_clock", clock_id, value: entered[`value:${clock_id}`] ?? 0, reason }),
    fields: (f) => {
      const clock = clocks.find(({ id }) => id === f.read("clock")) ?? clocks[0];
      return html`<div class="fields">
        ${clocks.length > 1 ? f.pick("clock", "gm.clock", clockOptions(table, clocks)) : nothing}
        ${keyed([clock], ({ id, value, size }) => f.steps(`value:${id}`, "gm.amend_to", value, { max: size }))}
        ${f.sentence("reason", reasonFor(clock.visibility), { required: true })}
      </div>`;
    },
  });
}

/** Return the open clocks of a scene. For a clock, return only that clock. @param {Table} table @param {T.Clock | T.Scene} thing @returns {T.Clock[]} */
function clocksOf(table, thing) {
  return "clock_id" in thing ? openClocks(table, thing) : [thing];
}

/** Return clocks as options, with names and values. @param {Table} table @param {readonly T.Clock[]} clocks @returns {Options} */
export const clockOptions = (table, clocks) => clocks.map((clock) => [clock.id, `${nameOfClock(table, clock)} (${clock.value}/${clock.size})`]);

/** Return the displayed name of a clock. The threat, the clock of a scene's races, has no own name. @param {Table} table @param {T.Clock} clock */
export function nameOfClock(table, { kind, name }) {
  if (kind === "threat") return table.t("scene.threat");
  return kind === "scene" ? titled(table.t("scene.clock"), name) : name;
}

/**
 * Draw the form that cancels a thing that was opened by mistake. The server reveals a sealed thing, of which
 * others know only the name, before it cancels the thing. So everyone can read the reason, as the field's label says.
 * @param {Table} table @param {Panel} panel @param {{ id: string, visibility?: T.Visibility, situation_id?: string }} thing
 */
export function cancelling(table, panel, { id, situation_id: around = "", visibility = table.view.situations.get(around)?.visibility ?? "public" }) {
  return panelForm(table, panel, {
    kind: "risk",
    command: (entered) => ({ type: "cancel", thing_id: id, ...entered }),
    fields: (f) => f.sentence("reason", visibility === "sealed" && !around ? "gm.reason" : reasonFor(visibility), { required: true, hint: "gm.mistake.hint" }),
  });
}

/**
 * Return the scene's clock and threat, then the clocks of its open situations, then the clocks of the open challenges in these situations.
 * @param {Table} table @param {T.Scene} scene @returns {T.Clock[]}
 */
export function openClocks({ view }, scene) {
  const situations = [...view.situations.values()].filter(({ scene_id, status }) => scene_id === scene.id && status === "open");
  const inside = new Set(situations.map(({ id }) => id));
  const challenges = [...view.challenges.values()].filter(({ situation_id, status }) => inside.has(situation_id) && status === "open");
  const ids = [scene.clock_id, scene.threat_id, ...[...situations, ...challenges].map(({ clock_id }) => clock_id)];
  return ids.map((id) => view.clocks.get(id ?? "")).filter((clock) => clock !== undefined);
}

/** Return the clocks of a scene that can move now. The threat can move only while a race of the scene is open. @param {Table} table @param {T.Scene} scene */
export function runningClocks(table, scene) {
  const races = openRaces(table.view, scene.id).length > 0;
  return openClocks(table, scene).filter(({ kind }) => kind !== "threat" || races);
}
