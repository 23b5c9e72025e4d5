// @ts-check
/**
 * The errors between a client and a room.
 *
 *     DreadclockError
 *       Refused            the rules or the room refuse a command: nothing is stored, and only the sender is told
 *       ConnectionEnded    the server closed for good (a 45xx close code), or the client closed it
 *       ProtocolViolation  the other side broke the protocol, or sent a record whose hash does not match
 */

/** @typedef {{ readonly [name: string]: string | number }} Details */

import { CLOSE, UNCOUNTED as CODES } from "./limits.js";

const TOO_LARGE = 1009; // this side sent a frame that is too large, and would send it again

/** Refusals that do not use up a command's number: the same command may be sent again. */
export const UNCOUNTED = new Set(/** @type {readonly string[]} */ (CODES));

export class DreadclockError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = new.target.name;
  }
}

/** A command was refused. `details`: the numbers and names in the sentence. */
export class Refused extends DreadclockError {
  /**
   * @param {string} code
   * @param {Details} details
   * @param {string} sentence the reason, for people
   */
  constructor(code, details, sentence) {
    super(sentence);
    this.code = code;
    this.details = details;
    this.sentence = sentence;
  }
}

/** The connection is over for good. `code`: the close code, null if there is none. */
export class ConnectionEnded extends DreadclockError {
  /** Why a first websocket did not open, if it did not. @type {import("./reach.js").Obstacle | undefined} */
  obstacle;
  /** After how many ms to try again, if that may help. @type {number | undefined} */
  retryMs;

  /**
   * @param {number | null} code
   * @param {string} reason
   */
  constructor(code, reason) {
    super(code === null ? reason : `${reason} (${code})`);
    this.code = code;
    this.reason = reason;
  }
}

export class ProtocolViolation extends DreadclockError {}

/** Return the refusal of a command before it is sent. @param {string} problem */
export function badCommand(problem) {
  return new Refused("bad_command", { problem }, `That is no command the table understands: ${problem}.`);
}

/** Return the refusal for a command whose outcome is unknown. */
export function sessionExpired() {
  return new Refused("session_expired", {}, "This session is too old to be continued: start a new one.");
}

/** Tell whether a close code means that the client must not reconnect. @param {number | null} code */
export function isForGood(code) {
  return code !== null && ((code >= CLOSE.BAD_FRAME && code < CLOSE.BAD_FRAME + 100) || code === TOO_LARGE);
}

/**
 * Call a listener. An error in it is reported, and does not affect other code.
 * @template {any[]} Arguments
 * @param {((...args: Arguments) => void) | undefined} listener
 * @param {Arguments} args
 */
export function tell(listener, ...args) {
  try {
    listener?.(...args);
  } catch (error) {
    console.error(error);
  }
}
