// @ts-check
/** What a word of the rules, a clock or a mark of a roll means: a sentence or two, and the way to the rule itself. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";

/** Where each word has its rule, among the pages at /rules/. @type {Record<string, string>} */
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

const ROOT = import.meta.url.slice(0, import.meta.url.lastIndexOf("/assets/")); // a hash may follow, or not
const IN_SHORT = "#auf-deutsch"; // the part of a page of the rules that is in German

/** @param {Table} table @param {string} word @param {string} id */
export function meaning(table, word, id) {
  const place = table.words.language === "de" ? RULES[word]?.replace(/#.*|$/, IN_SHORT) : RULES[word];
  const rule = place && `${ROOT}/rules/${place}`;
  return html`<span class="explained" id=${id} role="note">
    ${table.t(`word.${word}`)} ${rule ? html`<a href=${rule} target="_blank" rel="noopener">${table.t("word.rule")}</a>` : nothing}
  </span>`;
}
