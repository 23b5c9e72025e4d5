// @ts-check
/** What follows from checks and from what characters hold: claims of ventures, failures, bargains. Source: rules.md C19, C20. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

/** Return the id that a venture is claimed by. @param {T.Bonus} bonus */
export const keyOf = ({ id, check_id: check }) => id ?? check;

/** Return the ventures that a part is rolled with. @param {T.Character | undefined} character @param {Pick<T.Part, "claim" | "claims">} part */
export function claimed(character, { claim, claims }) {
  const ready = (character?.bonuses ?? []).filter((each) => each.benefits === "check");
  return claims ? ready.filter((each) => claims.includes(keyOf(each))) : claim ? ready : [];
}

/** Add up the dice of ventures. @param {readonly T.Bonus[]} bonuses */
export function diceIn(bonuses) {
  return bonuses.reduce((sum, bonus) => sum + bonus.dice, 0);
}

/**
 * Return the ventures ready for a character's rolls of a sort that no other check which waits has claimed.
 * @param {Table} table @param {T.Character} character @param {T.Benefit} benefits @param {T.Part} [part] whose they may be
 */
export function unclaimed(table, { bonuses }, benefits, part) {
  const parts = [...table.view.checks.values()].flatMap((check) => check.parts);
  const taken = parts.flatMap((each) => (each.roll || each === part ? [] : (each.claims ?? [])));
  return bonuses.filter((each) => each.benefits === benefits && !taken.includes(keyOf(each)));
}

/** Return the bargain over a part's failure; the leader's is the check's own. @param {T.Check} check @param {T.Part} part */
export function costOf(check, part) {
  return leads(check, part) && part.side === "acting" ? check.cost : part.cost;
}

/** Tell whether a part leads its side. @param {Pick<T.Check, "parts">} check @param {T.Part} part */
function leads({ parts }, { character_id: id, side }) {
  return parts.find((each) => each.side === side)?.character_id === id;
}

/** Tell whether a part failed whose side won all the same. @param {T.Check} check @param {T.Part} part */
export function failedAlone(check, part) {
  const leader = check.parts.find((each) => each.side === part.side) ?? part;
  return !leads(check, part) && !failed(check, leader);
}

/** Tell whether a part failed, fumbled or lost; a leader stands for the side. @param {T.Check} check @param {T.Part} part */
export function failed(check, part) {
  const { result } = check;
  if (!result || !part.roll) return false;
  const lost = (/** @type {string | undefined} */ outcome) => outcome === "fumble" || outcome === "fail";
  const side = part.side === "acting" ? result.acting : result.opposing;
  const won = !lost(side?.outcome) && (result.winner ?? part.side) === part.side;
  return !won || (!leads(check, part) && lost(part.roll.outcome));
}
