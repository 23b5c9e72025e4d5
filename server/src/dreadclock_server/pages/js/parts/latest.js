// @ts-check
/** The latest roll of all, large: what everybody looks at; and plain rolls and sealed things as cards. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table, Told } from "../app/table.js"
 * @import { Rolled } from "./rolled.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { proofOf } from "../app/fresh.js";
import { badge, called, card } from "./card.js";
import { closed } from "./dial.js";
import { diceRow } from "./die.js";
import { cameOf, ofDice, others, revealedIn, rolledIn } from "./rolled.js";
import { proofMark } from "./word.js";

/**
 * @typedef {{ roll: Rolled, told: Told, proof: T.RollProof | undefined }} Found
 */

/** Draw the latest roll, as far as it is still told. @param {Table} table */
export function latest(table) {
  const found = latestRoll(table);
  if (!found) return html`<p class="awaited">${table.t("latest.none")}</p>`; // its place is kept: nothing moves as the first dice land
  const { roll, told, proof } = found;
  const { came, kind } = cameOf(table, told.record.event) ?? roll;
  return html`<section class="latest" aria-labelledby="latest">
    <div class="what">
      <h2 id="latest">${table.t("latest")}</h2>
      <p class="name">${called(roll.name)}</p>
    </div>
    ${diceRow(roll.dice, { label: roll.label, physical: roll.physical ? table.t("physical") : undefined, marked: true, big: true })}
    ${isHidden(roll) ? nothing : proofMark(table, { proof, physical: roll.physical }, "latest")}
    ${badge(came, kind)} ${others(table, told.record.event)}
  </section>`;
}

/**
 * Find the latest roll since the last scene opened; of those of one moment, as at the end of a turn, one whose faces
 * are seen.
 * @param {Table} table @returns {Found | null}
 */
function latestRoll(table) {
  /** @type {Found | null} */ let found = null;
  for (let place = table.told.length - 1; place >= 0; place--) {
    const told = table.told[place];
    if (told.record.event.type === "scene_opened" || (found && told.at !== found.told.at)) break;
    const one = rollIn(table, told);
    if (one && !isHidden(one.roll)) return one;
    found ??= one;
  }
  return found;
}

/** Return what a sentence tells of as rolled; of what was sealed then, and is revealed by now, as it is seen now. @param {Table} table @param {Told} told @returns {Found | null} */
function rollIn(table, told) {
  const { event } = told.record;
  const shown = revealedIn(table, event);
  if (shown !== undefined) return shown && { ...shown, told };
  const roll = rolledIn(table, event);
  return roll && { roll, told, proof: proofOf(event) };
}

/** @param {Rolled} roll */
function isHidden({ dice }) {
  return dice.some((die) => die.hidden);
}

/** Draw a plain roll. @param {Table} table @param {T.Roll} roll */
export function rollCard(table, roll) {
  const { name, dice, label, physical, came } = ofDice(table, roll);
  return card(table, {
    kind: "roll",
    thing: roll,
    name,
    marks: html`${roll.purpose === "damage" ? badge(table.t("roll.damage")) : nothing} ${badge(came)}`,
    body: html`<p class="pool">
      ${diceRow(dice, { label, physical: physical ? table.t("physical") : undefined, marked: true })}
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
    body: html`<p class="pool">${closed(table, sealed)}</p>`,
  });
}
