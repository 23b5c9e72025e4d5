// @ts-check
/** The turn: its number, what its end rolls, and the big button that ends it. */

/** @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { isDue } from "../parts/countdown.js";

/** Draw the turn. @param {Table} table */
export function turn(table) {
  const { view } = table;
  const due = [...view.countdowns.values()].filter((each) => isDue(view, each)).map((each) => each.name);
  const names = new Intl.ListFormat(table.words.language).format(due);
  return html`<section class="turn-bar" data-place="turn" aria-labelledby="turn-now">
    <h2 id="turn-now">${table.t("turn", { turn: view.turn })}</h2>
    ${button(table, {
      key: "turn:end",
      label: table.t("gm.turn.end"),
      kind: "main big",
      command: { type: "end_turn" },
    })}
    <p class="hint" data-part="due">
      ${due.length ? table.t("gm.turn.rolls", { number: due.length, names }) : table.t("gm.turn.rolls_none")}
    </p>
  </section>`;
}
