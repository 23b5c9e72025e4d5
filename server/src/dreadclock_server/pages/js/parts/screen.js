// @ts-check
/** The table on a big screen that people watch from afar, without scrolling. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { countdownIsOver, totalIsOver } from "../app/over.js";
import { openChecks, PANELS } from "../overlay/panels.js";

const MOST = 12; // countdowns, or clocks, in the middle
/** Heights in rem: of the room beside the middle, with a dial and without, and of what is drawn there. Two large clocks, or three small ones, are in a row. */
const REM = { dials: 38, others: 24, roll: 7, push: 15, scene: 5, character: 2.75, clocks: 5.5, smallClocks: 4.25, countdown: 6 };
const SHARE = 0.4; // of the room that is left: the most for the characters, and then the most for the clocks
/** The CSS classes for up to this many countdowns, how many of them are in a row, and the height of a row in rem. @type {[most: number, size: string, wide: number, high: number][]} */
const SIZES = [[1, "one few", 2, 10.5], [4, "few", 2, 10.5], [6, "some", 2, 7], [9, "many", 3, 4.6], [Infinity, "crowded", 3, 4.6]];

/** Return how many things fit into a height in rem: at least one row. @param {number} room @param {number} wide things in a row @param {number} high the height of a row */
const fitting = (room, wide, high) => wide * Math.max(1, Math.floor(room / high));

/**
 * Draw the whole table. The arena, where dice are thrown, is inside the main scene's dial. Without a scene, it is above the
 * countdowns, or above the clocks. Things that do not fit beside the middle are only counted.
 * @param {Table} table @param {unknown} arena its element
 */
export function screen(table, arena) {
  const { scenes, countdowns, clocks, sealed, characters, totals } = table.view;
  const count = (/** @type {string} */ kind) => [...sealed.values()].filter((thing) => thing.kind === kind).length;
  const running = [...countdowns.values()].filter((countdown) => !countdownIsOver(countdown)).length + count("countdown");
  const free = [...clocks.values()].filter(({ kind }) => kind === "free").length + count("clock");
  const middle = scenes.size || count("scene") ? "dials" : running ? "dice" : free ? "times" : "";
  const total = [...totals.values()].findLast((total) => !totalIsOver(total));
  const mostChecks = total || running > MOST / 2 ? 1 : 2;
  const rolls = Math.min(mostChecks, openChecks(table).length) * REM.roll + (total ? (total.status === "offered" ? REM.push : REM.roll) : 0);
  const others = [...scenes.values()].filter(({ status, aside }) => status === "open" && !aside).length - 1;
  let room = (middle === "dials" ? REM.dials - Math.max(0, Math.min(2, others)) * REM.scene : REM.others) - rolls;
  const people = Math.min(6, fitting(room * SHARE, 1, REM.character));
  room -= Math.min(people, characters.size) * REM.character;
  const isSmall = free > 4 || Math.ceil(free / 2) * REM.clocks > room * SHARE;
  const [inRow, rowHigh] = isSmall ? [3, REM.smallClocks] : [2, REM.clocks];
  const mostClocks = middle === "times" ? MOST : fitting(room * SHARE, inRow, rowHigh);
  room = middle === "dice" ? Infinity : room - Math.ceil(Math.min(free, mostClocks) / inRow) * rowHigh;
  const highOf = (/** @type {number} */ high) => (rolls ? Math.min(high, REM.countdown) : high); // beside a roll, stages are not drawn
  const [, size, wide, high] = SIZES.find(([most, , wide, high]) => running <= most && Math.ceil(running / wide) * highOf(high) <= room) ?? SIZES[4];
  const dice = PANELS.countdowns(table, Math.min(MOST, fitting(room, wide, highOf(high))), true);
  const times = PANELS.clocks(table, mostClocks);
  return html`<div class=${`across ${middle} ${size} ${isSmall ? "many-clocks" : ""}`}>
    ${middle === "dials" ? nothing : arena}
    <div class="now">${middle === "dials" ? PANELS.scenes(table, 1, true) : middle === "dice" ? dice : middle ? times : nothing}</div>
    <div class="beside">
      ${PANELS.checks(table, mostChecks)} ${PANELS.totals(table, 1)} ${middle === "dials" ? PANELS.others(table, 2) : nothing}
      ${middle === "dice" ? nothing : dice} ${middle === "times" ? nothing : times} ${PANELS.characters(table, people)}
    </div>
  </div>`;
}
