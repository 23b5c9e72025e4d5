// @ts-check
/** The gm's forms that start, replenish, change and cancel a countdown (a pool of dice that shrinks), and its odds. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Panel } from "./panel.js"
 */

import { MAX_POOL, SPEEDS } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { bindingOf, bindings, startCountdown as start } from "../forms/countdown.js";
import { commandForm, panelForm, reasonFor, seenAs } from "../forms/live.js";
import { outlookOf } from "../forms/sizing.js";
import { effectRows, effectsIn } from "./effect_rows.js";

const AT_START = ":start"; // part of the names of the fields for effects at the start
const CLEARED = /** @type {const} */ (["owner", "ending"]); // the fields that the form of `amending` can empty

/** Draw the form that starts a countdown. If a stage (a named number of dice) has the starting number, draw fields for its effects. @param {Table} table @param {Panel} panel */
export function startCountdown(table, panel) {
  return start(table, panel, {
    fields: (f) => effectRows(table, f, AT_START, [], { isGms: seenAs(f) !== "public" }),
    in: (values) => {
      const does = effectsIn(values, AT_START);
      return does.length ? { at_start: does } : {};
    },
  });
}

/** Draws the form that adds dice to a countdown. */
export const replenishing = commandForm(
  "replenish_countdown",
  "countdown_id",
  (f, { name }) => f.steps("dice", "form.dice", 1, { min: 1, describes: name }),
  { submit: "gm.add", inline: true },
);

/** Draw the form that changes a countdown. Source: rules.md A14. @param {Table} table @param {Panel} panel @param {T.Countdown} countdown */
export function amending(table, panel, countdown) {
  const { id, pool, speed, ending, owner, bound_to, bound_id, stabilizable, replenishable, visibility } = countdown;
  const before = bound_id ? `${bound_to}:${bound_id}` : bound_to;
  return panelForm(table, panel, {
    command: ({ bound = before, ...entered }) => ({
      type: "amend_countdown",
      countdown_id: id,
      ...entered,
      ...(bound === before ? {} : bindingOf(bound)),
      clear: CLEARED.filter((field) => countdown[field] && !entered[field]),
    }),
    fields: (f) =>
      html`<div class="fields">
        ${f.steps("pool", "form.dice", pool, { min: 0, max: MAX_POOL })} ${f.among("speed", "form.speed", SPEEDS, "form.speed", speed)}
        ${f.sentence("ending", "form.ending", { value: ending })} ${f.owner("gm.owner.gm", owner)}
        ${f.pick("bound", "form.bound", bindings(table, countdown), before)}
        ${f.tick("stabilizable", "form.stabilizable", stabilizable)} ${f.tick("replenishable", "form.replenishable", replenishable)}
        ${f.sentence("reason", reasonFor(visibility), { required: true })}
      </div>`,
  });
}

/** Draws the form that cancels a countdown. The countdown's ending then does not happen. */
export const cancelling = commandForm("cancel_countdown", "countdown_id", (f) => f.sentence("reason", "gm.reason_optional"), { kind: "risk", inline: true });

/** Draw a chart of how many rolls a countdown may last. @param {Table} table @param {Panel} _ @param {T.Countdown} countdown */
export const odds = (table, _, countdown) => outlookOf(table, countdown);
