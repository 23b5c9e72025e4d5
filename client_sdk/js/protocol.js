// @ts-check
/**
 * The client's side of the protocol, without I/O: text frames in, outputs out, frames to send out.
 *
 *     state       what the server may send                         what happens to commands
 *     apart       nothing: there is no connection                  they are kept
 *     greeting    welcome                                          they are kept
 *     replacing   reset: the server could not resume               they are kept
 *     open        events, ack, refused, pending, reset, presence,  they are sent, unless earlier ones are stalled
 *                 knocks, beat
 *
 * Commands are numbered 1, 2, 3 ... in a session, which outlives connections. The server takes them in that order. Every
 * command gets one final reply. Three refusals do not use up the number (`UNCOUNTED`): the command and all later commands
 * are then stalled until `resend` or `giveUp`. After a reconnect, all unanswered commands are sent again. If the server has
 * applied a command already, it repeats its first reply, so nothing is done twice.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 *
 * @typedef {"apart" | "greeting" | "replacing" | "open"} State
 * @typedef {import("./mirror.js").Positions} Positions
 * @import { Ticket } from "./unanswered.js"
 * @import { Acknowledged } from "./outcomes.js"
 * @typedef {import("./outcomes.js").DiceAlarm} DiceAlarm
 * @typedef {import("./outcomes.js").ViewReplaced} ViewReplaced
 * @typedef {import("./outcomes.js").Output} Output
 */

import { ProtocolViolation, Refused, UNCOUNTED, sessionExpired } from "./errors.js";
import { PROTOCOL_VERSION } from "./limits.js";
import { Mirror, checkOpenings, sameKeys, whyAnew } from "./mirror.js";
import { readFrame } from "./records.js";
import { Unanswered } from "./unanswered.js";
import { Verifier } from "./arrivals.js";
import { View } from "./views.js";

/** @type {{ [state in State]: string[] }} */
const LEGAL = {
  apart: [],
  greeting: ["welcome"],
  replacing: ["reset"],
  open: ["ack", "refused", "pending", "reset", "presence", "knocks", "beat"],
};

/**
 * The client's side of the protocol, over a series of connections.
 *
 * After each call, `framesToSend` returns the frames for the server. A ProtocolViolation leaves the state as it was before
 * the frame: close that connection, call `disconnect`, then start again with `connect`.
 */
export class Protocol {
  /** @type {State} */
  state = "apart";
  /** @type {string | null} */
  session = null;
  /** @type {T.Presence["here"]} */
  here = {};
  /** The waiting knocks, the oldest first. @type {T.Knocks["waiting"]} */
  knocks = [];

  #room;
  #token;
  #client;
  #asksForKnocks;
  /** @type {T.Welcome | null} the latest, without its view */
  #welcome = null;
  /** The positions of the channels at the welcome of this connection, or when its log was replaced. @type {Positions} */
  #joinedAt = {};
  /** @type {Mirror | null} */
  #mirror = null;
  /** @type {Verifier | null} */
  #verifier = null;
  #unanswered = new Unanswered();
  /** @type {string[]} */
  #outgoing = [];
  #asked = false; // whether this connection has asked for the view
  #whole = true; // whether the last frame, apart from events, was understood completely

  /**
   * @param {string} room its id
   * @param {string} token
   * @param {T.Client} [client]
   * @param {boolean} [knocks] whether a gm gets the list of knocks
   */
  constructor(room, token, client, knocks = false) {
    this.#room = room;
    this.#token = token;
    this.#client = client;
    this.#asksForKnocks = knocks;
  }

  /** The latest welcome, without its view. Needs a first welcome. */
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

  /** Return the frames to send, in order, and clear the list. */
  framesToSend() {
    const frames = this.#outgoing;
    this.#outgoing = [];
    return frames;
  }

  /**
   * Start on a new connection: send a hello with this client's session and positions.
   * @param {boolean} [beat] whether to ask for `beat` frames, which older servers refuse
   */
  connect(beat = false) {
    if (this.state !== "apart") throw new Error("the last connection has not been given up");
    const hello = {
      type: "hello",
      v: PROTOCOL_VERSION,
      token: this.#token,
      client: this.#client,
      session: this.session ?? undefined,
      positions: this.#mirror?.positions,
      knocks: this.#asksForKnocks || undefined,
      beat: beat || undefined,
    };
    this.#outgoing = [JSON.stringify(hello)];
    this.state = "greeting";
  }

  /** Note that the connection is gone. Unanswered commands are sent again on the next connection. */
  disconnect() {
    this.state = "apart";
    this.#outgoing = [];
    this.#asked = false;
    this.#unanswered.unsend();
  }

  /**
   * Number a command and send it: at once, or after the stalled commands.
   *
   * Throws Refused (bad_command) if it is too large for a frame. At most 64 commands may be unanswered.
   * @param {T.Command} command
   */
  submit(command) {
    const ticket = this.#unanswered.add(command);
    if (this.state === "open" && !this.#unanswered.stalled().length) this.#send(ticket);
    return ticket;
  }

  /** Send all stalled commands again, if the server has replied to all of them. */
  resend() {
    if (!this.#unanswered.obstacle()) return;
    for (const ticket of this.#unanswered.stalled()) {
      ticket.refusal = null;
      this.#send(ticket);
    }
  }

  /**
   * End all stalled commands with the refusal of the first. None of them was applied.
   * @returns {Output[]}
   */
  giveUp() {
    const outcome = this.#unanswered.obstacle();
    if (!outcome) return [];
    return this.#unanswered.takeBack().map((ticket) => ({ type: "answered", ticket, outcome }));
  }

  /**
   * Process a text frame, and return its outputs in order.
   *
   * Throws ProtocolViolation if the frame is not allowed now, or contradicts earlier frames. If the server does not
   * continue the session, the state becomes `apart`: connect again.
   * @param {string} frame
   * @returns {Output[]}
   */
  receive(frame) {
    const [first] = frame.split("\n", 1);
    const rest = frame.slice(first.length + 1);
    const newer = { found: false };
    const message = readFrame(first, newer);
    if (message.type === "events" && this.state === "open") return this.#heard(message.heads, rest);
    if (rest || !LEGAL[this.state].includes(message.type)) {
      throw new ProtocolViolation(`a frame of the type ${message.type} while ${this.state}`);
    }
    this.#whole = !newer.found;
    return this.#taken(message);
  }

  /** @param {Positions} heads @param {string} lines @returns {Output[]} */
  #heard(heads, lines) {
    const wasComplete = this.mirror.complete;
    const records = this.mirror.take(heads, lines ? lines.split("\n") : []);
    this.#askForView();
    const isChecked = wasComplete && this.mirror.complete;
    return records.flatMap((record) => {
      const late = record.seq <= (this.#joinedAt[record.channel]?.seq ?? 0);
      return [{ type: "happened", record, late }, ...(isChecked ? this.#checked(record) : [])];
    });
  }

  /** Ask once per connection for the view, after a record that this version does not understand. */
  #askForView() {
    if (this.mirror.complete || this.#asked) return;
    this.#asked = true;
    this.#outgoing.push(JSON.stringify({ type: "resync" }));
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
      case "knocks":
        this.knocks = message.waiting;
        return [];
      case "pending":
        this.#unanswered.find(message.n);
        return [];
      case "beat":
      case "events":
        return []; // events frames have several lines, and were handled before
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
    this.#joinedAt = welcome.positions;
    if (welcome.resumed || view) this.#open();
    else this.state = "replacing";
    return outputs;
  }

  /**
   * Check that a welcome continues from our positions, or take the welcome's view.
   * @param {T.Welcome} welcome
   * @param {T.Welcome["view"]} view
   * @returns {Output[]}
   */
  #viewed(welcome, view) {
    const ours = this.#mirror;
    if (view) {
      this.#mirror = this.#fresh(welcome.log_id, welcome.positions, view);
      return ours ? [{ type: "view_replaced", reason: whyAnew(ours.positions, welcome.positions) }] : [];
    }
    if (!ours) throw new ProtocolViolation("a first welcome without a view");
    const same = welcome.log_id === this.welcome.log_id && sameKeys(welcome.positions, ours.positions);
    if (welcome.resumed && !same) throw new ProtocolViolation("a welcome that resumes another log or other channels");
    return [];
  }

  /** @param {T.Reset} reset @returns {Output[]} */
  #reset({ log_id, positions, view, reason, differs }) {
    if (reason === "asked") return this.#renewed(log_id, positions, view);
    this.#mirror = this.#fresh(log_id, positions, view);
    this.#welcome = { ...this.welcome, log_id };
    this.#joinedAt = positions;
    if (this.state === "replacing") this.#open();
    return [{ type: "view_replaced", reason, ...(differs && { differs }) }];
  }

  /** @param {string} logId @param {Positions} positions @param {T.ViewParts} view @returns {Output[]} */
  #renewed(logId, positions, view) {
    if (!this.#asked || this.state !== "open" || logId !== this.welcome.log_id) {
      throw new ProtocolViolation("a view that was not asked for");
    }
    this.mirror.renew(positions, new View(view.channels), this.#whole);
    this.#verifier = new Verifier(this.#room, this.mirror.view);
    this.#asked = false;
    return [{ type: "view_replaced", reason: "asked" }];
  }

  /** @param {T.EventRecord} record @returns {DiceAlarm[]} */
  #checked = (record) => this.#verifier?.check(record) ?? [];

  /** @param {string} logId @param {Positions} positions @param {T.ViewParts} view */
  #fresh(logId, positions, view) {
    checkOpenings(this.#room, logId, positions);
    const mirror = new Mirror(positions, new View(view.channels), this.#whole);
    this.#verifier = new Verifier(this.#room, mirror.view);
    return mirror;
  }

  #open() {
    this.state = "open";
    this.#askForView();
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

  /** Use a new session next time. The outcome of the old session's unanswered commands stays unknown. */
  #forgetSession() {
    this.session = null;
    return this.#unanswered
      .clear()
      .map((ticket) => /** @type {Output} */ ({ type: "answered", ticket, outcome: sessionExpired() }));
  }
}
