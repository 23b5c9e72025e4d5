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
 *
 * @typedef {object} Link a room on a server, and the token that opens a seat in it
 * @property {string} server an http or https address without query and fragment
 * @property {string} room its id
 * @property {string} token
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
 *
 * How long to wait before another try: anything up to a limit that doubles from `firstMs` to `longestMs`.
 * @typedef {{ firstMs?: number, longestMs?: number, chance?: () => number }} Backoff
 */

import { ConnectionEnded, ProtocolViolation, isForGood } from "./errors.js";
import { MAX_UNANSWERED, Protocol } from "./protocol.js";

export { ConnectionEnded, DreadclockError, ProtocolViolation, Refused, isForGood } from "./errors.js";
export { NotInView, fold } from "./fold.js";
export { Mirror, Protocol } from "./protocol.js";
export { advance, openingHead, sha256 } from "./records.js";
export { View, isDone } from "./views.js";

const CLIENT = { name: "dreadclock-js", version: "0.1.0" };
const RETRY_FOR_MS = 30_000;
const OPEN_WITHIN_MS = 10_000; // the websocket, and again the welcome
const NO_CODE = 1006; // stands for a connection that ended without a word
const MOST_VIOLATIONS = 3; // without a valid frame of events or answers between them

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

// Links

const LINK = /^(https?:\/\/[^/?#\s]+)((?:\/[^?#\s]*)?)\/r\/([a-z2-7]{26})\/?#([A-Za-z0-9_-]{1,80})$/;

/**
 * Take a link apart. Throws TypeError if it is none; the message does not show the token.
 * @param {string} link
 * @returns {Link}
 */
export function parseLink(link) {
  const parts = LINK.exec(link.trim());
  if (!parts) throw new TypeError("a link to a room looks like http://host:port/r/ROOM#TOKEN");
  const [, host, path, room, token] = parts;
  return { server: host + path.replace(/\/+$/, ""), room, token };
}

/** Return the address of a room's websocket; the token is no part of it. @param {Link} link */
export function websocketOf({ server, room }) {
  return `${server.replace(/^http/, "ws").replace(/\/+$/, "")}/ws/${room}`;
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

/**
 * Call whoever listens; what goes wrong there is said aloud and disturbs nobody else.
 * @template {any[]} Arguments
 * @param {((...args: Arguments) => void) | undefined} listener
 * @param {Arguments} args
 */
function tell(listener, ...args) {
  try {
    listener?.(...args);
  } catch (error) {
    console.error(error);
  }
}

// Connections

/** Keeps a Protocol connected, and tells `hear` what comes of it. */
class Connection {
  #address;
  #protocol;
  #hear;
  #options;
  #WebSocket;
  /** @type {Line | null} */
  #line = null;
  #violations = 0;
  #stalls = 0; // since a command last got through
  #stalledAt = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #resend = null;
  #stopped = false;
  /** @type {() => void} ends the pause between two tries */
  #wake = () => {};

  /**
   * @param {string} address
   * @param {Protocol} protocol
   * @param {(outputs: readonly Output[]) => void} hear
   * @param {Options} options
   */
  constructor(address, protocol, hear, options) {
    this.#address = address;
    this.#protocol = protocol;
    this.#hear = hear;
    this.#options = options;
    this.#WebSocket = options.WebSocket ?? globalThis.WebSocket;
    if (!this.#WebSocket) throw new TypeError("there is no WebSocket here: give one in the options");
  }

  /** Send what the protocol has to send. */
  flush() {
    if (!this.#line) return;
    for (const frame of this.#protocol.framesToSend()) this.#line.send(frame);
  }

  /** Connect for the first time. Throws ConnectionEnded or ProtocolViolation if that fails. */
  async open() {
    try {
      await this.#greeted();
    } catch (error) {
      throw error instanceof Closed ? this.#ended(error) : error;
    }
  }

  /** Stay connected until the server ends it for good, by throwing ConnectionEnded, or `close` is called. */
  async keep() {
    let failures = 0; // in a row; a connection that did not last counts as one
    while (!this.#stopped) {
      const began = performance.now();
      await this.#converse();
      failures = performance.now() - began < this.#longestMs ? failures + 1 : 0;
      if (!this.#stopped) await this.#reopen(failures);
    }
  }

  close() {
    this.#stopped = true;
    this.#hangUp();
    this.#wake();
  }

  /** Open the websocket and be welcomed. Throws Closed or ProtocolViolation. */
  async #greeted() {
    const line = new Line(new this.#WebSocket(this.#address));
    this.#line = line;
    try {
      await within(line.opened, OPEN_WITHIN_MS, () => new Closed(null, "it does not answer"));
      this.#protocol.connect();
      this.flush();
      this.#take(await within(line.next(), OPEN_WITHIN_MS, () => new Closed(null, "it sends no welcome")));
    } catch (error) {
      this.#hangUp();
      throw error;
    }
  }

  /** Exchange frames until the connection is lost. Throws ConnectionEnded if the server ended it for good. */
  async #converse() {
    try {
      this.flush();
      while (this.#line && this.#protocol.state !== "apart") this.#take(await this.#line.next());
    } catch (error) {
      this.#lost(error);
    } finally {
      this.#hangUp();
      if (!this.#stopped) this.#hear([]);
    }
  }

  #hangUp() {
    if (this.#resend !== null) clearTimeout(this.#resend);
    this.#resend = null;
    this.#protocol.disconnect();
    this.#line?.close();
    this.#line = null;
  }

  /**
   * Connect again, however often it takes. Throws ConnectionEnded if the time for that is over.
   * @param {number} failures
   */
  async #reopen(failures) {
    const { giveUpAfterMs = Infinity } = this.#options;
    const lostAt = performance.now();
    for (let attempt = failures; !this.#stopped; attempt++) {
      await this.#pause(this.#delayMs(attempt));
      if (this.#stopped) return;
      try {
        return await this.#greeted();
      } catch (error) {
        this.#lost(error);
      }
      if (performance.now() - lostAt > giveUpAfterMs) {
        throw new ConnectionEnded(null, `${this.#address} has been out of reach for ${giveUpAfterMs / 1000} s`);
      }
    }
  }

  get #longestMs() {
    return this.#options.backoff?.longestMs ?? 5_000;
  }

  /** Draw how long to wait before a try. @param {number} attempt counted from 0 */
  #delayMs(attempt) {
    const { firstMs = 50, chance = Math.random } = this.#options.backoff ?? {};
    return chance() * Math.min(this.#longestMs, firstMs * 2 ** Math.min(attempt, 32));
  }

  /** @param {number} ms @returns {Promise<void>} */
  #pause(ms) {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }

  /** Say why a connection is lost. Throws ConnectionEnded if it is so for good. @param {unknown} error */
  #lost(error) {
    if (error instanceof ProtocolViolation) this.#note(error);
    else if (!(error instanceof Closed)) throw error;
    else if (isForGood(error.code)) throw this.#ended(error);
  }

  /** @param {Closed} closed */
  #ended({ code, reason }) {
    const lost = code === null || code === NO_CODE;
    return new ConnectionEnded(
      lost ? null : code,
      reason || (lost ? `${this.#address} cannot be reached` : "the server closed the connection"),
    );
  }

  /**
   * Count a violation. Throws ConnectionEnded if there is nothing else any more.
   * @param {ProtocolViolation} violation
   */
  #note(violation) {
    tell(this.#options.onAlarm ?? ((alarm) => console.warn(`${this.#address} broke the protocol:`, alarm)), violation);
    this.#violations += 1;
    if (this.#violations >= MOST_VIOLATIONS) {
      throw new ConnectionEnded(null, `the server keeps breaking the protocol: ${violation.message}`);
    }
  }

  /** @param {unknown} frame */
  #take(frame) {
    if (typeof frame !== "string") throw new ProtocolViolation("a binary frame");
    const outputs = this.#protocol.receive(frame);
    for (const output of outputs) {
      if (output.type === "stalled") this.#planResend(output.refusal.details.retry_ms);
      else if (output.type === "answered") this.#violations = this.#stalls = 0;
      else if (output.type === "happened") this.#violations = 0;
    }
    this.#hear(outputs);
  }

  /** Plan to send stalled commands again, or let them end if none has got through for too long. */
  #planResend(/** @type {unknown} */ retryMs) {
    if (this.#resend !== null) return;
    const now = performance.now();
    if (this.#stalls === 0) this.#stalledAt = now;
    const leftMs = this.#stalledAt + (this.#options.retryForMs ?? RETRY_FOR_MS) - now;
    if (leftMs <= 0) {
      this.#stalls = 0;
      this.#hear(this.#protocol.giveUp());
      return;
    }
    const delayMs = typeof retryMs === "number" ? retryMs : this.#delayMs(this.#stalls);
    this.#stalls += 1;
    this.#resend = setTimeout(() => this.#sendAgain(), Math.min(delayMs, leftMs));
  }

  #sendAgain() {
    this.#resend = null;
    this.#protocol.resend();
    this.flush();
  }
}

/** A websocket was closed; `code` is null if this side did it. */
class Closed extends Error {
  /** @param {number | null} code @param {string} reason */
  constructor(code, reason) {
    super(reason);
    this.code = code;
    this.reason = reason;
  }
}

/** A websocket whose frames are awaited one by one. */
class Line {
  #socket;
  /** @type {unknown[]} */
  #frames = [];
  /** @type {Closed | null} */
  #closed = null;
  #wake = () => {};

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.#socket = socket;
    /** @type {Promise<void>} */
    this.opened = new Promise((resolve, reject) => {
      socket.onopen = () => resolve();
      this.#wake = () => this.#closed && reject(this.#closed);
    });
    socket.onmessage = (event) => {
      this.#frames.push(event.data);
      this.#wake();
    };
    socket.onclose = (event) => this.#end(new Closed(event.code, event.reason));
    // The close that tells the code follows at once, but Node.js 20 sends none where nobody answers.
    socket.onerror = () => setTimeout(() => this.#end(new Closed(NO_CODE, "")));
  }

  /** @param {string} frame */
  send(frame) {
    this.#socket.send(frame);
  }

  /** Return the next frame. Throws Closed once there is none and will be none. */
  async next() {
    while (!this.#frames.length) {
      if (this.#closed) throw this.#closed;
      await /** @type {Promise<void>} */ (new Promise((resolve) => (this.#wake = resolve)));
    }
    return this.#frames.shift();
  }

  /** Close without waiting for the other side, which may be out of reach. */
  close() {
    this.#end(new Closed(null, "closed by this side"));
    this.#socket.close();
  }

  /** @param {Closed} closed */
  #end(closed) {
    this.#closed ??= closed;
    this.#socket.onmessage = null;
    this.#wake();
  }
}

/**
 * Wait for a promise, for as long as that.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {number | undefined} ms without an end unless given
 * @param {() => unknown} late makes what is thrown then
 * @returns {Promise<Value>}
 */
function within(promise, ms, late) {
  if (ms === undefined) return promise;
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(late()), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timeout));
  });
}
