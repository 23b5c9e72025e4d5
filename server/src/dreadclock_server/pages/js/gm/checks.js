// @ts-check
/** The gm's buttons that roll or remove a part of a check, which is the roll of one character. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button } from "../app/controls.js";
import { nameOfCheck } from "../parts/check.js";
import { canRoll, isGms, isStuck } from "../app/party.js";
import { ownDice, sure } from "./presses.js";

/** Draw the controls, or nothing if the part can be neither rolled nor removed. @param {Table} table @param {{ check: T.Check, part: T.Part }} given */
export function partControls(table, { check, part }) {
  const { character_id: id } = part;
  const name = table.nameOfPart(part);
  const describes = `${nameOfCheck(table, check)} (${name})`;
  const own = check.visibility !== "public" || isGms(table, id);
  const roll = {
    key: `check:${check.id}:${id}:roll`,
    label: own ? table.t("gm.roll") : table.t("gm.roll_for", { name }),
    describes,
    kind: own ? "main" : "plain",
    command: /** @type {const} */ ({ type: "roll_check", check_id: check.id, character_id: id }),
  };
  const remove = {
    key: `check:${check.id}:${id}:remove`,
    label: table.t("gm.check.remove"),
    yes: table.t("gm.check.remove.yes"),
    describes,
    command: /** @type {const} */ ({ type: "adjust_check", check_id: check.id, remove: id }),
  };
  const [rolls, removes] = [canRoll(table, check, part), canBeRemoved(table, check, part)];
  if (!rolls && !removes) return nothing;
  return html`${rolls ? html`${button(table, roll)} ${ownDice(table, roll)}` : nothing} ${removes ? sure(table, remove) : nothing}`;
}

/**
 * Tell whether a part can be removed. Before the roll, every part can be removed except the first, which leads the acting
 * side. During the roll, only a part that cannot be rolled any more can be removed. After the check, no part can.
 * @param {Table} table @param {T.Check} check @param {T.Part} part
 */
function canBeRemoved(table, { status, parts }, part) {
  if (status === "rolling") return isStuck(table, part);
  return status !== "resolved" && parts[0].character_id !== part.character_id;
}
