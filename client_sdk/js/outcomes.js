// @ts-check
/** The outputs of the protocol: outcomes of commands, and results of frames. */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Refused } from "./errors.js"
 * @import { Ticket } from "./unanswered.js"
 *
 * @typedef {object} Acknowledged a command was done, and is as durable as the room promises
 * @property {number} n
 * @property {T.Ack["positions"]} positions the seq of each channel after it
 * @property {readonly T.EventRecord[]} records the command's records that this viewer may see, in order
 * @property {boolean} complete false if the client does not have these records, because they are old or came before a reset
 *
 * What comes of a frame: a record that happened, and what about it does not fit; a view that the server sent anew; a
 * final reply to a command; or commands that wait to be sent again, and why the server could not take the first. A room
 * adds alarms about this seat's own rolls, and that the log is no longer the one that was noted here.
 * @typedef {import("./arrivals.js").DiceAlarm} DiceAlarm
 * @typedef {import("./noted.js").Forked} Forked
 * @typedef {import("./noted.js").Unchecked} Unchecked
 * @typedef {{ type: "happened", record: T.EventRecord, late: boolean }} Happened `late`: it was missed while there was no
 *   connection, as its seq is not above that of the welcome; judged without any clock
 * @typedef {{ type: "view_replaced", reason: T.ResetReason, differs?: T.Reset["differs"] }} ViewReplaced
 * @typedef {{ type: "answered", ticket: Ticket, outcome: Acknowledged | Refused }} Answered
 * @typedef {{ type: "stalled", refusal: Refused }} Stalled
 * @typedef {Happened | DiceAlarm | ViewReplaced | Answered | Stalled | Forked | Unchecked} Output
 */

export {};
