// @ts-check
/** Selects the events that the arena shows: rolls, and events that everyone at the table should notice. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Rolled } from "../parts/rolled.js"
 *
 * A roll with its event. `key`: of the event's record. `turn`: the turn at whose end the dice were rolled.
 * @typedef {{ key: string, event: T.Event, roll: Rolled, turn?: number }} Thrown
 *
 * News: an event to show. `kind`: decides its look and sound. `name`: of its thing. `text`: the most important words.
 * `more`: the sentence about the event, unless `text` is this sentence. `clock`: a clock that reached its end. `character`:
 * a character who suffered a crisis.
 * @typedef {{ key: string, kind: NewsKind, name: string, headline: string, text: string, more?: string, clock?: T.Clock,
 *   character?: T.Character }} News
 * @typedef {"crisis" | "expired" | "stage" | "full" | "seal" | "won" | "lost" | "told"} NewsKind
 */

import { keyOf } from "../app/fresh.js";
import { isFull } from "../app/over.js";
import { diceOfTotal } from "../parts/die.js";
import { revealedIn, rolledIn } from "../parts/rolled.js";

/** The kinds of news, by event type. `kindOf` adds further events and exceptions. @type {{ [type: string]: NewsKind }} */
const KINDS = {
  crisis_suffered: "crisis",
  crisis_due: "crisis",
  crisis_described: "crisis",
  character_died: "crisis",
  countdown_expired: "expired",
  stage_reached: "stage",
  revealed: "seal",
  situation_won: "won",
  situation_failed: "lost",
  consequence_told: "told",
};

const STANDING = new Set(["free", "scene", "threat"]); // the end of these clocks is news; for others, the news is the end of the situation or challenge

const MEANT = /^(race|scene)_(?!ended)/; // endings with these labels have an explanation, `news.LABEL.means`

/**
 * Return the roll of a record, or of what the record reveals; null if there is none. For a push (one more die for a total),
 * the earlier dice come first.
 * @param {Table} table @param {T.EventRecord} record @returns {Thrown | null}
 */
export function thrownIn(table, record) {
  const { event } = record;
  const roll = event.type === "revealed" ? revealedIn(table, event) : rolledIn(table, event);
  if (!roll || event.type !== "luck_pushed") return roll && { key: keyOf(record), event, roll };
  return { key: keyOf(record), event, roll: { ...roll, dice: [...diceBefore(table, event), ...roll.dice] } };
}

/** Return the dice of a total before a push, in the order rolled. @param {Table} table @param {T.LuckPushed} event */
function diceBefore({ truth }, { total_id: id, push }) {
  const { faces = [], pushes = [] } = truth.totals.get(id) ?? {};
  const earlier = pushes.slice(0, Math.max(0, pushes.findLastIndex(({ face, total }) => face === push.face && total === push.total)));
  return diceOfTotal([...faces, ...earlier.map(({ face }) => face)]);
}

/**
 * Return the news in a record, apart from dice; null if the record has no news.
 * @param {Table} table @param {T.EventRecord} record @returns {News | null}
 */
export function newsIn(table, record) {
  const newsKind = kindOf(table, record.event);
  if (!newsKind) return null;
  const key = keyOf(record);
  const sentence = table.words.narrator.told(record, table.truth);
  const { kind, label = record.event.type, clock } = newsKind;
  const means = MEANT.test(label) ? table.t(`news.${label}.means`) : wordsIn(record.event);
  const more = record.event.type === "countdown_expired" ? undefined : sentence;
  const texts = means ? { text: means, more } : { text: sentence };
  const character = label === "crisis_suffered" ? table.truth.characters.get(/** @type {T.CrisisSuffered} */ (record.event).character_id) : undefined;
  return { key, kind, name: nameIn(table, record.event), headline: table.t(`news.${label}`), clock, character, ...texts };
}

/** Return words that people wrote for an event: a countdown's ending, a stage's effect, or a crisis's description. @param {T.Event} event */
function wordsIn(event) {
  if (event.type === "countdown_expired") return event.ending;
  if (event.type === "stage_reached") return event.effect;
  if (event.type === "crisis_described") return event.crisis.description;
  const countdowns = event.type === "revealed" ? Object.values(event.things.countdowns) : [];
  return countdowns.find(({ status }) => status === "expired")?.ending;
}

/** Return the name of an event's thing or character; empty if it has none. @param {Table} table @param {T.Event} event */
function nameIn({ truth }, event) {
  const { type, id, countdown_id, clock_id, situation_id, scene_id, check_id } = /** @type {any} */ (event);
  const who = /** @type {any} */ (event).character_id ?? truth.checks.get(check_id)?.parts[0]?.character_id;
  const kinds = [truth.countdowns, truth.clocks, truth.situations, truth.scenes, truth.characters];
  const ids = type === "revealed" ? kinds.map(() => id) : [countdown_id, clock_id, situation_id, scene_id, who];
  return kinds.map((things, at) => things.get(ids[at])?.name).find(Boolean) ?? "";
}

/**
 * Return null if an event is no news. Otherwise return the kind of news, the end of its label's key if this is not the event's
 * type, and the clock if one reached its end.
 * @param {Table} table @param {T.Event} event
 * @returns {{ kind: NewsKind, label?: string, clock?: T.Clock } | null}
 */
function kindOf({ truth }, event) {
  switch (event.type) {
    case "clock_ticked": {
      const clock = truth.clocks.get(event.clock_id);
      return clock && STANDING.has(clock.kind) && isFull(clock) && !event.back ? { kind: "full", label: `clock_${clock.direction}`, clock } : null;
    }
    case "situation_won":
    case "situation_failed":
      return truth.situations.get(event.situation_id)?.kind === "race" ? null : { kind: KINDS[event.type] }; // the news of a race is the event `race_ended`
    case "race_ended":
      return { kind: event.outcome === "failure" ? "lost" : "won", label: `race_${event.outcome}` };
    case "scene_ended":
      return event.outcome === "unfinished" ? { kind: "lost", label: "scene_unfinished" } : { kind: "won", label: "scene_success" };
    case "failure_settled":
      return event.cost.stage === "applied" ? { kind: "won" } : null;
    default:
      return KINDS[event.type] ? { kind: KINDS[event.type] } : null;
  }
}
