// @ts-check
/** Waiting between two tries. */

import { CLOSE, MOST_WITHIN_MS } from "./limits.js";

/**
 * How long to wait before another try: anything up to a limit that doubles from `firstMs` to `longestMs`.
 * @typedef {{ firstMs?: number, longestMs?: number, chance?: () => number }} Backoff
 */

const FIRST_MS = 50;
const LONGEST_MS = 5_000;

export class Pauses {
  #firstMs;
  #chance;
  #skipped = false;
  #withinMs = 0; // in which to come back, as the server asked

  /** @param {Backoff} [backoff] */
  constructor({ firstMs = FIRST_MS, longestMs = LONGEST_MS, chance = Math.random } = {}) {
    this.#firstMs = firstMs;
    this.longestMs = longestMs;
    this.#chance = chance;
  }

  /** Draw how long to wait before a try. @param {number} attempt counted from 0 */
  delayMs(attempt) {
    return this.#chance() * Math.min(this.longestMs, this.#firstMs * 2 ** Math.min(attempt, 32));
  }

  /**
   * Heed within what time a server that ends would have its clients back, so that not all come together.
   * @param {{ code: number | null, reason: string }} closed
   */
  heed({ code, reason }) {
    const within = code === CLOSE.RESTART && /\bwithin ([0-9]{1,5}) ms\b/.exec(reason);
    this.#withinMs = within ? Math.min(MOST_WITHIN_MS, Number(within[1])) : 0;
  }

  /** @param {number} attempt */
  #nextMs(attempt) {
    const spreadMs = this.#chance() * this.#withinMs;
    this.#withinMs = 0;
    return this.#skipped ? 0 : Math.max(this.delayMs(attempt), spreadMs);
  }

  /** Wait before a try, unless somebody is in a hurry. @param {number} attempt @returns {Promise<void>} */
  before(attempt) {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, this.#nextMs(attempt));
      this.#skipped = false;
      this.end = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }

  /** End the pause that there is. */
  end = () => {};

  /** Leave out the next pause. */
  skip() {
    this.#skipped = true;
  }
}
