// @ts-check
/**
 * Dreadclock: tables that run on dice pools and clocks, from JavaScript, in browsers and elsewhere.
 *
 *     import { connect } from "./dreadclock.js";
 *
 *     const room = await connect(location.href, { onChange: (room) => draw(room.view) });
 *     const { records } = await room.submit({ type: "roll_countdown", countdown_id: "fever" });
 *
 * It does the same as the Python SDK, has no dependencies, and needs no build: serve the files of this folder. `Protocol`
 * is the core without I/O. This file keeps it connected.
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
 * @property {(room: Room, outputs: readonly Output[]) => void} [onChange] called after every frame, and when the connection is lost or restored; `outputs`: the outputs of the frame
 * @property {(violation: import("./errors.js").ProtocolViolation) => void} [onAlarm] called when the server broke the protocol, for example if a record does not match the known hashes; the frame is ignored, and the client reconnects
 * @property {(over: import("./errors.js").ConnectionEnded) => void} [onEnd] called once, when the connection is over for
 *   good
 * @property {T.Client} [client] the name and version of the program
 * @property {Backoff} [backoff]
 * @property {number} [retryForMs] how long to retry commands that the server cannot take
 * @property {number} [giveUpAfterMs] how long to retry to connect; by default for ever
 * @property {boolean} [knocks] whether a gm gets the list of knocks: see `room.knocks`
 * @property {boolean} [dice] `false`: rolls have no tokens
 * @property {Store | null} [store] stores the secrets of tokens, and the last position in the log; by default `localStorage`
 * @property {Locks | null} [locks] prevents that two tabs use the same secret; by default `navigator.locks`
 * @property {typeof WebSocket} [WebSocket] the class to use; by default the global `WebSocket`
 * @property {Surroundings} [surroundings] the source of events about sleep and networks; by default the window
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
 * Open a room by its link, `http://host:port/r/ROOM#TOKEN`, or by the parts of a link.
 *
 * After a lost connection, the client reconnects and catches up. It gives up only after `giveUpAfterMs` without a server.
 * Rejects with ConnectionEnded if this first connection cannot be made, or the token does not open the room.
 * @param {string | Link} link
 * @param {Options} [options]
 * @returns {Promise<Room>}
 */
export function connect(link, options = {}) {
  return Room.open(typeof link === "string" ? parseLink(link) : link, options);
}
