// @ts-check
/** Fetches the whole log that the viewer may read, and checks that its hash chains lead to the heads (the last hashes) that this page has. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Positions } from "../../client/protocol.js"
 * @import { Table } from "../app/table.js"
 *
 * @typedef {object} Line
 * @property {string} text a record's canonical text, as it was received
 * @property {T.EventRecord} record
 * @property {string} head the hash of its channel's chain after the record
 *
 * @typedef {object} Log
 * @property {string} room
 * @property {string} logId
 * @property {Positions} received the last seq and head that this page had of each channel before the request
 * @property {readonly string[]} texts of the records, as they were received
 */

import { advance, inOrder, openingHead, readRecord } from "../../client/records.js";
import { log } from "../../client/rest.js";

/** The log does not lead to a head that this page has. */
export class OtherLog extends Error {
  /** @param {string} channel @param {number} number the seq of the head */
  constructor(channel, number) {
    super(`the log of ${channel} does not lead to its head at ${number}`);
    this.channel = channel;
    this.number = number;
  }
}

/** Fetch the log. Rejects with Refused or ConnectionEnded. @param {Table} table @returns {Promise<Log>} */
export async function fetchLog({ room }) {
  const { logId, positions: received } = room;
  return { room: room.id, logId, received, texts: await log(room.link) };
}

/**
 * Return the records in their order, each with the head after it.
 *
 * Throws OtherLog if they do not lead to the heads that this page has received, and ProtocolViolation for a malformed record.
 * @param {Log} log
 * @returns {{ lines: Line[], heads: { [channel: string]: T.Head } }} `heads`: the last head of each channel
 */
export function readLog({ room, logId, received, texts }) {
  const channels = Object.keys(received);
  const heads = Object.fromEntries(channels.map((channel) => [channel, openingHead(room, logId, channel)]));
  const written = new Map(texts.map((text) => [readRecord(text), text]));
  const lines = inOrder([...written.keys()]).map((record) => {
    const text = /** @type {string} */ (written.get(record));
    const head = (heads[record.channel] = advance(heads[record.channel], text));
    return { text, record, head: head.hash };
  });
  for (const [channel, head] of Object.entries(received)) {
    const line = lines.find(({ record }) => record.channel === channel && record.seq === head.seq);
    if (head.seq && line?.head !== head.hash) throw new OtherLog(channel, head.seq);
  }
  return { lines, heads };
}
