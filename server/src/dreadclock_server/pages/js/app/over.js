// @ts-check
/** Tells which things are over. A thing that is over triggers no consequence any more. Source: rules.md E5. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

import { costOf, failed } from "./checks.js";

/** Tell whether a countdown is over. @param {T.Countdown} countdown */
export function countdownIsOver({ status }) {
  return status === "expired" || status === "cancelled";
}

/** Tell whether a total is over. @param {Pick<T.Total, "status">} total */
export function totalIsOver({ status }) {
  return status === "succeeded" || status === "failed";
}

/** Tell whether a clock is at its end. The gm may still move it back. @param {T.Clock} clock */
export function isFull({ value, size, direction }) {
  return value === (direction === "down" ? 0 : size);
}

/** @typedef {Table["view"]} View */
/** @type {{ [Kind in T.Consequence["of"]["kind"]]: (view: View, thing: any) => boolean }} */
const OVER = {
  countdown: (_, countdown) => countdownIsOver(countdown),
  clock: clockIsOver,
  check: (_, check) => checkIsOver(check),
  total: (_, total) => totalIsOver(total),
  character: (_, { status }) => status === "dead" || status === "retired",
};

/** Tell whether a thing can never trigger a consequence again: it is over, or not in the view. @param {View} view @param {T.Consequence["of"]} of */
export function isOver(view, { kind, id }) {
  const thing = view[/** @type {const} */ (`${kind}s`)].get(id);
  return !thing || OVER[kind](view, thing);
}

/** Tell whether the scene, situation or challenge of a clock is over. @param {View} view @param {T.Clock} clock */
function clockIsOver({ scenes, situations, challenges }, { of = "" }) {
  const status = (scenes.get(of) ?? situations.get(of) ?? challenges.get(of))?.status;
  return status !== undefined && status !== "open" && status !== "prepared";
}

/** Tell whether a check is resolved, and its acting side can no longer pay to succeed. @param {T.Check} check */
function checkIsOver(check) {
  if (check.status !== "resolved") return false;
  const [leader, ...others] = check.parts.filter(({ side }) => side === "acting");
  if (!failed(check, leader)) return true; // a leader fails only with the whole side
  const unpaid = [leader, ...others.filter((part) => failed(check, part))];
  const stages = unpaid.map((part) => costOf(check, part)?.stage);
  return stages.includes("applied") || stages.every((stage) => stage === "declined");
}

/**
 * Tell whether a challenge can be attempted now: the challenge and its situation are open, and the scene is not set aside.
 * @param {Table} table @param {T.Challenge} challenge
 */
export function goesOn({ view }, challenge) {
  const situation = view.situations.get(challenge.situation_id);
  const open = challenge.status === "open" && situation?.status === "open";
  return open && !view.scenes.get(situation.scene_id)?.aside;
}
