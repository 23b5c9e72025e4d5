// @ts-check
/** Fields to claim ventures: bonus dice from an earlier roll. Source: rules.md C19. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 */

import { keyOf } from "../app/checks.js";
import { field } from "../app/controls.js";

/**
 * Draw a checkbox for each venture in `ready`, ticked if it is in `claims`.
 * @param {Table} table @param {readonly T.Bonus[]} ready @param {readonly string[]} claims @param {string} [prefix]
 */
export function claimFields(table, ready, claims, prefix = "") {
  return ready.map((venture) =>
    field({
      name: `${prefix}claim:${keyOf(venture)}`,
      label: table.t("claim", { dice: venture.dice, what: venture.what }),
      type: "checkbox",
      checked: claims.includes(keyOf(venture)),
    }),
  );
}

/**
 * Return the ids of ventures that are ticked in `claimFields`.
 * @param {Values | undefined} values @param {readonly T.Bonus[]} ready @param {string} [prefix]
 */
export function claimsIn(values, ready, prefix = "") {
  return ready.map(keyOf).filter((key) => values?.ticked(`${prefix}claim:${key}`));
}
