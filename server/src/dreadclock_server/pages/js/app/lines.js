// @ts-check
/** The lines of the log. Records are grouped into actions, and each action has a line. */

/**
 * @import { Sentence } from "./story.js"
 * @import { Translate } from "./words.js"
 *
 * An action: the sentences about the records of a command, in their order.
 * @typedef {readonly Sentence[]} Action
 *
 * @typedef {object} Line
 * @property {string} key the key of the last record; it stays the same when older records are fetched
 * @property {Sentence} lead the sentence that says what was done
 * @property {Sentence["roll"]} roll the roll, if the viewer may see it
 * @property {string} outcome the result of the roll, as a sentence; empty without a result
 * @property {readonly string[]} changes what else changed, each in a few words
 * @property {boolean} isSecret whether only the gm sees it
 */

import { ANNOUNCING, BEFORE, BEGINNINGS } from "./beginnings.js";

const ENDS = new Set(["turn_ended", "scene_turn_ended", "round_ended"]); // these events lead an action, although its rolls come before them
const MOST = 3; // a line lists up to 3 countdowns, or counts them; of 5 or more changes, it lists 3 and counts the others

/**
 * Group sentences into actions. The records of an action have the same sender, seat and time. An event of a type in
 * `BEGINNINGS` starts a new action, unless the action so far has only events of types in `BEFORE`.
 * @param {readonly Sentence[]} sentences in their order @returns {Sentence[][]}
 */
export function actionsOf(sentences) {
  /** @type {Sentence[][]} */ const actions = [];
  for (const next of sentences) {
    const action = actions.at(-1);
    if (action && continues(action, next)) action.push(next);
    else actions.push([next]);
  }
  return actions;
}

/** Tell whether a sentence belongs to the same action as the sentences before it. @param {Action} action @param {Sentence} next */
function continues(action, { record: { by, acted_for, at, event } }) {
  const { record } = action[0];
  if (record.by !== by || record.acted_for !== acted_for || record.at !== at) return false;
  return !BEGINNINGS.has(event.type) || action.every((sentence) => BEFORE.has(typeOf(sentence)));
}

/** Return the type of a sentence's event. @param {Sentence} sentence */
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

/** Add a full stop to a text, unless it ends with punctuation. @param {string} text */
function ended(text) {
  return /[.!?…][\u2069"“”»«]*$/.test(text) ? text : `${text}.`;
}
