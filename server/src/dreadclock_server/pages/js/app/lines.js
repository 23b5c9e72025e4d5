// @ts-check
/** Lines of the log: what happened, grouped into actions, and what a line says of each. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Told } from "./story.js"
 * @import { Translate } from "./words.js"
 *
 * The records of a command, in their order.
 * @typedef {readonly Told[]} Action
 *
 * @typedef {object} Line
 * @property {string} key the last record's, which stays the same while older ones are fetched
 * @property {Told} lead the record that tells what was done
 * @property {Told["roll"]} roll what was rolled, if anybody sees it
 * @property {string} outcome what the roll came to, as a sentence; empty if that was nothing yet
 * @property {readonly string[]} changes what came of it, in a few words each
 * @property {boolean} isSecret whether the gm alone knows of it
 */

import { ANNOUNCING, BEFORE, BEGINNINGS } from "./beginnings.js";

const ENDS = new Set(["turn_ended", "scene_turn_ended", "round_ended"]); // told after the rolls of their countdowns
const MOST = 3; // countdowns that are named at the end of a turn; and changes, beside a number of the others

/**
 * Group records into actions: those of one sender, for the same seat, at the same time. A new one begins at each event
 * that only a command begins with.
 * @param {readonly Told[]} told in their order @returns {Told[][]}
 */
export function actionsOf(told) {
  /** @type {Told[][]} */ const actions = [];
  for (const next of told) {
    const action = actions.at(-1);
    if (action && goesOn(action, next)) action.push(next);
    else actions.push([next]);
  }
  return actions;
}

/** @param {Action} action @param {Told} next */
function goesOn(action, { record: { by, acted_for, at, event } }) {
  const { record } = action[0];
  if (record.by !== by || record.acted_for !== acted_for || record.at !== at) return false;
  return !BEGINNINGS.has(event.type) || action.every((told) => BEFORE.has(typeOf(told)));
}

/** @param {Told} told */
const typeOf = ({ record }) => record.event.type;

/** Return what a line says of an action. @param {Action} action @param {Translate} t @returns {Line} */
export function lineOf(action, t) {
  const first = (/** @type {(type: string) => boolean} */ test) => action.find((told) => test(typeOf(told)));
  const lead = first((type) => ENDS.has(type)) ?? first((type) => BEGINNINGS.has(type)) ?? first((type) => !ANNOUNCING.has(type)) ?? action[0];
  const rolls = ENDS.has(typeOf(lead)) ? action.filter((told) => typeOf(told) === "countdown_rolled") : [];
  const counted = rolls.length > MOST ? rolls : [];
  const { note } = lead.record.event;
  const roll = lead.roll?.kind === "sealed" ? undefined : lead.roll;
  const all = [
    roll && note ? `“${note}”` : "",
    counted.length ? t("line.rolled", { number: counted.length }) : "",
    ...action.map((told) => (told === lead || counted.includes(told) ? "" : told.change)),
  ].flatMap((change) => change || []);
  const left = all.length - MOST;
  const changes = left > 1 ? [...all.slice(0, MOST), t("line.more", { number: left })] : all;
  const came = roll?.came ?? "";
  const outcome = came && ended(came[0].toUpperCase() + came.slice(1));
  return { key: action[action.length - 1].key, lead, roll, outcome, changes: changes.map(ended), isSecret: action.every(({ channel }) => channel === "gm") };
}

/** Return a line as sentences to be read aloud. @param {Line} line @param {Translate} t */
export function spoken({ lead: { text }, roll, outcome, changes, isSecret }, t) {
  const said = roll ? [ended(`${roll.name}, ${roll.label}`), outcome, isSecret ? ended(t("visibility.gm")) : ""] : [text];
  return [...said, ...changes].filter(Boolean).join(" ");
}

/** End a text as a sentence. @param {string} text */
function ended(text) {
  return /[.!?…][\u2069"“”»«]*$/.test(text) ? text : `${text}.`;
}
