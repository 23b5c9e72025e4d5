// @ts-check
/** Makes the content of chat cards from public records: rolls with their results, and news without a roll. */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { View } from "../client/views.js"
 * @import { Row } from "./rolls.js"
 *
 * @typedef {"" | "won" | "lost"} Tone
 * @typedef {object} Card
 * @property {T.EventRecord[]} records in order; the first record identifies the card
 * @property {string} speaker the name of the character or seat
 * @property {readonly number[]} faces of the roll; empty without a roll
 * @property {Row[]} rows
 * @property {{ text: string, tone: Tone }[]} lines
 * @property {{ text: string, tone: Tone }} verdict the outcome in a word; empty without an outcome
 * @property {string} push the id of the total for which a push is offered; empty without an offer
 */

import { facesOf, isAlone, nameOf, rowsOf } from "./rolls.js";
import { text, told } from "./words.js";

/** @type {{ [type: string]: Tone }} */
const NEWS = {
  ...{ crisis_due: "lost", crisis_suffered: "lost", crisis_described: "lost", stage_reached: "lost" },
  ...{ countdown_expired: "lost", countdown_repeated: "lost", race_ended: "", push_offered: "" },
};
/** @type {{ [word: string]: Tone }} */
const TONES = { triumph: "won", success: "won", enough: "won", fumble: "lost", failure: "lost", crisis: "lost", ends: "lost" };

/**
 * Return the cards of public records: a card for each roll, with the later events of the same action.
 * @param {readonly T.EventRecord[]} records in order
 * @param {View} view the public view after the last record
 */
export function cardsOf(records, view) {
  /** @type {Card[]} */
  const cards = [];
  for (const record of records) {
    const faces = facesOf(record.event);
    if (!faces.length && !isNews(record.event, view)) continue;
    const latest = cards.at(-1);
    const card = latest && !faces.length && isSameAction(latest.records[0], record) ? latest : begun(cards, record, faces, view);
    add(card, record, view);
  }
  return cards;
}

/** Tell whether an event without a roll gets a card. @param {T.Event} event @param {View} view */
const isNews = (event, view) =>
  event.type in NEWS || (event.type === "check_resolved" && (view.checks.get(event.check_id)?.parts.length ?? 0) > 1);

/** Tell whether two records are of the same action. @param {T.EventRecord} a @param {T.EventRecord} b */
const isSameAction = (a, b) => a.by === b.by && a.acted_for === b.acted_for && a.at === b.at;

/**
 * Add an empty card, and return it.
 * @param {Card[]} cards @param {T.EventRecord} record @param {readonly number[]} faces @param {View} view @returns {Card}
 */
function begun(cards, record, faces, view) {
  const verdict = { text: "", tone: /** @type {Tone} */ ("") };
  cards.push({ records: [], speaker: speakerOf(record, view), faces, rows: [], lines: [], verdict, push: "" });
  return cards[cards.length - 1];
}

/** Add a record to a card. @param {Card} card @param {T.EventRecord} record @param {View} view */
function add(card, record, view) {
  const { event } = record;
  const rows = rowsOf(event, view);
  const verdict = verdictOf(event, view);
  card.records.push(record);
  card.lines.push({ text: told(record, view), tone: event.type === "race_ended" ? (TONES[event.outcome] ?? "") : (NEWS[event.type] ?? "") });
  if (rows.length) card.rows = rows;
  if (verdict) card.verdict = verdict;
  if (event.type === "push_offered" || (event.type === "luck_pushed" && event.until)) card.push = event.total_id;
}

/** Return the name of the event's character; without a character, of the seat. @param {T.EventRecord} record @param {View} view @returns {string} */
function speakerOf({ event, by }, view) {
  const { part, roll, character_id: who, total_id: total, countdown_id: countdown } = /** @type {any} */ (event);
  const rolls = event.type === "push_offered" ? undefined : view.totals.get(total)?.character_id;
  const id = who ?? part?.character_id ?? roll?.character_id ?? rolls ?? view.countdowns.get(countdown)?.about;
  return view.characters.get(id)?.name ?? part?.name ?? view.seats.get(by)?.name ?? by;
}

/**
 * Return the outcome of an event in a word; null without an outcome.
 * @param {T.Event} event @param {View} view @returns {{ text: string, tone: Tone } | null}
 */
function verdictOf(event, view) {
  switch (event.type) {
    case "check_rolled":
      return event.part.roll && isAlone(event, view) ? word(event.part.roll.outcome) : null;
    case "check_resolved":
      return sideThatWins(event, view) ?? word(event.result.acting.outcome);
    case "total_rolled":
      return event.enough === undefined ? null : event.enough ? word("enough") : missed(view.totals.get(event.total_id), event.total);
    case "luck_pushed":
      return event.push.crisis ? word("crisis") : event.push.enough ? word("enough") : null;
    case "countdown_rolled":
      return event.remaining ? { text: text(`Left.${event.removed > 1 ? "many" : event.removed}`, { number: event.removed }), tone: "" } : word("ends");
    default:
      return null;
  }
}

/** @param {string} name @returns {{ text: string, tone: Tone }} */
const word = (name) => ({ text: text(`Verdict.${name}`), tone: TONES[name] ?? "" });

/** Return words for a missed total, with the required number if it is public. @param {T.Total | undefined} total @param {number} sum */
const missed = (total, sum) =>
  total?.required === undefined ? word("missed") : { text: text("Card.Missed", { total: sum, required: total.required }), tone: /** @type {Tone} */ ("") };

/**
 * Return words for the side that won a contest; null without a winner.
 * @param {T.CheckResolved} event @param {View} view @returns {{ text: string, tone: Tone } | null}
 */
function sideThatWins({ check_id: id, result: { winner } }, view) {
  const leader = winner && view.checks.get(id)?.parts.find(({ side }) => side === winner);
  return leader ? { text: text("Card.Wins", { name: nameOf(leader, view) }), tone: "" } : null;
}
