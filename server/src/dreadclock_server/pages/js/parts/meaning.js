// @ts-check
/** Explains a term, a clock, or a roll's mark in a sentence or two. Terms of the rules link to their rule. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";

/** The page of each term's rule, below /rules/. @type {Record<string, string>} */
const RULES = {
  countdown: "countdowns",
  clock: "races#scenes",
  scene: "races#scenes",
  situation: "races#situations",
  challenge: "races#situations",
  effort: "races#situations",
  threat: "races#races",
  race: "races#races",
  check: "checks#the-roll",
  result: "checks#the-roll",
  contest: "checks#contests",
  deal: "checks#contests",
  cost: "checks#failure-at-a-cost",
  venture: "checks#ventures",
  momentum: "checks#momentum-and-interference",
  interference: "checks#momentum-and-interference",
  total: "totals#the-roll",
  push: "totals#pushing",
  crisis: "totals#crises",
  special: "totals#the-pool",
  level: "races#how-much-threat",
};

// The server's address: scripts are below /assets/, or /assets/HASH/.
const ROOT = import.meta.url.slice(0, import.meta.url.lastIndexOf("/assets/"));
const IN_SHORT = "#auf-deutsch"; // the German summary on a page of the rules

/** Draw the explanation of a term. @param {Table} table @param {string} word the term's key @param {string} id of the drawn element */
export function meaning(table, word, id) {
  const place = table.words.language === "de" ? RULES[word]?.replace(/#.*|$/, IN_SHORT) : RULES[word];
  const rule = place && `${ROOT}/rules/${place}`;
  return html`<span class="explained" id=${id} role="note">
    ${table.t(`word.${word}`)} ${rule ? html`<a href=${rule} target="_blank" rel="noopener">${table.t("word.rule")}</a>` : nothing}
  </span>`;
}
