// @ts-check
/** What happened, as sentences that are told once, as things were called at their time. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { View } from "../../client/views.js"
 * @import { Kept } from "./kept.js"
 * @import { Words } from "./words.js"
 *
 * A sentence; `back`: what it tells of was taken back.
 * @typedef {{ key: string, text: string, channel: T.Channel, at: number, record: T.EventRecord, back?: boolean }} Told
 */

import { inOrder, isUntold, keyOf, struck } from "./fresh.js";

const TOLD_AT_MOST = 200;

export class Story {
  /** The latest sentences, oldest first. @type {Told[]} */ told = [];
  /** Those before them that were fetched, oldest first. @type {Told[]} */ earlier = [];
  /** Whether all of them begin with the room's first. */ isWhole = true;
  /** What fetches those before them, once somebody scrolls that far. @type {import("../evening/earlier.js").Earlier | null} */ past = null;

  /** @param {Words} words */
  constructor(words) {
    this.words = words;
  }

  /** All sentences at hand. */
  get length() {
    return this.earlier.length + this.told.length;
  }

  /** Begin with what a view remembers, after what was kept over a reload. @param {View} view @param {Kept | null} kept */
  begin(view, kept) {
    const first = view.public.recent[0]?.seq ?? 1;
    [this.told, this.isWhole] = [kept?.told ?? [], kept?.isWhole ?? first <= 1];
    [this.earlier, this.past] = [[], null];
    const recent = Object.values(view.channels).flatMap((part) => part?.recent ?? []);
    // The gm's own channel reaches further back: without the rest it would be no story.
    const story = inOrder(recent).filter((each) => (each.after ?? first) >= first - 1 && !kept?.knows(each));
    for (const record of story) this.tell(record, view);
  }

  /** Tell one more. @param {T.EventRecord} record @param {View} view @param {View | null} [before] */
  tell(record, view, before = null) {
    if (isUntold(record, view)) return;
    this.told = struck(this.told, record);
    this.earlier = struck(this.earlier, record);
    const text = this.words.narrator.told(record, view, ...(before ? [before] : []));
    this.told.push({ key: keyOf(record), text, channel: record.channel, at: record.at, record });
    if (this.past || this.told.length <= TOLD_AT_MOST) return; // who looks back is not to lose what lies between
    this.told.splice(0, this.told.length - TOLD_AT_MOST);
    this.isWhole = false;
  }
}
