// @ts-check
/** The turn: its number, the big button that ends it, and right at it what is still open and what that rolls. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { isDue } from "../parts/countdown.js";
import { lazily } from "./lazily.js";

const DONE = new Set(["resolved", "succeeded", "failed"]);

const open = lazily(() => import("./unfinished.js"));

/** Draw the turn. @param {Table} table */
export function turn(table) {
  const { view } = table;
  const due = [...view.countdowns.values()].filter((each) => isDue(view, each));
  const begun = [...view.checks.values(), ...view.totals.values()];
  const named = due.length + begun.filter((each) => !DONE.has(each.status)).length;
  return html`<div class="turn-bar" data-place="turn" role="group" aria-labelledby="turn-now">
    <h2 id="turn-now">${table.t("turn", { turn: view.turn })}</h2>
    ${button(table, { key: "turn:end", label: table.t("gm.turn.end"), kind: "main", command: { type: "end_turn" } })}
    <p class="hint" data-part="due" tabindex=${named > 1 ? 0 : nothing}>
      ${rollsAlong(table, due)} ${begun.length ? open(table, (it) => it.unfinished(table)) : nothing}
    </p>
  </div>`;
}

/** Say which countdowns the end of a turn rolls, hidden ones marked: it cannot be taken back. @param {Table} table @param {readonly T.Countdown[]} due */
export function rollsAlong(table, due) {
  if (!due.length) return table.t("gm.turn.rolls_none");
  const named = due.map(({ name, visibility: seen }) => (seen === "public" ? name : `${name} (${table.t(`visibility.${seen}`)})`));
  return table.t("gm.turn.rolls", { number: due.length, names: new Intl.ListFormat(table.words.language).format(named) });
}
