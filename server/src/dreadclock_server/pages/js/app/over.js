// @ts-check
/** Which things are over, so that nothing follows from them any more, and which challenges go on. Source: rules.md E5. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

import { costOf, failed } from "./checks.js";

/** Tell whether a countdown is over. @param {T.Countdown} countdown */
export function countdownIsOver({ status }) {
  return status === "expired" || status === "cancelled";
}

/** Tell whether a total is over. @param {T.Total} total */
export function totalIsOver({ status }) {
  return status === "succeeded" || status === "failed";
}

/** Tell whether a clock has reached its end, from which the gm may yet move it back. @param {T.Clock} clock */
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

/** Tell whether none of a thing's moments can come any more. @param {View} view @param {T.Consequence["of"]} of */
export function isOver(view, { kind, id }) {
  const thing = view[/** @type {const} */ (`${kind}s`)].get(id);
  return !thing || OVER[kind](view, thing);
}

/** Tell whether what a clock belongs to is over; what is set aside or prepared is not. @param {View} view @param {T.Clock} clock */
function clockIsOver({ scenes, situations, challenges }, { of = "" }) {
  const status = (scenes.get(of) ?? situations.get(of) ?? challenges.get(of))?.status;
  return status !== undefined && status !== "open" && status !== "prepared";
}

/** Tell whether a check is resolved and its acting side can pay for no failure any more. @param {T.Check} check */
function checkIsOver(check) {
  if (check.status !== "resolved") return false;
  const [leader, ...others] = check.parts.filter(({ side }) => side === "acting");
  if (!failed(check, leader)) return true; // the leader stands for the side, which won
  const unpaid = [leader, ...others.filter((part) => failed(check, part))];
  const stages = unpaid.map((part) => costOf(check, part)?.stage);
  return stages.includes("applied") || stages.every((stage) => stage === "declined");
}

/** Tell whether a challenge can be overcome now. @param {Table} table @param {T.Challenge} challenge */
export function goesOn({ view }, challenge) {
  const situation = view.situations.get(challenge.situation_id);
  const open = challenge.status === "open" && situation?.status === "open";
  return open && !view.scenes.get(situation.scene_id)?.aside;
}
