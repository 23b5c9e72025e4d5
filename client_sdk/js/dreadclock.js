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
 * @import { Acknowledged, Output, Positions, State, Ticket } from "./protocol.js"
 * @import { Backoff } from "./pauses.js"
 * @import { Surroundings } from "./watch.js"
 *
 * @typedef {import("./links.js").Link} Link
 *
 * @typedef {object} Options
 * @property {(room: Room, outputs: readonly Output[]) => void} [onChange] called after every frame that was taken in,
 *   and when the connection is lost or comes back; `outputs` is what the frame brought
 * @property {(violation: ProtocolViolation) => void} [onAlarm] called when the server broke the protocol, above all
 *   when a record does not fit the hashes known; the frame is left out, and the connection is made anew
 * @property {(over: ConnectionEnded) => void} [onEnd] called once, when the connection is over for good
 * @property {T.Client} [client] which program this is
 * @property {Backoff} [backoff]
 * @property {number} [retryForMs] how long to send commands again that the server cannot take
 * @property {number} [giveUpAfterMs] how long to look for a server that is away; for ever unless given
 * @property {typeof WebSocket} [WebSocket] where there is none of that name
 * @property {Surroundings} [surroundings] what tells of sleep and of networks; in browsers the window
 */

import { Connection } from "./connection.js";
import { ConnectionEnded, ProtocolViolation } from "./errors.js";
import { within } from "./line.js";
import { parseLink, websocketOf } from "./links.js";
import { MAX_UNANSWERED, Protocol } from "./protocol.js";
import { tell } from "./telling.js";

export { ConnectionEnded, DreadclockError, ProtocolViolation, Refused, isForGood } from "./errors.js";
export { NotInView, fold } from "./fold.js";
export { parseLink, websocketOf } from "./links.js";
export { Mirror, Protocol } from "./protocol.js";
export { advance, openingHead, sha256 } from "./records.js";
export { View, isDone } from "./views.js";

const CLIENT = { name: "dreadclock-js", version: "0.1.0" };

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

// Rooms

/** A room that this client is connected to; `connect` makes it. */
export class Room {
  #protocol;
  #connection;
  #options;
  /** @type {{ command: T.Command, answer: Answer }[]} commands that wait for a place among the unanswered */
  #queue = [];
  /** @type {Map<Ticket, Answer>} */
  #waiting = new Map();
  /** @type {Set<() => void>} */
  #conditions = new Set();
  /** @type {ConnectionEnded | ProtocolViolation | null} */
  #over = null;

  /** @param {Link} link @param {Options} options */
  constructor(link, options) {
    this.link = link;
    this.#options = options;
    this.#protocol = new Protocol(link.room, link.token, options.client ?? CLIENT);
    this.#connection = new Connection(websocketOf(link), this.#protocol, (outputs) => this.#hear(outputs), options);
  }

  /** @param {Link} link @param {Options} options */
  static async open(link, options) {
    const room = new Room(link, options);
    await room.#connection.open();
    room.#connection.keep().catch((over) => room.#end(over));
    return room;
  }

  /** The room's id. */
  get id() {
    return this.link.room;
  }

  /** What this viewer sees, after the latest record; never changed, only replaced. */
  get view() {
    return this.#protocol.mirror.view;
  }

  /** Where the view stands in each channel. @returns {Readonly<Positions>} */
  get positions() {
    return this.#protocol.mirror.positions;
  }

  /** The seat that the token opened. */
  get seat() {
    return this.#protocol.welcome.seat;
  }

  get role() {
    return this.#protocol.welcome.role;
  }

  /** The session that commands are numbered in. */
  get session() {
    return this.#protocol.welcome.session;
  }

  /** Which log the positions are of; another one after a fork. */
  get logId() {
    return this.#protocol.welcome.log_id;
  }

  /** What an acknowledged command has survived: `fsync`, `fsync+R` or `memory`. */
  get durability() {
    return this.#protocol.welcome.durability;
  }

  /** Whether the view is being kept current right now; if not, the connection is coming back, or `over`. */
  get connected() {
    return this.#protocol.state === "open";
  }

  /** Why the connection is over for good; null while it is not. */
  get over() {
    return this.#over;
  }

  /** The seats that are connected, and by how many connections each. */
  get here() {
    return this.#protocol.here;
  }

  /**
   * Submit a command and wait until it is done.
   *
   * At most 64 commands are on their way; further ones wait here for a place, in order. Rejects with Refused if the
   * room says no. After `session_expired`, a session that the server forgot, it is not known whether the command was
   * done. Rejects with ConnectionEnded if the connection is over, with the same doubt.
   * @param {T.Command} command
   * @returns {Promise<Acknowledged>}
   */
  submit(command) {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      this.#queue.push({ command, answer: { resolve, reject } });
      this.#submitQueued();
    });
  }

  /**
   * Wait until `predicate` holds of the view, and return that view.
   *
   * It is asked now and after every frame. Rejects after `timeoutMs`, with ConnectionEnded if the connection is over
   * first, and with whatever `predicate` throws.
   * @param {(view: Room["view"]) => unknown} predicate
   * @param {number} [timeoutMs]
   * @returns {Promise<Room["view"]>}
   */
  async waitFor(predicate, timeoutMs) {
    /** @type {() => void} */
    let ask = () => {};
    /** @type {Promise<Room["view"]>} */
    const found = new Promise((resolve, reject) => {
      ask = () => {
        try {
          if (predicate(this.view)) resolve(this.view);
          else if (this.#over) reject(this.#over);
        } catch (error) {
          reject(error);
        }
      };
    });
    this.#conditions.add(ask);
    ask();
    try {
      return await within(found, timeoutMs, () => new DOMException("the view did not come to that", "TimeoutError"));
    } finally {
      this.#conditions.delete(ask);
    }
  }

  /**
   * See at once whether the connection still lives, and look for the server without waiting if it is lost.
   *
   * Nobody needs to call it where there is a browser to tell of sleep and networks, see `Surroundings`.
   */
  wake() {
    this.#connection.wake();
  }

  /** Close the connection: whoever still waits is told so. */
  close() {
    this.#connection.close();
    this.#end(new ConnectionEnded(null, "this client closed the connection"));
  }

  #submitQueued() {
    while (this.#queue.length && this.#protocol.unanswered.length < MAX_UNANSWERED) {
      const { command, answer } = /** @type {{ command: T.Command, answer: Answer }} */ (this.#queue.shift());
      try {
        this.#waiting.set(this.#protocol.submit(command), answer);
      } catch (error) {
        answer.reject(error);
      }
    }
    this.#connection.flush();
  }

  /** @param {readonly Output[]} outputs */
  #hear(outputs) {
    for (const output of outputs) {
      if (output.type === "answered") this.#answer(output.ticket, output.outcome);
    }
    this.#submitQueued();
    for (const ask of this.#conditions) ask();
    tell(this.#options.onChange, this, outputs);
  }

  /** @param {Ticket} ticket @param {Acknowledged | Error} outcome */
  #answer(ticket, outcome) {
    const answer = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    if (outcome instanceof Error) answer?.reject(outcome);
    else answer?.resolve(outcome);
  }

  /** Tell everyone who waits that it is over; only the first reason counts. @param {ConnectionEnded} over */
  #end(over) {
    if (this.#over) return;
    this.#over = over;
    for (const ticket of [...this.#waiting.keys()]) this.#answer(ticket, over);
    for (const { answer } of this.#queue.splice(0)) answer.reject(over);
    for (const ask of this.#conditions) ask();
    tell(this.#options.onEnd, over);
  }
}

/** @typedef {{ resolve: (acknowledged: Acknowledged) => void, reject: (error: unknown) => void }} Answer */
