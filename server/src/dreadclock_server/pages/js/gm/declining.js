// @ts-check
/** Saying no to what a player handed in, with a word to it if there is one. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { nameOfCheck } from "../parts/check.js";
import { nameOfTotal } from "../parts/total.js";
import { onDemand } from "./lazily.js";
import { demanded } from "./live.js";

/** Draw the way to decline what was changed on a sheet, or else a newcomer, who then leaves. @param {Table} table @param {T.Character} character @param {T.ApproveSheet} refusal @param {string} place */
export function decliningSheet(table, { id, name, proposed, approved_level: level }, refusal, place) {
  const key = `${place}:${id}:refuse`;
  const isChanged = proposed !== undefined || level !== undefined;
  if (isChanged) return declining(table, key, name, table.t("gm.decline.sheet"), (note) => ({ ...refusal, note }));
  const leaving = (/** @type {string | undefined} */ reason) => /** @type {const} */ ({ type: "take_out_of_play", character_id: id, fate: "leaves", reason });
  return declining(table, key, name, table.t("gm.decline.newcomer"), leaving);
}

/** Draw the way to decline a check. @param {Table} table @param {T.Check} check */
export function decliningCheck(table, check) {
  const withdrawn = (/** @type {string | undefined} */ note) => /** @type {const} */ ({ type: "withdraw_check", check_id: check.id, note });
  return declining(table, `check:${check.id}:withdraw`, nameOfCheck(table, check), table.t("gm.decline.roll"), withdrawn);
}

/** Draw the way to decline a total. @param {Table} table @param {T.Total} total */
export function decliningTotal(table, total) {
  const withdrawn = (/** @type {string | undefined} */ note) => /** @type {const} */ ({ type: "withdraw_total", total_id: total.id, note });
  return declining(table, `total:${total.id}:withdraw`, nameOfTotal(table, total), table.t("gm.decline.roll"), withdrawn);
}

/** @param {Table} table @param {string} key @param {string} describes @param {string} does @param {(word: string | undefined) => T.Command} command */
function declining(table, key, describes, does, command) {
  const demand = { key, label: table.t("gm.decline"), describes, does };
  return onDemand(table, demand, (asked) =>
    demanded(table, asked, {
      submit: table.t("gm.decline.send"),
      command: (values) => command(values.text("word")),
      fields: (f) => f.sentence("word", "gm.decline.word"),
    }),
  );
}
