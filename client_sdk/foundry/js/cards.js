// @ts-check
/** What chat cards say: a roll with what came of it, and news that no roll brought. All see them: they are made of what all see. */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { View } from "../client/views.js"
 * @import { Row } from "./rolls.js"
 *
 * @typedef {"" | "won" | "lost"} Tone
 * @typedef {object} Card
 * @property {T.EventRecord[]} records what it tells of, in order; the first one names the card
 * @property {string} speaker
 * @property {readonly number[]} faces that are thrown; none where nothing was rolled
 * @property {Row[]} rows
 * @property {{ text: string, tone: Tone }[]} lines
 * @property {{ text: string, tone: Tone }} verdict the outcome in one word, if there is one
 * @property {string} push the total whose push is on offer, if there is one
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
 * Return the cards of public records: one for each roll, with what the same action brought after it.
 * @param {readonly T.EventRecord[]} records in order
 * @param {View} view what all see, after the last of them
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

/** @param {T.Event} event @param {View} view */
const isNews = (event, view) =>
  event.type in NEWS || (event.type === "check_resolved" && (view.checks.get(event.check_id)?.parts.length ?? 0) > 1);

/** @param {T.EventRecord} one @param {T.EventRecord} other */
const isSameAction = (one, other) => one.by === other.by && one.acted_for === other.acted_for && one.at === other.at;

/** @param {Card[]} cards @param {T.EventRecord} record @param {readonly number[]} faces @param {View} view @returns {Card} */
function begun(cards, record, faces, view) {
  const verdict = { text: "", tone: /** @type {Tone} */ ("") };
  cards.push({ records: [], speaker: speakerOf(record, view), faces, rows: [], lines: [], verdict, push: "" });
  return cards[cards.length - 1];
}

/** @param {Card} card @param {T.EventRecord} record @param {View} view */
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

/** Name who speaks: the character whom it is about, or else the seat. @param {T.EventRecord} record @param {View} view @returns {string} */
function speakerOf({ event, by }, view) {
  const { part, roll, character_id: who, total_id: total, countdown_id: countdown } = /** @type {any} */ (event);
  const rolls = event.type === "push_offered" ? undefined : view.totals.get(total)?.character_id;
  const id = who ?? part?.character_id ?? roll?.character_id ?? rolls ?? view.countdowns.get(countdown)?.about;
  return view.characters.get(id)?.name ?? part?.name ?? view.seats.get(by)?.name ?? by;
}

/** @param {T.Event} event @param {View} view @returns {{ text: string, tone: Tone } | null} */
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

/** Say by how much a total missed, where everyone knows the number. @param {T.Total | undefined} total @param {number} sum */
const missed = (total, sum) =>
  total?.required === undefined ? word("missed") : { text: text("Card.Missed", { total: sum, required: total.required }), tone: /** @type {Tone} */ ("") };

/** @param {T.CheckResolved} event @param {View} view @returns {{ text: string, tone: Tone } | null} */
function sideThatWins({ check_id: id, result: { winner } }, view) {
  const leader = winner && view.checks.get(id)?.parts.find(({ side }) => side === winner);
  return leader ? { text: text("Card.Wins", { name: nameOf(leader, view) }), tone: "" } : null;
}
