// @ts-check
/**
 * Keeps the secrets of a seat's tokens, so that a tab can continue its lane after a reload.
 *
 * No two tabs use the same secret: each tab locks its secret. Without the locks API, as on pages over plain http, a tab
 * takes its secret out of the store, and puts it back when the page is left. Without a store, secrets are lost with the tab.
 * After a lost secret, the client opens another lane. Secrets leave this module only into the store: no error, log or page
 * shows a secret.
 */

/**
 * @typedef {{ getItem: (key: string) => string | null, setItem: (key: string, value: string) => void }} Store
 * @typedef {{ request: LockManager["request"] }} Locks
 * @typedef {{ addEventListener?: (type: "pagehide", listener: () => void) => void }} Page
 *
 * The tokens of a lane. `anchor`: t_0, to which all tokens lead. `token`: returns t_n.
 * @typedef {{ anchor: string, token: (n: number) => string }} Hand
 *
 * @typedef {{ anchor: string, secret: string }} Kept
 * @typedef {{ secrets: Kept[], anchors: string[], trusted: string[] }} Content what is stored. `anchors`: of all secrets that
 *   this browser has made. `trusted`: anchors of other devices that the user trusts
 */

import { TokenChain, text32, value32 } from "./ledger.js";
import { MAX_LANES } from "./limits.js";
import { roomBytes } from "./records.js";

/** The tokens that this tab uses for a seat in a log. */
export class Tokens {
  #room16;
  #key;
  #store;
  #locks;
  /** @type {{ kept: Kept, hand: Hand } | null} */
  #held = null;
  /** @type {Set<string>} anchors that this tab has used */
  #own = new Set();
  #release = () => {};

  /**
   * @param {{ room: string, logId: string, seat: string }} of
   * @param {{ store?: Store | null, locks?: Locks | null, page?: Page }} [surroundings]
   */
  constructor({ room, logId, seat }, { store, locks, page = globalThis } = {}) {
    this.#room16 = roomBytes(room);
    this.#key = `dreadclock.dice/${room}/${logId}/${seat}`;
    this.#store = store;
    this.#locks = store ? locks : null;
    page.addEventListener?.("pagehide", () => this.leave());
  }

  /** Return the tokens of this tab. Makes new tokens if it has none. @returns {Promise<Hand>} */
  async mine() {
    return (await this.#takenUp()).hand;
  }

  /** Give up the tokens of this tab, and make new tokens. @returns {Promise<Hand>} */
  async others() {
    const spent = this.#held?.kept;
    this.#write(({ secrets }) => ({ secrets: secrets.filter(({ anchor }) => anchor !== spent?.anchor) }));
    this.#release();
    this.#held = await this.#made();
    return this.#held.hand;
  }

  /** Tell whether an anchor belongs to another tab of this browser, or to a trusted device. @param {string} anchor */
  isElsewhere(anchor) {
    return !this.#own.has(anchor) && this.isHere(anchor);
  }

  /** Tell whether an anchor belongs to any tab of this browser, or to a trusted device. @param {string} anchor */
  isHere(anchor) {
    const { anchors, trusted } = this.#read();
    return this.#own.has(anchor) || anchors.includes(anchor) || trusted.includes(anchor);
  }

  /** Trust another device's tokens from now on; this browser keeps their anchor. @param {string} anchor */
  trust(anchor) {
    this.#write(({ trusted }) => ({ trusted: [...new Set([...trusted, anchor])].slice(-MAX_LANES) }));
  }

  /** Let other tabs use these tokens. */
  leave() {
    const kept = this.#held?.kept;
    this.#held = null;
    this.#release();
    if (!kept) return;
    this.#own.delete(kept.anchor);
    this.#write(({ secrets }) => ({ secrets: [...secrets.filter(({ anchor }) => anchor !== kept.anchor), kept] }));
  }

  async #takenUp() {
    return (this.#held ??= (await this.#stored()) ?? (await this.#made()));
  }

  /** Use a stored secret that no other tab uses, if there is one. */
  async #stored() {
    for (const kept of this.#read().secrets) {
      const secret = value32(kept.secret);
      if (!secret || !(await this.#lock(kept.anchor))) continue;
      const chain = new TokenChain(this.#room16, secret);
      if (text32(chain.anchor) === kept.anchor) return this.#use(kept, chain);
      this.#release();
    }
    return null;
  }

  async #made() {
    const secret = crypto.getRandomValues(new Uint8Array(32));
    const chain = new TokenChain(this.#room16, secret);
    const kept = { anchor: text32(chain.anchor), secret: text32(secret) };
    await this.#lock(kept.anchor);
    return this.#use(kept, chain);
  }

  /** Mark a secret as used by this tab. @param {Kept} kept @param {TokenChain} chain */
  #use(kept, chain) {
    this.#own.add(kept.anchor);
    this.#write(({ secrets, anchors }) => {
      const others = secrets.filter(({ anchor }) => anchor !== kept.anchor);
      return {
        secrets: this.#locks ? [...others, kept] : others,
        anchors: [...new Set([...anchors, kept.anchor])].slice(-MAX_LANES),
      };
    });
    return { kept, hand: { anchor: kept.anchor, token: (/** @type {number} */ n) => text32(chain.value(n)) } };
  }

  /**
   * Lock a secret until it is released; false if another tab has done so.
   * @param {string} anchor
   * @returns {Promise<boolean>}
   */
  async #lock(anchor) {
    const locks = this.#locks;
    if (!locks) return true;
    return new Promise((settle) => {
      const hold = async (/** @type {Lock | null} */ lock) => {
        settle(lock !== null);
        if (lock) await new Promise((release) => (this.#release = () => release(undefined)));
      };
      locks.request(`dreadclock.dice/${anchor}`, { ifAvailable: true }, hold).catch(() => settle(true));
    });
  }

  /** @returns {Content} */
  #read() {
    try {
      const { secrets = [], anchors = [], trusted = [] } = JSON.parse(this.#store?.getItem(this.#key) ?? "{}");
      return { secrets: [...secrets].filter(isKept), anchors: [...anchors], trusted: [...trusted] };
    } catch {
      return { secrets: [], anchors: [], trusted: [] }; // ignore the error, whose text would show the stored secrets
    }
  }

  /** @param {(content: Content) => Partial<Content>} change */
  #write(change) {
    const before = this.#read();
    try {
      this.#store?.setItem(this.#key, JSON.stringify({ ...before, ...change(before) }));
    } catch {
      // The storage is full or not available: then these tokens are lost with the tab.
    }
  }
}

/** @param {any} stored @returns {stored is Kept} */
function isKept(stored) {
  return typeof stored?.anchor === "string" && typeof stored?.secret === "string";
}
