// @ts-check
/**
 * Records: reading messages, and the hash chain over the texts of a channel's records.
 *
 *     head_0 = SHA256("log1/open\0" || room16 || log_id16 || channel)
 *     head_s = SHA256("log1/record\0" || head_{s-1} || u32be(length) || text)
 */

/**
 * @import { EventRecord, Head, ServerFrame } from "./dreadclock.types.js"
 * @import { Field, Shape } from "./shapes.js"
 */

import { ProtocolViolation } from "./errors.js";
import { EVENTS, FRAMES, MODELS } from "./shapes.js";

const BASE_32 = "abcdefghijklmnopqrstuvwxyz234567";
const utf8 = new TextEncoder();

// Heads

/**
 * Return the head of a channel without records.
 * @param {string} room its id
 * @param {string} logId 32 hex digits
 * @param {string} channel
 * @returns {Head}
 */
export function openingHead(room, logId, channel) {
  const start = [utf8.encode("log1/open\0"), roomBytes(room), bytesOf(logId), utf8.encode(channel)];
  return { seq: 0, hash: hexOf(sha256(joined(start))) };
}

/**
 * Return the head after another record.
 * @param {Head} head
 * @param {string} text the record's canonical text, as it was received
 * @returns {Head}
 */
export function advance(head, text) {
  const body = utf8.encode(text);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, body.length);
  const link = [utf8.encode("log1/record\0"), bytesOf(head.hash), length, body];
  return { seq: head.seq + 1, hash: hexOf(sha256(joined(link))) };
}

/** Return the 16 bytes of a room id. @param {string} room */
export function roomBytes(room) {
  const bytes = new Uint8Array(16);
  let bits = 0n;
  for (const letter of room) bits = (bits << 5n) | BigInt(BASE_32.indexOf(letter));
  bits >>= 2n; // 26 letters of 5 bits have 130 bits, 2 more than needed
  for (let place = 15; place >= 0; place--, bits >>= 8n) bytes[place] = Number(bits & 255n);
  return bytes;
}

/** @param {string} hex */
function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Uint8Array[]} parts */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

// SHA-256 (FIPS 180-4). `crypto.subtle` is not available on pages over plain http, and is asynchronous.
// @noble/hashes takes four fifths of the time, but 9 KiB. This code takes 1 KiB.

// The first 32 bits of the fractional parts of roots of the first primes: cube roots for the rounds, square roots for the
// start. No product is so close to a whole number that the rounding of an engine matters.
const PRIMES = Array.from({ length: 310 }, (_, n) => n + 2).filter((n, _, all) => all.every((m) => m >= n || n % m));
const ROUNDS = Uint32Array.from(PRIMES, (prime) => Math.cbrt(prime) * 2 ** 32);
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => Math.sqrt(prime) * 2 ** 32);

/**
 * Return the SHA-256 of these bytes.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function sha256(bytes) {
  const state = START.slice();
  const words = new Uint32Array(64);
  const blocks = new DataView(padded(bytes).buffer);
  for (let place = 0; place < blocks.byteLength; place += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.getUint32(place + 4 * i);
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/** Add a 1 bit, zeros up to whole blocks of 64 bytes, and the length in bits. @param {Uint8Array} bytes */
function padded(bytes) {
  const whole = new Uint8Array((bytes.length + 72) & ~63);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(whole.length - 4, bytes.length << 3);
  return whole;
}

/** @param {number} word @param {number} by */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/**
 * Update the state with a block. The first 16 words are the block.
 * @param {Uint32Array} state
 * @param {Uint32Array} words
 */
function compress(state, words) {
  for (let i = 16; i < 64; i++) {
    const s0 = turned(words[i - 15], 7) ^ turned(words[i - 15], 18) ^ (words[i - 15] >>> 3);
    const s1 = turned(words[i - 2], 17) ^ turned(words[i - 2], 19) ^ (words[i - 2] >>> 10);
    words[i] = words[i - 16] + s0 + words[i - 7] + s1;
  }
  let { 0: a, 1: b, 2: c, 3: d, 4: e, 5: f, 6: g, 7: h } = state; // arrays, here or below, would take twice the time
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

// Order

/**
 * Return the place of a record among the records of all channels. A record of another channel comes right after the
 * public record before it. Records of that channel with the same place are in the order of their numbers.
 * @param {EventRecord} record
 */
export function placeOf({ channel, seq, after }) {
  return channel === "public" ? seq : (after ?? 0) + 0.5;
}

/** Return the records of several channels in the order in which they happened. @param {readonly EventRecord[]} records */
export function inOrder(records) {
  return [...records].sort((a, b) => placeOf(a) - placeOf(b) || (a.channel === b.channel ? a.seq - b.seq : a.channel < b.channel ? -1 : 1));
}

// Messages

// Prefix for keys such as `10` in an object, because JavaScript would sort such keys before all others. No name contains it.
const MARK = "\u0001";
const NUMERIC_KEY = /([{,]\s*)"(0|[1-9][0-9]*)"(?=\s*:)/g;

/**
 * Parse JSON, with the keys of objects in the order in which they were written.
 * @param {string} text
 * @returns {any}
 */
export function parse(text) {
  try {
    return JSON.parse(text.replace(NUMERIC_KEY, '$1"\\u0001$2"'));
  } catch (error) {
    throw new ProtocolViolation(`a frame that is no JSON: ${error}`);
  }
}

/**
 * Return the record with this canonical text.
 * @param {string} text
 * @param {Newer | null} [newer] see `read`
 * @returns {EventRecord}
 */
export function readRecord(text, newer = null) {
  return read(MODELS.EventRecord, parse(text), "a record", newer);
}

/** @type {WeakSet<object>} events that do not fit, whatever their type says */
const UNKNOWN = new WeakSet();

/** Tell whether this version knows the record's event. @param {EventRecord} record */
export const isUnderstood = ({ event }) => !UNKNOWN.has(event);

/** Return the record with this text; null if this version does not understand it. @param {string} text */
export function recordOf(text) {
  try {
    return readRecord(text);
  } catch {
    return null;
  }
}

/** Read a frame that is a single object. @param {string} line @param {Newer} newer @returns {ServerFrame} */
export function readFrame(line, newer) {
  const raw = parse(line);
  const shape = Object.hasOwn(FRAMES, raw?.type) ? FRAMES[raw.type] : undefined;
  if (!shape) throw new ProtocolViolation(`a frame that this version does not understand: ${raw?.type}`);
  return read(shape, raw, raw.type, newer);
}

/**
 * Read an object: check that it has the fields of its shape and no others, and add the defaults of absent fields.
 *
 * With `newer`, parts that only newer versions understand are no violation, and are noted in it: unknown fields are
 * ignored, an unknown event is kept unchanged, and an unknown thing is left out of its view.
 * @typedef {{ found: boolean }} Newer
 * @param {Shape} shape
 * @param {any} raw
 * @param {string} where
 * @param {Newer | null} newer
 * @returns {any}
 */
export function read(shape, raw, where, newer = null) {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw new ProtocolViolation(`${where}: no object`);
  for (const key of Object.keys(raw)) {
    if (Object.hasOwn(shape, key)) continue;
    if (!newer) throw new ProtocolViolation(`${where}: the field ${key} is not known`);
    newer.found = true;
  }
  /** @type {{ [name: string]: any }} */
  const whole = {};
  for (const [name, field] of Object.entries(shape)) {
    const value = raw[name] ?? field.value;
    if (value !== undefined) whole[name] = readField(field, value, `${where}.${name}`, newer);
    else if (field.needed) throw new ProtocolViolation(`${where}: the field ${name} is missing`);
  }
  return whole;
}

/** @param {Field} field @param {any} value @param {string} where @param {Newer | null} newer */
function readField(field, value, where, newer) {
  if (!field.as) return readPart(field.of, value, where, newer);
  /** @type {[string, any][]} */
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const name = key.startsWith(MARK) ? key.slice(1) : key;
    const unfit = field.as === "<>" ? [] : undefined;
    return orUnfit(newer, unfit, () => [[name, readPart(field.of, item, `${where}.${key}`, newer)]]);
  });
  return field.as === "<>" ? new Map(entries) : Object.fromEntries(entries);
}

/**
 * @param {string | undefined} of
 * @param {any} value
 * @param {string} where
 * @param {Newer | null} newer
 * @returns {any}
 */
function readPart(of, value, where, newer) {
  if (of === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => readPart(of, item, where, newer));
  if (of !== "Event") return read(MODELS[of], value, where, newer);
  const event = orUnfit(newer, typeof value?.type === "string" ? value : undefined, () => {
    if (!Object.hasOwn(EVENTS, value?.type)) throw new ProtocolViolation(`${where}: there is no type ${value?.type}`);
    return read(EVENTS[value.type], value, where, newer);
  });
  if (event === value) UNKNOWN.add(event);
  return event;
}

/**
 * Return the result of `readIt`. If that fails and `newer` is given, return `unfit`.
 * @param {Newer | null} newer @param {any} unfit @param {() => any} readIt
 */
function orUnfit(newer, unfit, readIt) {
  try {
    return readIt();
  } catch (error) {
    if (!newer || unfit === undefined || !(error instanceof ProtocolViolation)) throw error;
    newer.found = true;
    return unfit;
  }
}
