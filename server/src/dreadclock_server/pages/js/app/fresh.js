// @ts-check
/** Helpers for records: their keys, their order, and how far their dice are proven. */

/** @import * as T from "../../client/dreadclock.types.js" @import { View } from "../../client/views.js" */

import { isQuiet } from "../../client/narration.js";
import { rolledInSecret } from "../../client/rolled.js";

/** Return a key for a record, which never changes. @param {T.EventRecord} record */
export function keyOf(record) {
  return `${record.channel}-${record.seq}`;
}

/** Return the records of several channels in the order in which they happened. @param {readonly T.EventRecord[]} records */
export function inOrder(records) {
  /** @type {(record: T.EventRecord) => number} */
  const place = (record) => (record.channel === "public" ? record.seq : (record.after ?? 0) + 0.5);
  return [...records].sort((a, b) => place(a) - place(b) || a.seq - b.seq);
}

/** Return the proof of an event's dice, if it has one. @param {any} event @returns {T.RollProof | undefined} */
function proofOf(event) {
  return (event.roll ?? event.part?.roll ?? event.result ?? event.push ?? event).proof;
}

/** Return a key for a roll: its lane, its slot, and its start in the slot. @param {T.RollProof} proof */
function placeOf({ lane, n, start }) {
  return `${lane} ${n} ${start}`;
}

/** Return the proofs of all dice that a record makes public. @param {T.EventRecord} record */
function proofsIn({ channel, event }) {
  if (channel !== "public") return [];
  const all = event.type === "revealed" ? rolledInSecret(event.things).map(({ proof }) => proof) : [proofOf(event)];
  return all.filter((proof) => proof !== undefined);
}

/** Tell whether a lane belongs to a hidden or formerly hidden thing. @param {string} lane */
const isHidden = (lane) => lane.startsWith("thing/");

/** @typedef {{ rolls: [string, "proven" | "uncommitted"][], fixed: string[] }} KeptChecks */

const KEPT = 500; // rolls: more than a page shows

/** The rolls whose dice this page has checked. */
export class Checked {
  /** @type {Map<string, "proven" | "uncommitted">} by the place of each in its lane */ #rolls = new Map();
  /** @type {Set<string>} the lanes of hidden things that everyone was told of before they were rolled */ #fixed = new Set();

  /**
   * Start with the lanes of a view, and with the results that this tab kept before a reload.
   * @param {View} view @param {KeptChecks} [kept]
   */
  begin(view, kept = { rolls: [], fixed: [] }) {
    for (const [place, standing] of kept.rolls) this.#rolls.set(place, standing);
    for (const lane of kept.fixed) this.#fixed.add(lane);
    for (const lane of view.public.lanes.keys()) this.#fixed.add(lane);
  }

  /** The results to keep over a reload. @returns {KeptChecks} */
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
   * Return how far a roll is proven. `uncommitted`: only the gm knew about it until it was revealed.
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

/** Tell whether everyone sees the thing of a lane. @param {View} view @param {string} lane */
function isShown(view, lane) {
  const [, kind, id] = lane.split("/");
  const field = /** @type {"countdowns" | "rolls" | "checks"} */ (`${kind}s`);
  return view.public[field].has(id);
}

/**
 * Tell whether a record has no sentence. If only one character rolled for a check, the check's result has none: the
 * sentence about that roll has the result. `view`: the view after the record, or later.
 * @param {T.EventRecord} record @param {View} view
 */
export function isUntold({ event }, view) {
  if (event.type !== "check_resolved") return isQuiet(event);
  const check = view.checks.get(event.check_id);
  return !event.result.winner && check?.parts.length === 1 && !check.effort; // for an effort, the sentence may say that it came too late
}

/**
 * Mark the sentences of a command as undone, if the record is its undo.
 * @template {{ record: T.EventRecord, back?: boolean }} Told
 * @param {Told[]} sentences @param {T.EventRecord} record @returns {Told[]}
 */
export function struck(sentences, { channel, event }) {
  if (event.type !== "command_voided") return sentences;
  const { first, last } = event;
  return sentences.map((sentence) => {
    const { channel: where, seq } = sentence.record;
    return where === channel && seq >= first && seq <= last ? { ...sentence, back: true } : sentence;
  });
}
