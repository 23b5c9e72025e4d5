// @ts-check
/** Finds the checks and totals that involve the viewer, and tells which are over. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { costOf } from "../app/checks.js";
import { totalIsOver } from "../app/over.js";
import { bargainsOf, isMine, ownChoices, ownParts } from "./mine.js";

/**
 * Return the checks and totals in which the viewer's characters roll.
 * @param {Table} table
 * @returns {(T.Check | T.Total)[]}
 */
export function ownThings(table) {
  const checks = [...table.view.checks.values()].filter((check) => ownParts(table, check).length);
  const totals = [...table.view.totals.values()].filter((total) => isMine(table, total.character_id));
  return [...checks, ...totals];
}

/**
 * Return a function that tells whether to fold a thing away because it is over. The last check that is over, and the last total,
 * stay visible.
 * @param {Table} table
 * @param {readonly (T.Check | T.Total)[]} things the oldest first
 * @returns {(thing: T.Check | T.Total) => boolean}
 */
export function latestOver(table, things) {
  const ended = things.filter((thing) => isOver(table, thing));
  const latest = [ended.findLast(isCheck), ended.findLast((thing) => !isCheck(thing))];
  return (thing) => isOver(table, thing) && !latest.some((other) => other?.id === thing.id);
}

/** Tell whether a thing is over. A resolved check is not over while a cost is being agreed on, or while the viewer can propose a cost or choose an effect. @param {Table} table @param {T.Check | T.Total} thing */
export function isOver(table, thing) {
  if (!isCheck(thing)) return totalIsOver(thing);
  const stages = thing.parts.map((part) => costOf(thing, part)?.stage);
  const bargaining = stages.some((stage) => stage === "proposed" || stage === "accepted" || stage === "countered");
  const asks = bargaining || bargainsOf(table, thing).length > 0 || ownChoices(table, thing.id).length > 0;
  return thing.status === "resolved" && !asks;
}

/**
 * Sort things: first things that wait for the viewer, then active things, then things with a result, the latest first.
 * @param {Table} table
 * @param {readonly (T.Check | T.Total)[]} things
 * @param {readonly { thing: string }[]} waiting the things that wait for the viewer
 */
export function inOrder(table, things, waiting) {
  const waits = new Set(waiting.map(({ thing }) => thing.split(":")[1]));
  const rank = (/** @type {T.Check | T.Total} */ thing) => (waits.has(thing.id) ? 0 : ended(thing) ? 2 : 1);
  const at = new Map(things.map((thing) => [thing, ended(thing) ? lastSeqOf(table, thing) : 0]));
  const newest = [...things.filter(ended)].reverse().sort((a, b) => (at.get(b) ?? 0) - (at.get(a) ?? 0));
  return [...things.filter((thing) => !ended(thing)), ...newest].sort((a, b) => rank(a) - rank(b));
}

/** Tell whether a check is resolved, or a total has succeeded or failed. @param {T.Check | T.Total} thing */
function ended(thing) {
  return isCheck(thing) ? thing.status === "resolved" : totalIsOver(thing);
}

/**
 * Return the seq of the latest record about a thing among the recent public records; 0 if there is none.
 * @param {Table} table @param {T.Check | T.Total} thing
 */
export function lastSeqOf({ view }, { id }) {
  const record = view.public.recent.findLast(({ event }) => {
    const { check_id: check, total_id: total } = /** @type {any} */ (event);
    return check === id || total === id;
  });
  return record?.seq ?? 0;
}

/** Tell whether a thing is a check, not a total. @param {T.Check | T.Total} thing @returns {thing is T.Check} */
function isCheck(thing) {
  return "parts" in thing;
}
