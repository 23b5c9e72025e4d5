// @ts-check
/** The sentences about the events of a room. A sentence is written once, with the names that things had at that time. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { View } from "../../client/views.js"
 * @import { Rolled } from "../parts/rolled.js"
 * @import { Kept } from "./kept.js"
 * @import { Table } from "./table.js"
 *
 * A sentence about a record. `key`: of the record. `at`: in ms since 1970. `back`: whether it was undone. The log's line shows
 * `roll`, and `change`: a few words for what the event changed.
 * @typedef {{ key: string, text: string, channel: T.Channel, at: number, record: T.EventRecord, back?: boolean, roll?: Rolled, change?: string }} Sentence
 */

import { inOrder } from "../../client/records.js";
import { isUntold, struck } from "./fresh.js";

const MOST_SENTENCES = 200;

export class Story {
  /** The latest sentences, oldest first. @type {Sentence[]} */ sentences = [];
  /** Earlier sentences, which were fetched from the log, oldest first. @type {Sentence[]} */ earlier = [];
  /** Whether the sentences start with the first record of the room. */ isWhole = true;
  /** Fetches earlier sentences; null until somebody scrolls to the oldest sentence. @type {import("../evening/earlier.js").Earlier | null} */ past = null;

  /** Writes the sentence of a record. The page sets this function, so that other pages need not load it. @type {typeof import("../parts/line.js").sentenceOf} */ sentenceOf = /** @type {any} */ (null);

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /** Start with the sentences that were kept over a reload, and with the newer records of a view. @param {View} view @param {Kept | null} kept */
  begin(view, kept) {
    const first = view.public.recent[0]?.seq ?? 1;
    [this.sentences, this.isWhole] = [kept?.sentences ?? [], kept?.isWhole ?? first <= 1];
    [this.earlier, this.past] = [[], null];
    const recent = Object.values(view.channels).flatMap((part) => part?.recent ?? []);
    // The view may have records of the gm's channel that are older than its oldest public record. They are left out, because
    // the public records between them are missing.
    const story = inOrder(recent).filter((record) => (record.after ?? first) >= first - 1 && !kept?.knows(record));
    for (const record of story) this.tell(record, view);
  }

  /** Add the sentence about a new record. If the record undoes a command, mark the sentences about that command. @param {T.EventRecord} record @param {View} view @param {View | null} [before] */
  tell(record, view, before = null) {
    if (isUntold(record, view)) return;
    this.sentences = struck(this.sentences, record);
    this.earlier = struck(this.earlier, record);
    this.sentences.push(this.sentenceOf(this.table, record, view, before));
    if (this.past || this.sentences.length <= MOST_SENTENCES) return; // do not drop sentences while somebody has scrolled back
    this.sentences.splice(0, this.sentences.length - MOST_SENTENCES);
    this.isWhole = false;
  }
}
