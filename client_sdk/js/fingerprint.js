// @ts-check
/** Six words for a head of the log, to read aloud. `docs/dice.md` says how they are made. */

const CONSONANTS = "bdfghjklmnprstvz"; // 4 bits each
const VOWELS = "aiou"; // 2 bits each

/**
 * Return the six words of a head.
 * @param {string} hash 64 hex digits
 * @returns {string[]}
 */
export function sixWords(hash) {
  return Array.from({ length: 6 }, (_, place) => word(parseInt(hash.slice(4 * place, 4 * place + 4), 16)));
}

/** @param {number} bits 16 bits */
function word(bits) {
  const letters = [CONSONANTS[bits >> 12], VOWELS[(bits >> 10) & 3], CONSONANTS[(bits >> 6) & 15]];
  return [...letters, VOWELS[(bits >> 4) & 3], CONSONANTS[bits & 15]].join("");
}
