// @ts-check
/** The dice of a check in the gm's hands: rolled, taken out. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { nameOfCheck } from "../parts/check.js";
import { canRoll, isGms, isStuck } from "../app/party.js";
import { rolling, sure } from "./presses.js";

/**
 * Draw what the gm does with one part of a check.
 * @param {Table} table @param {{ check: T.Check, part: T.Part }} given
 */
export function partControls(table, { check, part }) {
  const roll = canRoll(table, check, part);
  const remove = canBeRemoved(table, check, part);
  if (!roll && !remove) return nothing;
  return html`${roll ? rollPart(table, check, part) : nothing} ${remove ? removePart(table, check, part) : nothing}`;
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part */
function rollPart(table, check, part) {
  const { character_id: id } = part;
  const name = table.nameOfPart(part);
  const own = check.visibility !== "public" || isGms(table, id);
  return rolling(table, {
    key: `check:${check.id}:${id}:roll`,
    label: own ? table.t("gm.roll") : table.t("gm.roll_for", { name }),
    describes: `${nameOfCheck(table, check)} (${name})`,
    kind: own ? "main" : "plain",
    command: { type: "roll_check", check_id: check.id, character_id: id },
  });
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part */
function removePart(table, check, part) {
  const { character_id: id } = part;
  const describes = `${nameOfCheck(table, check)} (${table.nameOfPart(part)})`;
  const command = /** @type {const} */ ({ type: "adjust_check", check_id: check.id, remove: id });
  const [label, yes] = [table.t("gm.check.remove"), table.t("gm.check.remove.yes")];
  return sure(table, { key: `check:${check.id}:${id}:remove`, label, yes, describes, command });
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part */
function canBeRemoved(table, { status, parts }, part) {
  if (status === "rolling") return isStuck(table, part);
  return status !== "resolved" && parts[0].character_id !== part.character_id;
}
