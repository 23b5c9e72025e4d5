// @ts-check
/**
 * Helpers for records: their keys, and how far their dice are proven. A lane is a chain of secrets from which dice are computed
 * (docs/dice.md).
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { View } from "../../client/views.js" */

import { isQuiet } from "../../client/narration.js";
import { proofOf, rolledInSecret } from "../../client/rolled.js";

/** Return the key of a record. It never changes. @param {T.EventRecord} record */
export function keyOf(record) {
  return `${record.channel}-${record.seq}`;
}

/** Return a roll's key: its lane, the number of its secret in the lane, and where its dice begin. @param {T.RollProof} proof */
function placeOf({ lane, n, start }) {
  return `${lane} ${n} ${start}`;
}

/** Return the proofs of all dice that a record makes public. @param {T.EventRecord} record */
function proofsIn({ channel, event }) {
  if (channel !== "public") return [];
  const all = event.type === "revealed" ? rolledInSecret(event.things).map(({ proof }) => proof) : [proofOf(event)];
  return all.filter((proof) => proof !== undefined);
}

/** Tell whether a lane belongs to a thing that is or was hidden. @param {string} lane */
const isHidden = (lane) => lane.startsWith("thing/");

/** @typedef {{ rolls: [string, "proven" | "uncommitted"][], fixed: string[] }} KeptChecks */

const KEPT = 500; // results to store: more than a page shows

/** The rolls whose dice this page has checked. */
export class Checked {
  /** The results, by the key of the roll. @type {Map<string, "proven" | "uncommitted">} */ #rolls = new Map();
  /** The lanes that were fixed in public before their first roll. Only lanes of hidden things are looked up. @type {Set<string>} */ #fixed = new Set();

  /**
   * Add the lanes of a view, and the results that this tab stored before a reload.
   * @param {View} view @param {KeptChecks} [kept]
   */
  begin(view, kept = { rolls: [], fixed: [] }) {
    for (const [place, standing] of kept.rolls) this.#rolls.set(place, standing);
    for (const lane of kept.fixed) this.#fixed.add(lane);
    for (const lane of view.public.lanes.keys()) this.#fixed.add(lane);
  }

  /** The results of the checks, to be stored for a reload. @returns {KeptChecks} */
  get kept() {
    return { rolls: [...this.#rolls].slice(-KEPT), fixed: [...this.#fixed] };
  }

  /** Note a record whose dice are correct. @param {T.EventRecord} record */
  hear(record) {
    const { event } = record;
    if (event.type === "sealed_started" && event.thing.lane) this.#fixed.add(event.thing.lane);
    for (const proof of proofsIn(record)) {
      const isFixed = !isHidden(proof.lane) || this.#fixed.has(proof.lane);
      this.#rolls.set(placeOf(proof), isFixed ? "proven" : "uncommitted");
    }
  }

  /** Note a record whose dice are wrong. @param {T.EventRecord} record */
  doubt(record) {
    for (const proof of proofsIn(record)) this.#rolls.delete(placeOf(proof));
  }

  /**
   * Return how far a roll is proven. `none`: it has no proof. `secret`: the rolled thing is hidden. `no_token`: only the server
   * chose the dice. `proven`: this page has checked the dice. `uncommitted`: checked, but the dice were not fixed in public
   * before the roll. `claimed`: not checked here.
   * @param {View} view @param {T.RollProof | undefined} proof
   */
  standing(view, proof) {
    if (!proof) return "none";
    const { lane, token } = proof;
    if (isHidden(lane) && !isShown(view, lane)) return "secret";
    if (!isHidden(lane) && !(token ?? view.public.lanes.get(lane)?.anchor)) return "no_token";
    return this.#rolls.get(placeOf(proof)) ?? "claimed";
  }
}

/** Tell whether the thing of a lane, which was hidden, is public now. @param {View} view @param {string} lane */
function isShown(view, lane) {
  const [, kind, id] = lane.split("/");
  const field = /** @type {"countdowns" | "rolls" | "checks"} */ (`${kind}s`);
  return view.public[field].has(id);
}

/**
 * Tell whether a record has no sentence. The result of a check with a single roll has none, because the sentence about the
 * roll gives the result. `view`: a view that includes the record.
 * @param {T.EventRecord} record @param {View} view
 */
export function isUntold({ event }, view) {
  if (event.type !== "check_resolved") return isQuiet(event);
  const check = view.checks.get(event.check_id);
  return !event.result.winner && check?.parts.length === 1 && !check.effort; // for an effort, the sentence may say that it came too late
}

/**
 * Return the sentences. If the record undoes a command, the sentences about that command are marked as undone.
 * @template {{ record: T.EventRecord, back?: boolean }} Sentence
 * @param {Sentence[]} sentences @param {T.EventRecord} record @returns {Sentence[]}
 */
export function struck(sentences, { channel, event }) {
  if (event.type !== "command_voided") return sentences;
  const { first, last } = event;
  return sentences.map((sentence) => {
    const { channel: where, seq } = sentence.record;
    return where === channel && seq >= first && seq <= last ? { ...sentence, back: true } : sentence;
  });
}
