// @ts-check
/** The functions for macros: `game.modules.get("dreadclock").api`. A call may do only what the user's seat may do. */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { Table } from "./table.js"
 * @import { View } from "../client/views.js"
 *
 * @typedef {Promise<readonly T.EventRecord[] | null>} Done the records of the command; null if it was refused: then a notice says why
 */

import { say, text } from "./words.js";

/** @param {Table} table @param {{ panel: () => unknown, table: () => unknown, seats: () => unknown }} open */
export function apiOf(table, open) {
  return Object.freeze({
    /** Open the panel. */
    open: open.panel,
    /** Open the whole table in a window. */
    openTable: open.table,
    /** Open the window of seats. */
    openSeats: open.seats,

    /** Return the view of this seat; null without a connection. @returns {View | null} */
    view: () => table.room?.view ?? null,

    /** Send any command, see `docs/commands.md`. @param {T.Command} command @returns {Done} */
    send: (command) => table.do(command),

    /** Roll a countdown, by its id or name. @param {string} countdown @returns {Done} */
    rollCountdown: (countdown) => withId(table, "countdowns", countdown, (id) => ({ type: "roll_countdown", countdown_id: id })),

    /** Tick a clock, by its id or name. @param {string} clock @param {number} [by] @returns {Done} */
    tick: (clock, by = 1) => withId(table, "clocks", clock, (id) => ({ type: "tick_clock", clock_id: id, by })),

    /** End the current turn. @returns {Done} */
    endTurn: () => table.do({ type: "end_turn", turn: table.room?.view.turn }),

    /** Roll plain dice. @param {number} pool @param {string} [name] of the roll @returns {Done} */
    rollDice: (pool, name) => table.do({ type: "roll_dice", pool, name }),
  });
}

/**
 * Send a command about a thing. If no thing has this id or name, show a notice.
 * @param {Table} table @param {"countdowns" | "clocks"} kind @param {string} named its id or name
 * @param {(id: string) => T.Command} command @returns {Done}
 */
async function withId(table, kind, named, command) {
  /** @type {ReadonlyMap<string, { id: string, name: string }>} */
  const things = table.room?.view[kind] ?? new Map();
  const lower = String(named).toLowerCase();
  const id = things.has(named) ? named : [...things.values()].findLast(({ name }) => name.toLowerCase() === lower)?.id;
  if (table.room && id === undefined) return say.warn(text("Unknown", { name: named }));
  return table.do(command(id ?? named));
}
