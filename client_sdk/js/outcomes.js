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
 * An output of a frame: a record, an alarm about its dice, a view that replaces the current view, a final reply to a
 * command, or commands that wait to be sent again. A room adds alarms about rolls of its own seat, and the output that the
 * log differs from the log that this browser noted.
 * @typedef {import("./arrivals.js").DiceAlarm} DiceAlarm
 * @typedef {import("./noted.js").Forked} Forked
 * @typedef {import("./noted.js").Unchecked} Unchecked
 * @typedef {{ type: "happened", record: T.EventRecord, late: boolean }} Happened `late`: the record was appended while there was
 *   no connection: its seq is not above the position in the welcome
 * @typedef {{ type: "view_replaced", reason: T.ResetReason, differs?: T.Reset["differs"] }} ViewReplaced
 * @typedef {{ type: "answered", ticket: Ticket, outcome: Acknowledged | Refused }} Answered
 * @typedef {{ type: "stalled", refusal: Refused }} Stalled
 * @typedef {Happened | DiceAlarm | ViewReplaced | Answered | Stalled | Forked | Unchecked} Output
 */

export {};
