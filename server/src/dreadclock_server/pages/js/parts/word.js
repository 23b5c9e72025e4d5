// @ts-check
/** Words of the rules, and marks of rolls, explained where they stand: in a sentence, a rule itself one press further. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ownDice } from "./die.js";

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

/** How well a roll is proven. */
const SIGNS = { proven: "✓", claimed: "…", no_token: "○", uncommitted: "○", secret: "?", none: "!" };

const ASKED = "word:asked";

/** Tell which word is explained now, if any, and where. @param {Table} table @returns {string | undefined} */
export const askedWord = (table) => table.ui.get(ASKED);

/**
 * Draw the mark of a roll, with the way to what it means.
 * @param {Table} table
 * @param {{ readonly proof?: T.RollProof, readonly physical?: boolean }} roll
 * @param {string} place which of the places it stands in
 */
export function proofMark(table, { proof, physical }, place) {
  const standing = table.checked.standing(table.view, proof);
  const words = physical ? table.t("physical") : saidOf(table, standing, proof?.witnesses);
  const [kind, sign] = physical ? ["physical", ownDice(words)] : [standing, SIGNS[standing]];
  const mark = explaining(table, `proof_${kind}`, table.t("mark.about", { words }), place, sign);
  if (physical) return html`<span class="proof by-hand" title=${words}>${mark}</span>`; // the dice themselves say so aloud
  return html`<span class=${`proof ${kind}`} title=${words}
    >${mark}<span class=${kind === "none" ? "said" : "unseen"}>(${words})</span></span
  >`;
}

/** @param {Table} table @param {keyof typeof SIGNS} standing @param {number | undefined} witnesses */
function saidOf(table, standing, witnesses) {
  const seen = standing === "proven" && witnesses !== undefined;
  return seen ? table.t("proof.witnessed", { witnesses }) : table.t(`proof.${standing}`);
}

/**
 * Draw the way to what a word means; the sentence is loaded and shown once it is asked for.
 * @param {Table} table
 * @param {string} word one of the catalogue `words`
 * @param {string} label how it is called beside it
 * @param {string} place which of the places it stands in
 */
export function word(table, word, label, place) {
  return explaining(table, word, table.t("word.about", { word: label }), place, "?");
}

/** @param {Table} table @param {string} word @param {string} label @param {string} place @param {unknown} sign */
function explaining(table, word, label, place, sign) {
  const here = `${word}@${place}`;
  const isOpen = askedWord(table) === here;
  const id = `word-${word}-${place}`;
  const press = async () => {
    await table.words.learn("words").catch(() => {}); // without it the key is shown, and the rule still leads on
    table.set(ASKED, isOpen ? undefined : here);
  };
  return html`<span
    class="word"
    @keydown=${(/** @type {KeyboardEvent} */ { key: pressed }) => pressed === "Escape" && isOpen && table.set(ASKED, undefined)}
    ><button
      type="button"
      aria-label=${label}
      aria-expanded=${isOpen ? "true" : "false"}
      aria-controls=${id}
      @click=${press}
    >
      ${sign}</button
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
  const place = table.words.language === "de" ? RULES[word]?.replace(/#.*|$/, IN_SHORT) : RULES[word];
  const rule = place && new URL(`../../../rules/${place}`, import.meta.url).href;
  return html`<span class="explained" id=${id} role="note">
    ${table.t(`word.${word}`)} ${rule ? html`<a href=${rule} target="_blank" rel="noopener">${table.t("word.rule")}</a>` : nothing}
  </span>`;
}
