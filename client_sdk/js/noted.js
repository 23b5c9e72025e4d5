// @ts-check
/**
 * Noted heads: a browser remembers where a room's public log stood, and looks whether the log still leads there.
 *
 * A connection that resumes is told of a fork; this is for whoever comes back later, with nothing but the note. How far
 * each seat saw the log is noted, too: what its seat did since is handed to who comes back to it.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Link } from "./links.js"
 * @import { Positions } from "./mirror.js"
 * @import { Store } from "./tokens.js"
 *
 * @typedef {T.Head & { logId: string }} Note
 * @typedef {{ type: "forked", seq: number, sentence: string }} Forked the log holds another record than it once did
 * @typedef {{ type: "unchecked", seq: number, sentence: string, error: unknown }} Unchecked whether it does was not learned
 */

/** Return what keeps things in this browser; null if it has no such thing, or does not let this page use it. */
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
   * @param {(since: import("./since.js").Since[]) => void} missed takes what this seat did since it last saw the log
   */
  constructor(link, store, missed) {
    this.#link = link;
    this.#key = `dreadclock.head/${link.room}`;
    this.#store = store;
    this.#missed = missed;
  }

  /**
   * Compare the note with where the log stands now; from then on, notes are taken.
   *
   * A log that cannot be fetched is not judged: that is said, and the note stays for another time.
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
   * Note where the log stands, as a seat sees it.
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
      // It is full, or not ours: then there is no note.
    }
  }

  /**
   * Tell whether a log goes on from a note. Rejects if it cannot be fetched.
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
