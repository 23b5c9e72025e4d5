// @ts-check
/** A player's controls for countdowns (pools of dice). */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 */

import { MAX_POOL } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { closeDisclosure, commandButton, disclosure, form, numberField } from "../app/controls.js";
import { formsIn } from "../forms/loading.js";
import { countdownIsOver } from "../app/over.js";
import { wasRolled } from "../parts/countdown.js";
import { note } from "./waiting.js";
import { roller } from "./roll.js";

const outlooks = formsIn(() => import("../forms/sizing.js"));

/**
 * Draw the viewer's controls for a countdown. Everyone gets the button for its odds.
 * @param {Table} table
 * @param {T.Countdown} countdown
 */
export function countdownControls(table, countdown) {
  if (countdownIsOver(countdown)) return nothing;
  const rolls = table.owns(countdown) && countdown.status === "running";
  return html`${rolls ? rolling(table, countdown) : nothing} ${mayCare(table, countdown) ? care(table, countdown) : nothing}
  ${outlook(table, countdown)}`;
}

/** Tell whether the viewer may stabilize, resume and replenish a countdown. Source: rules.md A11. */
function mayCare(/** @type {Table} */ table, /** @type {T.Countdown} */ countdown) {
  const { care: policy } = table.view.policy;
  return policy === "players" || (policy === "owner" && table.owns(countdown));
}

/** Draw controls to stabilize (halt), resume and replenish. @param {Table} table @param {T.Countdown} countdown */
function care(table, countdown) {
  const running = countdown.status === "running";
  return html`${running ? nothing : simple(table, countdown, "resume", "main")}
  ${running && countdown.stabilizable ? simple(table, countdown, "stabilize") : nothing}
  ${countdown.replenishable ? replenishing(table, countdown) : nothing}`;
}

/** Draw the button for rolling. If the countdown was already rolled in this turn or round, say so instead. @param {Table} table @param {T.Countdown} countdown */
function rolling(table, countdown) {
  if (wasRolled(table.view, countdown)) return note(table.t("my.rolled_this_turn"));
  return roller(table, {
    key: `countdown:${countdown.id}:roll`,
    label: table.t("my.roll", { dice: countdown.pool }),
    describes: countdown.name,
    command: { type: "roll_countdown", countdown_id: countdown.id },
  });
}

/**
 * Draw the button that resumes or stabilizes a countdown.
 * @param {Table} table @param {T.Countdown} countdown @param {"resume" | "stabilize"} verb @param {string} [kind] of the button
 */
function simple(table, { id, name }, verb, kind) {
  const command = { type: /** @type {const} */ (`${verb}_countdown`), countdown_id: id };
  return commandButton(table, `countdown:${id}:${verb}`, `my.${command.type}`, name, command, kind);
}

/** Draw the form that adds dice to a countdown. @param {Table} table @param {T.Countdown} countdown */
function replenishing(table, { id, name, pool }) {
  const place = `countdown:${id}:replenish`;
  const content = () =>
    form(table, {
      key: `${place}:send`,
      submit: table.t("my.replenish_send"),
      describes: name,
      inline: true,
      fields: numberField("dice", table.t("my.dice"), { max: Math.max(1, MAX_POOL - pool) }),
      command: (values) => ({ type: "replenish_countdown", countdown_id: id, dice: values.number("dice") ?? 0 }),
      done: () => closeDisclosure(table, place),
    });
  return disclosure(table, { key: place, label: table.t("my.replenish"), describes: name, content });
}

/** Draw the button that shows how long a countdown is likely to last. @param {Table} table @param {T.Countdown} countdown */
function outlook(table, countdown) {
  const content = () => outlooks(table, (module) => module.outlookOf(table, countdown));
  return disclosure(table, { key: `countdown:${countdown.id}:odds`, label: table.t("my.how_long"), describes: countdown.name, content });
}
