// @ts-check
/** What happened before the sentences that a page holds: the log is read once, when somebody scrolls that far. */

/** @import { Table, Told } from "../app/table.js" @import * as T from "../../client/dreadclock.types.js" */

import { isQuiet } from "../../client/narration.js";
import { readRecord } from "../../client/records.js";
import { log } from "../../client/rest.js";
import { inOrder, keyOf, struck } from "../app/fresh.js";
import { Course } from "./course.js";

/** Return the sentences before the first that the page holds, oldest first. @param {Table} table @returns {Promise<Told[]>} */
export async function earlier(table) {
  const records = inOrder((await log(table.room.link)).map((text) => readRecord(text)));
  const channels = /** @type {T.Channel[]} */ (Object.keys(table.room.positions));
  const course = new Course(channels, records);
  const end = table.told.length ? records.findIndex((record) => keyOf(record) === table.told[0].key) : records.length;
  const before = records.slice(0, Math.max(end, 0)).flatMap((record, place) => told(table, course, record, place));
  return table.told.reduce((all, each) => struck(all, each.record), before.reduce((all, each) => struck(all, each.record), before));
}

/** @param {Table} table @param {Course} course @param {T.EventRecord} record @param {number} place @returns {Told[]} */
function told({ words }, course, record, place) {
  if (isQuiet(record.event)) return [];
  const text = words.narrator.told(record, course.after(place + 1), course.after(place));
  return [{ key: keyOf(record), text, channel: record.channel, at: record.at, record }];
}
