// @ts-check
/** Finds the viewer's characters and their parts (shares) in checks, and tells what the rules allow them. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

/**
 * @typedef {{ score: number, bonus: number, penalty: number, level: number, claim: boolean, claims?: readonly string[] }} Pool the
 *   numbers and claimed ventures that decide how many dice a roll has
 */

import { MAX_POOL } from "../../client/limits.js";
import { claimed, costOf, diceIn, failed } from "../app/checks.js";
import { goesOn } from "../app/over.js";
import { canRoll as couldRoll } from "../app/party.js";

/** Tell whether things in the room can change: the room is not closed, and the connection has not ended for good. @param {Table} table */
export function isOpen(table) {
  return !table.view.closed && !table.over;
}

/** Return the viewer's characters. @param {Table} table @returns {T.Character[]} */
export function ownCharacters(table) {
  return [...table.view.characters.values()].filter((character) => table.owns(character));
}

/**
 * Return the viewer's characters for which dice may be rolled. Source: rules.md D6 and D7.
 * @param {Table} table
 */
export function ableCharacters(table) {
  return ownCharacters(table).filter(isAble);
}

/** Tell whether dice may be rolled for a character: it is in play, and it has no crisis to resolve first. @param {T.Character | undefined} character */
export function isAble(character) {
  return character?.status === "in_play" && !character.crisis_due;
}

/** Tell whether a character, by id, is the viewer's own. @param {Table} table @param {string | undefined} id */
export function isMine(table, id) {
  const character = table.view.characters.get(id ?? "");
  return character !== undefined && table.owns(character);
}

/** Return the parts of a check that are the viewer's own. @param {Table} table @param {T.Check} check */
export function ownParts(table, check) {
  return check.parts.filter((part) => isMine(table, part.character_id));
}

/** Return the choices between effects that the viewer's characters still have to make after a check. @param {Table} table @param {string} checkId */
export function ownChoices(table, checkId) {
  return ownCharacters(table).flatMap((character) =>
    character.choices.filter((choice) => choice.check_id === checkId).map((choice) => ({ character, choice })),
  );
}

/** Tell whether the viewer can roll a part now. @param {Table} table @param {T.Check} check @param {T.Part} part */
export function canRoll(table, check, part) {
  return couldRoll(table, check, part) && isAble(table.view.characters.get(part.character_id));
}

/**
 * Return the viewer's parts that failed and can still succeed at a cost. Source: rules.md C20.
 * @param {Table} table
 * @param {T.Check} check
 */
export function bargainsOf(table, check) {
  return ownParts(table, check).filter((part) => {
    const stage = costOf(check, part)?.stage;
    return failed(check, part) && stage !== "applied" && stage !== "declined";
  });
}

/** Return the open challenges. @param {Table} table */
export function openChallenges(table) {
  return [...table.view.challenges.values()].filter((challenge) => goesOn(table, challenge));
}

/**
 * Return the number of bonus dice. Dice from claimed ventures (earlier checks) count until the pool has MAX_POOL dice.
 * @param {T.Character | undefined} character
 * @param {Pool} pool
 */
function wholeBonus(character, pool) {
  const { score, bonus, penalty } = pool;
  const paid = diceIn(claimed(character, /** @type {any} */ (pool)));
  return bonus + Math.max(0, Math.min(paid, MAX_POOL - (score + bonus - penalty)));
}

/**
 * Return the number of dice at the start of a roll. Source: rules.md C4.
 * @param {T.Character | undefined} character
 * @param {Pool} pool
 */
export function diceOf(character, pool) {
  const net = wholeBonus(character, pool) - pool.penalty;
  return net >= 0 ? pool.score + net : Math.max(Math.min(pool.score, 1), pool.score + net);
}

/** Tell whether a character of the viewer has attempted a challenge without dice, and the gm has not ruled on the attempt yet. @param {Table} table @param {string} challenge */
export function waitsForRuling(table, challenge) {
  return [...table.view.efforts.values()].some((effort) => effort.challenge_id === challenge && isMine(table, effort.character_id));
}
