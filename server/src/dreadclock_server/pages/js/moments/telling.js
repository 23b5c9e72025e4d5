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
 * Something to hear of: `kind` says how it looks and sounds.
 * @typedef {{ key: string, kind: NewsKind, headline: string, text: string, clock?: T.Clock }} News
 * @typedef {"crisis" | "expired" | "stage" | "full" | "seal" | "won" | "lost" | "told"} NewsKind
 */

import { keyOf } from "../app/fresh.js";
import { isFull } from "../app/over.js";
import { rolledIn } from "../parts/rolled.js";

/** @type {{ [type: string]: NewsKind }} */
const KINDS = {
  crisis_suffered: "crisis",
  crisis_due: "crisis",
  character_died: "crisis",
  countdown_expired: "expired",
  stage_reached: "stage",
  revealed: "seal",
  situation_won: "won",
  situation_failed: "lost",
  consequence_told: "told",
};

const STANDING = new Set(["free", "scene", "threat"]); // clocks of situations and challenges end as these do

/** Return the roll of a record, as it is seen; null if there is none. @param {Table} table @param {T.EventRecord} record @returns {Thrown | null} */
export function thrownIn(table, record) {
  const roll = rolledIn(table, record.event);
  return roll && { key: keyOf(record), event: record.event, roll };
}

/**
 * Return what a record has to tell besides dice; null if it is nothing for everyone to look up at.
 * @param {Table} table @param {T.EventRecord} record @returns {News | null}
 */
export function newsIn(table, record) {
  const found = kindOf(table, record.event);
  if (!found) return null;
  const key = keyOf(record);
  const text = table.words.narrator.told(record, table.truth);
  const { kind, name = record.event.type, clock } = found;
  return { key, kind, headline: table.t(`news.${name}`), text, clock };
}

/**
 * @param {Table} table @param {T.Event} event
 * @returns {{ kind: NewsKind, name?: string, clock?: T.Clock } | null}
 */
function kindOf({ truth }, event) {
  switch (event.type) {
    case "clock_ticked": {
      const clock = truth.clocks.get(event.clock_id);
      return clock && STANDING.has(clock.kind) && isFull(clock) && !event.back ? { kind: "full", name: `clock_${clock.direction}`, clock } : null;
    }
    case "situation_won":
    case "situation_failed":
      return truth.situations.get(event.situation_id)?.kind === "race" ? null : { kind: KINDS[event.type] }; // it ends as a race
    case "race_ended":
      return { kind: event.outcome === "failure" ? "lost" : "won", name: `race_${event.outcome}` };
    case "scene_ended":
      return event.outcome === "unfinished" ? { kind: "lost", name: "scene_unfinished" } : { kind: "won", name: "scene_success" };
    case "failure_settled":
      return event.cost.stage === "applied" ? { kind: "won" } : null;
    default:
      return KINDS[event.type] ? { kind: KINDS[event.type] } : null;
  }
}
