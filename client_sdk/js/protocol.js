// @ts-check
/**
 * The client's side of the protocol, without I/O: text frames in, outputs out, frames to send out.
 *
 *     state       what the server may send                         what happens to commands
 *     apart       nothing: there is no connection                  they are kept
 *     greeting    welcome                                          they are kept
 *     replacing   reset: it could not resume, and shows all anew   they are kept
 *     open        events, ack, refused, pending, reset, presence   they are sent, unless earlier ones are stalled
 *
 * Commands are numbered 1, 2, 3 ... in a session, which outlives connections, and the server takes them in that
 * order. Every command gets one final reply. Three refusals do not use up its number (`UNCOUNTED`): then it and
 * all later ones are stalled until `resend` or `giveUp`. After a reconnect all unanswered ones are sent again; the
 * server answers those that it has done already with their first reply, so nothing is ever done twice.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 *
 * @typedef {"apart" | "greeting" | "replacing" | "open"} State
 * @typedef {{ [channel in T.Channel]?: T.Head }} Positions
 *
 * @typedef {object} Ticket a command on its way
 * @property {number} n its number in the session
 * @property {string} frame
 * @property {boolean} sent on this connection, and the reply is yet to come
 * @property {Refused | null} refusal that did not use up the number
 *
 * @typedef {object} Acknowledged a command was done, and is as durable as the room promises
 * @property {number} n
 * @property {T.Ack["positions"]} positions the seq of each channel after it
 * @property {readonly T.EventRecord[]} records what it caused and this viewer may see, in order
 * @property {boolean} complete false where the records came too long ago or before a reset, and are not at hand
 *
 * What comes of a frame: a record that happened; a view that the server sent anew; a final reply to a command; or
 * commands that wait to be sent again, and why the server could not take the first of them.
 * @typedef {{ type: "happened", record: T.EventRecord }} Happened
 * @typedef {{ type: "view_replaced", reason: T.ResetReason, differs?: T.Reset["differs"] }} ViewReplaced
 * @typedef {{ type: "answered", ticket: Ticket, outcome: Acknowledged | Refused }} Answered
 * @typedef {{ type: "stalled", refusal: Refused }} Stalled
 * @typedef {Happened | ViewReplaced | Answered | Stalled} Output
 */

import { ProtocolViolation, Refused, UNCOUNTED, badCommand, sessionExpired } from "./errors.js";
import { fold } from "./fold.js";
import { advance, openingHead, parse, read, readRecord } from "./records.js";
import { FRAMES } from "./shapes.js";
import { View } from "./views.js";

export const PROTOCOL_VERSION = 1;
export const MAX_UNANSWERED = 64; // commands of one connection
const MAX_FRAME_BYTES = 65_536; // that a client may send
const REMEMBERED = 4096; // records of each channel that can still be found

/** @type {{ [state in State]: string[] }} */
const LEGAL = {
  apart: [],
  greeting: ["welcome"],
  replacing: ["reset"],
  open: ["ack", "refused", "pending", "reset", "presence"],
};

/**
 * One viewer's side of a room, through any number of connections one after the other.
 *
 * After each call, `framesToSend` gives what the server should get. A ProtocolViolation leaves everything as it was
 * before the frame: end that connection, call `disconnect`, then start again with `connect`.
 */
export class Protocol {
  /** @type {State} */
  state = "apart";
  /** @type {string | null} */
  session = null;
  /** @type {T.Presence["here"]} */
  here = {};

  #room;
  #token;
  #client;
  /** @type {T.Welcome | null} the latest, without its view */
  #welcome = null;
  /** @type {Mirror | null} */
  #mirror = null;
  #unanswered = new Unanswered();
  /** @type {string[]} */
  #outgoing = [];

  /**
   * @param {string} room its id
   * @param {string} token
   * @param {T.Client} [client]
   */
  constructor(room, token, client) {
    this.#room = room;
    this.#token = token;
    this.#client = client;
  }

  /** What the server last said of the room and the seat, without the view. Needs a first welcome. */
  get welcome() {
    if (!this.#welcome) throw new Error("the room has not welcomed this client yet");
    return this.#welcome;
  }

  /** The view with its positions. Needs a first welcome. */
  get mirror() {
    if (!this.#mirror) throw new Error("the room has not welcomed this client yet");
    return this.#mirror;
  }

  /** The commands without a final reply, in their order. */
  get unanswered() {
    return this.#unanswered.all;
  }

  /** Hand over the frames to send, in order, and forget them. */
  framesToSend() {
    const frames = this.#outgoing;
    this.#outgoing = [];
    return frames;
  }

  /** Start on a fresh connection: say hello, and where this client stands. */
  connect() {
    if (this.state !== "apart") throw new Error("the last connection has not been given up");
    const hello = {
      type: "hello",
      v: PROTOCOL_VERSION,
      token: this.#token,
      client: this.#client,
      session: this.session ?? undefined,
      positions: this.#mirror?.positions,
    };
    this.#outgoing = [JSON.stringify(hello)];
    this.state = "greeting";
  }

  /** Forget the connection, which is gone; what is unanswered goes out on the next one. */
  disconnect() {
    this.state = "apart";
    this.#outgoing = [];
    this.#unanswered.unsend();
  }

  /**
   * Number a command and send it, at once or when the server can take it.
   *
   * A token for the dice would be added here, as the `dice` of a command that rolls: not before servers take them.
   * Throws Refused (bad_command) if it is too large for a frame. At most 64 commands may be unanswered.
   * @param {T.Command} command
   */
  submit(command) {
    const ticket = this.#unanswered.add(command);
    if (this.state === "open" && !this.#unanswered.stalled().length) this.#send(ticket);
    return ticket;
  }

  /** Send all stalled commands again, if the server has replied to them all. */
  resend() {
    if (!this.#unanswered.obstacle()) return;
    for (const ticket of this.#unanswered.stalled()) {
      ticket.refusal = null;
      this.#send(ticket);
    }
  }

  /**
   * End all stalled commands with the reason why the first of them could not be taken: none was done.
   * @returns {Output[]}
   */
  giveUp() {
    const outcome = this.#unanswered.obstacle();
    if (!outcome) return [];
    return this.#unanswered.takeBack().map((ticket) => ({ type: "answered", ticket, outcome }));
  }

  /**
   * Take in one text frame and return what follows from it, in order.
   *
   * Throws ProtocolViolation if the frame is not allowed now, or does not fit what is known. A session that the server
   * does not go on with leaves the state `apart`: then, too, connect again.
   * @param {string} frame
   * @returns {Output[]}
   */
  receive(frame) {
    const [first] = frame.split("\n", 1);
    const rest = frame.slice(first.length + 1);
    const message = readFrame(first);
    if (message.type === "events" && this.state === "open") {
      const records = this.mirror.take(message.heads, rest ? rest.split("\n") : []);
      return records.map((record) => ({ type: "happened", record }));
    }
    if (rest || !LEGAL[this.state].includes(message.type)) {
      throw new ProtocolViolation(`a frame of the type ${message.type} while ${this.state}`);
    }
    return this.#taken(message);
  }

  /** @param {T.ServerFrame} message @returns {Output[]} */
  #taken(message) {
    switch (message.type) {
      case "welcome":
        return this.#welcomed(message);
      case "ack":
        return this.#acknowledged(message);
      case "refused":
        return this.#refused(message);
      case "reset":
        return this.#reset(message);
      case "presence":
        this.here = message.here;
        return [];
      case "pending":
        this.#unanswered.find(message.n);
        return [];
      case "events":
        return []; // it is no single object, and was taken in before
    }
  }

  /** @param {T.Welcome} welcome @returns {Output[]} */
  #welcomed({ view, ...welcome }) {
    if (welcome.v !== PROTOCOL_VERSION || welcome.room !== this.#room) {
      throw new ProtocolViolation(`a welcome to ${welcome.room} in version ${welcome.v} of the protocol`);
    }
    const outputs = this.#viewed(welcome, view);
    if (this.session !== null && this.session !== welcome.session) outputs.push(...this.#forgetSession());
    this.session = welcome.session;
    this.#welcome = welcome;
    if (welcome.resumed || view) this.#open();
    else this.state = "replacing";
    return outputs;
  }

  /**
   * Check that a welcome goes on from what is known, or take the view that it shows.
   * @param {T.Welcome} welcome
   * @param {T.Welcome["view"]} view
   * @returns {Output[]}
   */
  #viewed(welcome, view) {
    const known = this.#mirror;
    if (view) {
      this.#mirror = this.#fresh(welcome.log_id, welcome.positions, view);
      return known ? [{ type: "view_replaced", reason: whyAnew(known.positions, welcome.positions) }] : [];
    }
    if (!known) throw new ProtocolViolation("a first welcome without a view");
    const same = welcome.log_id === this.welcome.log_id && sameKeys(welcome.positions, known.positions);
    if (welcome.resumed && !same) throw new ProtocolViolation("a welcome that resumes another log or other channels");
    return [];
  }

  /** @param {T.Reset} reset @returns {Output[]} */
  #reset({ log_id, positions, view, reason, differs }) {
    this.#mirror = this.#fresh(log_id, positions, view);
    this.#welcome = { ...this.welcome, log_id };
    if (this.state === "replacing") this.#open();
    return [{ type: "view_replaced", reason, ...(differs && { differs }) }];
  }

  /** @param {string} logId @param {Positions} positions @param {T.ViewParts} view */
  #fresh(logId, positions, view) {
    for (const [channel, head] of Object.entries(positions)) {
      if (head.seq === 0 && head.hash !== openingHead(this.#room, logId, channel).hash) {
        throw new ProtocolViolation(`the channel ${channel} starts from another head than its own`);
      }
    }
    return new Mirror(positions, new View(view.channels));
  }

  #open() {
    this.state = "open";
    for (const ticket of this.#unanswered.all) this.#send(ticket);
  }

  /** @param {T.Ack} ack @returns {Output[]} */
  #acknowledged({ n, positions, events }) {
    const ticket = this.#unanswered.find(n);
    if (!ticket) return [];
    const records = this.mirror.find(events);
    return this.#answer(ticket, { n, positions, records: records ?? [], complete: records !== null });
  }

  /** @param {T.RefusedFrame} frame @returns {Output[]} */
  #refused({ n, code, sentence, details }) {
    const ticket = this.#unanswered.find(n);
    if (!ticket) return [];
    const refusal = new Refused(code, details, sentence);
    if (code === "session_expired" || this.#unanswered.lags(refusal)) {
      this.state = "apart";
      return this.#forgetSession();
    }
    if (!UNCOUNTED.has(code)) return this.#answer(ticket, refusal);
    ticket.sent = false;
    ticket.refusal = refusal;
    return this.#stall();
  }

  /** @param {Ticket} ticket @param {Acknowledged | Refused} outcome @returns {Output[]} */
  #answer(ticket, outcome) {
    this.#unanswered.remove(ticket);
    return [{ type: "answered", ticket, outcome }, ...this.#stall()];
  }

  /** @returns {Output[]} */
  #stall() {
    const refusal = this.#unanswered.obstacle();
    return refusal ? [{ type: "stalled", refusal }] : [];
  }

  /** @param {Ticket} ticket */
  #send(ticket) {
    this.#outgoing.push(ticket.frame);
    ticket.sent = true;
  }

  /** Start a session of its own next time; what becomes of the old one's commands cannot be learned. */
  #forgetSession() {
    this.session = null;
    return this.#unanswered
      .clear()
      .map((ticket) => /** @type {Output} */ ({ type: "answered", ticket, outcome: sessionExpired() }));
  }
}

/** @param {string} line @returns {T.ServerFrame} */
function readFrame(line) {
  const raw = parse(line);
  const shape = Object.hasOwn(FRAMES, raw?.type) ? FRAMES[raw.type] : undefined;
  if (!shape) throw new ProtocolViolation(`a frame that this version does not understand: ${raw?.type}`);
  return read(shape, raw, raw.type);
}

/** Tell why a server did not resume, from where both stand. @returns {T.ResetReason} */
function whyAnew(/** @type {Positions} */ known, /** @type {Positions} */ sent) {
  for (const [channel, head] of Object.entries(known)) {
    const theirs = sent[/** @type {T.Channel} */ (channel)];
    if (theirs && (theirs.seq < head.seq || (theirs.seq === head.seq && theirs.hash !== head.hash))) return "forked";
  }
  return "too_old";
}

/** @param {object} one @param {object} other */
function sameKeys(one, other) {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key));
}

// Commands without a final reply

/** The tickets without a final reply; their numbers are dense, and a new one gets the next. */
class Unanswered {
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
   * Find what a reply is for; none if it has had its reply. Throws ProtocolViolation if it was not sent.
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

  /** List the first ticket that the server could not take, and all later ones. */
  stalled() {
    const first = this.all.findIndex((ticket) => ticket.refusal);
    return first < 0 ? [] : this.all.slice(first);
  }

  /** Say why tickets are stalled, once the server has replied to all that were sent after the first. */
  obstacle() {
    const stalled = this.stalled();
    return stalled.length && !stalled.some((ticket) => ticket.sent) ? stalled[0].refusal : null;
  }

  /** Remove the stalled tickets; their numbers are used again. */
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

  /** Forget what was sent and refused on a connection that is gone. */
  unsend() {
    for (const ticket of this.#tickets.values()) {
      ticket.sent = false;
      ticket.refusal = null;
    }
  }

  /** Tell whether the server waits for a number that it has answered before: it lost the end of its log. */
  lags(/** @type {Refused} */ { code, details }) {
    const [first = this.#nextN] = this.#tickets.keys();
    return code === "out_of_order" && typeof details.expected === "number" && details.expected < first;
  }
}

/** Write a command without what is null: it was left out. @param {T.Command} command */
function commandText(command) {
  return JSON.stringify(command, (_, value) => (value === null ? undefined : value));
}

// The mirror

/**
 * A view, and the position in each channel that it is the view of.
 *
 * It starts from a view that the server sent; from there on nothing enters it unchecked.
 */
export class Mirror {
  /** @type {{ [channel: string]: T.EventRecord[] }} */
  #latest = {};

  /** @param {Positions} positions @param {View} view */
  constructor(positions, view) {
    if (!sameKeys(positions, view.channels)) {
      throw new ProtocolViolation("the view and its positions are not of the same channels");
    }
    this.positions = positions;
    this.view = view;
    for (const channel of Object.keys(positions)) this.#latest[channel] = [];
  }

  /**
   * Take in the records of one events frame, all or none, and return them.
   *
   * `heads`: where the server says that the channels stand after them. Throws ProtocolViolation if a record is not the
   * next of its channel, does not hash to that head, or speaks of what the view does not hold.
   * @param {Positions} heads
   * @param {string[]} texts the very lines that were received
   */
  take(heads, texts) {
    const positions = { ...this.positions };
    let view = this.view;
    /** @type {T.EventRecord[]} */
    const records = [];
    for (const text of texts) {
      const record = readRecord(text);
      positions[record.channel] = advance(nextBefore(record, positions, heads), text);
      view = folded(view, record);
      records.push(record);
    }
    checkHeads(positions, heads);
    this.positions = positions;
    this.view = view;
    for (const record of records) this.#remember(record);
    return records;
  }

  /** @param {T.EventRecord} record */
  #remember(record) {
    const latest = this.#latest[record.channel];
    latest.push(record);
    if (latest.length > REMEMBERED) latest.shift();
  }

  /**
   * Find records by the first and last seq of each channel, in the order in which they happened.
   *
   * Null if one of them came before this mirror, or too long ago. Throws ProtocolViolation if one is yet to come.
   * @param {T.Ack["events"]} spans
   */
  find(spans) {
    /** @type {T.EventRecord[]} */
    const found = [];
    for (const [channel, [first, last]] of Object.entries(spans)) {
      const head = this.positions[/** @type {T.Channel} */ (channel)];
      if (!head || last > head.seq) {
        throw new ProtocolViolation(`record ${last} of ${channel} is spoken of before it was sent`);
      }
      const latest = this.#latest[channel];
      if (!latest.length || first < latest[0].seq) return null;
      found.push(...latest.slice(first - latest[0].seq, last - latest[0].seq + 1));
    }
    return inOrder(found);
  }
}

/**
 * Return where the channel of a record stands before it.
 * @param {T.EventRecord} record
 * @param {Positions} positions
 * @param {Positions} heads
 */
function nextBefore({ channel, seq }, positions, heads) {
  const before = positions[channel];
  if (!before || !heads[channel]) {
    throw new ProtocolViolation(`a record of the channel ${channel}, which was not announced`);
  }
  if (seq !== before.seq + 1) throw new ProtocolViolation(`record ${seq} of ${channel} after record ${before.seq}`);
  return before;
}

/** @param {Positions} positions @param {Positions} heads */
function checkHeads(positions, heads) {
  for (const [channel, head] of Object.entries(heads)) {
    const ours = positions[/** @type {T.Channel} */ (channel)];
    if (!ours || ours.seq !== head.seq || ours.hash !== head.hash) {
      throw new ProtocolViolation(`the records of ${channel} do not lead to the head ${head.hash} at ${head.seq}`);
    }
  }
}

/** @param {View} view @param {T.EventRecord} record */
function folded(view, record) {
  try {
    return fold(view, record);
  } catch (error) {
    const { channel, seq } = record;
    const what = error instanceof Error ? error.message : error;
    throw new ProtocolViolation(`record ${seq} of ${channel} speaks of ${what}, which is not in view`);
  }
}

/**
 * Put records of several channels in the order in which they happened: one outside public comes right after the
 * public one that it follows.
 * @param {T.EventRecord[]} records
 */
function inOrder(records) {
  return records.sort((one, other) => {
    const [mine, theirs] = [placeOf(one), placeOf(other)];
    const differs = mine.findIndex((value, i) => value !== theirs[i]);
    return differs < 0 ? 0 : mine[differs] < theirs[differs] ? -1 : 1;
  });
}

/** @param {T.EventRecord} record */
function placeOf({ channel, seq, after }) {
  return channel === "public" ? [seq, "", 0] : [after ?? 0, channel, seq];
}
