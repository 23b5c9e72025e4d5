// @ts-check
/**
 * The scheme of the dice: chains of tokens and keys, lanes, witnesses, and the faces that follow from them.
 *
 * Written from `docs/dice.md`, so that it checks the server independently of the Python code. All values have 32 bytes. In
 * JSON, they are base64url without padding.
 */

import { LANE_LENGTH } from "./limits.js";
import { joined, sha256 } from "./records.js";

export { LANE_LENGTH };
export const ZERO = new Uint8Array(32);
const KEPT_EVERY = 32; // every 32nd value of a chain is kept

const BLOCK = 64; // bytes of a block of SHA-256
const FAIR_BELOW = 252; // the largest multiple of 6 up to 256: bytes from here on are skipped

/** @param {string} text */
const ascii = (text) => new TextEncoder().encode(text);
const TOKEN = ascii("dice1/token\0");
const KEY = ascii("dice1/key\0");
const LANE = ascii("dice1/lane\0");
const WITNESS = ascii("dice1/witness\0");
const ROLL = ascii("dice1/roll\0");
const DRAWN = ascii("dice1/block\0");

// Chains

/**
 * Return t_{n-1}, the token before t_n.
 * @param {Uint8Array} room16
 * @param {number} n from 1
 * @param {Uint8Array} token
 */
export function tokenBefore(room16, n, token) {
  return sha256(joined([TOKEN, room16, u32be(n), token]));
}

/**
 * Return k_{n-1}, the key before k_n.
 * @param {Uint8Array} lane
 * @param {number} n from 1
 * @param {Uint8Array} key
 */
export function keyBefore(lane, n, key) {
  return sha256(joined([KEY, lane, u32be(n), key]));
}

/** A client's own tokens. All follow from the last token, so only every 32nd is kept. */
export class TokenChain {
  #room16;
  /** @type {Map<number, Uint8Array>} */
  #kept = new Map();

  /**
   * @param {Uint8Array} room16
   * @param {Uint8Array} secret t_1024
   */
  constructor(room16, secret) {
    this.#room16 = room16;
    let token = secret;
    for (let n = LANE_LENGTH; n > 0; n--) {
      if (n % KEPT_EVERY === 0) this.#kept.set(n, token);
      token = tokenBefore(room16, n, token);
    }
    this.#kept.set(0, token);
  }

  /** The anchor t_0: it follows from the tokens and reveals none of them. */
  get anchor() {
    return this.value(0);
  }

  /** Return t_n. @param {number} n from 0 to 1024 */
  value(n) {
    let at = Math.ceil(n / KEPT_EVERY) * KEPT_EVERY;
    let token = this.#kept.get(at);
    if (!token) throw new RangeError(`a lane has no token ${n}`);
    for (; at > n; at--) token = tokenBefore(this.#room16, at, token);
    return token;
  }
}

/**
 * Return the link for a value of a chain, if hashing leads from it back to an earlier link; otherwise null.
 * @typedef {{ n: number, value: Uint8Array }} Link
 */
export function ledBack(
  /** @type {Link} */ link,
  /** @type {number} */ n,
  /** @type {string | undefined} */ text,
  /** @type {(n: number, value: Uint8Array) => Uint8Array} */ before,
) {
  const value = text === undefined ? null : value32(text);
  if (!value) return null;
  /** @type {Uint8Array} */
  let earlier = value;
  for (let at = n; at > link.n; at--) earlier = before(at, earlier);
  return same(earlier, link.value) ? { n, value } : null;
}

/**
 * Return the hash that identifies a lane.
 * @param {Uint8Array} room16
 * @param {Uint8Array} anchor ZERO without tokens
 * @param {string} label
 */
export function laneOf(room16, anchor, label) {
  return sha256(joined([LANE, room16, anchor, ascii(label)]));
}

/** Fold a token into a witness. @param {Uint8Array} witness @param {Uint8Array} token */
export function witnessed(witness, token) {
  return sha256(joined([WITNESS, witness, token]));
}

// Faces

/** The endless sequence of a slot's faces. */
export class Draws {
  #seed;
  #block = 0;
  /** @type {number[]} */
  #faces = [];

  /**
   * @param {Uint8Array} key k_n
   * @param {Uint8Array} token t_n, or ZERO for a lane without tokens
   * @param {Uint8Array} witness the witness that the roll uses
   */
  constructor(key, token, witness) {
    this.#seed = hmac(key, joined([ROLL, token, witness]));
  }

  /** Return the next faces. @param {number} count */
  take(count) {
    while (this.#faces.length < count) {
      const bytes = hmac(this.#seed, joined([DRAWN, u32be(this.#block++)]));
      for (const byte of bytes) if (byte < FAIR_BELOW) this.#faces.push((byte % 6) + 1);
    }
    return this.#faces.splice(0, count);
  }
}

/** Return the HMAC-SHA256 of a message. @param {Uint8Array} key 64 bytes at most @param {Uint8Array} message */
export function hmac(key, message) {
  const inner = new Uint8Array(BLOCK).fill(0x36);
  const outer = new Uint8Array(BLOCK).fill(0x5c);
  key.forEach((byte, place) => {
    inner[place] ^= byte;
    outer[place] ^= byte;
  });
  return sha256(joined([outer, sha256(joined([inner, message]))]));
}

// Bytes

/** @param {number} number */
function u32be(number) {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

/** Tell whether two values are the same. @param {Uint8Array} value @param {Uint8Array} other */
export function same(value, other) {
  return value.every((byte, place) => byte === other[place]);
}

/** Return a value as base64url. @param {Uint8Array} bytes */
export function text32(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Return the value of a base64url text; null unless it is exactly the text that `text32` writes.
 * @param {string} text
 */
export function value32(text) {
  if (!/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text)) return null;
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** Return the value of a text; ZERO without a text. @param {string | undefined} text */
export function valueOf(text) {
  return (text !== undefined && value32(text)) || ZERO;
}

/** Tell whether a text encodes a value. @param {Uint8Array} value @param {string} text */
export function sameText(value, text) {
  const other = value32(text);
  return other !== null && same(value, other);
}

/** Return the seat of a lane with this label; null for the lane of a hidden thing. @param {string} label */
export function seatOf(label) {
  return /^seat\/([^/]+)\/(?:0|[1-9][0-9]*)$/.exec(label)?.[1] ?? null;
}
