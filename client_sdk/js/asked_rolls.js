// @ts-check
/** Compares rolls with the commands that asked for them. */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { View } from "./views.js"
 *
 * @typedef {Extract<T.Command, { faces?: unknown }>} RollingCommand
 */

import { rollState, sceneGoesOn } from "./due.js";
import { MAX_ROLL_DICE } from "./limits.js";
import { rolledIn } from "./rolled.js";

const TURNS = ["end_turn", "end_round"];
const ROLLING = new Set(["roll_dice", "roll_countdown", ...TURNS, "roll_check", "roll_total", "push_luck"]);
const DEALT = ["check_resolved", "countdown_repeated"]; // events whose dice the server always rolls, even if the command has physical dice

/** Tell whether a command rolls dice. @type {(command: T.Command) => command is RollingCommand} */
export const isRolling = (command) => ROLLING.has(command.type);

/** Tell whether a command, if applied, must lead to a public roll. Hidden things roll in secret. */
export function mustRoll(/** @type {T.Command} */ command, /** @type {View} */ view) {
  switch (command.type) {
    case "roll_dice":
      return (command.visibility ?? "public") === "public";
    case "roll_countdown":
      return view.public.countdowns.has(command.countdown_id);
    case "roll_check":
      return view.public.checks.has(command.check_id);
    case "roll_total":
    case "push_luck":
      return true;
  }
  return false;
}

/** Tell whether a record is the roll of a command's thing. A check of 0 dice counts as rolled, too. */
export function isRolled(/** @type {T.Command} */ command, /** @type {T.EventRecord} */ { event }) {
  return (rolledIn(event) !== null || event.type === "check_rolled") && isAbout(command, event);
}

/**
 * Tell whether a command ended a turn or a round, but did not roll a countdown that was due and still is. The countdown
 * must be due in both views, so that changes by others since `before` raise no alarm.
 * @param {T.Command} command
 * @param {readonly T.EventRecord[]} records the records of the command
 * @param {View} before
 * @param {View} after
 */
export function isLeftOut(command, records, before, after) {
  const end = records.flatMap(({ event }) => endOf(command, event) ?? []).at(-1);
  if (!end) return false;
  const rolled = new Set(records.map(({ event }) => event.type === "countdown_rolled" && event.countdown_id));
  return [...after.public.countdowns.values()].some((now) => {
    const then = before.public.countdowns.get(now.id);
    return then && !rolled.has(now.id) && isDue(before, then, end, before.turn) && isDue(after, now, end, before.turn);
  });
}

/**
 * Return the turn or round that a command ends: the id of its scene or situation, if there is one, and its number.
 * @param {T.Command} command @param {T.Event} event @returns {{ id?: string, number: number } | undefined}
 */
function endOf(command, event) {
  if (command.type === "end_round" && event.type === "round_ended" && event.situation_id === command.situation_id)
    return { id: event.situation_id, number: event.round };
  if (command.type !== "end_turn") return undefined;
  const { scene_id: id } = command;
  if (event.type === "scene_turn_ended" && event.scene_id === id) return { id, number: event.turn };
  return event.type === "turn_ended" && !id ? { number: event.turn } : undefined;
}

/**
 * Tell whether, in this view, a countdown is due at the end of a turn or round. A roll then or later settles this. A
 * situation that has ended counts as open: the end of its round may have ended it.
 * @param {View} view @param {T.Countdown} countdown @param {{ id?: string, number: number }} end @param {number} turn
 */
function isDue({ public: { situations, scenes } }, countdown, { id, number }, turn) {
  const { status, bound_id = "", rolled_turn, rolled_period } = countdown;
  if (status !== "running" || (id && bound_id !== id)) return false;
  const goesOn = sceneGoesOn(scenes.get(situations.get(bound_id)?.scene_id ?? bound_id));
  const ended = { goesOn, turn: Math.max(id ? turn : number, rolled_turn), period: Math.max(number, rolled_period) };
  return rollState(countdown, ended, !id) === "due";
}

/** Tell whether a roll fits a command, and is in the command's slot. */
export function fits(/** @type {T.Command} */ command, /** @type {T.EventRecord} */ { event }) {
  return isAbout(command, event) && isInSlot(command, event);
}

/** Tell whether a roll is in the command's slot. Typed-in dice use no slot, but deals after them are always rolled by the server. */
export function isInSlot(/** @type {T.Command} */ command, /** @type {T.Event} */ event) {
  if (!isRolling(command)) return true;
  const proof = rolledIn(event)?.proof;
  if (command.faces && !DEALT.includes(event.type)) return proof === undefined;
  const { dice } = command;
  return proof !== undefined && (!dice || (proof.lane === dice.lane && proof.n === dice.n));
}

/**
 * By event type: the commands that roll these dice, and the field with the id of the rolled thing.
 * @type {{ [type: string]: [commands: string[], field: string] }}
 */
const ROLLED_BY = {
  countdown_rolled: [["roll_countdown"], "countdown_id"],
  countdown_repeated: [["roll_countdown", "amend_countdown"], "countdown_id"],
  check_rolled: [["roll_check"], "check_id"],
  check_resolved: [["roll_check", "adjust_check"], "check_id"],
  total_rolled: [["roll_total"], "total_id"],
  luck_pushed: [["push_luck"], "total_id"],
};

/** Tell whether a roll is of the command's thing. The end of a turn or round may roll any countdown. */
export function isAbout(/** @type {T.Command} */ command, /** @type {T.Event} */ event) {
  if (event.type === "dice_rolled") return command.type === "roll_dice" && isWanted(command, event.roll);
  const [commands, field] = ROLLED_BY[event.type] ?? [[], ""];
  if (field === "countdown_id" && TURNS.includes(command.type)) return true;
  const [{ [field]: id, character_id: roller }, { [field]: rolled, part }] = [/** @type {any} */ (command), /** @type {any} */ (event)];
  if (!commands.includes(command.type) || id !== rolled) return false;
  return event.type !== "check_rolled" || (roller ?? part.character_id) === part.character_id;
}

/**
 * Tell whether damage without a place was rolled in a scene that is not the only open scene in any of these views. A server
 * could choose a scene in which sixes add dice. Source: rules.md C27.
 * @param {T.Command} command @param {T.Event} event @param {readonly View[]} views
 */
export function isMisplaced(command, event, views) {
  if (command.type !== "roll_dice" || event.type !== "dice_rolled" || command.within_id) return false;
  const place = event.roll.within_id;
  return place !== undefined && !views.some((view) => isOnlyScene(view, place));
}

/** @param {View} view @param {string} place */
function isOnlyScene({ public: { situations, scenes } }, place) {
  const open = [...scenes.values()].filter(({ status }) => status === "open");
  return open.length === 1 && open[0].id === (situations.get(place)?.scene_id ?? place);
}

/** @param {T.RollDice} command @param {T.Roll} roll */
function isWanted({ id, name, character_id, purpose, visibility, within_id, pool }, roll) {
  const { faces, paid, added = 0 } = roll;
  const dice = pool + paid;
  const sixes = faces.filter((face) => face === 6).length;
  return (
    (within_id ?? roll.within_id) === roll.within_id &&
    faces.length === dice + added &&
    (!added || added === Math.min(sixes, MAX_ROLL_DICE - dice)) &&
    (id ?? roll.id) === roll.id &&
    (name ?? undefined) === roll.name &&
    (character_id ?? undefined) === roll.character_id &&
    (purpose ?? "other") === roll.purpose &&
    (visibility ?? "public") === roll.visibility
  );
}
