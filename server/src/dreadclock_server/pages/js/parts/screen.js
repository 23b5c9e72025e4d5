// @ts-check
/** The table on a big screen that people watch from afar, without scrolling. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { countdownIsOver } from "../app/over.js";
import { PANELS } from "../overlay/panels.js";

const MOST = { countdowns: 12, clocks: 12 };
/** The CSS classes for up to this many countdowns. The first entry that fits counts. @type {[number, string][]} */
const SIZES = [[1, "one few"], [4, "few"], [6, "some"], [9, "many"], [Infinity, "crowded"]];
const FEW_CLOCKS = 4; // more than 4 clocks do not fit in a row

/**
 * Draw the whole table. The arena, where dice are thrown, is inside the main scene's dial. Without a scene, it is above the
 * countdowns, or above the clocks.
 * @param {Table} table @param {unknown} arena its element
 */
export function screen(table, arena) {
  const { scenes, countdowns, clocks, sealed } = table.view;
  const count = (/** @type {string} */ kind) => [...sealed.values()].filter((thing) => thing.kind === kind).length;
  const running = [...countdowns.values()].filter((countdown) => !countdownIsOver(countdown)).length + count("countdown");
  const free = [...clocks.values()].filter(({ kind }) => kind === "free").length + count("clock");
  const size = SIZES.find(([most]) => running <= most)?.[1];
  const middle = scenes.size || count("scene") ? "dials" : running ? "dice" : free ? "times" : "";
  const dice = PANELS.countdowns(table, MOST.countdowns, true);
  const times = PANELS.clocks(table, MOST.clocks);
  return html`<div class=${`across ${middle} ${size} ${free > FEW_CLOCKS ? "many-clocks" : ""}`}>
    ${middle === "dials" ? nothing : arena}
    <div class="now">${middle === "dials" ? PANELS.scenes(table, 1, true) : middle === "dice" ? dice : middle ? times : nothing}</div>
    <div class="beside">
      ${PANELS.checks(table, 2)} ${PANELS.totals(table, 1)} ${middle === "dials" ? PANELS.others(table, 2) : nothing}
      ${middle === "dice" ? nothing : dice} ${middle === "times" ? nothing : times} ${PANELS.characters(table, 6)}
    </div>
  </div>`;
}
