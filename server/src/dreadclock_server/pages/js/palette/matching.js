// @ts-check
/** Finds the palette's entries for a typed text. */

/** @import { Entry } from "./entries.js" */

/** Return a text in lower case and without accents, for comparing. @param {string} text */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * Return the matching entries, the best first. Every typed word must occur in the entry's label or in the name of its thing, or
 * begin one of its synonyms. A match in the label counts more, and a text that equals the shortcut counts most. If nothing
 * matches, search again without small words such as `the`.
 * @param {readonly Entry[]} entries @param {string} typed @param {string} [small] the small words, separated by spaces @returns {Entry[]}
 */
export function fitting(entries, typed, small = "") {
  const words = wordsOf(typed);
  if (!words.length) return [...entries];
  const matches = scored(entries, words);
  const telling = words.filter((word) => !wordsOf(small).includes(word));
  return matches.length || !telling.length ? matches : scored(entries, telling);
}

/** Return the synonym by which an entry was found; empty if its label and its thing's name have all typed words. @param {Entry} entry @param {string} typed */
export function foundBy({ label, about, also = "" }, typed) {
  const own = plain(`${label} ${about}`);
  const others = wordsOf(typed).filter((word) => !own.includes(word));
  return phrasesIn(also).find((phrase) => others.some((word) => wordScore(plain(phrase), word) > 1)) ?? "";
}

/** Return the words of a text, in the form for comparing. @param {string} text */
function wordsOf(text) {
  return plain(text).split(/\s+/).filter(Boolean);
}

/** @param {string} also */
function phrasesIn(also) {
  return also ? also.split(", ") : [];
}

/** Return the entries that match all words, the best first. @param {readonly Entry[]} entries @param {readonly string[]} words @returns {Entry[]} */
function scored(entries, words) {
  const all = entries.map((entry) => ({ entry, score: scoreOf(entry, words) })).filter(({ score }) => score > 0);
  return all.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
}

/** Return a number that says how well an entry matches all words, or 0 if a word does not match. @param {Entry} entry @param {readonly string[]} words */
function scoreOf({ label, about, keys, also = "" }, words) {
  if (words.length === 1 && words[0] === keys) return 1000;
  const [said, thing, others] = [plain(label), plain(about), phrasesIn(plain(also))];
  let score = 0;
  for (const word of words) {
    const other = Math.max(0, ...others.map((otherWord) => wordScore(otherWord, word)).filter((score) => score > 1)) / 2;
    const best = Math.max(wordScore(said, word) * 2, wordScore(thing, word), other);
    if (!best) return 0;
    score += best;
  }
  return score + 1 / (1 + said.length + thing.length); // among equally good matches, the shorter entry comes first
}

/** Return how well a typed word matches a text: 12 for the whole text, 8 for its beginning, 4 for the beginning of a word, 1 within a word, 0 for no match. @param {string} text @param {string} word */
function wordScore(text, word) {
  if (text === word) return 12;
  if (text.startsWith(word)) return 8;
  if (text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word))) return 4;
  return text.includes(word) ? 1 : 0;
}
