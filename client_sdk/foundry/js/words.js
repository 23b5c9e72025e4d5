// @ts-check
/** Sentences about records, in Foundry's language if it is supported, and notices. */

/**
 * @import { Refused } from "../client/errors.js"
 * @import { View } from "../client/views.js"
 * @import * as T from "../client/dreadclock.types.js"
 */

import { isolated } from "../client/messages.js";
import { Narrator } from "../client/narration.js";

const LANGUAGES = ["en", "de"];
const SIGN = /([#$%&()*+/:<=>@[\\\]^_`{|}~])/; // the signs of markup
const MARKUP = new Map([["<", "‹"], [">", "›"], ["&", "＆"]]);

/** @type {Narrator} */
let narrator = new Narrator("en", {});

/** Load the sentences. Without them, every sentence says only that something happened. */
export async function loadWords() {
  const language = LANGUAGES.find((supported) => supported === game.i18n.lang) ?? "en";
  const answer = await fetch(new URL(`../narration/narration.${language}.json`, import.meta.url));
  narrator = new Narrator(language, await answer.json());
}

/** Return a sentence about a record. @param {T.EventRecord} record @param {View} view */
export const told = (record, view) => narrator.told(record, view);

/** Return a text of this module with its fields filled in. @param {string} key @param {{ [name: string]: string | number }} [fields] */
export const text = (key, fields = {}) => 
  game.i18n.format(`DREADCLOCK.${key}`, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, isolated(String(value))])));

export const say = {
  /** Say why a command was refused. @param {Refused} refused */
  refusal: ({ code, details, sentence }) => narrator.refusal(code, details, sentence),

  /** Show a warning. @param {string} sentence @returns {null} */
  warn(sentence) {
    ui.notifications.warn(inert(sentence));
    return null;
  },

  /** Show a notice. @param {string} sentence @returns {null} */
  info(sentence) {
    ui.notifications.info(inert(sentence));
    return null;
  },
};

/**
 * Split a text for a chat card. Foundry turns `[[/r 20d6]]`, `@UUID[...]{...}`, addresses and what other packages register
 * into rolls and links, in every text node of a message after it was parsed, so escaping does not help. In pieces that
 * lie in elements of their own, no pattern finds more than words or one sign; what is read stays the same.
 * @param {string} sentence
 */
export const inPieces = (sentence) => sentence.split(SIGN).filter(Boolean);

/** Return a text for a notice, without signs of markup. @param {string} sentence */
const inert = (sentence) => `Dreadclock: ${sentence}`.replace(/[<>&]/g, (sign) => MARKUP.get(sign) ?? "");
