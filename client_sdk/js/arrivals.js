// @ts-check
/** Checks each public roll as it arrives, and returns alarms for wrong rolls. */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { View } from "./views.js"
 * @import { Flaw } from "./lanes.js"
 * @import { Rolled } from "./rolled.js"
 *
 * Flaws that only the roller's client can detect.
 * @typedef {"not_sent" | "refused" | "dropped" | "without_token" | "other_thing" | "denied"} OwnFlaw
 * @typedef {import("./lanes.js").Flaw | OwnFlaw} AnyFlaw
 * @typedef {{ type: "alarm", record: T.EventRecord | null, flaw: AnyFlaw, sentence: string, anchor?: string }} DiceAlarm
 *   an alarm. `record`: the wrong record; null if a record is missing. `anchor`: identifies the device of the roll, if its
 *   token is known; `Room.trust` takes it
 */

import { Lanes } from "./lanes.js";
import { isByHand, rolledIn, rolledInSecret } from "./rolled.js";

/** @type {{ readonly [flaw in Flaw]: string }} */
export const SENTENCES = {
  unproven: "This roll does not say where its dice come from.",
  lane: "This roll comes from dice that are not those of whoever rolled.",
  opening: "These dice were not fixed as they have to be before they are rolled.",
  anchor: "These dice were fixed with tokens that were used before.",
  slot: "This roll skips dice, or uses some for a second time.",
  key: "The server's key for this roll is not the one that it fixed beforehand.",
  token: "The token of this roll is not the one that its seat fixed beforehand.",
  witnesses: "This roll counts other tokens of the table than were shown.",
  start: "This roll does not go on where the roll before it stopped.",
  faces: "Other faces follow from the key and the token of this roll.",
};

/** Checks the public records of a room, starting from a view. */
export class Verifier {
  #lanes;

  /** @param {string} room its id @param {View} view the view before the first record */
  constructor(room, view) {
    this.#lanes = Lanes.of(room, view);
  }

  /**
   * Check the next record. Only public records can be checked as they arrive.
   * @param {T.EventRecord} record
   * @returns {DiceAlarm[]}
   */
  check(record) {
    if (record.channel !== "public") return [];
    const flaws = [this.#lanes.open(record), ...this.#rolled(record)];
    return [...new Set(flaws)].flatMap((flaw) => (flaw ? [alarmOf(record, flaw)] : []));
  }

  /** @param {T.EventRecord} record @returns {(Flaw | null)[]} */
  #rolled(record) {
    if (record.event.type === "revealed") {
      const isKnown = (/** @type {Rolled} */ { thing, proof }) => !proof || this.#lanes.has(`thing/${thing}`);
      const rolls = rolledInSecret(record.event.things).filter(isKnown);
      return rolls.map((rolled) => (isByHand(rolled) ? null : this.#lanes.rollRevealed(record, rolled).flaw));
    }
    const rolled = rolledIn(record.event);
    return rolled && !isByHand(rolled) ? [this.#lanes.roll(record, rolled).flaw] : [];
  }
}

/** @param {T.EventRecord} record @param {Flaw} flaw @returns {DiceAlarm} */
function alarmOf(record, flaw) {
  return { type: "alarm", record, flaw, sentence: SENTENCES[flaw] };
}
