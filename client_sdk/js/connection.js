// @ts-check
/** Keeps a Protocol connected. */

/**
 * @import { Options } from "./dreadclock.js"
 * @import { Output, Protocol } from "./protocol.js"
 */

import { ConnectionEnded, ProtocolViolation, isForGood, tell } from "./errors.js";
import { CLOSE } from "./limits.js";
import { Closed, Line, NO_CODE, within } from "./line.js";
import { Pauses } from "./pauses.js";
import { Silence, Watch, delaysWebsockets, timeOf } from "./watch.js";

const RETRY_FOR_MS = 30_000;
const OPEN_WITHIN_MS = 10_000; // to open the websocket, and again to get the welcome
const HURRY_AFTER_MS = 2_000; // a younger try is not replaced by a new try
const BLIND_TRY_MS = 30_000; // how often Firefox opens a websocket although a plain request has no answer
const MOST_VIOLATIONS = 3; // protocol violations in a row, without a valid events or reply frame between them

/** Keeps a Protocol connected, and passes its outputs to `hear`. */
export class Connection {
  #address;
  #protocol;
  #hear;
  #options;
  /** @type {import("./watch.js").Surroundings} */
  #surroundings;
  #WebSocket;
  /** @type {Line | null} */
  #line = null;
  /** @type {Line | null} that takes the place of the one there is, once it is open */
  #next = null;
  /** @type {Watch | null} */
  #watch = null;
  #silence = new Silence();
  #pauses;
  #triedAt = 0;
  #violations = 0;
  #stalls = 0; // stalls since the last command that got through
  #stalledAt = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #resend = null;
  #stopped = false;
  #hasBeats = false; // whether the hello of this connection asked for beats
  /** @type {Promise<typeof import("./reach.js") | null> | null} */
  #reach = null;
  /** @type {AbortController | null} of a plain request, after which a websocket is opened */
  #asking = null;
  /** Whether the connection looks open but may be dead. Then another websocket is being opened. */
  doubtful = false;
  /** Why the latest websocket did not open, if that is known. @type {import("./reach.js").Obstacle | null} */
  obstacle = null;

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
    this.#surroundings = options.surroundings ?? globalThis;
    this.#pauses = new Pauses(options.backoff);
    this.#WebSocket = options.WebSocket ?? globalThis.WebSocket;
    if (!this.#WebSocket) throw new TypeError("there is no WebSocket here: give one in the options");
  }

  /** Send the frames of the protocol. */
  flush() {
    if (!this.#line) return;
    for (const frame of this.#protocol.framesToSend()) {
      this.#line.send(frame);
      this.#silence.asked(this.#now());
    }
  }

  /** Connect for the first time. Throws ConnectionEnded or ProtocolViolation if that fails. */
  async open() {
    try {
      await this.#greeted();
    } catch (error) {
      throw error instanceof Closed ? await this.#diagnosed(this.#ended(error)) : error;
    }
  }

  /** Add to the error of a first connection why the websocket did not open. @param {ConnectionEnded} ended */
  async #diagnosed(ended) {
    return ended.code === null ? Object.assign(ended, await this.#diagnose()) : ended;
  }

  /** Stay connected until `close` is called. Throws ConnectionEnded when the server ends the connection for good. */
  async keep() {
    if (this.#stopped) return;
    this.#watch = new Watch(this.#surroundings, (live) => this.#noticed(live), () => this.#listen());
    try {
      let failures = 0; // failed tries in a row; a connection that ended early counts, too
      while (!this.#stopped) {
        const began = performance.now();
        await this.#converse();
        failures = performance.now() - began < this.#pauses.longestMs ? failures + 1 : 0;
        if (!this.#stopped) await this.#reopen(failures);
      }
    } finally {
      this.#watch.stop();
    }
  }

  /** Check the connection: replace an open connection by a new one, or reconnect without waiting. */
  wake() {
    this.#woken(true);
  }

  close() {
    this.#stopped = true;
    this.#watch?.stop();
    this.#hangUp();
    this.#pauses.end();
    this.#asking?.abort();
  }

  #now() {
    return timeOf(this.#surroundings);
  }

  /** @param {{ doubtful: boolean, offline?: boolean }} live */
  #noticed({ doubtful, offline }) {
    if (offline || this.#silence.lacksBeats(this.#now())) this.#doubt();
    else this.#woken(doubtful);
  }

  /** Mark the connection as doubtful, and check it. */
  #doubt() {
    if (this.#protocol.state === "open" && !this.doubtful) {
      this.doubtful = true;
      this.#hear([]);
    }
    this.#woken(true);
  }

  /** @param {boolean} doubtful whether the connection may be dead although it looks open */
  #woken(doubtful) {
    this.#pauses.end();
    this.#asking?.abort();
    if (!doubtful || !this.#line) return;
    if (this.#protocol.state === "open") void this.#renew();
    else if (this.#now() - this.#triedAt > HURRY_AFTER_MS) {
      this.#pauses.skip();
      this.#line.close("this side tries again");
    }
  }

  /** Check the connection if beats are missing, or if a command has waited too long without any frame. */
  #listen() {
    if (this.#protocol.state === "open") void this.#loadReach();
    if (this.#silence.lacksBeats(this.#now())) this.#doubt();
    else if (this.#silence.isTooLong(this.#now())) this.#woken(true);
  }

  /**
   * Replace this websocket by a new one.
   *
   * The old websocket is closed after the welcome on the new one, so that nobody at the table sees this seat leave. If no
   * new websocket can be opened, the old one counts as lost.
   */
  async #renew() {
    const old = this.#line;
    if (this.#next || !old) return;
    const next = new Line(new this.#WebSocket(this.#address));
    this.#next = next;
    try {
      await within(next.opened, OPEN_WITHIN_MS, () => new Closed(null, "it does not answer"));
      if (this.#line !== old) return next.close();
      this.#change(old, next);
      await within(next.heard, OPEN_WITHIN_MS, () => new Closed(null, "it sends no welcome"));
    } catch (error) {
      next.close();
      if (!(error instanceof Closed)) throw error;
    } finally {
      this.#next = null;
      old.close();
    }
  }

  /** @param {Line} old @param {Line} next an open line without a hello yet */
  #change(old, next) {
    this.#apart();
    old.leave();
    this.#line = next;
    this.#greet(this.#hasBeats);
  }

  /** Send the hello. @param {boolean} beats whether to ask for beats */
  #greet(beats) {
    this.#hasBeats = beats;
    this.#protocol.connect(beats);
    this.flush();
    if (beats) this.#silence.expectBeats(this.#now());
  }

  /**
   * Open the websocket and wait for the welcome. Throws Closed or ProtocolViolation.
   * @param {boolean} [beats] whether to ask for beats; if the server refuses such a hello, another hello without beats is sent
   * @returns {Promise<void>}
   */
  async #greeted(beats = true) {
    const line = new Line(new this.#WebSocket(this.#address));
    this.#line = line;
    this.#triedAt = this.#now();
    try {
      await within(line.opened, OPEN_WITHIN_MS, () => new Closed(null, "it does not answer"));
      this.#greet(beats);
      this.#take(await within(line.next(), OPEN_WITHIN_MS, () => new Closed(null, "it sends no welcome")));
      this.obstacle = null;
    } catch (error) {
      const isOlder = this.#isOlder(error);
      this.#hangUp();
      if (!isOlder) throw error;
      return this.#greeted(false);
    }
  }

  /** Tell whether a server refused a hello because it asked for beats, as older servers do. @param {unknown} error */
  #isOlder(error) {
    const isRefused = error instanceof Closed && error.code === CLOSE.BAD_FRAME;
    return isRefused && this.#hasBeats && this.#protocol.state === "greeting";
  }

  /** Exchange frames until the connection is lost. Throws ConnectionEnded if the server ended it for good. */
  async #converse() {
    try {
      this.flush();
      while (this.#line && this.#protocol.state !== "apart") await this.#takeFrom(this.#line);
    } catch (error) {
      this.#lost(error);
    } finally {
      this.#hangUp();
      if (!this.#stopped) this.#hear([]);
    }
  }

  /** Process the next frame of a line, unless another line has replaced it. @param {Line} line */
  async #takeFrom(line) {
    try {
      const frame = await line.next();
      if (line === this.#line) this.#take(frame);
    } catch (error) {
      if (line === this.#line) throw error;
    }
  }

  #hangUp() {
    this.#apart();
    this.#next?.close();
    this.#line?.close();
    this.#line = null;
  }

  /** Reset the state of this connection. */
  #apart() {
    if (this.#resend !== null) clearTimeout(this.#resend);
    this.#resend = null;
    this.#silence.end();
    this.doubtful = false;
    this.#protocol.disconnect();
  }

  /**
   * Reconnect, with as many tries as needed. Throws ConnectionEnded if the time for that is over.
   * @param {number} failures
   */
  async #reopen(failures) {
    const { giveUpAfterMs = Infinity } = this.#options;
    const lostAt = performance.now();
    for (let attempt = failures; !this.#stopped; attempt++) {
      await this.#pauses.before(attempt);
      if (this.#stopped) return;
      try {
        if (await this.#mayOpen()) return await this.#greeted();
      } catch (error) {
        this.#lost(error);
        void this.#explain(error);
      }
      if (performance.now() - lostAt > giveUpAfterMs) {
        throw new ConnectionEnded(null, `${this.#address} has been out of reach for ${giveUpAfterMs / 1000} s`);
      }
    }
  }

  /** Tell whether to open a websocket now. Firefox delays further websockets after each failure, so a plain request is sent first there. */
  async #mayOpen() {
    if (!delaysWebsockets(this.#surroundings) || this.#now() - this.#triedAt >= BLIND_TRY_MS) return true;
    const reach = await this.#loadReach();
    this.#asking = new AbortController();
    const isThere = await reach?.answers(this.#address, this.#asking);
    this.#asking = null;
    return isThere && !this.#stopped;
  }

  /** Find out why a websocket did not open. @param {unknown} error */
  async #explain(error) {
    if (!(error instanceof Closed) || (error.code !== null && error.code !== NO_CODE)) return;
    const { obstacle } = await this.#diagnose();
    if (this.#protocol.state !== "apart" || this.#stopped) return;
    this.obstacle = obstacle;
    this.#hear([]);
  }

  /** @returns {Promise<import("./reach.js").Diagnosis>} */
  async #diagnose() {
    const reach = await this.#loadReach();
    return reach ? reach.diagnose(this.#address) : { obstacle: "unreachable" };
  }

  /** Load the module for HTTP requests, while the server can be reached; null if it cannot be loaded. */
  #loadReach() {
    this.#reach ??= import("./reach.js").catch(() => (this.#reach = null));
    return this.#reach;
  }

  /** Find out why a connection was lost. Throws ConnectionEnded if it has ended for good. @param {unknown} error */
  #lost(error) {
    if (error instanceof ProtocolViolation) this.#note(error);
    else if (!(error instanceof Closed)) throw error;
    else if (this.#isOlder(error)) return; // the next hello is without beats, for an older server
    else if (isForGood(error.code)) throw this.#ended(error);
    else this.#pauses.heed(error);
  }

  /** @param {Closed} closed */
  #ended({ code, reason }) {
    const lost = code === null || code === NO_CODE;
    const why = lost ? `${this.#address} cannot be reached` : "the server closed the connection";
    return new ConnectionEnded(lost ? null : code, reason || why);
  }

  /**
   * Count a violation. Throws ConnectionEnded after MOST_VIOLATIONS in a row.
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
    this.#silence.heard(this.#now(), this.#protocol.unanswered.length);
    this.doubtful = false;
    this.#hear(outputs);
    this.flush(); // the frame may need an answer
  }

  /** Schedule a retry of stalled commands. Gives up if no command has got through for too long. */
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
    const delayMs = typeof retryMs === "number" ? retryMs : this.#pauses.delayMs(this.#stalls);
    this.#stalls += 1;
    this.#resend = setTimeout(() => this.#sendAgain(), Math.min(delayMs, leftMs));
  }

  #sendAgain() {
    this.#resend = null;
    this.#protocol.resend();
    this.flush();
  }
}
