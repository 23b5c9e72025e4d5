// @ts-check
/** Commands without a final reply. */

/**
 * @import * as T from "./dreadclock.types.js"
 *
 * @typedef {object} Ticket a command on its way
 * @property {number} n the number in the session
 * @property {string} frame
 * @property {boolean} sent whether it was sent on this connection, and has no reply yet
 * @property {Refused | null} refusal a refusal after which the same number is sent again
 */

import { ProtocolViolation, Refused, badCommand } from "./errors.js";
import { MAX_FRAME_BYTES, MAX_UNANSWERED } from "./limits.js";

/** The tickets without a final reply. Their numbers have no gap. A new ticket gets the next number. */
export class Unanswered {
  /** @type {Map<number, Ticket>} */
  #tickets = new Map();
  #nextN = 1;

  get all() {
    return [...this.#tickets.values()];
  }

  /** Number a command. Throws Refused (bad_command) if it is too large for a frame. @param {T.Command} command */
  add(command) {
    if (this.#tickets.size >= MAX_UNANSWERED) {
      throw new Error(`${MAX_UNANSWERED} commands are unanswered, no more may be sent`);
    }
    const frame = `{"type":"command","n":${this.#nextN},"command":${commandText(command)}}`;
    if (new TextEncoder().encode(frame).length > MAX_FRAME_BYTES) {
      throw badCommand(`it is larger than ${MAX_FRAME_BYTES} bytes`);
    }
    /** @type {Ticket} */
    const ticket = { n: this.#nextN, frame, sent: false, refusal: null };
    this.#nextN += 1;
    this.#tickets.set(ticket.n, ticket);
    return ticket;
  }

  /**
   * Return the ticket of a reply; undefined if it had a reply before. Throws ProtocolViolation if it was not sent.
   * @param {number} n
   */
  find(n) {
    const ticket = this.#tickets.get(n);
    if (!(n >= 1 && n < this.#nextN) || (ticket && !ticket.sent)) {
      throw new ProtocolViolation(`a reply to the command ${n}, which was not sent`);
    }
    return ticket;
  }

  /** @param {Ticket} ticket */
  remove(ticket) {
    this.#tickets.delete(ticket.n);
  }

  /** Return the first ticket that the server could not take, and all later tickets. */
  stalled() {
    const first = this.all.findIndex((ticket) => ticket.refusal);
    return first < 0 ? [] : this.all.slice(first);
  }

  /** Return why tickets are stalled, once the server has replied to all of them. Null before that. */
  obstacle() {
    const stalled = this.stalled();
    return stalled.length && !stalled.some((ticket) => ticket.sent) ? stalled[0].refusal : null;
  }

  /** Remove the stalled tickets. Their numbers are used again. */
  takeBack() {
    const stalled = this.stalled();
    for (const ticket of stalled) this.remove(ticket);
    if (stalled.length) this.#nextN = stalled[0].n;
    return stalled;
  }

  /** Remove all tickets, and number from 1 again. */
  clear() {
    const tickets = this.all;
    this.#tickets.clear();
    this.#nextN = 1;
    return tickets;
  }

  /** Mark all tickets as not sent, after the connection was lost. */
  unsend() {
    for (const ticket of this.#tickets.values()) {
      ticket.sent = false;
      ticket.refusal = null;
    }
  }

  /** Tell whether the server expects a number that it has answered before: it has lost the end of its log. */
  lags(/** @type {Refused} */ { code, details }) {
    const [first = this.#nextN] = this.#tickets.keys();
    return code === "out_of_order" && typeof details.expected === "number" && details.expected < first;
  }
}

/** Return the JSON of a command, without fields that are null. @param {T.Command} command */
function commandText(command) {
  return JSON.stringify(command, (_, value) => (value === null ? undefined : value));
}
