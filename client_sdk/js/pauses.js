// @ts-check
/** Delays between two tries. */

import { CLOSE, MOST_WITHIN_MS } from "./limits.js";

/**
 * Delays before a retry: random, up to a limit that doubles from `firstMs` to `longestMs`.
 * @typedef {{ firstMs?: number, longestMs?: number, chance?: () => number }} Backoff
 */

const FIRST_MS = 50;
const LONGEST_MS = 5_000;

export class Pauses {
  #firstMs;
  #chance;
  #skipped = false;
  #withinMs = 0; // the time in ms within which the server asked clients to reconnect

  /** @param {Backoff} [backoff] */
  constructor({ firstMs = FIRST_MS, longestMs = LONGEST_MS, chance = Math.random } = {}) {
    this.#firstMs = firstMs;
    this.longestMs = longestMs;
    this.#chance = chance;
  }

  /** Return a random delay before a try. @param {number} attempt counted from 0 */
  delayMs(attempt) {
    return this.#chance() * Math.min(this.longestMs, this.#firstMs * 2 ** Math.min(attempt, 32));
  }

  /**
   * Note within what time a server that shuts down wants its clients to reconnect, so that they do not all come at once.
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

  /** Wait before a try, unless the pause is skipped. @param {number} attempt @returns {Promise<void>} */
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

  /** End the current pause. */
  end = () => {};

  /** Skip the current or the next pause. */
  skip() {
    this.#skipped = true;
  }
}
