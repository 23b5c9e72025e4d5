// @ts-check
/** The forms of clocks: those that stand for themselves, and corrections of any. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { DIRECTIONS, MAX_CLOCK } from "../../client/limits.js";
import { openRaces } from "../../client/views.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { isFull } from "../app/over.js";
import { keyed, titled } from "../parts/card.js";
import { demanded, liveForm, reasonFor, seenAs } from "./live.js";

const SIZE = 8;

/** Draw the form that starts a clock. @param {Table} table @param {Demand} demand */
export function startClock(table, demand) {
  return demanded(table, demand, {
    submit: table.t("gm.start"),
    again: "clock",
    seen: seenAs,
    command: (values) => ({
      type: "start_clock",
      name: values.text("name") ?? "",
      size: values.number("size") ?? SIZE,
      direction: values.choice("direction"),
      owner: values.text("owner"),
      visibility: values.choice("visibility"),
    }),
    fields: (f) =>
      html`<div class="fields">
        ${f.text("name", "gm.name", { required: true })}
        ${f.steps("size", "gm.segments", SIZE, { min: 1, max: MAX_CLOCK })}
        ${f.segments("direction", "gm.direction", DIRECTIONS, (each) => `gm.direction.${each}`)}
        ${f.owner("gm.owner.gm")} ${f.visibility()}
      </div>`,
  });
}

/** Draw what is seldom wanted of a clock. @param {Table} table @param {T.Clock} clock */
export function restOfClock(table, clock) {
  return html`${isFull(clock) ? nothing : moving(table, `clock:${clock.id}`, clock.name, [clock])}
  ${amending(table, `clock:${clock.id}`, clock.name, [clock])} ${cancelling(table, "clock", clock)}`;
}

/**
 * Draw the form that moves a clock by several points, or enlarges it; a scene's clocks only go back. Source: rules.md B14.
 * @param {Table} table @param {string} key of the thing that the clocks belong to @param {string} describes its name
 * @param {readonly T.Clock[]} clocks
 */
export function moving(table, key, describes, clocks) {
  return liveForm(table, {
    key: `${key}:move`,
    describes,
    submit: table.t("gm.clock.move"),
    kind: "plain",
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
        ${f.steps("by", "gm.points", kind === "free" ? 2 : 1, { min: 1, max: size, describes })}
      </div>`;
    },
  });
}

/**
 * Draw the form that corrects a clock after a slip of the hand.
 * @param {Table} table @param {string} key of the thing that the clocks belong to @param {string} describes its name
 * @param {readonly T.Clock[]} clocks
 */
export function amending(table, key, describes, clocks) {
  return liveForm(table, {
    key: `${key}:amend`,
    describes,
    submit: table.t("gm.amend"),
    kind: "plain",
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
 * Draw the form that takes back what was opened by mistake; a sealed thing is shown before it goes.
 * @param {Table} table @param {string} kind @param {{ id: string, name: string, visibility: T.Visibility }} thing
 */
export function cancelling(table, kind, { id, name, visibility }) {
  const reason = visibility === "sealed" && kind !== "challenge" ? "gm.reason" : reasonFor(visibility);
  return liveForm(table, {
    key: `${kind}:${id}:cancel`,
    describes: name,
    submit: table.t(kind === "scene" ? "gm.mistake.scene" : "gm.mistake"),
    kind: "risk",
    command: (values) => ({ type: "cancel", thing_id: id, reason: values.text("reason") ?? "" }),
    fields: (f) => f.sentence("reason", reason, { required: true, hint: "gm.mistake.hint" }),
  });
}

/**
 * Return the clocks of a scene that still move, its own first.
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

/** Return the clocks of a scene that something can move now: its threat only in a race. @param {Table} table @param {T.Scene} scene */
export function runningClocks(table, scene) {
  const races = openRaces(table.view, scene.id).length > 0;
  return openClocks(table, scene).filter((each) => each.kind !== "threat" || races);
}
