// @ts-check
/**
 * Dreadclock: tables that run on dice pools and clocks, from JavaScript, in browsers and elsewhere.
 *
 *     import { connect } from "./dreadclock.js";
 *
 *     const room = await connect(location.href, { onChange: (room) => draw(room.view) });
 *     const { records } = await room.submit({ type: "roll_countdown", countdown_id: "fever" });
 *
 * It is the twin of the Python SDK, depends on nothing, and needs no build: serve the files of this folder. The core
 * without I/O is `Protocol`; this file keeps it connected.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Output } from "./protocol.js"
 * @import { Backoff } from "./pauses.js"
 * @import { Locks, Store } from "./tokens.js"
 * @import { Surroundings } from "./watch.js"
 *
 * @typedef {import("./links.js").Link} Link
 *
 * @typedef {object} Options
 * @property {(room: Room, outputs: readonly Output[]) => void} [onChange] called after every frame that was taken in,
 *   and when the connection is lost or comes back; `outputs` is what the frame brought
 * @property {(violation: import("./errors.js").ProtocolViolation) => void} [onAlarm] called when the server broke the
 *   protocol, above all when a record does not fit the hashes known; the frame is left out, and the connection is made anew
 * @property {(over: import("./errors.js").ConnectionEnded) => void} [onEnd] called once, when the connection is over for
 *   good
 * @property {T.Client} [client] which program this is
 * @property {Backoff} [backoff]
 * @property {number} [retryForMs] how long to send commands again that the server cannot take
 * @property {number} [giveUpAfterMs] how long to look for a server that is away; for ever unless given
 * @property {boolean} [knocks] a gm wants to hear who knocks: see `room.knocks`
 * @property {boolean} [dice] `false`: rolls go without tokens
 * @property {Store | null} [store] keeps the secrets of tokens, and where the log stood; `localStorage` in browsers
 * @property {Locks | null} [locks] keep two tabs from using the same secret; `navigator.locks` in browsers
 * @property {typeof WebSocket} [WebSocket] where there is none of that name
 * @property {Surroundings} [surroundings] what tells of sleep and of networks; in browsers the window
 */

import { parseLink } from "./links.js";
import { Room } from "./room.js";

export { ConnectionEnded, DreadclockError, ProtocolViolation, Refused, isForGood } from "./errors.js";
export { NotInView, fold } from "./fold.js";
export { parseLink, websocketOf } from "./links.js";
export { Mirror } from "./mirror.js";
export { Protocol } from "./protocol.js";
export { Room } from "./room.js";
export { advance, openingHead, sha256 } from "./records.js";
export { View, endsAs, isDone, openRaces } from "./views.js";

/**
 * Open a room by its link, `http://host:port/r/ROOM#TOKEN`, or the parts of one.
 *
 * A lost connection comes back by itself and misses nothing; it gives up only after `giveUpAfterMs` without a server.
 * Rejects with ConnectionEnded if this first connection cannot be made, or the token does not open the room.
 * @param {string | Link} link
 * @param {Options} [options]
 * @returns {Promise<Room>}
 */
export function connect(link, options = {}) {
  return Room.open(typeof link === "string" ? parseLink(link) : link, options);
}
