// @ts-check
/** Exact odds, asked of the server and remembered. */

/** @import { Table } from "./table.js" */

import { Refused } from "../../client/errors.js";

const REST_MS = 120; // between a change of a question and asking it: a slider asks once
const AGAIN_MS = 5_000; // after the server could not be reached
const REMEMBERED = 200;

/** @type {WeakMap<Table, Odds>} */ const known = new WeakMap();

/** Return the answers that a table has so far. @param {Table} table */
export function oddsAt(table) {
  const odds = known.get(table) ?? new Odds(table);
  known.set(table, odds);
  return odds;
}

/** Let a table that nobody sees ask for no odds. @param {Table} table */
export function askNothing(table) {
  known.set(table, /** @type {any} */ ({ ask: () => undefined }));
}

/** Answers to questions about odds: `ask` returns what is known now, and the page is drawn anew when more is. */
class Odds {
  /** @type {Map<string, any>} */ #answers = new Map();
  /** @type {Map<string, { question: string, timer: ReturnType<typeof setTimeout>, stop: AbortController }>} */
  #asking = new Map();

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * Return the answer to `GET /api/odds/{path}?params`, or undefined until it is here, or null if there is none.
   * @param {string} place where it is shown: a new question there takes the place of the old one
   * @param {string} path `check`, `countdown`, `contest`, `total`, `push`, `race` or `table`
   * @param {Record<string, string | number | readonly string[]>} params
   * @returns {any}
   */
  ask(place, path, params) {
    const question = JSON.stringify([path, params]);
    if (this.#answers.has(question)) return this.#answers.get(question);
    const asked = this.#asking.get(place);
    if (asked?.question === question) return undefined;
    if (asked) {
      clearTimeout(asked.timer);
      asked.stop.abort();
    }
    const stop = new AbortController();
    const timer = setTimeout(() => this.#fetch(place, question, path, params, stop), REST_MS);
    this.#asking.set(place, { question, timer, stop });
    return undefined;
  }

  /** @param {string} place @param {string} question @param {string} path @param {any} params @param {AbortController} stop */
  async #fetch(place, question, path, params, stop) {
    let answer = null;
    try {
      const { odds } = await import("../../client/rest.js"); // a page that asks for none does not load it
      answer = await odds(this.table.room.link.server, path, params, { signal: stop.signal });
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof Refused)) this.#forgetSoon(question);
    }
    if (this.#answers.size > REMEMBERED) this.#answers.clear();
    this.#answers.set(question, answer);
    if (this.#asking.get(place)?.stop === stop) this.#asking.delete(place);
    this.table.redraw();
  }

  /** Ask again in a while: it was not the question that could not be answered. @param {string} question */
  #forgetSoon(question) {
    setTimeout(() => {
      this.#answers.delete(question);
      this.table.redraw();
    }, AGAIN_MS);
  }
}
