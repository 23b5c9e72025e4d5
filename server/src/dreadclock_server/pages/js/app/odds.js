// @ts-check
/** A cache of exact odds from the server. */

/** @import { Table } from "./table.js" */

import { Refused } from "../../client/errors.js";

const REST_MS = 120; // delay before a question is sent: of the questions while a slider moves, only the last is sent
const AGAIN_MS = 5_000; // delay before a retry, if the server cannot be reached
const REMEMBERED = 200; // with more answers, the cache is cleared

/** @type {WeakMap<Table, Odds>} */ const caches = new WeakMap();

/** @param {Table} table */
export function oddsAt(table) {
  const odds = caches.get(table) ?? new Odds(table);
  caches.set(table, odds);
  return odds;
}

/** Turn off requests for odds of a table, because its page shows none. @param {Table} table */
export function askNothing(table) {
  caches.set(table, /** @type {any} */ ({ ask: () => undefined }));
}

/** The cached answers for a table. When an answer arrives, the page is drawn again. */
class Odds {
  /** By question, as JSON; null: the server refused the question, or could not be reached just now. @type {Map<string, any>} */ #answers = new Map();
  /**
   * By place: the question that has no answer yet.
   * @type {Map<string, { question: string, timer: ReturnType<typeof setTimeout>, stop: AbortController }>}
   */
  #asking = new Map();

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * Return the answer to `GET /api/odds/{path}?params`; undefined until it has arrived, null if the server refused the
   * question or could not be reached.
   * @param {string} place where the answer is shown; a new question for the same place replaces the old question
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

  /**
   * Fetch an answer, cache it, and draw the page again.
   * @param {string} place @param {string} question @param {string} path @param {any} params @param {AbortController} stop
   */
  async #fetch(place, question, path, params, stop) {
    let answer = null;
    try {
      const { odds } = await import("../../client/rest.js"); // loaded only when a page needs odds
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

  /** Retry after `AGAIN_MS`: the server could not be reached. @param {string} question */
  #forgetSoon(question) {
    setTimeout(() => {
      this.#answers.delete(question);
      this.table.redraw();
    }, AGAIN_MS);
  }
}
