// @ts-check
/** The lines of the log. Records are grouped into actions, and each action has a line. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Told } from "./story.js"
 * @import { Translate } from "./words.js"
 *
 * An action: the records of a command, in their order.
 * @typedef {readonly Told[]} Action
 *
 * @typedef {object} Line
 * @property {string} key the key of the last record, which stays the same while older records are fetched
 * @property {Told} lead the record that says what was done
 * @property {Told["roll"]} roll the roll, if the viewer may see it
 * @property {string} outcome the result of the roll, as a sentence; empty if there is none yet
 * @property {readonly string[]} changes the further changes, each in a few words
 * @property {boolean} isSecret whether only the gm sees it
 */

import { ANNOUNCING, BEFORE, BEGINNINGS } from "./beginnings.js";

const ENDS = new Set(["turn_ended", "scene_turn_ended", "round_ended"]); // these events come after the rolls of their countdowns
const MOST = 3; // how many countdowns and changes a line names; the others are counted

/**
 * Group records into actions. The records of an action have the same sender, the same seat and the same time. An event with
 * which only a command can begin starts a new action.
 * @param {readonly Told[]} sentences in their order @returns {Told[][]}
 */
export function actionsOf(sentences) {
  /** @type {Told[][]} */ const actions = [];
  for (const next of sentences) {
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
  return !BEGINNINGS.has(event.type) || action.every((sentence) => BEFORE.has(typeOf(sentence)));
}

/** @param {Told} sentence */
const typeOf = ({ record }) => record.event.type;

/** Return the line of an action. @param {Action} action @param {Translate} t @returns {Line} */
export function lineOf(action, t) {
  const first = (/** @type {(type: string) => boolean} */ test) => action.find((sentence) => test(typeOf(sentence)));
  const lead = first((type) => ENDS.has(type)) ?? first((type) => BEGINNINGS.has(type)) ?? first((type) => !ANNOUNCING.has(type)) ?? action[0];
  const rolls = ENDS.has(typeOf(lead)) ? action.filter((sentence) => typeOf(sentence) === "countdown_rolled") : [];
  const counted = rolls.length > MOST ? rolls : [];
  const { note } = lead.record.event;
  const roll = lead.roll?.kind === "sealed" ? undefined : lead.roll;
  const all = [
    roll && note ? `“${note}”` : "",
    counted.length ? t("line.rolled", { number: counted.length }) : "",
    ...action.map((sentence) => (sentence === lead || counted.includes(sentence) ? "" : sentence.change)),
  ].flatMap((change) => change || []);
  const left = all.length - MOST;
  const changes = left > 1 ? [...all.slice(0, MOST), t("line.more", { number: left })] : all;
  const came = roll?.came ?? "";
  const outcome = came && ended(came[0].toUpperCase() + came.slice(1));
  return { key: action[action.length - 1].key, lead, roll, outcome, changes: changes.map(ended), isSecret: action.every(({ channel }) => channel === "gm") };
}

/** Return a line as sentences for screen readers. @param {Line} line @param {Translate} t */
export function spoken({ lead: { text }, roll, outcome, changes, isSecret }, t) {
  const said = roll ? [ended(`${roll.name}, ${roll.label}`), outcome, isSecret ? ended(t("visibility.gm")) : ""] : [text];
  return [...said, ...changes].filter(Boolean).join(" ");
}

/** Return a text with a full stop at its end, if it needs one. @param {string} text */
function ended(text) {
  return /[.!?…][\u2069"“”»«]*$/.test(text) ? text : `${text}.`;
}
