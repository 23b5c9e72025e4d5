// @ts-check
/** Reads the records since this browser last saw the log. Loaded only if there are any. */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Link } from "./links.js"
 * @import { Positions } from "./mirror.js"
 *
 * @typedef {{ record: T.EventRecord, anchor?: string }} Since `anchor`: the anchor of the token in the record, if it has one
 */

import { text32, tokenBefore, value32 } from "./ledger.js";
import { advance, recordOf, roomBytes } from "./records.js";
import { log } from "./rest.js";
import { rolledIn } from "./rolled.js";

/**
 * Return the public rolls of a seat since the head `start`; null if the log does not lead from `start` over `noted` to the
 * current positions. Rejects if the log cannot be fetched.
 * @param {Link} link
 * @param {T.Head} start
 * @param {T.Head} noted at or after `start`
 * @param {Positions} positions the current positions of the log
 * @param {string} seat
 * @returns {Promise<Since[] | null>}
 */
export async function recordsSince(link, start, noted, { public: now, gm }, seat) {
  if (!now) return null;
  const texts = await log(link, { public: start.seq, ...(gm && { gm: gm.seq }) });
  const since = texts.filter((text) => JSON.parse(text).channel === "public").slice(0, now.seq - start.seq);
  const between = noted.seq - start.seq;
  const reached = since.slice(0, between).reduce(advance, start);
  const end = since.slice(between).reduce(advance, reached);
  if (reached.hash !== noted.hash || end.hash !== now.hash) return null;
  const records = since.map(recordOf).filter((record) => record?.by === seat);
  return records.flatMap((record) => (record ? [{ record, anchor: anchorOf(roomBytes(link.room), record) }] : []));
}

/** @param {Uint8Array} room16 @param {T.EventRecord} record */
function anchorOf(room16, { event }) {
  const { n = 0, token: text } = rolledIn(event)?.proof ?? {};
  /** @type {Uint8Array | null} */
  let token = text === undefined ? null : value32(text);
  for (let at = n; token && at > 0; at--) token = tokenBefore(room16, at, token);
  return token ? text32(token) : undefined;
}
