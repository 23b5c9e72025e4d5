// @ts-check
/** Helpers for checks: claims of ventures, failures, and bargains. Source: rules.md C19, C20. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

/** Return the id with which a roll claims a venture. @param {T.Bonus} bonus */
export const keyOf = ({ id, check_id: check }) => id ?? check;

/** Return the ventures whose dice a part's roll uses. @param {T.Character | undefined} character @param {Pick<T.Part, "claim" | "claims">} part */
export function claimed(character, { claim, claims }) {
  const ready = (character?.bonuses ?? []).filter((bonus) => bonus.benefits === "check");
  return claims ? ready.filter((bonus) => claims.includes(keyOf(bonus))) : claim ? ready : [];
}

/** Return the sum of the dice of ventures. @param {readonly T.Bonus[]} bonuses */
export function diceIn(bonuses) {
  return bonuses.reduce((sum, bonus) => sum + bonus.dice, 0);
}

/**
 * Return a character's ventures that are ready for this kind of roll, and that no unrolled part of a check has claimed.
 * @param {Table} table @param {T.Character} character @param {T.Benefit} benefits @param {T.Part} [part] the part whose own claims are ignored
 */
export function unclaimed(table, { bonuses }, benefits, part) {
  const parts = [...table.view.checks.values()].flatMap((check) => check.parts);
  const taken = parts.flatMap((other) => (other.roll || other === part ? [] : (other.claims ?? [])));
  return bonuses.filter((bonus) => bonus.benefits === benefits && !taken.includes(keyOf(bonus)));
}

/**
 * Return the bargain over a part's failure; undefined if there is none. A side's leader is its first part. The check has
 * the bargain of the acting leader; the other parts have their own.
 * @param {T.Check} check @param {T.Part} part
 */
export function costOf(check, part) {
  return leads(check, part) && part.side === "acting" ? check.cost : part.cost;
}

/** Tell whether a part is the first of its side. @param {Pick<T.Check, "parts">} check @param {T.Part} part */
function leads({ parts }, { character_id: id, side }) {
  return parts.find((part) => part.side === side)?.character_id === id;
}

/** Tell whether a part is a helper's, and its leader did not fail. For a failed part: whether only the helper failed. @param {T.Check} check @param {T.Part} part */
export function failedAlone(check, part) {
  const leader = check.parts.find((other) => other.side === part.side) ?? part;
  return !leads(check, part) && !failed(check, leader);
}

/** Tell whether a part failed: its side failed or lost, or it is a helper whose own roll failed. Without a result: false. @param {T.Check} check @param {T.Part} part */
export function failed(check, part) {
  const { result } = check;
  if (!result || !part.roll) return false;
  const lost = (/** @type {string | undefined} */ outcome) => outcome === "fumble" || outcome === "fail";
  const side = part.side === "acting" ? result.acting : result.opposing;
  const won = !lost(side?.outcome) && (result.winner ?? part.side) === part.side;
  return !won || (!leads(check, part) && lost(part.roll.outcome));
}

/**
 * Return the tokens that a character will hold at its next roll if its open choices are not answered before. A choice that
 * was offered instead of momentum then becomes momentum. Source: rules.md C18.
 * @param {T.Character} character
 */
export function tokensAtRoll({ momentum, interference, choices }) {
  let held = { momentum, interference };
  for (const choice of choices) {
    if (choice.instead_of === "momentum") held = { momentum: !held.interference, interference: false };
  }
  return held;
}
