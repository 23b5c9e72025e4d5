// @ts-check
/** What is worth a moment: rolls, and what everyone at the table should not miss. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Rolled } from "../parts/rolled.js"
 *
 * A roll with its event, which tells later what came of it.
 * @typedef {{ key: string, event: T.Event, roll: Rolled }} Thrown
 *
 * Something to hear of: `kind` says how it looks and sounds, `name` what it is about, `more` the whole sentence where
 * `text` is what matters of it. `character`: whose boxes are marked.
 * @typedef {{ key: string, kind: NewsKind, name: string, headline: string, text: string, more?: string, clock?: T.Clock,
 *   character?: T.Character }} News
 * @typedef {"crisis" | "expired" | "stage" | "full" | "seal" | "won" | "lost" | "told"} NewsKind
 */

import { keyOf } from "../app/fresh.js";
import { isFull } from "../app/over.js";
import { repeated } from "../parts/die.js";
import { revealedIn, rolledIn } from "../parts/rolled.js";

/** @type {{ [type: string]: NewsKind }} */
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

const STANDING = new Set(["free", "scene", "threat"]); // clocks of situations and challenges end as these do

const MEANT = /^(race|scene)_(?!ended)/; // ends whose meaning is said in words

/** Return the roll of a record, as it is seen, or that was sealed until then; null if there is none. @param {Table} table @param {T.EventRecord} record @returns {Thrown | null} */
export function thrownIn(table, record) {
  const { event } = record;
  const roll = event.type === "revealed" ? revealedIn(table, event) : rolledIn(table, event);
  if (!roll || event.type !== "luck_pushed") return roll && { key: keyOf(record), event, roll };
  return { key: keyOf(record), event, roll: { ...roll, dice: [...lyingBefore(table, event), ...roll.dice] } };
}

/** Return the dice of a total that lay before a push. @param {Table} table @param {T.LuckPushed} event */
function lyingBefore({ truth }, { total_id: id, push }) {
  const { faces = [], pushes = [] } = truth.totals.get(id) ?? {};
  const earlier = pushes.slice(0, Math.max(0, pushes.findLastIndex(({ face, total }) => face === push.face && total === push.total)));
  const all = [...faces, ...earlier.map(({ face }) => face)];
  const seen = repeated(all);
  return all.map((face, place) => ({ face, again: seen[place] }));
}

/**
 * Return what a record has to tell besides dice; null if it is nothing for everyone to look up at.
 * @param {Table} table @param {T.EventRecord} record @returns {News | null}
 */
export function newsIn(table, record) {
  const found = kindOf(table, record.event);
  if (!found) return null;
  const key = keyOf(record);
  const sentence = table.words.narrator.told(record, table.truth);
  const { kind, label = record.event.type, clock } = found;
  const means = MEANT.test(label) ? table.t(`news.${label}.means`) : wordsIn(record.event);
  const more = record.event.type === "countdown_expired" ? undefined : sentence;
  const told = means ? { text: means, more } : { text: sentence };
  const character = label === "crisis_suffered" ? table.truth.characters.get(/** @type {T.CrisisSuffered} */ (record.event).character_id) : undefined;
  return { key, kind, name: nameIn(table, record.event), headline: table.t(`news.${label}`), clock, character, ...told };
}

/** Return how a countdown ends, or what a crisis is, where an event tells it. @param {T.Event} event */
function wordsIn(event) {
  if (event.type === "countdown_expired") return event.ending;
  if (event.type === "crisis_described") return event.crisis.description;
  const countdowns = event.type === "revealed" ? Object.values(event.things.countdowns) : [];
  return countdowns.find(({ status }) => status === "expired")?.ending;
}

/** Return what the thing or the character is called that an event is about. @param {Table} table @param {T.Event} event */
function nameIn({ truth }, event) {
  const { type, id, countdown_id, clock_id, situation_id, scene_id, check_id } = /** @type {any} */ (event);
  const who = /** @type {any} */ (event).character_id ?? truth.checks.get(check_id)?.parts[0]?.character_id;
  const kinds = [truth.countdowns, truth.clocks, truth.situations, truth.scenes, truth.characters];
  const ids = type === "revealed" ? kinds.map(() => id) : [countdown_id, clock_id, situation_id, scene_id, who];
  return kinds.map((things, at) => things.get(ids[at])?.name).find(Boolean) ?? "";
}

/**
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
      return truth.situations.get(event.situation_id)?.kind === "race" ? null : { kind: KINDS[event.type] }; // it ends as a race
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
