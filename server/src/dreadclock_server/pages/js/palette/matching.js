// @ts-check
/** Which of the things that can be done somebody means by what was typed. */

/** @import { Deed } from "./deeds.js" */

/** Write a text as it is compared: small, and without accents. @param {string} text */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * Return what fits, the best first: every word that was typed begins a word of its label or of what it is about, or
 * at least stands within one, or begins another word for it; what the label says counts more, and what is exactly its
 * shortcut most. Where nothing fits, small words such as `the` are left out.
 * @param {readonly Deed[]} deeds @param {string} typed @param {string} [small] such words @returns {Deed[]}
 */
export function fitting(deeds, typed, small = "") {
  const words = wordsOf(typed);
  if (!words.length) return [...deeds];
  const found = scored(deeds, words);
  const telling = words.filter((word) => !wordsOf(small).includes(word));
  return found.length || !telling.length ? found : scored(deeds, telling);
}

/** Return the other word for a deed by which it was found; empty where its own words fit. @param {Deed} deed @param {string} typed */
export function foundBy({ label, about, also = "" }, typed) {
  const own = plain(`${label} ${about}`);
  const others = wordsOf(typed).filter((each) => !own.includes(each));
  return phrasesIn(also).find((phrase) => others.some((each) => wordScore(plain(phrase), each) > 1)) ?? "";
}

/** @param {string} text */
function wordsOf(text) {
  return plain(text).split(/\s+/).filter(Boolean);
}

/** @param {string} also */
function phrasesIn(also) {
  return also ? also.split(", ") : [];
}

/** @param {readonly Deed[]} deeds @param {readonly string[]} words @returns {Deed[]} */
function scored(deeds, words) {
  const all = deeds.map((deed) => ({ deed, score: scoreOf(deed, words) })).filter(({ score }) => score > 0);
  return all.sort((one, other) => other.score - one.score).map(({ deed }) => deed);
}

/** Say how well a deed fits; 0 if it does not. @param {Deed} deed @param {readonly string[]} words */
function scoreOf({ label, about, keys, also = "" }, words) {
  if (words.length === 1 && words[0] === keys) return 1000;
  const [said, thing, others] = [plain(label), plain(about), phrasesIn(plain(also))];
  let score = 0;
  for (const word of words) {
    const other = Math.max(0, ...others.map((each) => wordScore(each, word)).filter((each) => each > 1)) / 2;
    const best = Math.max(wordScore(said, word) * 2, wordScore(thing, word), other);
    if (!best) return 0;
    score += best;
  }
  return score + 1 / (1 + said.length + thing.length); // of equals the shorter one
}

/** @param {string} text @param {string} word */
function wordScore(text, word) {
  if (text === word) return 12;
  if (text.startsWith(word)) return 8;
  if (text.split(/[^\p{L}\p{N}]+/u).some((each) => each.startsWith(word))) return 4;
  return text.includes(word) ? 1 : 0;
}
