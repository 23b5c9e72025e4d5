// @ts-check
/** The cards of plain rolls, and of sealed (still hidden) things. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { badge, card } from "./card.js";
import { closed } from "./dial.js";
import { diceRow, labelOf } from "./die.js";
import { ofDice } from "./rolled.js";
import { proofMark } from "./word.js";

/** Draw a plain roll. @param {Table} table @param {T.Roll} roll */
export function rollCard(table, roll) {
  const rolled = ofDice(table, roll);
  const { name, dice, came } = rolled;
  return card(table, {
    kind: "roll",
    thing: roll,
    name,
    marks: html`${roll.purpose === "damage" ? badge(table.t("roll.damage")) : nothing} ${badge(came)}`,
    body: html`<p class="pool">${diceRow(dice, labelOf(table, rolled))} ${proofMark(table, roll, roll.id)}</p>`,
  });
}

/** @param {Table} table @param {T.Sealed} sealed */
export function sealedCard(table, sealed) {
  return card(table, {
    kind: "sealed",
    thing: sealed,
    name: sealed.name,
    marks: badge(table.t("sealed.kind", { kind: table.t(`kind.${sealed.kind}`) }), "sealed"),
    body: html`<p class="pool">${closed(table, sealed)}</p>`,
  });
}
