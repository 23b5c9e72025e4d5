// @ts-check
/**
 * Helpers for checks. A part is one character's share in a check. Ventures are bonus dice, which a roll can claim. A bargain
 * makes a failure a success at a cost. Source: rules.md C19, C20.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

/** Return the id by which a roll claims a venture. @param {T.Bonus} bonus */
export const keyOf = ({ id, check_id: check }) => id ?? check;

/** Return the ventures whose dice a part's roll uses. @param {T.Character | undefined} character @param {Pick<T.Part, "claim" | "claims">} part */
export function claimed(character, { claim, claims }) {
  const ready = (character?.bonuses ?? []).filter((bonus) => bonus.benefits === "check");
  return claims ? ready.filter((bonus) => claims.includes(keyOf(bonus))) : claim ? ready : [];
}

/** @param {readonly T.Bonus[]} bonuses */
export function diceIn(bonuses) {
  return bonuses.reduce((sum, bonus) => sum + bonus.dice, 0);
}

/**
 * Return a character's ventures for this kind of roll, except those that a part has claimed but not rolled.
 * @param {Table} table @param {T.Character} character @param {T.Benefit} benefits @param {T.Part} [part] a part whose own claims do not count as taken
 */
export function unclaimed(table, { bonuses }, benefits, part) {
  const parts = [...table.view.checks.values()].flatMap((check) => check.parts);
  const taken = parts.flatMap((other) => (other.roll || other === part ? [] : (other.claims ?? [])));
  return bonuses.filter((bonus) => bonus.benefits === benefits && !taken.includes(keyOf(bonus)));
}

/**
 * Return the bargain over a part's failure; undefined if there is none. The first part of a side leads it. The acting leader's
 * bargain is `check.cost`.
 * @param {T.Check} check @param {T.Part} part
 */
export function costOf(check, part) {
  return leads(check, part) && part.side === "acting" ? check.cost : part.cost;
}

/** Tell whether a part leads its side. @param {Pick<T.Check, "parts">} check @param {T.Part} part */
function leads({ parts }, { character_id: id, side }) {
  return parts.find((part) => part.side === side)?.character_id === id;
}

/** Tell whether a part belongs to a helper whose leader did not fail. @param {T.Check} check @param {T.Part} part */
export function failedAlone(check, part) {
  const leader = check.parts.find((other) => other.side === part.side) ?? part;
  return !leads(check, part) && !failed(check, leader);
}

/** Tell whether a part failed: its side failed or lost, or a helper's own roll failed. False before the result, or without a roll. @param {T.Check} check @param {T.Part} part */
export function failed(check, part) {
  const { result } = check;
  if (!result || !part.roll) return false;
  const lost = (/** @type {string | undefined} */ outcome) => outcome === "fumble" || outcome === "fail";
  const side = part.side === "acting" ? result.acting : result.opposing;
  const won = !lost(side?.outcome) && (result.winner ?? part.side) === part.side;
  return !won || (!leads(check, part) && lost(part.roll.outcome));
}

/**
 * Return whether a character will have momentum (an advantage) or interference (a drawback) at its next roll, if open choices
 * stay unanswered. If a choice that was offered in place of momentum stays unanswered, the character
 * gets momentum, or loses interference if it has that. Source: rules.md C18.
 * @param {T.Character} character
 */
export function tokensAtRoll({ momentum, interference, choices }) {
  let held = { momentum, interference };
  for (const choice of choices) {
    if (choice.instead_of === "momentum") held = { momentum: !held.interference, interference: false };
  }
  return held;
}
