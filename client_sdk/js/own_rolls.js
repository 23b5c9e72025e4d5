// @ts-check
/**
 * The rolls of this client's own seat: whether each is one that it asked for, and each that it asked for is there.
 *
 * Nobody else can tell: a roll that was dropped, or made in the name of a seat that wanted none, contradicts nothing.
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

const REMEMBERED = 64; // commands that were refused, or of which it is not known whether they were done
const IN_DOUBT = new Set(["session_expired", "duplicate"]); // refusals that leave open whether a command was done

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

  /** Note what is sent, and what its sender sees. */
  sent(/** @type {Ticket} */ ticket, /** @type {T.Command} */ command, /** @type {View} */ view) {
    this.#sent.set(ticket, { command, view });
  }

  /** Take in a record of the log; `seat` is this client's. */
  happened(/** @type {T.EventRecord} */ record, /** @type {string} */ seat) {
    if (record.channel !== "public" || record.by !== seat || !rolledIn(record.event)) return;
    this.#unclaimed.set(record, new Set(this.#sent.keys()));
  }

  /**
   * Take in a final reply, which comes after its records, and the view after them.
   * @param {Ticket} ticket
   * @param {Acknowledged | Error} outcome
   * @param {View} view
   * @param {boolean} [complete] whether the view is
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
    this.#doubt(this.#inDoubt, sent.command); // its records are among those that were not heard here
    return [];
  }

  /** Hand over what is wrong with rolls of the seat that no command can claim any more. @returns {DiceAlarm[]} */
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
   * Take in a record that was logged while nobody here heard it, to be judged like those that no command can claim.
   * @param {T.EventRecord} record
   * @param {string} seat
   * @param {boolean} isHere whether it shows a token of this browser: nobody else could have shown it
   */
  missed(record, seat, isHere) {
    const lane = rolledIn(record.event)?.proof?.lane;
    if (isHere && lane) this.#named.add(lane); // later rolls of the slot show no token of their own
    if (isHere || record.channel !== "public" || record.by !== seat || !rolledIn(record.event)) return;
    if ([...this.#sent.values()].some(({ command }) => fits(command, record))) return;
    this.#unclaimed.set(record, new Set());
  }

  /** Start from a view that was shown anew: which of the rolls it holds is not known. */
  forget() {
    this.#unclaimed.clear();
  }

  /**
   * Tell whether a roll from elsewhere is to be named.
   *
   * In a lane with tokens the first is enough: only another device of the same seat can roll there. Without tokens the
   * server can, too, so that each is named; what goes on with a slot shows no key, and was named with it.
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
 * Name what is wrong with the public records of a command that was done.
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
