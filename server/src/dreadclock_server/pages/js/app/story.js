// @ts-check
/** The story: the events as sentences. Each sentence is written once, with the names that things had at that time. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { View } from "../../client/views.js"
 * @import { Rolled } from "../parts/rolled.js"
 * @import { Kept } from "./kept.js"
 * @import { Table } from "./table.js"
 *
 * A sentence about a record. `back`: whether the record was undone. For the line of its action: `roll` is the roll, and
 * `change` says in a few words what changed.
 * @typedef {{ key: string, text: string, channel: T.Channel, at: number, record: T.EventRecord, back?: boolean, roll?: Rolled, change?: string }} Told
 */

import { inOrder, isUntold, struck } from "./fresh.js";

const TOLD_AT_MOST = 200;

export class Story {
  /** The latest sentences, oldest first. @type {Told[]} */ told = [];
  /** Earlier sentences, which were fetched from the log, oldest first. @type {Told[]} */ earlier = [];
  /** Whether the sentences start with the first record of the room. */ isWhole = true;
  /** Fetches earlier sentences; null until somebody scrolls to the oldest sentence. @type {import("../evening/earlier.js").Earlier | null} */ past = null;

  /** Writes the sentence of a record. Pages that show a room set this function. @type {typeof import("../parts/line.js").toldOf} */ toldOf = /** @type {any} */ (null);

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /** Start with the records of a view, after the sentences that were kept over a reload. @param {View} view @param {Kept | null} kept */
  begin(view, kept) {
    const first = view.public.recent[0]?.seq ?? 1;
    [this.told, this.isWhole] = [kept?.told ?? [], kept?.isWhole ?? first <= 1];
    [this.earlier, this.past] = [[], null];
    const recent = Object.values(view.channels).flatMap((part) => part?.recent ?? []);
    // The gm's channel may reach further back than the public channel. Leave these records out, because the public records between them are missing.
    const story = inOrder(recent).filter((record) => (record.after ?? first) >= first - 1 && !kept?.knows(record));
    for (const record of story) this.tell(record, view);
  }

  /** Add the sentence of another record. @param {T.EventRecord} record @param {View} view @param {View | null} [before] */
  tell(record, view, before = null) {
    if (isUntold(record, view)) return;
    this.told = struck(this.told, record);
    this.earlier = struck(this.earlier, record);
    this.told.push(this.toldOf(this.table, record, view, before));
    if (this.past || this.told.length <= TOLD_AT_MOST) return; // do not drop sentences while somebody has scrolled back
    this.told.splice(0, this.told.length - TOLD_AT_MOST);
    this.isWhole = false;
  }
}
