// @ts-check
/** Shows how many rolls a countdown (a pool of dice that shrinks) lasts: a table of averages, and a chart of the chances. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { SPEEDS } from "../../client/limits.js";
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { rounded, withOdds } from "./odds.js";

const WIDTH = 320;
const HEIGHT = 96;
const AXIS = 14; // the height for numbers below the bars
const BARS_AT_MOST = 48;
const NUMBERS_BELOW = 8;
const HALF_A_NUMBER = 7; // half the width of a number

/**
 * @typedef {{ pool: number, speed: T.Speed, stages: readonly number[], look?: number }} Size
 * @typedef {{ fraction: string, decimal: number }} Exact
 * @typedef {{ roll: number, ends: Exact, alive: Exact }} RollOdds
 */

/**
 * Draw a table of how many rolls a countdown lasts on average, by number of dice and speed. The entered size is marked.
 * @param {Table} table @param {string} place @param {Size} size
 */
export function averages(table, place, { pool, speed }) {
  return withOdds(table, `${place}:table`, "table", {}, (answer) => averageTable(table, answer, pool, speed));
}

/** @param {Table} table @param {any} answer the server's answer @param {number} pool @param {T.Speed} speed */
function averageTable(table, answer, pool, speed) {
  const pools = /** @type {number[]} */ (answer.pools);
  return html`<div class="averages" tabindex="0" role="group" aria-label=${table.t("gm.averages")}>
    <table>
      <caption>
        ${table.t("gm.averages")}
      </caption>
      <tr>
        <th scope="row">${table.t("form.dice")}</th>
        ${pools.map((size) => html`<th scope="col">${size}</th>`)}
      </tr>
      ${SPEEDS.map((row) => {
        const chosen = row === speed ? pools.indexOf(pool) : -1;
        const cell = (/** @type {number} */ mean, /** @type {number} */ at) =>
          html`<td class=${at === chosen ? "chosen" : ""} aria-current=${String(at === chosen)}>${mean}</td>`;
        return html`<tr>
          <th scope="row">${table.t(`speed.${row}`)}</th>
          ${answer.mean_rolls[row].map(cell)}
        </tr>`;
      })}
    </table>
  </div>`;
}

/**
 * Draw a countdown's chances, with a legend and sentences.
 * @param {Table} table @param {string} place @param {Size} size
 */
export function distribution(table, place, { pool, speed, stages }) {
  const params = { pool, speed, ...(stages.length && { stage: stages.map(String) }) };
  return withOdds(table, place, "countdown", params, (answer) => outlook(table, answer));
}

/** Draw the chart for the present dice of a countdown. @param {Table} table @param {T.Countdown} countdown */
export function outlookOf(table, { id, pool, speed, stages }) {
  return distribution(table, `countdown:${id}`, { pool, speed, stages: [...new Set(stages.map(({ at }) => at))].filter((at) => at < pool) });
}

/** @param {Table} table @param {any} answer the server's answer */
function outlook(table, answer) {
  const [few, half, most] = answer.quantiles.map((/** @type {{ rolls: number }} */ { rolls }) => rolls);
  const summary = table.t("form.distribution", { few, half, most });
  return html`<figure class="distribution" data-part="distribution">
    ${rollChart(table, answer, summary)}
    <figcaption>
      <p class="legend">
        <span><i class="bars"></i>${table.t("form.chart.bars")}</span>
        <span><i class="bars median"></i>${table.t("form.chart.half")}</span>
        <span><i class="line"></i>${table.t("form.chart.line")}</span>
      </p>
      <p>${summary}</p>
      ${answer.stages.map((/** @type {any} */ { at, mean_rolls: mean }) => html`<p>${table.t("form.stage_mean", { at, rolls: rounded(table, mean.decimal) })}</p>`)}
    </figcaption>
  </figure>`;
}

/**
 * For each roll, draw a bar for the chance that the countdown ends with it. A line shows the chance that it is over by then.
 * @param {Table} table @param {any} answer the server's answer @param {string} summary the name of the drawing for screen readers
 */
function rollChart(table, answer, summary) {
  /** @type {RollOdds[]} */ const rolls = answer.rolls.slice(0, BARS_AT_MOST);
  const highest = Math.max(...rolls.map(({ ends }) => ends.decimal));
  const every = Math.ceil(rolls.length / NUMBERS_BELOW);
  const bars = rolls.map(({ roll, ends, alive }) => ({
    number: roll,
    share: highest ? ends.decimal / highest : 0,
    title: table.t("form.bar", { roll, chance: table.words.percent(ends.fraction), over: percentOf(table, 1 - alive.decimal) }),
    mark: roll === answer.quantiles[1].rolls ? "median" : "",
    isNumbered: roll === 1 || roll % every === 0,
  }));
  const wide = WIDTH / rolls.length;
  const line = rolls.map(({ alive }, at) => `${(at + 0.5) * wide},${HEIGHT * alive.decimal}`);
  return chart(summary, HEIGHT, rolls.length, bars, svg`<polyline class="over" fill="none" points=${line.join(" ")} />`);
}

/**
 * Draw a bar chart with numbers below the bars.
 * @param {string} label the name of the drawing for screen readers @param {number} height the height of the highest possible bar
 * @param {number} most the highest possible number; the lowest is 1
 * @param {readonly { number: number, share: number, title: string, mark: string, isNumbered: boolean }[]} bars
 *   `share`: the height of the bar, as a fraction of `height`; `mark`: a CSS class; `isNumbered`: whether the number is below the bar
 * @param {unknown} [line] drawn over the bars
 */
export function chart(label, height, most, bars, line = nothing) {
  const wide = WIDTH / most;
  return html`<svg viewBox=${`0 0 ${WIDTH} ${height + AXIS}`} role="img" aria-label=${label}>
    ${bars.map(({ number, share, title, mark, isNumbered }) => {
      const middle = Math.min((number - 0.5) * wide, WIDTH - HALF_A_NUMBER);
      return svg`<rect class=${`bar ${mark}`} x=${(number - 0.9) * wide} y=${height * (1 - share)}
          width=${wide * 0.8} height=${height * share} rx="1"><title>${title}</title></rect>
        ${isNumbered ? svg`<text class=${mark} font-size="12" x=${middle} y=${height + AXIS - 3} text-anchor="middle">${number}</text>` : nothing}`;
    })}
    ${line}
  </svg>`;
}

/**
 * Draw the chance that a countdown is over after `rolls` rolls, or as many as the server computes, and the chance that each stage (a number of dice) is reached.
 * @param {Table} table @param {string} place @param {Size} size @param {number} rolls
 */
export function after(table, place, { pool, speed, stages }, rolls) {
  return withOdds(table, `${place}:after`, "countdown", { pool, speed, rolls: Math.min(rolls, Math.floor(2_000 / pool)) }, (answer) => {
    /** @type {{ dice: number, chance: Exact }[]} */ const remaining = answer.remaining;
    const chanceOf = (/** @type {number} */ most) =>
      percentOf(table, remaining.filter(({ dice }) => dice <= most).reduce((sum, { chance }) => sum + chance.decimal, 0));
    const reached = stages.map((at) => table.t("gm.after_stage", { at, chance: chanceOf(at) }));
    const over = table.t("gm.after_over", { rolls: answer.rolls.length, chance: chanceOf(0) });
    return html`<p class="after" data-part="after">${[over, ...reached].join(" ")}</p>`;
  });
}

/** Return a chance (from 0 to 1) as a percentage in the visitor's language. @param {Table} table @param {number} chance */
function percentOf(table, chance) {
  return table.words.percent(`${Math.round(Math.min(1, Math.max(0, chance)) * 1e9)}/1000000000`);
}
