// @ts-check
/** Returns the view after any record of a log. Caches views, so that it does not apply all records each time. */

/** @import * as T from "../../client/dreadclock.types.js" */

import { View, fold } from "../../client/dreadclock.js";
import { read } from "../../client/records.js";
import { MODELS } from "../../client/shapes.js";

const EVERY = 50; // records between two cached views

export class Course {
  /** The cached views after 0, 50, 100 ... records. @type {View[]} */ #kept;
  /** The view that was returned last, and how many records it has (`at`). */ #latest;

  /** @param {readonly T.Channel[]} channels the viewer's channels @param {readonly T.EventRecord[]} records all records, in order */
  constructor(channels, records) {
    this.records = records;
    const empty = new View(Object.fromEntries(channels.map((channel) => [channel, read(MODELS.ChannelView, {}, "a view")])));
    this.#kept = [empty];
    this.#latest = { at: 0, view: empty };
  }

  /** Return the view after the first `count` records. Throws NotInView if a record names an unknown thing. @param {number} count */
  after(count) {
    let { at, view } = this.#nearest(count);
    while (at < count) {
      view = fold(view, this.records[at]);
      at += 1;
      if (at % EVERY === 0) this.#kept[at / EVERY] ??= view;
    }
    this.#latest = { at, view };
    return view;
  }

  /** Return the cached or last returned view that has the most records, but at most `count`. @param {number} count */
  #nearest(count) {
    const place = Math.min(Math.floor(count / EVERY), this.#kept.length - 1);
    const kept = { at: place * EVERY, view: this.#kept[place] };
    return this.#latest.at <= count && this.#latest.at > kept.at ? this.#latest : kept;
  }
}
