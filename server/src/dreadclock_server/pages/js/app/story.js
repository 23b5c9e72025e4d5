// @ts-check
/** What happened, as sentences that are told once, as things were called at their time. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { View } from "../../client/views.js"
 * @import { Rolled } from "../parts/rolled.js"
 * @import { Kept } from "./kept.js"
 * @import { Table } from "./table.js"
 *
 * A sentence; `back`: what it tells of was taken back. For the line of its action: `roll` is what was rolled, and
 * `change` what else came of it, in a few words.
 * @typedef {{ key: string, text: string, channel: T.Channel, at: number, record: T.EventRecord, back?: boolean, roll?: Rolled, change?: string }} Told
 */

import { inOrder, isUntold, struck } from "./fresh.js";

const TOLD_AT_MOST = 200;

export class Story {
  /** The latest sentences, oldest first. @type {Told[]} */ told = [];
  /** Those before them that were fetched, oldest first. @type {Told[]} */ earlier = [];
  /** Whether all of them begin with the room's first. */ isWhole = true;
  /** What fetches those before them, once somebody scrolls that far. @type {import("../evening/earlier.js").Earlier | null} */ past = null;

  /** Tells a record; pages that show a room set it. @type {typeof import("../parts/line.js").toldOf} */ toldOf = /** @type {any} */ (null);

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
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
    this.told.push(this.toldOf(this.table, record, view, before));
    if (this.past || this.told.length <= TOLD_AT_MOST) return; // who looks back is not to lose what lies between
    this.told.splice(0, this.told.length - TOLD_AT_MOST);
    this.isWhole = false;
  }
}
