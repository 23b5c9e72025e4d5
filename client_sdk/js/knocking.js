// @ts-check
/**
 * Knocking: how somebody without a link gets a seat, once the room's gm answers.
 *
 *     const knocker = await knock("https://tables.example", room, { name: "Ines", client: "my module" });
 *     show(knocker.code); // the gm sees it, too
 *     const { link } = await knocker.seated();
 */

/** @import * as T from "./dreadclock.types.js" */

import { ConnectionEnded, Refused } from "./errors.js";
import { addressOf, call } from "./calling.js";

const WAIT_S = 10; // that one question may take, well within what a call may
const PAUSE_MS = 1_000; // at least, between two questions
const LAST_WORD_MS = 30_000; // after the time of a knock: the gm may have answered in its last moment
/** @type {{ [state: string]: [string, string] }} */
const OVER = {
  turned_away: ["turned_away", "The gm has turned you away."],
  expired: ["knock_expired", "The knock has lapsed without an answer. Knock again."],
};

/**
 * Knock at a room for a player's, spectator's or integration's seat. Rejects with Refused.
 *
 * Whether there is such a room, nobody is told: then nobody answers.
 * @param {string} server
 * @param {string} room its id
 * @param {T.Knock} wanted
 */
export async function knock(server, room, wanted) {
  const address = `${addressOf(server)}/api/rooms/${encodeURIComponent(room)}/knocks`;
  const { knock, code, secret, expires_s } = /** @type {T.Knocking} */ (await call("POST", address, { body: wanted }));
  return new Knocker({ address: `${address}/${knock}`, code, secret, until: Date.now() + expires_s * 1000 });
}

/** Somebody who knocked. What is `kept` may outlive a page: `new Knocker(kept)` goes on waiting. */
export class Knocker {
  /** @param {{ address: string, code: string, secret: string, until: number }} kept `until`: ms since 1970 */
  constructor(kept) {
    this.kept = kept;
    this.code = kept.code;
  }

  /** For how many ms the gm may still answer. */
  get leftMs() {
    return Math.max(0, this.kept.until - Date.now());
  }

  /**
   * Wait for the gm's answer, and return the seat with its link.
   *
   * Rejects with Refused (`turned_away`, `knock_expired`), with ConnectionEnded if the server stays away, or with what
   * `signal` was aborted with.
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<T.Grant>}
   */
  async seated({ signal } = {}) {
    for (;;) {
      const asked = Date.now();
      const { state, grant } = await this.#ask(signal);
      if (grant) return grant;
      if (Object.hasOwn(OVER, state)) throw new Refused(OVER[state][0], {}, OVER[state][1]);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, asked + PAUSE_MS - Date.now())));
      signal?.throwIfAborted();
    }
  }

  /** Ask what became of it. @param {AbortSignal} [signal] @returns {Promise<T.KnockState>} */
  async #ask(signal) {
    const { address, secret, until } = this.kept;
    try {
      return await call("GET", `${address}?wait_s=${WAIT_S}`, { token: secret, signal });
    } catch (error) {
      if (!(error instanceof ConnectionEnded) || Date.now() > until + LAST_WORD_MS) throw error;
      return { state: "pending" };
    }
  }

  /** Say that the seat has arrived and is kept, or is not wanted any more. */
  async withdraw() {
    await call("DELETE", this.kept.address, { token: this.kept.secret });
  }
}
