// @ts-check
/**
 * Noted heads: a browser remembers where a room's public log stood, and looks whether the log still leads there.
 *
 * A connection that resumes is told of a fork; this is for whoever comes back later, with nothing but the note.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Link } from "./links.js"
 * @import { Positions } from "./mirror.js"
 * @import { Store } from "./tokens.js"
 *
 * @typedef {T.Head & { logId: string }} Note
 * @typedef {{ type: "forked", seq: number, sentence: string }} Forked the log holds another record than it once did
 */

import { advance } from "./records.js";

/** Return what keeps things in this browser; null if it has no such thing, or does not let this page use it. */
export function storeHere() {
  try {
    return "document" in globalThis ? globalThis.localStorage : null;
  } catch {
    return null;
  }
}

const SENTENCE = "This log is not the one that was shown here before.";

export class Noted {
  #link;
  #key;
  #store;
  #isChecked = false;

  /** @param {Link} link @param {Store | null} store */
  constructor(link, store) {
    this.#link = link;
    this.#key = `dreadclock.head/${link.room}`;
    this.#store = store;
  }

  /**
   * Compare the note with where the log stands now; from then on, notes are taken.
   *
   * A log that cannot be fetched is not judged, and the note stays for another time.
   * @param {string} logId
   * @param {Positions} positions
   * @returns {Promise<Forked | null>}
   */
  async check(logId, positions) {
    this.#isChecked = false;
    const note = this.#read();
    const leads = note === null || (await this.#leads(note, logId, positions));
    if (leads === null) return null;
    this.#isChecked = true;
    return leads || note === null ? null : { type: "forked", seq: note.seq, sentence: SENTENCE };
  }

  /** Note where the log stands. @param {string} logId @param {Positions} positions */
  take(logId, { public: now }) {
    if (!this.#isChecked || !now) return;
    try {
      this.#store?.setItem(this.#key, JSON.stringify({ logId, ...now }));
    } catch {
      // It is full, or not ours: then there is no note.
    }
  }

  /**
   * Tell whether a log goes on from a note; null if that cannot be learned.
   * @param {Note} note
   * @param {string} logId
   * @param {Positions} positions
   */
  async #leads(note, logId, { public: now, gm }) {
    if (!now || note.logId !== logId || note.seq > now.seq) return false;
    if (note.seq === now.seq) return note.hash === now.hash;
    try {
      const { log } = await import("./rest.js");
      const texts = await log(this.#link, { public: note.seq, ...(gm && { gm: gm.seq }) });
      const since = texts.filter((text) => JSON.parse(text).channel === "public").slice(0, now.seq - note.seq);
      return since.reduce(advance, note).hash === now.hash;
    } catch {
      return null;
    }
  }

  /** @returns {Note | null} */
  #read() {
    try {
      const note = JSON.parse(this.#store?.getItem(this.#key) ?? "null");
      return typeof note?.seq === "number" && typeof note.hash === "string" ? note : null;
    } catch {
      return null;
    }
  }
}
