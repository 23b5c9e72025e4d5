// @ts-check
/** The mirror: the client's own copy of the view. It verifies each record before it applies the record. */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { View } from "./views.js"
 *
 * @typedef {{ [channel in T.Channel]?: T.Head }} Positions
 */

import { ProtocolViolation } from "./errors.js";
import { fold } from "./fold.js";
import { advance, inOrder, openingHead, readRecord } from "./records.js";

const REMEMBERED = 4096; // how many records of each channel are kept for `find`

/** Tell whether two objects have the same keys. @param {object} object @param {object} other */
export function sameKeys(object, other) {
  const keys = Object.keys(object);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key));
}

/**
 * A view and its position in each channel.
 *
 * It starts from a view of the server. Every later record is verified. After a record that this version does not
 * understand, the mirror is not `complete`: it hashes and keeps records, but does not change the view until `renew`.
 */
export class Mirror {
  /** @type {{ [channel: string]: T.EventRecord[] }} */
  #latest = {};
  #whole;

  /** @param {Positions} positions @param {View} view @param {boolean} [whole] whether the view was understood completely */
  constructor(positions, view, whole = true) {
    if (!sameKeys(positions, view.channels)) {
      throw new ProtocolViolation("the view and its positions are not of the same channels");
    }
    this.positions = positions;
    this.view = view;
    this.complete = true;
    this.#whole = whole;
    for (const channel of Object.keys(positions)) this.#latest[channel] = [];
  }

  /**
   * Replace the view by the server's current view. Its positions must equal ours.
   * @param {Positions} positions @param {View} view @param {boolean} whole
   */
  renew(positions, view, whole) {
    if (!sameKeys(positions, this.positions) || !sameKeys(positions, view.channels)) {
      throw new ProtocolViolation("the view and its positions are not of the same channels");
    }
    checkHeads(this.positions, positions);
    this.view = view;
    this.complete = true;
    this.#whole = whole;
  }

  /**
   * Apply the records of an events frame, all or none, and return them.
   *
   * `heads`: the channels' heads after them, according to the server. Throws ProtocolViolation if a record is not the next
   * of its channel, does not hash to that head, or names a thing that the view does not have.
   * @param {Positions} heads
   * @param {string[]} texts the exact lines that were received
   */
  take(heads, texts) {
    const positions = { ...this.positions };
    let { view, complete } = this;
    /** @type {T.EventRecord[]} */
    const records = [];
    for (const text of texts) {
      const newer = { found: false };
      const record = readRecord(text, newer);
      positions[record.channel] = advance(nextBefore(record, positions, heads), text);
      const following = complete && !newer.found ? this.#folded(view, record) : null;
      complete = following !== null;
      view = following ?? view;
      records.push(record);
    }
    checkHeads(positions, heads);
    this.positions = positions;
    this.view = view;
    this.complete = complete;
    for (const record of records) this.#remember(record);
    return records;
  }

  /** Return the view after a record; null if the record names a thing that was left out of an incomplete view. */
  #folded(/** @type {View} */ view, /** @type {T.EventRecord} */ record) {
    try {
      return fold(view, record);
    } catch (error) {
      if (!this.#whole) return null;
      const { channel, seq } = record;
      const what = error instanceof Error ? error.message : error;
      throw new ProtocolViolation(`record ${seq} of ${channel} speaks of ${what}, which is not in view`);
    }
  }

  /** @param {T.EventRecord} record */
  #remember(record) {
    const latest = this.#latest[record.channel];
    latest.push(record);
    if (latest.length > REMEMBERED) latest.shift();
  }

  /**
   * Return records by the first and last seq of each channel, in the order in which they happened.
   *
   * Null if a record is older than this mirror, or not kept any more. Throws ProtocolViolation if a record is still to come.
   * @param {T.Ack["events"]} spans
   */
  find(spans) {
    /** @type {T.EventRecord[]} */
    const records = [];
    for (const [channel, [first, last]] of Object.entries(spans)) {
      const head = this.positions[/** @type {T.Channel} */ (channel)];
      if (!head || last > head.seq) {
        throw new ProtocolViolation(`record ${last} of ${channel} is spoken of before it was sent`);
      }
      const latest = this.#latest[channel];
      if (!latest.length || first < latest[0].seq) return null;
      records.push(...latest.slice(first - latest[0].seq, last - latest[0].seq + 1));
    }
    return inOrder(records);
  }
}

/**
 * Return the head of a record's channel before the record.
 * @param {T.EventRecord} record
 * @param {Positions} positions
 * @param {Positions} heads
 */
function nextBefore({ channel, seq }, positions, heads) {
  const before = positions[channel];
  if (!before || !heads[channel]) {
    throw new ProtocolViolation(`a record of the channel ${channel}, which was not announced`);
  }
  if (seq !== before.seq + 1) throw new ProtocolViolation(`record ${seq} of ${channel} after record ${before.seq}`);
  return before;
}

/** @param {Positions} positions @param {Positions} heads */
function checkHeads(positions, heads) {
  for (const [channel, head] of Object.entries(heads)) {
    const ours = positions[/** @type {T.Channel} */ (channel)];
    if (!ours || ours.seq !== head.seq || ours.hash !== head.hash) {
      throw new ProtocolViolation(`the records of ${channel} do not lead to the head ${head.hash} at ${head.seq}`);
    }
  }
}

/**
 * Check the heads of channels without records. Throws ProtocolViolation.
 * @param {string} room
 * @param {string} logId
 * @param {Positions} positions
 */
export function checkOpenings(room, logId, positions) {
  for (const [channel, head] of Object.entries(positions)) {
    if (head.seq === 0 && head.hash !== openingHead(room, logId, channel).hash) {
      throw new ProtocolViolation(`the channel ${channel} starts from another head than its own`);
    }
  }
}

/** Return why a server did not resume, by comparing our positions with the server's. @returns {T.ResetReason} */
export function whyAnew(/** @type {Positions} */ ours, /** @type {Positions} */ sent) {
  for (const [channel, head] of Object.entries(ours)) {
    const theirs = sent[/** @type {T.Channel} */ (channel)];
    if (theirs && (theirs.seq < head.seq || (theirs.seq === head.seq && theirs.hash !== head.hash))) return "forked";
  }
  return "too_old";
}
