// @ts-check
/** Whether a countdown was rolled in its turn or round, or is due in it. The same as `rules/due.py`. */

/**
 * @import * as T from "./dreadclock.types.js"
 *
 * @typedef {object} Now the state of the turn or round that rolls a countdown
 * @property {boolean} goesOn whether the situation or scene is open, and the scene is not set aside
 * @property {number} turn the number of the room's current turn
 * @property {number} period the number of the scene's turn, or of the situation's round
 * @typedef {Pick<T.Countdown, "bound_to" | "rolled_turn" | "rolled_period">} Rolled
 * @typedef {Pick<T.Countdown, "bound_to" | "bound_id">} Bound
 * @typedef {{ readonly turn: number, readonly situations: ReadonlyMap<string, T.Situation>, readonly scenes: ReadonlyMap<string, T.Scene> }} Room
 */

/**
 * Return whether a running countdown was rolled, or is due, in the turn or round that it is bound to; `free` if only
 * commands roll it. `atTurnEnd`: answer for the end of the whole turn, which rolls countdowns that are bound to the turn or
 * to a scene.
 * Source: rules.md A8, A12 and B19.
 * @param {Rolled} countdown @param {Now} now @param {boolean} [atTurnEnd] @returns {"free" | "due" | "rolled"}
 */
export function rollState({ bound_to: bound, rolled_turn, rolled_period }, { goesOn, turn, period }, atTurnEnd = false) {
  if (bound === "nothing" || (bound !== "turn" && !goesOn) || (atTurnEnd && bound === "rounds")) return "free";
  const inTurn = bound === "rounds" || rolled_turn === turn;
  const inPeriod = bound === "turn" || atTurnEnd || rolled_period === period;
  return inTurn && inPeriod ? "rolled" : "due";
}

/** Tell whether a scene is open and not set aside. @param {T.Scene | undefined} scene */
export const sceneGoesOn = (scene) => scene?.status === "open" && !scene.aside;

/** Return the state of a countdown's binding in a view. @param {Room} view @param {Bound} countdown @returns {Now} */
export function nowOf({ turn, situations, scenes }, { bound_to: bound, bound_id: id = "" }) {
  const situation = bound === "rounds" ? situations.get(id) : undefined;
  const scene = scenes.get(situation?.scene_id ?? id);
  const goesOn = sceneGoesOn(scene) && (bound !== "rounds" || situation?.status === "open");
  return { goesOn, turn, period: situation ? situation.round + 1 : (scene?.turn ?? 0) };
}

/** Return whether a countdown was rolled, or is due, in a view. @param {Room} view @param {Rolled & Bound} countdown */
export const rollStateIn = (view, countdown, atTurnEnd = false) => rollState(countdown, nowOf(view, countdown), atTurnEnd);
