// @ts-check
/** The course of an evening: the view after each of its records, near or far, without folding all of them anew. */

/** @import * as T from "../../client/dreadclock.types.js" */

import { View, fold } from "../../client/dreadclock.js";
import { read } from "../../client/records.js";
import { MODELS } from "../../client/shapes.js";

const EVERY = 50; // records from one view that is kept to the next

export class Course {
  /** The views after 0, 50, 100 ... records; they share what did not change between them. @type {View[]} */ #kept;
  /** The view that was asked for last. */ #latest;

  /** @param {readonly T.Channel[]} channels that the viewer holds @param {readonly T.EventRecord[]} records */
  constructor(channels, records) {
    this.records = records;
    const empty = new View(Object.fromEntries(channels.map((each) => [each, read(MODELS.ChannelView, {}, "a view")])));
    this.#kept = [empty];
    this.#latest = { at: 0, view: empty };
  }

  /** Return the view after the first `count` records. Throws NotInView. @param {number} count */
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

  /** Return what is known that lies before, and next to, a number of records. @param {number} count */
  #nearest(count) {
    const place = Math.min(Math.floor(count / EVERY), this.#kept.length - 1);
    const kept = { at: place * EVERY, view: this.#kept[place] };
    return this.#latest.at <= count && this.#latest.at > kept.at ? this.#latest : kept;
  }
}
