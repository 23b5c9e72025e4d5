// @ts-check
/** Explains a countdown's size: the table of averages, and the distribution roll by roll. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { SPEEDS } from "../../client/limits.js";
import { html, svg } from "../../vendor/lit-html/lit-html.js";
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
 * Draw how long countdowns last on average. The chosen size is marked.
 * @param {Table} table @param {string} place @param {Size} size
 */
export function averages(table, place, { pool, speed }) {
  return withOdds(table, `${place}:table`, "table", {}, (known) => averageTable(table, known, pool, speed));
}

/** @param {Table} table @param {any} known @param {number} pool @param {T.Speed} speed */
function averageTable(table, known, pool, speed) {
  const pools = /** @type {number[]} */ (known.pools);
  return html`<div class="averages" tabindex="0" role="group" aria-label=${table.t("gm.averages")}>
    <table>
      <caption>
        ${table.t("gm.averages")}
      </caption>
      <tr>
        <th scope="row">${table.t("form.dice")}</th>
        ${pools.map((each) => html`<th scope="col">${each}</th>`)}
      </tr>
      ${SPEEDS.map((each) =>
        averageRow(table, each, known.mean_rolls[each], each === speed ? pools.indexOf(pool) : -1),
      )}
    </table>
  </div>`;
}

/**
 * @param {Table} table @param {T.Speed} speed @param {readonly number[]} rolls
 * @param {number} chosen the marked pool size
 */
function averageRow(table, speed, rolls, chosen) {
  return html`<tr>
    <th scope="row">${table.t(`speed.${speed}`)}</th>
    ${rolls.map(
      (mean, at) =>
        html`<td class=${at === chosen ? "chosen" : ""} aria-current=${at === chosen ? "true" : "false"}>${mean}</td>`,
    )}
  </tr>`;
}

/**
 * Draw a countdown's distribution, with words beside it.
 * @param {Table} table @param {string} place @param {Size} size
 */
export function distribution(table, place, size) {
  const params = {
    pool: size.pool,
    speed: size.speed,
    ...(size.stages.length ? { stage: size.stages.map(String) } : {}),
  };
  return withOdds(table, place, "countdown", params, (known) => outlook(table, known));
}

/** Draw the distribution of a running countdown. @param {Table} table @param {T.Countdown} countdown */
export function outlookOf(table, { id, pool, speed, stages }) {
  return distribution(table, `countdown:${id}`, { pool, speed, stages: [...new Set(stages.map(({ at }) => at))].filter((at) => at < pool) });
}

/** @param {Table} table @param {any} known */
function outlook(table, known) {
  const rolls = (/** @type {number} */ at) => known.quantiles[at].rolls;
  const summary = table.t("form.distribution", { few: rolls(0), half: rolls(1), most: rolls(2) });
  return html`<figure class="distribution" data-part="distribution">
    ${chart(table, known, summary)}
    <figcaption>
      <p class="legend">
        <span><i class="bars"></i>${table.t("form.chart.bars")}</span>
        <span><i class="bars median"></i>${table.t("form.chart.half")}</span>
        <span><i class="line"></i>${table.t("form.chart.line")}</span>
      </p>
      <p>${summary}</p>
      ${known.stages.map(
        (/** @type {any} */ stage) =>
          html`<p>${table.t("form.stage_mean", { at: stage.at, rolls: rounded(table, stage.mean_rolls.decimal) })}</p>`,
      )}
    </figcaption>
  </figure>`;
}

/**
 * Draw the chance of each roll to be the last as bars, and the chance of being over by then as a line.
 * @param {Table} table @param {any} known @param {string} summary
 */
function chart(table, { rolls: all, quantiles }, summary) {
  /** @type {RollOdds[]} */ const rolls = all.slice(0, BARS_AT_MOST);
  const wide = WIDTH / rolls.length;
  const highest = Math.max(...rolls.map((each) => each.ends.decimal));
  const every = Math.ceil(rolls.length / NUMBERS_BELOW);
  const line = rolls.map(({ alive }, at) => `${(at + 0.5) * wide},${HEIGHT * alive.decimal}`);
  return html`<svg viewBox=${`0 0 ${WIDTH} ${HEIGHT + AXIS}`} role="img" aria-label=${summary}>
    ${rolls.map((each) => bar(table, each, wide, highest, each.roll === quantiles[1].rolls))}
    ${rolls.filter(({ roll }) => roll === 1 || roll % every === 0).map(({ roll }) => number(roll, wide))}
    <polyline class="over" fill="none" points=${line.join(" ")} />
  </svg>`;
}

/** @param {Table} table @param {RollOdds} odds @param {number} wide @param {number} highest @param {boolean} median */
function bar(table, { roll, ends, alive }, wide, highest, median) {
  const tall = highest ? (HEIGHT * ends.decimal) / highest : 0;
  const chance = table.words.percent(ends.fraction);
  const over = percentOf(table, 1 - alive.decimal);
  return svg`<rect class=${median ? "bar median" : "bar"} x=${(roll - 0.9) * wide} y=${HEIGHT - tall}
    width=${wide * 0.8} height=${tall} rx="1"><title>${table.t("form.bar", { roll, chance, over })}</title></rect>`;
}

/** @param {number} roll @param {number} wide */
function number(roll, wide) {
  const x = Math.min((roll - 0.5) * wide, WIDTH - HALF_A_NUMBER);
  return svg`<text font-size="9" x=${x} y=${HEIGHT + AXIS - 3} text-anchor="middle">${roll}</text>`;
}

/**
 * Draw the state of a countdown after `rolls` rolls.
 * @param {Table} table @param {string} place @param {Size} size @param {number} rolls
 */
export function after(table, place, { pool, speed, stages }, rolls) {
  const params = { pool, speed, rolls };
  return withOdds(table, `${place}:after`, "countdown", params, (known) => howItStands(table, known, stages));
}

/** @param {Table} table @param {any} known @param {readonly number[]} stages */
function howItStands(table, known, stages) {
  const within = (/** @type {number} */ at) =>
    known.remaining
      .filter((/** @type {any} */ { dice }) => dice <= at)
      .reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.chance.decimal, 0);
  const reached = stages.map((at) => table.t("gm.after_stage", { at, chance: percentOf(table, within(at)) }));
  const over = table.t("gm.after_over", { rolls: known.rolls.length, chance: percentOf(table, within(0)) });
  return html`<p class="after" data-part="after">${[over, ...reached].join(" ")}</p>`;
}

/** @param {Table} table @param {number} chance */
function percentOf(table, chance) {
  return table.words.percent(`${Math.round(Math.min(1, Math.max(0, chance)) * 1e9)}/1000000000`);
}
