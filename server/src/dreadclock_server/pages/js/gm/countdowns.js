// @ts-check
/** Countdowns in the gm's hands: rolled, stopped, filled up, ended; and clocks that stand for themselves. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { countdownIsOver } from "../app/over.js";
import { wasRolled } from "../parts/countdown.js";
import { lazily, more, onDemand } from "./lazily.js";
import { revealing, rolling } from "./presses.js";
import { canTick, tickOf } from "../app/presses.js";

const forms = lazily(() => import("./countdown_forms.js"));
const clockForms = lazily(() => import("./clock_forms.js"));

/** Draw what the gm does with a countdown. @param {Table} table @param {T.Countdown} countdown */
export function countdownControls(table, countdown) {
  if (countdownIsOver(countdown)) return nothing;
  const { id, name, status, stabilizable, replenishable, visibility } = countdown;
  const rest = () => forms(table, (module) => module.restOfCountdown(table, countdown));
  return html`${status === "running" ? roll(table, countdown) : turn(table, countdown, "resume")}
  ${status === "running" && stabilizable ? turn(table, countdown, "stabilize") : nothing}
  ${replenishable ? replenish(table, countdown) : nothing}
  ${visibility === "public" ? nothing : revealing(table, countdown, name)}
  ${more(table, `countdown:${id}`, name, rest)}`;
}

/**
 * Draw the button that stops a countdown or lets it go on.
 * @param {Table} table @param {T.Countdown} countdown @param {"stabilize" | "resume"} how
 */
function turn(table, { id, name }, how) {
  const command = /** @type {T.Command} */ ({ type: `${how}_countdown`, countdown_id: id });
  return button(table, { key: `countdown:${id}:${how}`, label: table.t(`gm.${how}`), describes: name, command });
}

/** @param {Table} table @param {T.Countdown} countdown */
function roll(table, countdown) {
  const { id, name, owner, bound_to: bound } = countdown;
  if (wasRolled(table.view, countdown))
    return html`<p class="hint">${table.t("gm.rolled_this_turn")}</p>`;
  return rolling(table, {
    key: `countdown:${id}:roll`,
    label: table.t("gm.roll"),
    describes: name,
    kind: owner === undefined && bound === "nothing" ? "main" : "plain",
    command: { type: "roll_countdown", countdown_id: id },
  });
}

/** @param {Table} table @param {T.Countdown} countdown */
function replenish(table, countdown) {
  const { id, name } = countdown;
  const demand = { key: `countdown:${id}:replenish`, label: table.t("gm.replenish"), describes: name };
  return onDemand(table, demand, (asked) => forms(table, (module) => module.replenishing(table, asked, countdown)));
}

/** Draw what the gm does with a clock that stands for itself. @param {Table} table @param {T.Clock} clock */
export function clockControls(table, clock) {
  const { id, name, visibility } = clock;
  const key = `clock:${id}`;
  const on = { key: `${key}:tick`, label: table.t("gm.tick"), describes: name, kind: "main", ...tickOf(clock) };
  const back = { key: `${key}:untick`, label: "−1", describes: table.t("gm.untick", { name }), ...tickOf(clock, true) };
  const rest = () => clockForms(table, (module) => module.restOfClock(table, clock));
  return html`${canTick(table, clock) ? button(table, on) : nothing} ${canTick(table, clock, true) ? button(table, back) : nothing}
  ${visibility === "public" ? nothing : revealing(table, clock, name)}
  ${more(table, key, name, rest)}`;
}
