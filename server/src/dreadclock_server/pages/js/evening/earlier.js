// @ts-check
/** Fetches earlier sentences from the log, page by page, when somebody scrolls back. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Sentence } from "../app/story.js"
 * @import { Table } from "../app/table.js"
 */

import { View } from "../../client/dreadclock.js";
import { inOrder, placeOf, readRecord } from "../../client/records.js";
import { log } from "../../client/rest.js";
import { isUntold, struck } from "../app/fresh.js";
import { actionsOf } from "../app/lines.js";
import { sentenceOf } from "../parts/line.js";
import { Course } from "./course.js";

const PAGE = 120; // records of a channel per page

export class Earlier {
  /** All fetched records, in order. Records of one channel may reach further back than those of another. @type {T.EventRecord[]} */ #records = [];
  /** For each channel (public, gm): the seq before its oldest fetched record; 0 if all its records were fetched. @type {{ [channel in T.Channel]?: number }} */ #from;
  /** The place of the first record that the page already had, among all records. */ #end;

  /** @param {Table} table */
  constructor(table) {
    const [first] = table.story.sentences;
    const positions = Object.entries(table.room.positions).map(([channel, head]) => [channel, head?.seq ?? 0]);
    this.table = table;
    this.#end = first ? placeOf(first.record) : Infinity;
    this.#from = { ...Object.fromEntries(positions), ...(first && { public: Math.ceil(this.#end) - 1 }) };
  }

  /** Whether all records since the room's first were fetched. */
  get isWhole() {
    return Object.values(this.#from).every((number) => number === 0);
  }

  /**
   * Fetch records until their sentences belong to `wanted` actions, or until all records are fetched. Return the sentences, the
   * oldest first.
   * @param {number} wanted @returns {Promise<Sentence[]>}
   */
  async reach(wanted) {
    let sentences = this.#sentences();
    while (actionsOf(sentences).length < wanted && !this.isWhole) {
      await this.#fetch();
      sentences = this.#sentences();
    }
    return sentences;
  }

  /** Fetch the next older page of each channel. */
  async #fetch() {
    const before = this.#from;
    const from = Object.fromEntries(Object.entries(before).map(([channel, number]) => [channel, Math.max(0, number - PAGE)]));
    const read = (await log(this.table.room.link, from, PAGE)).map((text) => readRecord(text));
    this.#records = inOrder([...read.filter(({ channel, seq }) => seq <= (before[channel] ?? 0)), ...this.#records]);
    this.#from = from;
  }

  /**
   * Return the sentences of the fetched records, but only from where no channel has a gap. Once all records are fetched, the
   * sentences have the names of their time. Before that, they have current names.
   * @returns {Sentence[]}
   */
  #sentences() {
    const { story, room } = this.table;
    const start = Math.max(...Object.entries(this.#from).map(([channel, number]) => this.#startOf(channel, number)));
    const records = this.#records.filter((record) => placeOf(record) >= start && placeOf(record) < this.#end);
    const channels = /** @type {T.Channel[]} */ (Object.keys(room.positions));
    const course = this.isWhole ? new Course(channels, records) : null;
    const memory = this.#memory();
    const sentences = records.flatMap((record, place) => {
      const before = course?.after(place);
      const view = course?.after(place + 1) ?? memory;
      return isUntold(record, view) ? [] : sentenceOf(this.table, record, view, before);
    });
    const all = [...records, ...story.sentences.map(({ record }) => record)];
    return all.reduce(struck, /** @type {Sentence[]} */ (sentences));
  }

  /**
   * Return the place from which a channel has no gap.
   * @param {string} channel @param {number} number the seq before its first fetched record
   */
  #startOf(channel, number) {
    const first = this.#records.find((record) => record.channel === channel);
    return number === 0 ? 0 : first ? placeOf(first) : Infinity;
  }

  /** Return the current view with all fetched records as its recent records: the narrator finds names of removed things there. */
  #memory() {
    const parts = Object.entries(this.table.truth.channels).map(([channel, part]) => {
      return [channel, { ...part, recent: this.#records.filter((record) => record.channel === channel) }];
    });
    return new View(Object.fromEntries(parts));
  }
}
