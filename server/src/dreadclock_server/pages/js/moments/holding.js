// @ts-check
/** Hides for a while what a roll changed: the page shows the earlier state. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 *
 * A changed thing, with its states before and after the change. A state is undefined if the thing did not exist at that time.
 * @typedef {{ channel: T.Channel, field: Field, id: string, before: any, after: any }} Held
 * @typedef {typeof FIELDS[number]} Field
 */

import { View } from "../../client/views.js";

const FIELDS = /** @type {const} */ ([
  "characters", "countdowns", "clocks", "scenes", "situations", "challenges", "efforts", "sealed", "rolls", "checks", "totals",
  "consequences",
]);
const ROLLED = new Set(["rolls", "checks", "totals"]); // rolled things; a view drops old ones, which is no change

/**
 * Return the things that differ between the views `before` and `after`. The returned `after` is a thing's state in `now`, the
 * latest view.
 * @param {View} before @param {View} after @param {View} now @returns {Held[]}
 */
export function changed(before, after, now) {
  const channels = /** @type {T.Channel[]} */ (Object.keys(after.channels));
  return channels.flatMap((channel) => FIELDS.flatMap((field) => changedIn(before, after, now, channel, field)));
}

/**
 * Return the things of a single field that differ, as in `changed`.
 * @param {View} before @param {View} after @param {View} now @param {T.Channel} channel @param {Field} field @returns {Held[]}
 */
function changedIn(before, after, now, channel, field) {
  const [was, is] = [thingsOf(before, channel, field), thingsOf(after, channel, field)];
  if (was === is) return [];
  const ids = ROLLED.has(field) ? [...is.keys()] : [...new Set([...was.keys(), ...is.keys()])];
  return ids.flatMap((id) =>
    was.get(id) === is.get(id) ? [] : [{ channel, field, id, before: was.get(id), after: thingsOf(now, channel, field).get(id) }],
  );
}

/**
 * Return the things of a field by id; none if the view lacks the channel.
 * @param {View} view @param {T.Channel} channel @param {Field} field @returns {ReadonlyMap<string, any>}
 */
function thingsOf(view, channel, field) {
  return view.channels[channel]?.[field] ?? new Map();
}

/** Return the changes, except those of the roll itself. @param {readonly Held[]} held */
export function consequencesIn(held) {
  return held.filter(({ field }) => !ROLLED.has(field));
}

/** Tell whether later events have changed one of these things again. @param {View} view @param {readonly Held[]} held */
export function isOvertaken(view, held) {
  return held.some(({ channel, field, id, after }) => thingsOf(view, channel, field).get(id) !== after);
}

/** Return a view in which these things have their earlier state. @param {View} view @param {readonly Held[]} held */
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
