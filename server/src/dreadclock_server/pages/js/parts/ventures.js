// @ts-check
/** Ventures that lie ready, and which of them are claimed. Source: rules.md C19. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 */

import { field } from "../app/controls.js";

/** Return the id that a venture is claimed by. @param {T.Bonus} bonus */
const keyOf = ({ id, check_id: check }) => id ?? check;

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

/**
 * Draw a tick for each venture that a roll may claim; none is ticked by itself.
 * @param {Table} table @param {readonly T.Bonus[]} ready @param {readonly string[]} claims @param {string} [prefix]
 */
export function claimFields(table, ready, claims, prefix = "") {
  return ready.map((each) =>
    field({
      name: `${prefix}claim:${keyOf(each)}`,
      label: table.t("claim", { dice: each.dice, what: each.what }),
      type: "checkbox",
      checked: claims.includes(keyOf(each)),
    }),
  );
}

/** Read what `claimFields` drew. @param {Values | undefined} values @param {readonly T.Bonus[]} ready @param {string} [prefix] */
export function claimsIn(values, ready, prefix = "") {
  return ready.map(keyOf).filter((key) => values?.ticked(`${prefix}claim:${key}`));
}
