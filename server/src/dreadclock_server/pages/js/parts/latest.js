// @ts-check
/** The latest roll of all, large: what everybody looks at. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { rolledBy } from "../app/fresh.js";
import { badge } from "./card.js";
import { diceRow } from "./die.js";
import { rolledIn } from "./rolled.js";

/** Draw the latest roll, as far as it is still told. @param {Table} table */
export function latest(table) {
  for (let place = table.told.length - 1; place >= 0; place--) {
    const { key, record } = table.told[place];
    const roll = rolledIn(table, record.event);
    if (!roll) continue;
    const fresh = table.fresh(rolledBy(record.event) ?? "") === key ? key : undefined;
    return html`<section class="latest" aria-labelledby="latest">
      <div class="what">
        <h2 id="latest">${table.t("latest")}</h2>
        <p class="name">${roll.name}</p>
      </div>
      ${diceRow(roll.dice, { label: roll.label, fresh, physical: roll.physical ? table.t("physical") : undefined, big: true })}
      ${badge(roll.came, roll.kind)}
    </section>`;
  }
  return nothing;
}
