// @ts-check
/** A room: a view that stays current, and commands. */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Options } from "./dreadclock.js"
 * @import { Link } from "./links.js"
 * @import { Positions } from "./mirror.js"
 * @import { Acknowledged, DiceAlarm, Forked, Output, Unchecked, ViewReplaced } from "./outcomes.js"
 * @import { Ticket } from "./unanswered.js"
 *
 * @typedef {{ resolve: (acknowledged: Acknowledged) => void, reject: (error: unknown) => void }} Answer
 */

import { Connection } from "./connection.js";
import { ConnectionEnded, ProtocolViolation, tell } from "./errors.js";
import { MAX_UNANSWERED } from "./limits.js";
import { within } from "./line.js";
import { websocketOf } from "./links.js";
import { Noted, storeHere } from "./noted.js";
import { OwnRolls, ownAlarm } from "./own_rolls.js";
import { Protocol } from "./protocol.js";
import { rolledIn } from "./rolled.js";
import { Rolling, needsToken } from "./rolling.js";

const CLIENT = { name: "dreadclock-js", version: "0.1.0" };
const ROLLERS = new Set(["gm", "player"]); // roles that may open lanes for their own tokens

/** A room that this client is connected to; `connect` makes it. */
export class Room {
  #protocol;
  #connection;
  #options;
  #rolling;
  #own = new OwnRolls();
  #noted;
  /** @type {{ command: T.Command, answer: Answer }[]} commands that wait for a place among the unanswered */
  #queue = [];
  /** @type {Map<Ticket, Answer>} */
  #waiting = new Map();
  /** @type {Set<() => void>} */
  #conditions = new Set();
  /** @type {DiceAlarm[]} */
  #alarms = [];
  /** By roll that this client missed: the anchor of its token. @type {WeakMap<WeakKey, string>} */
  #shown = new WeakMap();
  /** @type {Forked | null} */
  #forked = null;
  /** @type {Unchecked | null} */
  #unchecked = null;
  /** @type {ConnectionEnded | ProtocolViolation | null} */
  #over = null;

  /** @param {Link} link @param {Options} options */
  constructor(link, options) {
    this.link = link;
    this.#options = options;
    this.#protocol = new Protocol(link.room, link.token, options.client ?? CLIENT, options.knocks);
    this.#connection = new Connection(websocketOf(link), this.#protocol, (outputs) => this.#hear(outputs), options);
    const { store = storeHere(), locks = globalThis.navigator?.locks } = options;
    /** @type {import("./rolling.js").Ways} */
    const ways = { send: (command) => this.#send(command), alarm: (alarm) => this.#tell([alarm]) };
    this.#rolling = new Rolling(this, ways, { store, locks });
    this.#noted = new Noted(link, store, (since) => void this.#missed(since));
  }

  /** @param {Link} link @param {Options} options */
  static async open(link, options) {
    const room = new Room(link, options);
    await room.#connection.open();
    if (options.dice !== false && ROLLERS.has(room.role)) room.#rolling.prepare();
    void room.#compare();
    room.#connection.keep().catch((over) => room.#end(over));
    return room;
  }

  /** The room's id. */
  get id() {
    return this.link.room;
  }

  /** What this viewer sees after the latest record. A view is immutable: each record replaces it. */
  get view() {
    return this.#protocol.mirror.view;
  }

  /** The head of each channel after the latest record. @returns {Readonly<Positions>} */
  get positions() {
    return this.#protocol.mirror.positions;
  }

  /** The seat of the token. */
  get seat() {
    return this.#protocol.welcome.seat;
  }

  get role() {
    return this.#protocol.welcome.role;
  }

  /** The session in which commands are numbered. */
  get session() {
    return this.#protocol.welcome.session;
  }

  /** The id of the log that `positions` refer to. It changes after a fork. */
  get logId() {
    return this.#protocol.welcome.log_id;
  }

  /** Where an acknowledged command is: on disk (`fsync`), also on R replicas (`fsync+R`), or in `memory` only. */
  get durability() {
    return this.#protocol.welcome.durability;
  }

  /** Whether the connection is open and the view current. If not, the client is reconnecting, or the connection is `doubtful` or `over`. */
  get connected() {
    return this.#protocol.state === "open" && !this.doubtful;
  }

  /** Whether the connection looks open, but nothing arrives any more. Then another one is being opened. */
  get doubtful() {
    return this.#connection.doubtful;
  }

  /** Why the latest reconnect failed; null if it did not fail, or the reason is unknown. */
  get obstacle() {
    return this.#connection.obstacle;
  }

  /** Whether the view includes every record received. False after a record of a newer server, until `view_replaced`. */
  get complete() {
    return this.#protocol.mirror.complete;
  }

  /** Why the connection is over for good; null while it is not. */
  get over() {
    return this.#over;
  }

  /** The alarms so far about wrong or missing rolls. @type {readonly DiceAlarm[]} */
  get alarms() {
    return this.#alarms;
  }

  /** The alarm if the log differs from the log that this browser saw before. */
  get forked() {
    return this.#forked;
  }

  /** Set if that could not be checked. The next connection tries again. */
  get unchecked() {
    return this.#unchecked;
  }

  /** The waiting knocks, the oldest first, for a gm with the option `knocks`. `answerKnock` answers them. */
  get knocks() {
    return this.#protocol.knocks;
  }

  /** The connected seats, with the number of their connections. */
  get here() {
    return this.#protocol.here;
  }

  /**
   * Submit a command and wait until the server has applied it.
   *
   * At most 64 commands are under way. Further commands wait here, in order. Rolls with tokens are sent one after the
   * other, without delaying other commands. Their `seen` is the view's position at the call. Rejects with Refused if the
   * room refuses the command. After `session_expired` (the server forgot the session), it is unknown whether the command
   * was applied. Rejects with ConnectionEnded if the connection is over. Then it is also unknown.
   * @param {T.Command} command
   * @returns {Promise<Acknowledged>}
   */
  submit(command) {
    const rolls = !this.#over && this.#options.dice !== false && needsToken(command, this.view);
    return rolls ? this.#rolling.submit(command) : this.#send(command);
  }

  /** @param {T.Command} command @returns {Promise<Acknowledged>} */
  #send(command) {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      this.#queue.push({ command, answer: { resolve, reject } });
      this.#submitQueued();
    });
  }

  /**
   * Wait until `predicate(view)` is true, and return that view.
   *
   * `predicate` is called now and after every frame. Rejects after `timeoutMs`, with ConnectionEnded if the connection ends
   * first, and with any error of `predicate`.
   * @param {(view: Room["view"]) => unknown} predicate
   * @param {number} [timeoutMs]
   * @returns {Promise<Room["view"]>}
   */
  async waitFor(predicate, timeoutMs) {
    /** @type {() => void} */
    let ask = () => {};
    /** @type {Promise<Room["view"]>} */
    const fits = new Promise((resolve, reject) => {
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
      return await within(fits, timeoutMs, () => new DOMException("the view did not come to that", "TimeoutError"));
    } finally {
      this.#conditions.delete(ask);
    }
  }

  /**
   * Check at once whether the connection is alive. If it is lost, reconnect without waiting.
   *
   * Not needed in browsers, which report sleep and networks: see `Surroundings`.
   */
  wake() {
    this.#connection.wake();
  }

  /** Close the connection. Waiting callers get ConnectionEnded. */
  close() {
    this.#connection.close();
    this.#rolling.leave();
    this.#end(new ConnectionEnded(null, "this client closed the connection"));
  }

  #submitQueued() {
    while (this.#queue.length && this.#protocol.unanswered.length < MAX_UNANSWERED) {
      const { command, answer } = /** @type {{ command: T.Command, answer: Answer }} */ (this.#queue.shift());
      try {
        const ticket = this.#protocol.submit(command);
        this.#waiting.set(ticket, answer);
        this.#own.sent(ticket, command, this.view);
      } catch (error) {
        answer.reject(error);
      }
    }
    this.#connection.flush();
  }

  /** @param {readonly Output[]} outputs */
  #hear(outputs) {
    const all = outputs.flatMap((output) => [output, ...this.#taken(output)]);
    this.#submitQueued();
    this.#tell(all);
    this.#noted.take(this.logId, this.positions, this.seat);
    void this.#suspect(this.#own.unclaimed());
  }

  /** @param {Output} output @returns {Output[]} further outputs */
  #taken(output) {
    if (output.type === "happened" && this.complete) this.#own.happened(output.record, this.seat);
    if (output.type === "view_replaced") this.#replaced(output);
    if (output.type !== "answered") return [];
    this.#answer(output.ticket, output.outcome);
    return this.#own.answered(output.ticket, output.outcome, this.view, this.complete);
  }

  /** @param {ViewReplaced} output */
  #replaced({ reason }) {
    this.#own.forget();
    if (reason !== "forked") void this.#compare();
  }

  /** Call the listeners and the waiting callers with new outputs. @param {readonly Output[]} outputs */
  #tell(outputs) {
    const alarms = outputs.filter((output) => output.type === "alarm");
    if (alarms.length) this.#alarms = [...this.#alarms, ...alarms];
    for (const ask of this.#conditions) ask();
    tell(this.#options.onChange, this, outputs);
  }

  /**
   * Trust the device of a `not_sent` alarm: rolls with its tokens raise no alarm here any more.
   * @param {string} anchor the anchor in the alarm
   */
  async trust(anchor) {
    await this.#rolling.trust(anchor);
  }

  /**
   * Raise these alarms, except for rolls with tokens of other tabs of this browser, or of trusted devices. Rolls without a
   * token always raise an alarm, because the server could have made them.
   * @param {readonly DiceAlarm[]} alarms
   */
  async #suspect(alarms) {
    for (const alarm of alarms) {
      const proof = alarm.record ? rolledIn(alarm.record.event)?.proof : undefined;
      const isProven = proof !== undefined && (proof.token !== undefined || proof.key === undefined);
      const anchor = isProven ? (this.#shown.get(/** @type {WeakKey} */ (alarm.record)) ?? this.view.public.lanes.get(proof.lane)?.anchor) : undefined;
      if (await this.#rolling.isElsewhere(anchor)) continue;
      this.#tell([anchor === undefined ? alarm : { ...alarm, anchor }]);
    }
  }

  /** Check the rolls of this seat from while no client here was connected. @param {readonly import("./since.js").Since[]} since */
  async #missed(since) {
    for (const { record, anchor } of since) {
      if (anchor !== undefined) this.#shown.set(record, anchor);
      this.#own.missed(record, this.seat, await this.#rolling.isHere(anchor));
    }
    void this.#suspect(this.#own.unclaimed());
  }

  /** Check whether the log continues from the head that was noted here. */
  async #compare() {
    const problem = await this.#noted.check(this.logId, this.positions, this.seat);
    this.#noted.take(this.logId, this.positions, this.seat);
    this.#unchecked = problem?.type === "unchecked" ? problem : null;
    if (problem?.type === "forked") this.#forked ??= problem;
    if (problem) this.#tell([problem]);
  }

  /** @param {Ticket} ticket @param {Acknowledged | Error} outcome */
  #answer(ticket, outcome) {
    const answer = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    if (outcome instanceof Error) answer?.reject(outcome);
    else answer?.resolve(outcome);
  }

  /** End all waiting calls, because the connection is over. Only the first reason counts. @param {ConnectionEnded} over */
  #end(over) {
    if (this.#over) return;
    this.#over = over;
    for (const ticket of [...this.#waiting.keys()]) this.#answer(ticket, over);
    for (const { answer } of this.#queue.splice(0)) answer.reject(over);
    for (const ask of this.#conditions) ask();
    tell(this.#options.onEnd, over);
  }
}
