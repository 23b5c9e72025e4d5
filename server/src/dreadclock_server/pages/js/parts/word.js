// @ts-check
/** Buttons that explain a term of the rules, or how far a roll is proven. A press shows the explanation. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily } from "../app/controls.js";
import { ownDice } from "./die.js";

const meanings = lazily(async (table) => {
  const [module] = await Promise.all([import("./meaning.js"), table.words.learn("words")]);
  return module;
});

/** The marks that show how far a roll is proven. */
const SIGNS = { proven: "✓", claimed: "…", no_token: "○", uncommitted: "○", secret: "?", none: "!" };

const ASKED = "word:asked";

/** Return the key of the shown explanation, `TERM@PLACE`; undefined if none is shown. @param {Table} table @returns {string | undefined} */
export const askedWord = (table) => table.ui.get(ASKED);

/**
 * Draw the mark of a roll as a button. A press explains the mark.
 * @param {Table} table
 * @param {{ readonly proof?: T.RollProof, readonly physical?: boolean }} roll
 * @param {string} place distinguishes several marks on the page
 */
export function proofMark(table, { proof, physical }, place) {
  const standing = table.checked.standing(table.view, proof);
  const words = physical ? table.t("physical") : saidOf(table, standing, proof?.witnesses);
  const [kind, sign] = physical ? ["physical", ownDice(words)] : [standing, SIGNS[standing]];
  const mark = explaining(table, `proof_${kind}`, table.t("mark.about", { words }), place, sign);
  if (physical) return html`<span class="proof by-hand" title=${words}>${mark}</span>`; // no text for screen readers: the dice have one
  return html`<span class=${`proof ${kind}`} title=${words}
    >${mark}<span class=${kind === "none" ? "said" : "unseen"}>(${words})</span></span
  >`;
}

/**
 * Return words for how far a roll is proven.
 * @param {Table} table @param {keyof typeof SIGNS} standing
 * @param {number | undefined} witnesses how many other seats' secrets influenced the roll
 */
function saidOf(table, standing, witnesses) {
  const seen = standing === "proven" && witnesses !== undefined;
  return seen ? table.t("proof.witnessed", { witnesses }) : table.t(`proof.${standing}`);
}

/**
 * Draw a button that explains a term. Explanations are loaded at the first press.
 * @param {Table} table
 * @param {string} word a key of the catalogue `words`
 * @param {string} label the term in the visitor's language
 * @param {string} place distinguishes several buttons for the same term
 */
export function word(table, word, label, place) {
  return explaining(table, word, table.t("word.about", { word: label }), place, "?");
}

/**
 * Draw the button and, while it is open, the explanation.
 * @param {Table} table @param {string} word @param {string} label for screen readers @param {string} place
 * @param {unknown} sign the text of the button
 */
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
    >${isOpen ? meanings(table, (module) => module.meaning(table, word, id)) : nothing}</span
  >`;
}

/** Show an explanation until the viewer presses outside it. @param {Table} table @param {string} here its key, `TERM@PLACE` */
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
 * Draw a field with a button that explains its term.
 * @param {Table} table @param {string} about the term @param {string} label @param {string} place @param {unknown} field
 */
export function explained(table, about, label, place, field) {
  return html`<div class="with-word">${field} ${word(table, about, label, place)}</div>`;
}
