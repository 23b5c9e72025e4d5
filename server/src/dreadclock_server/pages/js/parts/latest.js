// @ts-check
/** The latest roll of all, large: what everybody looks at. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { proofOf, rolledBy } from "../app/fresh.js";
import { badge } from "./card.js";
import { diceRow, proofMark } from "./die.js";
import { rolledIn } from "./rolled.js";

/** Draw the latest roll, as far as it is still told. @param {Table} table */
export function latest(table) {
  const found = latestRoll(table);
  if (!found) return nothing;
  const { roll, told } = found;
  const fresh = table.fresh(rolledBy(told.record.event) ?? "") === told.key ? told.key : undefined;
  return html`<section class="latest" aria-labelledby="latest">
    <div class="what">
      <h2 id="latest">${table.t("latest")}</h2>
      <p class="name">${roll.name}</p>
    </div>
    ${diceRow(roll.dice, { label: roll.label, fresh, physical: roll.physical ? table.t("physical") : undefined, big: true })}
    ${roll.dice.some((die) => die.hidden) ? nothing : proofMark(table, { proof: proofOf(told.record.event), physical: roll.physical })}
    ${badge(roll.came, roll.kind)}
  </section>`;
}

/** Find the latest roll; of those of one moment, as at the end of a turn, one whose faces are seen. @param {Table} table */
function latestRoll(table) {
  let found = null;
  for (let place = table.told.length - 1; place >= 0; place--) {
    const told = table.told[place];
    if (found && told.at !== found.told.at) break;
    const roll = rolledIn(table, told.record.event);
    if (!roll) continue;
    if (!roll.dice.some((die) => die.hidden)) return { roll, told };
    found ??= { roll, told };
  }
  return found;
}
