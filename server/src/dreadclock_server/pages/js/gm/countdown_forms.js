// @ts-check
/** What the gm does with countdowns: they are started, filled up, changed, ended; and what their dice have in store. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { MAX_POOL, SPEEDS } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { bindingOf, bindings, startCountdown as start } from "../forms/countdown.js";
import { demanded, reasonFor, seenAs } from "../forms/live.js";
import { outlookOf } from "../forms/sizing.js";
import { deedFields, deedsIn } from "./effect_rows.js";

const AT_START = ":start"; // begins the names of the rows for what the stage at the starting size does

/** Draw the form that starts a countdown, whose first stage may do something at once. @param {Table} table @param {Demand} demand */
export function startCountdown(table, demand) {
  return start(table, demand, {
    fields: (f) => deedFields(table, f, AT_START, [], { isGms: seenAs(f) !== "public" }),
    in: (values) => {
      const does = deedsIn(values, AT_START);
      return does.length ? { at_start: does } : {};
    },
  });
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
    fields: (f) => f.steps("dice", "form.dice", 1, { min: 1, describes: name }),
  });
}

/** Draw the form that changes a countdown. Source: rules.md A14. @param {Table} table @param {Demand} demand @param {T.Countdown} countdown */
export function amending(table, demand, countdown) {
  const { id, pool, speed, ending, owner, bound_to, bound_id, stabilizable, replenishable, visibility } = countdown;
  const bound = bound_id ? `${bound_to}:${bound_id}` : bound_to;
  return demanded(table, demand, {
    submit: table.t("gm.countdown.amend"),
    command: (values) => ({
      type: "amend_countdown",
      countdown_id: id,
      reason: values.text("reason") ?? "",
      pool: values.number("pool"),
      speed: /** @type {T.Speed} */ (values.choice("speed")),
      ending: values.text("ending"),
      owner: values.text("owner"),
      ...((values.text("bound") ?? bound) === bound ? {} : bindingOf(values)),
      stabilizable: values.ticked("stabilizable"),
      replenishable: values.ticked("replenishable"),
      clear: [
        ...(owner && !values.text("owner") ? /** @type {const} */ (["owner"]) : []),
        ...(ending && !values.text("ending") ? /** @type {const} */ (["ending"]) : []),
      ],
    }),
    fields: (f) =>
      html`<div class="fields">
        ${f.steps("pool", "form.dice", pool, { min: 0, max: MAX_POOL })}
        ${f.among("speed", "form.speed", SPEEDS, (each) => `form.speed.${each}`, speed)}
        ${f.sentence("ending", "form.ending", { value: ending })} ${f.owner("gm.owner.gm", owner)}
        ${f.pick("bound", "form.bound", bindings(table, countdown), bound)}
        ${f.tick("stabilizable", "form.stabilizable", stabilizable)}
        ${f.tick("replenishable", "form.replenishable", replenishable)}
        ${f.sentence("reason", reasonFor(visibility), { required: true })}
      </div>`,
  });
}

/** Draw the form that ends a countdown without its ending. @param {Table} table @param {Demand} demand @param {T.Countdown} countdown */
export function cancelling(table, demand, { id }) {
  return demanded(table, demand, {
    submit: table.t("gm.cancel"),
    kind: "risk",
    inline: true,
    command: (values) => ({ type: "cancel_countdown", countdown_id: id, reason: values.text("reason") }),
    fields: (f) => f.sentence("reason", "gm.reason_optional"),
  });
}

/** Draw how long a countdown will last. @param {Table} table @param {Demand} _ @param {T.Countdown} countdown */
export const odds = (table, _, countdown) => outlookOf(table, countdown);
