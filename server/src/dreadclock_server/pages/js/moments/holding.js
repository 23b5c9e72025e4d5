// @ts-check
/** What dice decide is held back while they tumble: until they land, a view shows what hangs on them as it was before. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 *
 * One thing that a roll changed: as it was, undefined if there was none, and as it is.
 * @typedef {{ channel: T.Channel, field: Field, id: string, before: any, after: any }} Held
 * @typedef {typeof FIELDS[number]} Field
 */

import { View } from "../../client/views.js";

const FIELDS = /** @type {const} */ ([
  "characters", "countdowns", "clocks", "scenes", "situations", "challenges", "efforts", "sealed", "rolls", "checks", "totals",
  "consequences",
]);
const BOUNDED = new Set(["rolls", "checks", "totals"]); // of these old ones leave by themselves

/** Name what differs between two views, and how it is by now. @param {View} before @param {View} after @param {View} now @returns {Held[]} */
export function changed(before, after, now) {
  const channels = /** @type {T.Channel[]} */ (Object.keys(after.channels));
  return channels.flatMap((channel) => FIELDS.flatMap((field) => changedIn(before, after, now, channel, field)));
}

/** @param {View} before @param {View} after @param {View} now @param {T.Channel} channel @param {Field} field @returns {Held[]} */
function changedIn(before, after, now, channel, field) {
  const [was, is] = [thingsOf(before, channel, field), thingsOf(after, channel, field)];
  if (was === is) return [];
  const ids = BOUNDED.has(field) ? [...is.keys()] : [...new Set([...was.keys(), ...is.keys()])];
  return ids.flatMap((id) =>
    was.get(id) === is.get(id) ? [] : [{ channel, field, id, before: was.get(id), after: thingsOf(now, channel, field).get(id) }],
  );
}

/** @param {View} view @param {T.Channel} channel @param {Field} field @returns {ReadonlyMap<string, any>} */
function thingsOf(view, channel, field) {
  return view.channels[channel]?.[field] ?? new Map();
}

/** Tell whether a view goes on with what is held: then it is to be seen at once. @param {View} view @param {readonly Held[]} held */
export function isOvertaken(view, held) {
  return held.some(({ channel, field, id, after }) => thingsOf(view, channel, field).get(id) !== after);
}

/** Return a view in which all that is held, oldest first, is as it was. @param {View} view @param {readonly Held[]} held */
export function heldBack(view, held) {
  const channels = /** @type {{ [channel: string]: any }} */ ({ ...view.channels });
  for (const { channel, field, id, before } of [...held].reverse()) {
    const part = channels[channel];
    const things = new Map(part[field]);
    if (before === undefined) things.delete(id);
    else things.set(id, before);
    channels[channel] = { ...part, [field]: things };
  }
  return new View(channels);
}
