// @ts-check
/** Saying no to what a player handed in, with a word to it if there is one. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Demand } from "./lazily.js" */

import { demanded } from "../forms/live.js";

/**
 * Draw the form that declines what a player handed in.
 * @param {Table} table @param {Demand} demand @param {(word: string | undefined) => T.Command} command
 */
export function declining(table, demand, command) {
  return demanded(table, demand, {
    submit: table.t("gm.decline.send"),
    command: (values) => command(values.text("word")),
    fields: (f) => f.sentence("word", "gm.decline.word"),
  });
}
