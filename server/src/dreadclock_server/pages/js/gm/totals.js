// @ts-check
/** Totals in the gm's hands: approved, given their number, rolled, pushed. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { totalIsOver } from "../app/over.js";
import { nameOfTotal } from "../parts/total.js";
import { lazily, more, onDemand } from "./lazily.js";
import { knownNumber } from "./stakes.js";
import { isGms } from "./party.js";
import { rolling, sure } from "./presses.js";

const declines = lazily(() => import("./declining.js"));
const forms = lazily(() => import("./total_forms.js"));
const numbers = lazily(() => import("./required.js"));
const pushes = lazily(() => import("./push_forms.js"));

/** Draw what the gm does with a total. @param {Table} table @param {T.Total} total */
export function totalControls(table, total) {
  const shown = total.secret ? revealNumber(table, total) : nothing;
  if (totalIsOver(total)) return shown;
  if (total.faces.length) return html`${rolledControls(table, total)} ${shown}`;
  return html`${number(table, total)} ${total.status === "proposed" ? approving(table, total) : roll(table, total)}
  ${change(table, total)} ${shown}
  ${total.status === "proposed" ? declines(table, (it) => it.decliningTotal(table, total)) : withdrawing(table, total)}`;
}

/** Draw the form for the number required: open as long as there is none. @param {Table} table @param {T.Total} total */
function number(table, total) {
  if (knownNumber(table, total) === undefined) return numbers(table, (module) => module.requiring(table, total));
  return requiring(table, total, "gm.required.change");
}

/** @param {Table} table @param {T.Total} total @param {"gm.required.name" | "gm.required.change"} label */
function requiring(table, total, label) {
  const describes = nameOfTotal(table, total);
  const demand = { key: `total:${total.id}:required`, label: table.t(label), describes };
  return onDemand(table, demand, (asked) => numbers(table, (module) => module.requiringAnew(table, asked, total)));
}

/** @param {Table} table @param {T.Total} total */
function approving(table, total) {
  return button(table, {
    key: `total:${total.id}:approve`,
    label: table.t("gm.total.approve"),
    describes: nameOfTotal(table, total),
    title: table.t("gm.total.approve.does"),
    command: { type: "adjust_total", total_id: total.id, approve: true },
  });
}

/** @param {Table} table @param {T.Total} total */
function roll(table, total) {
  const own = isGms(table, total.character_id);
  const name = table.nameOfCharacter(total.character_id);
  return rolling(table, {
    key: `total:${total.id}:roll`,
    label: own ? table.t("gm.roll") : table.t("gm.roll_for", { name }),
    describes: nameOfTotal(table, total),
    kind: own && knownNumber(table, total) !== undefined ? "main" : "plain", // first, the number is named
    command: { type: "roll_total", total_id: total.id },
  });
}

/** @param {Table} table @param {T.Total} total */
function change(table, total) {
  const demand = { key: `total:${total.id}:adjust`, label: table.t("gm.change"), describes: nameOfTotal(table, total) };
  return onDemand(table, demand, (asked) => forms(table, (module) => module.adjusting(table, asked, total)));
}

/** @param {Table} table @param {T.Total} total */
function withdrawing(table, total) {
  const command = /** @type {const} */ ({ type: "withdraw_total", total_id: total.id });
  const [label, yes] = [table.t("gm.withdraw"), table.t("gm.withdraw.yes")];
  return sure(table, { key: `total:${total.id}:withdraw`, label, yes, describes: nameOfTotal(table, total), command });
}

/** Draw the button that shows everyone a secret number. @param {Table} table @param {T.Total} total */
function revealNumber(table, total) {
  const command = /** @type {const} */ ({ type: "reveal", thing_id: total.id });
  const given = { key: `total:${total.id}:reveal`, label: table.t("gm.required.reveal"), title: table.t("gm.reveal.does") };
  return html`<span class="apart">${button(table, { ...given, describes: nameOfTotal(table, total), kind: "risk", command })}</span>`;
}

/** Draw what the gm does with a total that is rolled and not over. @param {Table} table @param {T.Total} total */
function rolledControls(table, total) {
  if (total.enough === undefined) {
    return html`${judging(table, total, true)} ${judging(table, total, false)}
    ${stopping(table, total, table.t("gm.total.failed"))} ${requiring(table, total, "gm.required.name")}`;
  }
  const fail = stopping(table, total, table.t("gm.stop"));
  if (total.status !== "offered") return html`${pushes(table, (module) => module.offering(table, total))} ${fail}`;
  const other = () => html`${push(table, total)} ${stopping(table, total, table.t("gm.stop_pushing"))}`;
  if (isGms(table, total.character_id)) return other();
  return more(table, `total:${total.id}:for-player`, nameOfTotal(table, total), other, table.t("gm.for_player"));
}

/** @param {Table} table @param {T.Total} total @param {boolean} enough */
function judging(table, total, enough) {
  return button(table, {
    key: `total:${total.id}:judge:${enough}`,
    label: table.t(enough ? "gm.total.enough" : "gm.total.missed"),
    describes: nameOfTotal(table, total),
    kind: "main",
    command: { type: "judge_total", total_id: total.id, enough },
  });
}

/** @param {Table} table @param {T.Total} total */
function push(table, total) {
  const own = isGms(table, total.character_id);
  const name = table.nameOfCharacter(total.character_id);
  return rolling(table, {
    key: `total:${total.id}:push`,
    label: own ? table.t("gm.push") : table.t("gm.push_for", { name }),
    describes: nameOfTotal(table, total),
    kind: own ? "main" : "plain",
    command: { type: "push_luck", total_id: total.id },
  });
}

/** @param {Table} table @param {T.Total} total @param {string} label */
function stopping(table, total, label) {
  const command = /** @type {const} */ ({ type: "stop_pushing", total_id: total.id });
  const yes = table.t("gm.stop.yes");
  return sure(table, { key: `total:${total.id}:stop`, label, yes, describes: nameOfTotal(table, total), command });
}
