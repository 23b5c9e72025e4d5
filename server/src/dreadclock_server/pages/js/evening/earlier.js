// @ts-check
/** What happened before the sentences that a page holds: read from the log page by page, as somebody scrolls back. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Told } from "../app/story.js"
 * @import { Table } from "../app/table.js"
 */

import { View } from "../../client/dreadclock.js";
import { readRecord } from "../../client/records.js";
import { log } from "../../client/rest.js";
import { inOrder, isUntold, struck } from "../app/fresh.js";
import { actionsOf } from "../app/lines.js";
import { toldOf } from "../parts/line.js";
import { Course } from "./course.js";

const PAGE = 120; // records of a channel

export class Earlier {
  /** All records at hand, in their order; the first may lack what came between them. @type {T.EventRecord[]} */ #records = [];
  /** Of each channel the number down to which its records are at hand. @type {{ [channel in T.Channel]?: number }} */ #from;
  #end;

  /** @param {Table} table */
  constructor(table) {
    const [first] = table.story.told;
    const positions = Object.entries(table.room.positions).map(([channel, head]) => [channel, head?.seq ?? 0]);
    this.table = table;
    this.#end = first ? placeOf(first.record) : Infinity;
    this.#from = { ...Object.fromEntries(positions), ...(first && { public: Math.ceil(this.#end) - 1 }) };
  }

  /** Whether the records reach back to the room's first. */
  get isWhole() {
    return Object.values(this.#from).every((number) => number === 0);
  }

  /** Fetch until there are sentences of so many actions, or no more, and return them, oldest first. @param {number} wanted @returns {Promise<Told[]>} */
  async reach(wanted) {
    let found = this.#tell();
    while (actionsOf(found).length < wanted && !this.isWhole) {
      await this.#fetch();
      found = this.#tell();
    }
    return found;
  }

  async #fetch() {
    const known = this.#from;
    const from = Object.fromEntries(Object.entries(known).map(([channel, number]) => [channel, Math.max(0, number - PAGE)]));
    const read = (await log(this.table.room.link, from, PAGE)).map((text) => readRecord(text));
    this.#records = inOrder([...read.filter(({ channel, seq }) => seq <= (known[channel] ?? 0)), ...this.#records]);
    this.#from = from;
  }

  /** Tell what is at hand without a gap, in the names of its time once all is, until then in those that are known. @returns {Told[]} */
  #tell() {
    const { story, room } = this.table;
    const start = Math.max(...Object.entries(this.#from).map(([channel, number]) => this.#startOf(channel, number)));
    const records = this.#records.filter((record) => placeOf(record) >= start && placeOf(record) < this.#end);
    const channels = /** @type {T.Channel[]} */ (Object.keys(room.positions));
    const course = this.isWhole ? new Course(channels, records) : null;
    const memory = this.#memory();
    const told = records.flatMap((record, place) => {
      const before = course?.after(place);
      const view = course?.after(place + 1) ?? memory;
      return isUntold(record, view) ? [] : toldOf(this.table, record, view, before);
    });
    const all = [...records, ...story.told.map(({ record }) => record)];
    return all.reduce(struck, /** @type {Told[]} */ (told));
  }

  /** Return the place from which on nothing of a channel is missing. @param {string} channel @param {number} number */
  #startOf(channel, number) {
    const first = this.#records.find((record) => record.channel === channel);
    return number === 0 ? 0 : first ? placeOf(first) : Infinity;
  }

  /** Return the view of now, which remembers all records at hand: so it knows what things were called that are gone. */
  #memory() {
    const parts = Object.entries(this.table.truth.channels).map(([channel, part]) => {
      return [channel, { ...part, recent: this.#records.filter((record) => record.channel === channel) }];
    });
    return new View(Object.fromEntries(parts));
  }
}

/** Return where a record stands among those of all channels. @param {T.EventRecord} record */
function placeOf({ channel, seq, after }) {
  return channel === "public" ? seq : (after ?? 0) + 0.5;
}
