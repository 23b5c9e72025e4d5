// @ts-check
/** Labels of the pages, and sentences about events, in the visitor's language. */

import { Messages } from "../../client/messages.js";
import { Narrator } from "../../client/narration.js";
import { ASSETS, language } from "./settings.js";

/**
 * @typedef {(key: string, fields?: Record<string, unknown>) => string} Translate
 *
 * @typedef {object} Words
 * @property {string} language
 * @property {Translate} t returns a label
 * @property {Narrator} narrator
 * @property {(odds: string) => string} percent writes odds `p/q` as a percentage
 * @property {(page: string) => Promise<void>} learn loads the labels of another page, once
 */

/**
 * Load the labels of some pages. Rejects if the server cannot be reached.
 * @param {...string} pages the label files in `labels/`, such as `table` and `gm`
 * @returns {Promise<Words>}
 */
export async function loadWords(...pages) {
  const spoken = language();
  const files = [`narration/narration.${spoken}.json`, ...pages.map((page) => `labels/${page}.${spoken}.json`)];
  const [catalogue, ...labels] = await Promise.all(files.map(json));
  let messages = new Messages(spoken, Object.assign({}, ...labels));
  document.documentElement.lang = spoken;
  /** @type {Map<string, Promise<void>>} */ const learned = new Map();
  const learn = async (/** @type {string} */ page) => {
    labels.push(await json(`labels/${page}.${spoken}.json`));
    messages = new Messages(spoken, Object.assign({}, ...labels));
  };
  return {
    language: spoken,
    t: (key, fields = {}) => messages.text(key, fields),
    narrator: new Narrator(spoken, catalogue),
    percent: percentIn(spoken),
    learn: (page) => {
      const learning = learned.get(page) ?? learn(page);
      learned.set(page, learning);
      learning.catch(() => learned.delete(page));
      return learning;
    },
  };
}

/** Fetch a JSON file. Rejects if this fails. @param {string} path below /assets/ */
async function json(path) {
  const answer = await fetch(ASSETS + path);
  if (!answer.ok) throw new Error(`${path} is missing (${answer.status})`);
  return answer.json();
}

/**
 * Return a function that writes exact odds `p/q` as a percentage. Only a chance of exactly 0 or 1 is written as 0 % or 100 %.
 * @param {string} spoken
 */
function percentIn(spoken) {
  const format = new Intl.NumberFormat(spoken, { style: "percent", maximumFractionDigits: 0 });
  return (/** @type {string} */ odds) => {
    const chance = fraction(odds);
    if (chance > 0 && chance < 0.01) return `< ${format.format(0.01)}`;
    if (chance < 1 && chance > 0.99) return `> ${format.format(0.99)}`;
    return format.format(chance);
  };
}

/** Return the value of `p/q`, also for very long numbers. @param {string} text */
export function fraction(text) {
  const [p, q = "1"] = text.split("/");
  const [above, below] = [BigInt(p), BigInt(q)];
  return Number((above * 1_000_000_000_000n) / below) / 1e12;
}
