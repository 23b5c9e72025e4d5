// @ts-check
/** Which of the things that can be done somebody means by what was typed. */

/** @import { Deed } from "./deeds.js" */

/** Write a text as it is compared: small, and without accents. @param {string} text */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * Return what fits, the best first: every word that was typed begins a word of its label or of what it is about, or
 * at least stands within one; what the label says counts more, and what is exactly its shortcut most.
 * @param {readonly Deed[]} deeds @param {string} typed @returns {Deed[]}
 */
export function fitting(deeds, typed) {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (!words.length) return [...deeds];
  const scored = deeds.map((deed) => ({ deed, score: scoreOf(deed, words) })).filter(({ score }) => score > 0);
  return scored.sort((one, other) => other.score - one.score).map(({ deed }) => deed);
}

/** Say how well a deed fits; 0 if it does not. @param {Deed} deed @param {readonly string[]} words */
function scoreOf({ label, about, keys }, words) {
  if (words.length === 1 && words[0] === keys) return 1000;
  const [said, thing] = [plain(label), plain(about)];
  let score = 0;
  for (const word of words) {
    const best = Math.max(wordScore(said, word) * 2, wordScore(thing, word));
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
