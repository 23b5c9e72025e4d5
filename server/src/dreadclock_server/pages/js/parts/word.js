// @ts-check
/** Words of the rules, and marks of rolls, explained where they stand: in a sentence, a rule itself one press further. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily } from "../app/controls.js";
import { ownDice } from "./die.js";

const meanings = lazily(async (table) => {
  const [module] = await Promise.all([import("./meaning.js"), table.words.learn("words")]);
  return module;
});

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
  const press = () => (isOpen ? table.set(ASKED, undefined) : ask(table, here));
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
    >${isOpen ? meanings(table, (it) => it.meaning(table, word, id)) : nothing}</span
  >`;
}

/** Explain a word until somebody presses elsewhere. @param {Table} table @param {string} here */
export function ask(table, here) {
  table.set(ASKED, here);
  const elsewhere = (/** @type {PointerEvent} */ { target }) => {
    if (target instanceof Element && target.closest(".word:has(> .explained)")) return;
    removeEventListener("pointerdown", elsewhere, true);
    if (askedWord(table) === here) table.set(ASKED, undefined);
  };
  addEventListener("pointerdown", elsewhere, true);
}

/**
 * Draw a field with the way to what its word means.
 * @param {Table} table @param {string} about the word @param {string} label @param {string} place @param {unknown} field
 */
export function explained(table, about, label, place, field) {
  return html`<div class="with-word">${field} ${word(table, about, label, place)}</div>`;
}
