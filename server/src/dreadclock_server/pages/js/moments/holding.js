// @ts-check
/** Holds back the results of dice while they tumble. Until the dice land, the view shows the things that depend on them in their earlier state. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 *
 * A thing that a roll changed: its earlier state (undefined if it did not exist) and its present state.
 * @typedef {{ channel: T.Channel, field: Field, id: string, before: any, after: any }} Held
 * @typedef {typeof FIELDS[number]} Field
 */

import { View } from "../../client/views.js";

const FIELDS = /** @type {const} */ ([
  "characters", "countdowns", "clocks", "scenes", "situations", "challenges", "efforts", "sealed", "rolls", "checks", "totals",
  "consequences",
]);
const BOUNDED = new Set(["rolls", "checks", "totals"]); // fields from which the view drops old things by itself

/**
 * Return the differences between two views, and the present state of the differing things.
 * @param {View} before @param {View} after @param {View} now @returns {Held[]}
 */
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

/** Tell whether later events have changed a held thing again. Then everything is shown at once. @param {View} view @param {readonly Held[]} held */
export function isOvertaken(view, held) {
  return held.some(({ channel, field, id, after }) => thingsOf(view, channel, field).get(id) !== after);
}

/** Return a view in which all held things have their earlier state. @param {View} view @param {readonly Held[]} held */
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
