// @ts-check
/** The checks and totals that the viewer has a hand in, and which of them are over. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { costOf } from "../app/checks.js";
import { totalIsOver } from "../app/over.js";
import { isMine, ownChoices, ownParts } from "./mine.js";

/**
 * Return the checks and totals in which the viewer's characters have dice.
 * @param {Table} table
 * @returns {(T.Check | T.Total)[]}
 */
export function ownThings(table) {
  const checks = [...table.view.checks.values()].filter((check) => ownParts(table, check).length);
  const totals = [...table.view.totals.values()].filter((total) => isMine(table, total.character_id));
  return [...checks, ...totals];
}

/**
 * Tell what is over, but for what still asks something, and the latest of each sort: she still looks at that one.
 * @param {Table} table
 * @param {readonly (T.Check | T.Total)[]} things in the order in which they ended
 * @returns {(thing: T.Check | T.Total) => boolean}
 */
export function latestOver(table, things) {
  const ended = things.filter((thing) => isOver(table, thing));
  const latest = [ended.findLast(isCheck), ended.findLast((thing) => !isCheck(thing))];
  return (thing) => isOver(table, thing) && !latest.some((each) => each?.id === thing.id);
}

/** @param {Table} table @param {T.Check | T.Total} thing */
function isOver(table, thing) {
  if (!isCheck(thing)) return totalIsOver(thing);
  const stages = thing.parts.map((part) => costOf(thing, part)?.stage);
  const bargaining = stages.some((stage) => stage === "proposed" || stage === "accepted" || stage === "countered");
  return thing.status === "resolved" && !bargaining && !ownChoices(table, thing.id).length;
}

/** @param {T.Check | T.Total} thing @returns {thing is T.Check} */
function isCheck(thing) {
  return "parts" in thing;
}
