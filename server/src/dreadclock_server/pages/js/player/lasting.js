// @ts-check
/** How long a countdown will last: its mean, when it is likely over, and the chance of each roll to be the last. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { oddsAt } from "../app/odds.js";
import { fraction } from "../app/words.js";

const HALF = 0.5;
const NEARLY = 0.9;
const WIDE = 100;
const HIGH = 32;

/**
 * Draw the outlook of a countdown.
 * @param {Table} table
 * @param {string} place where it is shown
 * @param {{ pool: number, speed: T.Speed, stages?: readonly number[] }} countdown
 */
export function lasting(table, place, { pool, speed, stages = [] }) {
  const report = pool > 0 ? oddsAt(table).ask(place, "countdown", { pool, speed, stage: stages.map(String) }) : null;
  if (!report) return nothing;
  const by = (/** @type {number} */ chance) =>
    report.quantiles.find((/** @type {any} */ each) => each.chance.decimal === chance)?.rolls ?? 0;
  return html`<div class="lasting" data-part="lasting">
    ${chart(report.rolls)}
    <p>
      ${table.t("my.lasts", { mean: decimal(table, report.mean_rolls.decimal), half: by(HALF), nearly: by(NEARLY) })}
    </p>
    ${report.stages.map((/** @type {any} */ { at, mean_rolls: mean }) => {
      return html`<p>${table.t("my.stage_in", { at, mean: decimal(table, mean.decimal) })}</p>`;
    })}
  </div>`;
}

/**
 * Draw a bar for each roll, as high as its chance to be the last.
 * @param {readonly { ends: { fraction: string } }[]} rolls
 */
function chart(rolls) {
  const chances = rolls.map((roll) => fraction(roll.ends.fraction));
  const highest = Math.max(...chances, Number.MIN_VALUE);
  const wide = WIDE / chances.length;
  return html`<svg class="chart" viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
    ${chances.map((chance, place) => {
      const high = (HIGH * chance) / highest;
      return svg`<rect x=${place * wide + wide * 0.1} y=${HIGH - high} width=${wide * 0.8} height=${high} />`;
    })}
  </svg>`;
}

/** Write a number with at most one decimal. @param {Table} table @param {number} number */
export function decimal(table, number) {
  return new Intl.NumberFormat(table.words.language, { maximumFractionDigits: 1 }).format(number);
}
