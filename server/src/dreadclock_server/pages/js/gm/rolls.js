// @ts-check
/** Plain rolls in the gm's hands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { nothing } from "../../vendor/lit-html/lit-html.js";
import { revealing } from "./presses.js";

/** Draw what the gm does with a plain roll. @param {Table} table @param {T.Roll} roll */
export function rollControls(table, roll) {
  return roll.visibility === "public" ? nothing : revealing(table, roll, roll.name ?? table.t("kind.roll"));
}
