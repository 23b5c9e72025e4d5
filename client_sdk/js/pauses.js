// @ts-check
/** Waiting between two tries. */

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

  /** Wait before a try, unless somebody is in a hurry. @param {number} attempt @returns {Promise<void>} */
  before(attempt) {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, this.#skipped ? 0 : this.delayMs(attempt));
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
