// @ts-check
/**
 * Checks the rolls of the client's own seat: every logged roll was requested, and every requested roll is logged.
 *
 * Only the client can check this. A roll that the server dropped, or made without a request, contradicts nothing in the log.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { AnyFlaw, DiceAlarm } from "./arrivals.js"
 * @import { Acknowledged } from "./outcomes.js"
 * @import { Ticket } from "./unanswered.js"
 * @import { View } from "./views.js"
 */

import { fits, isAbout, isInSlot, isLeftOut, isMisplaced, isRolled, isRolling, mustRoll } from "./asked_rolls.js";
import { Refused } from "./errors.js";
import { isUnderstood } from "./records.js";
import { rolledIn } from "./rolled.js";

const REMEMBERED = 64; // commands that were refused, or whose outcome is unknown
const IN_DOUBT = new Set(["session_expired", "duplicate"]); // refusals after which the outcome is unknown

/** @type {{ readonly [flaw: string]: string }} */
const SENTENCES = {
  not_sent: "This roll was made in the name of your seat, but not from here; perhaps from another device of yours.",
  refused: "This roll was refused, and made all the same.",
  dropped: "A roll that was asked for here is called done, but it is not in the log.",
  without_token: "This roll did not use the token that was sent for it.",
  other_thing: "This roll is not the one that was asked for.",
  denied: "The server turns away a token for a roll that fits.",
  opening: "Dice were fixed for your seat, but not with the tokens of this client.",
};

/** @param {T.EventRecord | null} record @param {AnyFlaw} flaw @returns {DiceAlarm} */
export function ownAlarm(record, flaw) {
  return { type: "alarm", record, flaw, sentence: SENTENCES[flaw] };
}

export class OwnRolls {
  /** @type {Map<Ticket, { command: T.Command, view: View }>} with what the sender saw */
  #sent = new Map();
  /** @type {Map<T.EventRecord, Set<Ticket>>} rolls of the seat, and the commands that may still claim them */
  #unclaimed = new Map();
  /** @type {T.Command[]} */
  #refused = [];
  /** @type {T.Command[]} */
  #inDoubt = [];
  /** @type {Set<string>} lanes of rolls that nobody here sent */
  #named = new Set();

  /** Note a command that is sent, and the sender's view. */
  sent(/** @type {Ticket} */ ticket, /** @type {T.Command} */ command, /** @type {View} */ view) {
    this.#sent.set(ticket, { command, view });
  }

  /** Take a record of the log. `seat`: the seat of this client. */
  happened(/** @type {T.EventRecord} */ record, /** @type {string} */ seat) {
    if (record.channel !== "public" || record.by !== seat || !rolledIn(record.event)) return;
    this.#unclaimed.set(record, new Set(this.#sent.keys()));
  }

  /**
   * Take the final reply to a command, and the view after its records. The records must have come before.
   * @param {Ticket} ticket
   * @param {Acknowledged | Error} outcome
   * @param {View} view
   * @param {boolean} [complete] whether the view is complete
   * @returns {DiceAlarm[]}
   */
  answered(ticket, outcome, view, complete = true) {
    const sent = this.#sent.get(ticket);
    this.#sent.delete(ticket);
    for (const waitsFor of this.#unclaimed.values()) waitsFor.delete(ticket);
    if (!sent) return [];
    if (outcome instanceof Error) {
      this.#fail(sent.command, outcome);
      return [];
    }
    const records = outcome.records.filter(({ channel }) => channel === "public");
    for (const record of records) this.#unclaimed.delete(record);
    const isKnown = complete && records.every(isUnderstood);
    if (outcome.complete && isKnown) return amiss(sent.command, records, sent.view, view);
    this.#doubt(this.#inDoubt, sent.command); // the client may have missed the records of this command
    return [];
  }

  /** Return the alarms for rolls of the seat that no command can claim any more. @returns {DiceAlarm[]} */
  unclaimed() {
    /** @type {DiceAlarm[]} */
    const alarms = [];
    for (const [record, waitsFor] of this.#unclaimed) {
      if (waitsFor.size) continue;
      this.#unclaimed.delete(record);
      if (this.#inDoubt.some((command) => fits(command, record))) continue;
      const wasRefused = this.#refused.some((command) => fits(command, record));
      if (wasRefused) alarms.push(ownAlarm(record, "refused"));
      else if (this.#isToBeNamed(record)) alarms.push(ownAlarm(record, "not_sent"));
    }
    return alarms;
  }

  /**
   * Check a record that was logged while this client was away.
   * @param {T.EventRecord} record
   * @param {string} seat
   * @param {boolean} isHere whether it shows a token of this browser, which nobody else knows
   */
  missed(record, seat, isHere) {
    const lane = rolledIn(record.event)?.proof?.lane;
    if (isHere && lane) this.#named.add(lane); // later rolls of the slot show no token
    if (isHere || record.channel !== "public" || record.by !== seat || !rolledIn(record.event)) return;
    if ([...this.#sent.values()].some(({ command }) => fits(command, record))) return;
    this.#unclaimed.set(record, new Set());
  }

  /** Forget all rolls, after the view was replaced: it does not show which requested rolls were made. */
  forget() {
    this.#unclaimed.clear();
  }

  /**
   * Tell whether a roll that this client did not send needs an alarm.
   *
   * In a lane with tokens, only the first roll does: only another device of the same seat can roll there. In a lane without
   * tokens, the server can roll, too, so every roll needs an alarm. A later roll of a slot (it shows no key) shares the
   * alarm of its slot.
   */
  #isToBeNamed(/** @type {T.EventRecord} */ { event }) {
    const proof = rolledIn(event)?.proof;
    if (proof === undefined) return true;
    const isFirst = !this.#named.has(proof.lane);
    this.#named.add(proof.lane);
    return isFirst || (proof.key !== undefined && proof.token === undefined);
  }

  /** @param {T.Command} command @param {Error} error */
  #fail(command, error) {
    if (!isRolling(command)) return;
    const inDoubt = !(error instanceof Refused) || IN_DOUBT.has(error.code);
    this.#doubt(inDoubt ? this.#inDoubt : this.#refused, command);
  }

  /** @param {T.Command[]} commands @param {T.Command} command */
  #doubt(commands, command) {
    commands.push(command);
    if (commands.length > REMEMBERED) commands.shift();
  }
}

/**
 * Return the alarms for the public records of an applied command.
 * @param {T.Command} command
 * @param {readonly T.EventRecord[]} records
 * @param {View} before
 * @param {View} after
 * @returns {DiceAlarm[]}
 */
function amiss(command, records, before, after) {
  const rolled = records.filter(({ event }) => rolledIn(event));
  const lacks = mustRoll(command, before) && !records.some((record) => isRolled(command, record));
  const alarms = lacks || isLeftOut(command, records, before, after) ? [ownAlarm(null, "dropped")] : [];
  for (const record of rolled) {
    if (!isAbout(command, record.event) || isMisplaced(command, record.event, [before, after])) alarms.push(ownAlarm(record, "other_thing"));
    else if (!isInSlot(command, record.event)) alarms.push(ownAlarm(record, "without_token"));
  }
  return alarms;
}
