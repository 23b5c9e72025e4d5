// @ts-check
/** Words: labels of the pages and sentences of events, in the visitor's language. */

import { Messages } from "../../client/messages.js";
import { Narrator } from "../../client/narration.js";
import { ASSETS, language } from "./settings.js";

/**
 * @typedef {(key: string, fields?: Record<string, unknown>) => string} Translate
 *
 * @typedef {object} Words
 * @property {string} language
 * @property {Translate} t a label
 * @property {Narrator} narrator
 * @property {(odds: string) => string} percent
 * @property {(page: string) => Promise<void>} learn load the labels of one more page, once
 */

/**
 * Load what a page says. Rejects if the server cannot be reached.
 * @param {...string} pages whose labels: `table`, `gm`, `player`, `home`, `overlay`
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

/** @param {string} path below /assets/ */
async function json(path) {
  const answer = await fetch(ASSETS + path);
  if (!answer.ok) throw new Error(`${path} is missing (${answer.status})`);
  return answer.json();
}

/**
 * Make a function that writes exact odds, `p/q`, as a percentage; it never rounds a chance to none or to certainty.
 * @param {string} spoken
 */
export function percentIn(spoken) {
  const format = new Intl.NumberFormat(spoken, { style: "percent", maximumFractionDigits: 0 });
  return (/** @type {string} */ odds) => {
    const chance = fraction(odds);
    if (chance > 0 && chance < 0.01) return `< ${format.format(0.01)}`;
    if (chance < 1 && chance > 0.99) return `> ${format.format(0.99)}`;
    return format.format(chance);
  };
}

/** Return the number that `p/q` stands for, however long its numbers are. @param {string} text */
export function fraction(text) {
  const [p, q = "1"] = text.split("/");
  const [above, below] = [BigInt(p), BigInt(q)];
  return Number((above * 1_000_000_000_000n) / below) / 1e12;
}
