// @ts-check
/** The connection of this user to the table, with the user's own token. */

/**
 * @import { Link } from "../client/links.js"
 * @import { Output } from "../client/outcomes.js"
 * @import { Room } from "../client/room.js"
 * @import * as T from "../client/dreadclock.types.js"
 *
 * @typedef {"apart" | "joining" | "unanswered" | "open" | "over"} State
 * @typedef {(outputs: readonly Output[]) => void} Listener
 */

import { connect, isForGood } from "../client/dreadclock.js";
import { ConnectionEnded, DreadclockError, Refused, tell } from "../client/errors.js";
import { say } from "./words.js";

const CLIENT = { name: "dreadclock-foundry", version: "0.1.0" };
const FIRST_PAUSE_MS = 1_000; // between two tries to find a server that was away at the start
const LONGEST_PAUSE_MS = 15_000;

export class Table {
  /** @type {State} */
  state = "apart";
  /** @type {Room | null} */
  room = null;
  /** @type {Link | null} */
  link = null;
  /** @type {Set<Listener>} */
  #listeners = new Set();
  #attempt = 0;

  /** Whether this seat is the gm's. */
  get isGm() {
    return this.room?.role === "gm";
  }

  /** Call a listener after every change. @param {Listener} listener */
  listen(listener) {
    this.#listeners.add(listener);
  }

  /** Connect with a link. If the server does not answer, retry until `leave`. @param {Link} link */
  async sit(link) {
    this.leave();
    const attempt = this.#attempt;
    this.link = link;
    this.#become("joining");
    for (let pauseMs = FIRST_PAUSE_MS; attempt === this.#attempt; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        const room = await connect(link, this.#ways(attempt));
        if (attempt === this.#attempt) return this.#arrive(room);
        return room.close();
      } catch (error) {
        if (attempt !== this.#attempt) return;
        if (!(error instanceof ConnectionEnded) || isForGood(error.code)) return this.#end(error);
        this.#become("unanswered");
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  /** Disconnect. Waiting calls get an error. */
  leave() {
    this.#attempt += 1;
    const { room } = this;
    this.room = this.link = null;
    room?.close();
    this.#become("apart");
  }

  /**
   * Send a command. If it is refused, show the reason.
   * @param {T.Command} command
   * @returns {Promise<readonly T.EventRecord[] | null>} its records; null if it was refused
   */
  async do(command) {
    if (!this.room) return say.warn(game.i18n.localize("DREADCLOCK.Apart"));
    try {
      return (await this.room.submit(command)).records;
    } catch (error) {
      if (!(error instanceof DreadclockError)) throw error;
      return say.warn(error instanceof Refused ? say.refusal(error) : error.message);
    }
  }

  /** @param {number} attempt */
  #ways(attempt) {
    return {
      client: CLIENT,
      onChange: (/** @type {Room} */ room, /** @type {readonly Output[]} */ outputs) => {
        if (room === this.room) this.#tell(outputs);
      },
      onAlarm: (/** @type {Error} */ violation) => say.warn(violation.message),
      onEnd: (/** @type {Error} */ over) => attempt === this.#attempt && this.#end(over),
    };
  }

  /** @param {Room} room */
  #arrive(room) {
    this.room = room;
    this.#become("open");
  }

  /** @param {unknown} error */
  #end(error) {
    console.warn("Dreadclock", error instanceof Error ? error.message : error);
    this.room = null;
    this.#become("over");
  }

  /** @param {State} state */
  #become(state) {
    this.state = state;
    this.#tell([]);
  }

  /** @param {readonly Output[]} outputs */
  #tell(outputs) {
    for (const listener of this.#listeners) tell(listener, outputs);
  }
}
