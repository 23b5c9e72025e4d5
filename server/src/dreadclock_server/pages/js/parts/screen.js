// @ts-check
/** The table on a large screen that people watch from far away. Everything is visible without scrolling, and the scene's dial is the largest. */

/** @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { countdownIsOver } from "../app/over.js";
import { PANELS } from "../overlay/panels.js";

const MOST = { countdowns: 24, clocks: 12 };
/** The CSS class for the size of countdowns, by the highest number of countdowns. @type {[number, string][]} */
const SIZES = [[4, "few"], [6, "some"], [9, "many"], [Infinity, "crowded"]];
const FEW_CLOCKS = 4; // the most clocks in a single row

/** Draw the whole table around its arena. @param {Table} table @param {unknown} arena */
export function screen(table, arena) {
  const { countdowns, clocks, sealed } = table.view;
  const hidden = [...sealed.values()];
  const count = (/** @type {string} */ kind) => hidden.filter((each) => each.kind === kind).length;
  const running = [...countdowns.values()].filter((each) => !countdownIsOver(each)).length + count("countdown");
  const free = [...clocks.values()].filter(({ kind }) => kind === "free").length + count("clock");
  const size = SIZES.find(([most]) => running <= most)?.[1];
  return html`<div class=${`across ${size} ${free > FEW_CLOCKS ? "many-clocks" : ""}`}>
    ${arena}
    <div class="now">${PANELS.scenes(table, 3, true)}</div>
    <div class="beside">
      ${PANELS.checks(table, 2)} ${PANELS.totals(table, 2)}
      ${PANELS.countdowns(table, MOST.countdowns, true)} ${PANELS.clocks(table, MOST.clocks)}
    </div>
    <div class="sheets">${PANELS.characters(table, 6)}</div>
  </div>`;
}
