// @ts-check
/** The forms of countdowns: sized and started, filled up, ended; and what their dice have in store. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "./fields.js"
 * @import { Demand } from "./lazily.js"
 * @import { Size } from "./sizing.js"
 */

import { button } from "../app/controls.js";
import { MAX_POOL, MAX_ROLLS_AHEAD, MAX_STAGES, SPEEDS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { demanded, folded, liveForm } from "./live.js";
import { averages, distribution } from "./sizing.js";

const STAGES_AT_FIRST = 2;
const POOL = 6;

/**
 * Draw the form that starts a countdown, with what its size means beside it.
 * @param {Table} table @param {Demand} demand
 */
export function startCountdown(table, demand) {
  const rows = `rows:${demand.key}`;
  const stages = table.ui.get(rows) ?? STAGES_AT_FIRST;
  const work = async () => table.set(rows, stages + 1);
  const another = button(table, { key: `${demand.key}:row`, label: table.t("gm.stage_more"), work });
  return demanded(table, demand, {
    submit: table.t("gm.start"),
    command: (values) => commandOf(values, stages),
    done: () => table.ui.delete(rows),
    fields: (f) => startFields(table, f, stages, stages < MAX_STAGES ? another : nothing),
  });
}

/** @param {Table} table @param {Fields} f @param {number} rows @param {unknown} another */
function startFields(table, f, rows, another) {
  const size = sizeIn(f);
  const stages = stagesOf(f.values, rows).map((each) => each.at);
  const sized = { ...size, stages: [...new Set(stages)].filter((at) => at < size.pool), look: f.number("look", 0) };
  return html`<div class="fields">${sizeFields(f)}</div>
    <div class="sizing">
      ${averages(table, f.key, sized)} ${distribution(table, f.key, sized)}
      ${f.steps("look", "gm.look", 0, { max: MAX_ROLLS_AHEAD, required: false })}
    </div>
    ${folded(table.t("gm.stages"), html`${stageFields(table, f, rows)} ${another}`)}
    <div class="fields">
      ${f.owner("gm.owner.gm")} ${f.visibility()} ${f.tick("bound", "gm.bound", true)}
      ${f.tick("stabilizable", "gm.stabilizable")} ${f.tick("replenishable", "gm.replenishable")}
    </div>`;
}

/** Draw a countdown's name, pool, speed and ending. @param {Fields} f */
export function sizeFields(f) {
  return html`${f.text("name", "gm.name", { required: true })} ${f.steps("pool", "gm.dice", POOL, { min: 1 })}
  ${f.among("speed", "gm.speed", SPEEDS, (each) => `gm.speed.${each}`, "slow")} ${f.sentence("ending", "gm.ending")}`;
}

/** Return the size that `sizeFields` shows now. @param {Fields} f @returns {Size} */
export function sizeIn(f) {
  const pool = Math.min(MAX_POOL, Math.max(1, Math.round(f.number("pool", POOL))));
  return { pool, speed: /** @type {T.Speed} */ (f.read("speed", "slow")), stages: [] };
}

/** @param {Table} table @param {Fields} f @param {number} rows */
function stageFields(table, f, rows) {
  return Array.from({ length: rows }, (_, at) => {
    const row = table.t("gm.stage", { number: at + 1 });
    return html`<div class="fields" role="group" aria-label=${row}>
      ${f.steps(`at${at}`, "gm.stage_at", undefined, { min: 1, required: false, describes: row })}
      ${f.sentence(`effect${at}`, "gm.stage_effect")}
    </div>`;
  });
}

/** @param {Values} values @param {number} rows @returns {T.Stage[]} */
function stagesOf(values, rows) {
  const places = Array.from({ length: rows }, (_, at) => at);
  const stages = places.map((at) => ({ at: values.number(`at${at}`) ?? 0, effect: values.text(`effect${at}`) ?? "" }));
  return stages.filter(({ at, effect }) => at >= 1 && at <= MAX_POOL && effect !== "");
}

/** @param {Values} values @param {number} rows @returns {T.StartCountdown} */
function commandOf(values, rows) {
  return {
    type: "start_countdown",
    ...newCountdown(values),
    stages: stagesOf(values, rows),
    owner: values.text("owner"),
    bound_to: values.ticked("bound") ? "turn" : "nothing",
    stabilizable: values.ticked("stabilizable"),
    replenishable: values.ticked("replenishable"),
    visibility: values.choice("visibility"),
  };
}

/** Read what `sizeFields` drew. @param {Values} values */
export function newCountdown(values) {
  return {
    name: values.text("name") ?? "",
    pool: values.number("pool") ?? POOL,
    speed: /** @type {T.Speed} */ (values.choice("speed")),
    ending: values.text("ending"),
  };
}

/**
 * Draw the form that adds dice to a countdown.
 * @param {Table} table @param {Demand} demand @param {T.Countdown} countdown
 */
export function replenishing(table, demand, { id, name }) {
  return demanded(table, demand, {
    submit: table.t("gm.add"),
    inline: true,
    command: (values) => ({ type: "replenish_countdown", countdown_id: id, dice: values.number("dice") ?? 1 }),
    fields: (f) => f.steps("dice", "gm.dice", 1, { min: 1, describes: name }),
  });
}

/**
 * Draw what is seldom wanted of a countdown: its odds, and its end without its ending.
 * @param {Table} table @param {T.Countdown} countdown
 */
export function restOfCountdown(table, countdown) {
  const { id, name, pool, speed } = countdown;
  const stages = [...new Set(countdown.stages.map((each) => each.at))].filter((at) => at < pool);
  const cancelling = liveForm(table, {
    key: `countdown:${id}:cancel`,
    describes: name,
    submit: table.t("gm.cancel"),
    kind: "risk",
    inline: true,
    command: (values) => ({ type: "cancel_countdown", countdown_id: id, reason: values.text("reason") }),
    fields: (f) => f.sentence("reason", "gm.reason_optional"),
  });
  return html`${distribution(table, `countdown:${id}`, { pool, speed, stages })} ${cancelling}`;
}
