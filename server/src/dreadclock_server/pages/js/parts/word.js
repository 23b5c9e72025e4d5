// @ts-check
/** Words of the rules, explained where they stand: in a sentence, with the rule itself one press further. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";

/** Where each word has its rule, among the pages at /rules/. @type {Record<string, string>} */
const RULES = {
  countdown: "countdowns",
  clock: "races#scenes",
  scene: "races#scenes",
  threat: "races#how-much-threat",
  race: "races#races",
  check: "checks#the-roll",
  contest: "checks#contests",
  venture: "checks#ventures",
  momentum: "checks#momentum-and-interference",
  interference: "checks#momentum-and-interference",
  total: "totals#the-roll",
  push: "totals#pushing",
  crisis: "totals#crises",
  special: "totals#the-pool",
  level: "races#how-much-threat",
};

const IN_SHORT = "#auf-deutsch"; // the part of a page of the rules that is in German

/**
 * Draw the way to what a word means; the sentence is loaded and shown once it is asked for.
 * @param {Table} table
 * @param {string} word one of the catalogue `words`
 * @param {string} label how it is called beside it
 * @param {string} place which of the places it stands in
 */
export function word(table, word, label, place) {
  const key = "word:asked";
  const here = `${word}@${place}`;
  const isOpen = table.ui.get(key) === here;
  const id = `word-${word}-${place}`;
  const press = async () => {
    await table.words.learn("words").catch(() => {}); // without it the key is shown, and the rule still leads on
    table.set(key, isOpen ? undefined : here);
  };
  return html`<span
    class="word"
    @keydown=${(/** @type {KeyboardEvent} */ { key: pressed }) => pressed === "Escape" && isOpen && table.set(key, undefined)}
    ><button
      type="button"
      aria-label=${table.t("word.about", { word: label })}
      aria-expanded=${isOpen ? "true" : "false"}
      aria-controls=${id}
      @click=${press}
    >
      ?</button
    >${isOpen ? meaning(table, word, id) : nothing}</span
  >`;
}

/**
 * Draw a field with the way to what its word means.
 * @param {Table} table @param {string} about the word @param {string} label @param {string} place @param {unknown} field
 */
export function explained(table, about, label, place, field) {
  return html`<div class="with-word">${field} ${word(table, about, label, place)}</div>`;
}

/** @param {Table} table @param {string} word @param {string} id */
function meaning(table, word, id) {
  const place = table.words.language === "de" ? RULES[word].replace(/#.*|$/, IN_SHORT) : RULES[word];
  const rule = new URL(`../../../rules/${place}`, import.meta.url);
  return html`<span class="explained" id=${id} role="note">
    ${table.t(`word.${word}`)} <a href=${rule.href} target="_blank" rel="noopener">${table.t("word.rule")}</a>
  </span>`;
}
