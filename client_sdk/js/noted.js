// @ts-check
/**
 * Noted heads: the browser stores the last head of a room's public log that it has seen, and checks later that the log continues from it.
 *
 * A connection that resumes learns about a fork from the server. The note is for clients that come back later. The browser
 * also notes how far each seat has seen the log. The commands of the seat since then are checked.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Link } from "./links.js"
 * @import { Positions } from "./mirror.js"
 * @import { Store } from "./tokens.js"
 *
 * @typedef {T.Head & { logId: string }} Note
 * @typedef {{ type: "forked", seq: number, sentence: string }} Forked the log does not continue from the noted head
 * @typedef {{ type: "unchecked", seq: number, sentence: string, error: unknown }} Unchecked the log could not be fetched to check this
 */

/** Return the browser's storage; null if there is none, or the page may not use it. */
export function storeHere() {
  try {
    return "document" in globalThis ? globalThis.localStorage : null;
  } catch {
    return null;
  }
}

const FORKED = "This log is not the one that was shown here before.";
const UNCHECKED = "Whether this log is the one that was shown here before could not be learned.";

export class Noted {
  #link;
  #key;
  #store;
  #missed;
  #isChecked = false;

  /**
   * @param {Link} link
   * @param {Store | null} store
   * @param {(since: import("./since.js").Since[]) => void} missed gets the rolls of this seat since it last saw the log
   */
  constructor(link, store, missed) {
    this.#link = link;
    this.#key = `dreadclock.head/${link.room}`;
    this.#store = store;
    this.#missed = missed;
  }

  /**
   * Compare the noted head with the log. After that, `take` notes new heads.
   *
   * If the log cannot be fetched, returns Unchecked, and keeps the note for the next time.
   * @param {string} logId
   * @param {Positions} positions
   * @param {string} seat
   * @returns {Promise<Forked | Unchecked | null>}
   */
  async check(logId, positions, seat) {
    this.#isChecked = false;
    const note = this.#read();
    let leads = true;
    try {
      leads = note === null || (await this.#leads(note, seat, logId, positions));
    } catch (error) {
      return { type: "unchecked", seq: note?.seq ?? 0, sentence: UNCHECKED, error };
    }
    this.#isChecked = true;
    return leads || note === null ? null : { type: "forked", seq: note.seq, sentence: FORKED };
  }

  /**
   * Note the head of the log that a seat has seen.
   * @param {string} logId
   * @param {Positions} positions
   * @param {string} seat
   */
  take(logId, { public: now }, seat) {
    if (!this.#isChecked || !now) return;
    try {
      for (const key of [this.#key, `${this.#key}/${seat}`]) {
        this.#store?.setItem(key, JSON.stringify({ logId, ...now }));
      }
    } catch {
      // The storage is full or not available: then nothing is noted.
    }
  }

  /**
   * Tell whether a log continues from a noted head. Rejects if the log cannot be fetched.
   * @param {Note} note
   * @param {string} seat
   * @param {string} logId
   * @param {Positions} positions
   */
  async #leads(note, seat, logId, positions) {
    const now = positions.public;
    if (!now || note.logId !== logId || note.seq > now.seq) return false;
    if (note.seq === now.seq && note.hash !== now.hash) return false;
    const seen = this.#read(seat);
    const start = seen && seen.logId === logId && seen.seq <= note.seq ? seen : note;
    if (start.seq === now.seq) return start.hash === now.hash;
    const { recordsSince } = await import("./since.js");
    const since = await recordsSince(this.#link, start, note, positions, seat);
    if (since && start === seen) this.#missed(since);
    return since !== null;
  }

  /** @param {string} [seat] @returns {Note | null} */
  #read(seat) {
    try {
      const note = JSON.parse(this.#store?.getItem(seat === undefined ? this.#key : `${this.#key}/${seat}`) ?? "null");
      return typeof note?.seq === "number" && typeof note.hash === "string" ? note : null;
    } catch {
      return null;
    }
  }
}
