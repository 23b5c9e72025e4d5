// @ts-check
/** Checks in the gm's hands: approved, opposed, helped, rolled. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { nameOfCheck } from "../parts/check.js";
import { lazily, more, onDemand } from "./lazily.js";
import { canRoll, freeFor, isGms, isStuck } from "./party.js";
import { revealing, rolling, sure } from "./presses.js";
import { titled } from "../parts/card.js";

const adjustments = lazily(() => import("./adjusting.js"));
const bargains = lazily(() => import("./bargains.js"));
const declines = lazily(() => import("./declining.js"));
const forms = lazily(() => import("./check_forms.js"));

/** Draw what the gm does with a check. @param {Table} table @param {T.Check} check */
export function checkControls(table, check) {
  const { status, visibility } = check;
  const shown = visibility === "public" ? nothing : revealing(table, check, nameOfCheck(table, check));
  if (status === "resolved") {
    return html`${bargains(table, (it) => html`${it.bargaining(table, check)} ${it.choosing(table, check)}`)} ${shown}`;
  }
  if (status === "rolling") return html`${shown} ${isLost(table, check) ? withdrawing(table, check) : nothing}`;
  const approve = adjustments(table, (module) => module.approving(table, check));
  return html`${status === "proposed" ? approve : change(table, check)} ${shown} ${joining(table, check)}
  ${status === "proposed" ? declines(table, (it) => it.decliningCheck(table, check)) : withdrawing(table, check)}`;
}

/** @param {Table} table @param {T.Check} check */
function change(table, check) {
  const demand = { key: `check:${check.id}:adjust`, label: table.t("gm.change"), describes: nameOfCheck(table, check) };
  return onDemand(table, demand, (asked) => adjustments(table, (module) => module.adjusting(table, asked, check)));
}

/** @param {Table} table @param {T.Check} check */
function withdrawing(table, check) {
  const command = /** @type {const} */ ({ type: "withdraw_check", check_id: check.id });
  const [label, yes] = [table.t("gm.withdraw"), table.t("gm.withdraw.yes")];
  return sure(table, { key: `check:${check.id}:withdraw`, label, yes, describes: nameOfCheck(table, check), command });
}

/** Draw the forms that add dice to a check. @param {Table} table @param {T.Check} check */
function joining(table, check) {
  const opposed = check.parts.some((part) => part.side === "opposing");
  const oppose = opposed ? nothing : join(table, check, "oppose");
  if (!freeFor(table, check).length) return html`${check.contest && !opposed ? nobody(table) : nothing} ${oppose}`;
  const helpers = () => html`${join(table, check, "help")} ${opposed ? join(table, check, "help_against") : nothing}`;
  const key = `check:${check.id}:helping`;
  return html`${oppose}
  ${more(table, key, nameOfCheck(table, check), helpers, table.t("gm.check.helping"))}`;
}

/** Say why no character can take the other side. @param {Table} table */
function nobody(table) {
  return html`<p class="hint">${table.t("gm.check.nobody")}</p>`;
}

/** @param {Table} table @param {T.Check} check @param {"oppose" | "help" | "help_against"} how */
function join(table, check, how) {
  const demand = {
    key: `check:${check.id}:${how}`,
    label: titled(table.t(`gm.check.${how}`), table.nameOfPart(check.parts[0])),
    describes: check.purpose,
  };
  return onDemand(table, demand, (asked) => forms(table, (module) => module.joining(table, asked, check, how)));
}

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

/** Tell whether nobody on a check's own side will ever roll. @param {Table} table @param {T.Check} check */
function isLost(table, { parts }) {
  return parts.filter((part) => part.side === "acting").every((part) => isStuck(table, part));
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part */
function canBeRemoved(table, { status, parts }, part) {
  if (status === "rolling") return isStuck(table, part);
  return status !== "resolved" && parts[0].character_id !== part.character_id;
}
