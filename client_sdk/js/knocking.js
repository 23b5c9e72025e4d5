// @ts-check
/**
 * Knocking: somebody without a link asks the gm of a room for a seat.
 *
 *     const knocker = await knock("https://tables.example", room, { name: "Ines", client: "my module" });
 *     show(knocker.code); // the gm sees it, too
 *     const { link } = await knocker.seated();
 */

/** @import * as T from "./dreadclock.types.js" */

import { ConnectionEnded, Refused } from "./errors.js";
import { addressOf, call } from "./calling.js";

const WAIT_S = 10; // how long the server may wait before it answers (long polling); less than the timeout of a call
const PAUSE_MS = 1_000; // the shortest time between two requests
const LAST_WORD_MS = 30_000; // keep asking after a knock expired: the gm may have answered in its last moment
/** @type {{ [state: string]: [string, string] }} */
const OVER = {
  turned_away: ["turned_away", "The gm has turned you away."],
  expired: ["knock_expired", "The knock has lapsed without an answer. Knock again."],
};

/**
 * Knock at a room for a player's, spectator's or integration's seat. Rejects with Refused.
 *
 * The server does not reveal whether the room exists. If it does not, nobody answers.
 * @param {string} server
 * @param {string} room its id
 * @param {T.Knock} wanted
 */
export async function knock(server, room, wanted) {
  const address = `${addressOf(server)}/api/rooms/${encodeURIComponent(room)}/knocks`;
  const { knock, code, secret, expires_s } = /** @type {T.Knocking} */ (await call("POST", address, { body: wanted }));
  return new Knocker({ address: `${address}/${knock}`, code, secret, until: Date.now() + expires_s * 1000 });
}

/** A knock that waits for an answer. Its `kept` data can be stored: after a reload, `new Knocker(kept)` continues to wait. */
export class Knocker {
  /** @param {{ address: string, code: string, secret: string, until: number }} kept `until`: ms since 1970 */
  constructor(kept) {
    this.kept = kept;
    this.code = kept.code;
  }

  /** How many ms are left for the gm's answer. */
  get leftMs() {
    return Math.max(0, this.kept.until - Date.now());
  }

  /**
   * Wait for the gm's answer, and return the seat with its link.
   *
   * Rejects with Refused (`turned_away`, `knock_expired`), with ConnectionEnded if the server cannot be reached, or with the reason of `signal`.
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

  /** Ask for the state of the knock. @param {AbortSignal} [signal] @returns {Promise<T.KnockState>} */
  async #ask(signal) {
    const { address, secret, until } = this.kept;
    try {
      return await call("GET", `${address}?wait_s=${WAIT_S}`, { token: secret, signal });
    } catch (error) {
      if (!(error instanceof ConnectionEnded) || Date.now() > until + LAST_WORD_MS) throw error;
      return { state: "pending" };
    }
  }

  /** Tell the server that the seat has arrived, or that it is not wanted any more. */
  async withdraw() {
    await call("DELETE", this.kept.address, { token: this.kept.secret });
  }
}
