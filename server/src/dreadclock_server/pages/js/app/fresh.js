// @ts-check
/** Records: what they are called, in which order they happened, whose dice they rolled, and how well these are proven. */

/** @import * as T from "../../client/dreadclock.types.js" @import { View } from "../../client/views.js" */

import { isQuiet } from "../../client/narration.js";
import { rolledInSecret } from "../../client/rolled.js";

/** Name a record for good. @param {T.EventRecord} record */
export function keyOf(record) {
  return `${record.channel}-${record.seq}`;
}

/** Put the records of several channels into the one order in which they happened. @param {readonly T.EventRecord[]} records */
export function inOrder(records) {
  /** @type {(record: T.EventRecord) => number} */
  const place = (record) => (record.channel === "public" ? record.seq : (record.after ?? 0) + 0.5);
  return [...records].sort((one, other) => place(one) - place(other) || one.seq - other.seq);
}

/** Return what the dice of an event are proven with, if anything. @param {any} event @returns {T.RollProof | undefined} */
export function proofOf(event) {
  return (event.roll ?? event.part?.roll ?? event.result ?? event.push ?? event).proof;
}

/** Name a roll by its place among those of its lane. @param {T.RollProof} proof */
function placeOf({ lane, n, start }) {
  return `${lane} ${n} ${start}`;
}

/** Return what all dice are proven with that a record shows to everyone. @param {T.EventRecord} record */
function proofsIn({ channel, event }) {
  if (channel !== "public") return [];
  const all = event.type === "revealed" ? rolledInSecret(event.things).map(({ proof }) => proof) : [proofOf(event)];
  return all.filter((proof) => proof !== undefined);
}

/** Tell whether a lane is that of a thing that is, or was, hidden. @param {string} lane */
const isHidden = (lane) => lane.startsWith("thing/");

/** @typedef {{ rolls: [string, "proven" | "uncommitted"][], fixed: string[] }} KeptChecks */

const KEPT = 500; // rolls: more than a page shows

/** The rolls that were checked on this page. */
export class Checked {
  /** @type {Map<string, "proven" | "uncommitted">} by the place of each in its lane */ #rolls = new Map();
  /** @type {Set<string>} the lanes of hidden things that everyone was told of before they were rolled */ #fixed = new Set();

  /**
   * Begin with what a view tells of lanes, and with what this tab found before it was reloaded.
   * @param {View} view @param {KeptChecks} [kept]
   */
  begin(view, kept = { rolls: [], fixed: [] }) {
    for (const [place, standing] of kept.rolls) this.#rolls.set(place, standing);
    for (const lane of kept.fixed) this.#fixed.add(lane);
    for (const lane of view.public.lanes.keys()) this.#fixed.add(lane);
  }

  /** What was found, to be kept. @returns {KeptChecks} */
  get kept() {
    return { rolls: [...this.#rolls].slice(-KEPT), fixed: [...this.#fixed] };
  }

  /** Take in a record whose dice fit. @param {T.EventRecord} record */
  hear(record) {
    const { event } = record;
    if (event.type === "sealed_started" && event.thing.lane) this.#fixed.add(event.thing.lane);
    for (const proof of proofsIn(record)) {
      const isFixed = !isHidden(proof.lane) || this.#fixed.has(proof.lane);
      this.#rolls.set(placeOf(proof), isFixed ? "proven" : "uncommitted");
    }
  }

  /** Take in that the dice of a record do not fit. @param {T.EventRecord} record */
  doubt(record) {
    for (const proof of proofsIn(record)) this.#rolls.delete(placeOf(proof));
  }

  /**
   * Say how well a roll is proven. `uncommitted`: only the gm knew of it until it was shown.
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

/** Tell whether everyone sees the thing that a lane is of. @param {View} view @param {string} lane */
function isShown(view, lane) {
  const [, kind, id] = lane.split("/");
  const field = /** @type {"countdowns" | "rolls" | "checks"} */ (`${kind}s`);
  return view.public[field].has(id);
}

/**
 * Tell whether a record gets no sentence. The result of a check gets none if one character alone rolled for it: the
 * sentence about that roll names the result. `view`: as of the record or later.
 * @param {T.EventRecord} record @param {View} view
 */
export function isUntold({ event }, view) {
  if (event.type !== "check_resolved") return isQuiet(event);
  const check = view.checks.get(event.check_id);
  return !event.result.winner && check?.parts.length === 1 && !check.effort; // of an effort it may say that it came too late
}

/**
 * Mark the sentences of what a record takes back, if it takes anything back.
 * @template {{ record: T.EventRecord, back?: boolean }} Told
 * @param {Told[]} told @param {T.EventRecord} record @returns {Told[]}
 */
export function struck(told, { channel, event }) {
  if (event.type !== "command_voided") return told;
  const { first, last } = event;
  return told.map((each) => {
    const { channel: where, seq } = each.record;
    return where === channel && seq >= first && seq <= last ? { ...each, back: true } : each;
  });
}
