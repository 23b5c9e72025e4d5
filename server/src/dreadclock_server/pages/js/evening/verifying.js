// @ts-check
/** Draws the report about a verified log. */

/**
 * @import { Table } from "../app/table.js"
 * @import { FlawFound, RollFound, Verified } from "../../client/verify.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { badge } from "../parts/card.js";

const FLAWS_SHOWN = 5;
const RECORDS_SHOWN = 20;

/** Draw the report. @param {Table} table @param {Verified} verified */
export function report(table, { heads, rolls, flaws }) {
  const number = heads.public?.seq ?? 0;
  return html`<p>
      ${badge(table.t(flaws.length ? "verified.not" : "verified.holds"), flaws.length ? "failed" : "won")}
      ${flaws.length ? table.t("verified.flaws", { number: flaws.length }) : table.t("verified.head", { number })}
    </p>
    ${flaws.length ? flawList(table, flaws) : nothing} ${counts(table, rolls)} ${unvouched(table, rolls)}`;
}

/**
 * Draw for each seat the number of its rolls whose dice only the server chose. Draw nothing if there are no such rolls.
 * @param {Table} table
 * @param {readonly RollFound[]} rolls
 */
function unvouched(table, rolls) {
  const unproven = rolls.filter(({ standing, witnesses }) => standing === "no_token" && !witnesses);
  if (!unproven.length) return nothing;
  const seats = [...new Set(unproven.map(seatOf))];
  const of = (/** @type {string} */ seat) => unproven.filter((roll) => seatOf(roll) === seat);
  return html`<p>${table.t("verified.unvouched", { number: unproven.length })}</p>
    <ul class="unvouched">
      ${seats.map((seat) => html`<li data-seat=${seat}>${unvouchedOf(table, seat, of(seat))}</li>`)}
    </ul>`;
}

/** Return a sentence about a seat's rolls whose dice only the server chose. @param {Table} table @param {string} seat its id @param {readonly RollFound[]} rolls */
function unvouchedOf(table, seat, rolls) {
  const seqs = [...new Set(rolls.map(({ seq }) => seq))];
  const records = seqs.slice(0, RECORDS_SHOWN).join(", ") + (seqs.length > RECORDS_SHOWN ? ", …" : "");
  const name = table.view.seats.get(seat)?.name ?? seat;
  return table.t("verified.unvouched_seat", { name, number: rolls.length, records });
}

/** Return the id of the seat whose lane (dice secrets) a roll used; empty for hidden things. @param {RollFound} roll */
const seatOf = ({ lane = "" }) => lane.split("/")[1] ?? "";

/** @param {Table} table @param {readonly FlawFound[]} flaws */
function flawList(table, flaws) {
  return html`<ol class="flaws">
    ${flaws.slice(0, FLAWS_SHOWN).map((flaw) => html`<li data-flaw=${flaw.flaw}>${flawIn(table, flaw)}</li>`)}
  </ol>`;
}

/** Return a sentence about a flaw. @param {Table} table @param {FlawFound} flaw */
function flawIn(table, { channel, seq, flaw, sentence }) {
  const key = `alarm.flaw.${flaw}`;
  const text = table.t(key);
  return table.t("verified.flaw", { channel: channel ?? "", number: seq, flaw: text === key ? sentence : text });
}

/** Draw how many rolls are proven, unproven, and so on. @param {Table} table @param {readonly RollFound[]} rolls */
function counts(table, rolls) {
  if (!rolls.length) return html`<p>${table.t("verified.no_rolls")}</p>`;
  const kinds = rolls.map(kindOf);
  const number = (/** @type {string} */ kind) => kinds.filter((other) => other === kind).length;
  return html`<ul class="rolls">
    ${[...new Set(kinds)].map((kind) => html`<li data-standing=${kind}>${table.t(`verified.${kind}`, { number: number(kind) })}</li>`)}
  </ul>`;
}

/** Return how far a roll is proven, as the end of a label key. @param {RollFound} roll */
function kindOf({ standing, witnesses }) {
  if (standing === "proven") return witnesses ? "witnessed" : "unwitnessed";
  return standing ?? "unfit";
}
