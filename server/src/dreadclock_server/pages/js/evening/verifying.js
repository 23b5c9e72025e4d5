// @ts-check
/** What verifying an evening found, in plain words. */

/**
 * @import { Table } from "../app/table.js"
 * @import { FlawFound, RollFound, Verified } from "../../client/verify.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { badge } from "../parts/card.js";

const FLAWS_SHOWN = 5;

/** Draw the report. @param {Table} table @param {Verified} verified */
export function report(table, { heads, rolls, flaws }) {
  const number = heads.public?.seq ?? 0;
  return html`<p>
      ${badge(table.t(flaws.length ? "verified.not" : "verified.holds"), flaws.length ? "failed" : "won")}
      ${flaws.length ? table.t("verified.flaws", { number: flaws.length }) : table.t("verified.head", { number })}
    </p>
    ${flaws.length ? flawList(table, flaws) : nothing} ${counts(table, rolls)}`;
}

/** @param {Table} table @param {readonly FlawFound[]} flaws */
function flawList(table, flaws) {
  return html`<ol class="flaws">
    ${flaws.slice(0, FLAWS_SHOWN).map((each) => html`<li data-flaw=${each.flaw}>${flawIn(table, each)}</li>`)}
  </ol>`;
}

/** @param {Table} table @param {FlawFound} found */
function flawIn(table, { channel, seq, flaw, sentence }) {
  const key = `alarm.flaw.${flaw}`;
  const told = table.t(key);
  return table.t("verified.flaw", { channel: channel ?? "", number: seq, flaw: told === key ? sentence : told });
}

/** @param {Table} table @param {readonly RollFound[]} rolls */
function counts(table, rolls) {
  if (!rolls.length) return html`<p>${table.t("verified.no_rolls")}</p>`;
  const kinds = rolls.map(kindOf);
  const number = (/** @type {string} */ kind) => kinds.filter((each) => each === kind).length;
  return html`<ul class="rolls">
    ${[...new Set(kinds)].map((kind) => html`<li data-standing=${kind}>${table.t(`verified.${kind}`, { number: number(kind) })}</li>`)}
  </ul>`;
}

/** @param {RollFound} roll */
function kindOf({ standing, witnesses }) {
  if (standing === "proven") return witnesses ? "witnessed" : "unwitnessed";
  return standing ?? "unfit";
}
