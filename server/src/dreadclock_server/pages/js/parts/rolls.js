// @ts-check
/** Plain rolls, and sealed things of which nobody sees the inside. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { badge, card } from "./card.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { diceRow, digits } from "./die.js";
import { proofMark } from "./word.js";

/** Draw a plain roll. @param {Table} table @param {T.Roll} roll */
export function rollCard(table, roll) {
  const who = roll.character_id ? table.nameOfCharacter(roll.character_id) : table.nameOfSeat(roll.seat_id);
  return card(table, {
    kind: "roll",
    thing: roll,
    name: roll.name ? `${who}: ${roll.name}` : who,
    marks: roll.purpose === "damage" ? badge(table.t("roll.damage")) : nothing,
    body: html`<p class="pool">
      ${diceRow(roll.faces.map((face) => ({ face })), {
        label: table.t("rolled_plainly", { faces: digits(roll.faces) }),
        physical: roll.physical ? table.t("physical") : undefined,
        marked: true,
      })}
      ${proofMark(table, roll, roll.id)}
    </p>`,
  });
}

/** Draw a sealed thing: that it is there, and when something was rolled for it. @param {Table} table @param {T.Sealed} sealed */
export function sealedCard(table, sealed) {
  return card(table, {
    kind: "sealed",
    thing: sealed,
    name: sealed.name,
    marks: badge(table.t("sealed.kind", { kind: table.t(`kind.${sealed.kind}`) }), "sealed"),
    body: html`<p class="pool">${diceRow([{ hidden: true }], { label: table.t("sealed.inside") })}</p>`,
  });
}
