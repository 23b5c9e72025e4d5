// @ts-check
/** The number required of a total: set openly or in secret, with the chance to reach it beside it. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { MAX_REQUIRED } from "../../client/limits.js";
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { chance } from "../parts/odds_bar.js";
import { withOdds } from "../forms/odds.js";
import { USUAL_NUMBER } from "./desk.js";
import { demanded } from "../forms/live.js";
import { stakeField } from "./stakes.js";

const HIGHEST = 21;
const WIDTH = 320;
const HEIGHT = 64;
const AXIS = 14; // below the bars, for numbers

/** Draw the form that names the number of a total, or another one. @param {Table} table @param {Demand} demand @param {T.Total} total */
export function requiring(table, demand, total) {
  const submit = table.t(total.status === "proposed" ? "gm.required.set" : "gm.required.name");
  return demanded(table, demand, { ...naming(table, total), submit });
}

/** @param {Table} table @param {T.Total} total */
function naming(table, total) {
  return {
    command: (/** @type {Values} */ values) => commandOf(total, values),
    fields: (/** @type {Fields} */ f) => numberFields(table, f, total, stakeField(table, f, total.crisis)),
  };
}

/**
 * Draw the fields for the number of a total that is yet to be proposed, or of this one, with the chance to reach it.
 * @param {Table} table @param {Fields} f @param {Partial<T.Total>} total @param {unknown} [more] fields
 */
export function numberFields(table, f, { id = "", pool = 0, secret, faces = [], required: named }, more) {
  const number = named ?? table.view.secrets.get(id)?.required ?? USUAL_NUMBER;
  const required = Math.min(MAX_REQUIRED, Math.max(1, f.number("required", number)));
  return html`<div class="fields">
      ${f.steps("required", "gm.required", number, { min: 1, max: MAX_REQUIRED, required: id !== "" })}
      ${f.tick("secret", "gm.required.secret", secret)} ${more}
    </div>
    ${faces.length || !pool ? nothing : reaching(table, f.key, pool, required)}`;
}

/**
 * Draw the chance of each number to be reached, the one in hand marked.
 * @param {Table} table @param {string} place @param {number} pool @param {number} required
 */
function reaching(table, place, pool, required) {
  return withOdds(table, place, "total", { dice: pool, required }, (known) => reached(table, known));
}

/** Say how likely a total reaches the usual number. @param {Table} table @param {T.Total} total */
export function usual(table, { id, pool }) {
  const chances = (/** @type {any} */ { required }) => html`<p class="odds">${chance(table, "gm.required.reaches", required?.roll.fraction)}</p>`;
  return withOdds(table, `total:${id}:usual`, "total", { dice: pool, required: USUAL_NUMBER }, chances);
}

/** @param {Table} table @param {any} known */
function reached(table, known) {
  return html`<figure class="distribution" data-part="reaching">
    ${chart(table, known.totals, known.required?.required)}
    <figcaption>
      <p>
        <b>${chance(table, "gm.required.reaches", known.required?.roll.fraction)}</b>
        ${chance(table, "odds.reaches_pushing", known.required?.pushing.fraction)}
      </p>
    </figcaption>
  </figure>`;
}

/** @param {Table} table @param {any[]} totals @param {number} required */
function chart(table, totals, required) {
  return html`<svg viewBox=${`0 0 ${WIDTH} ${HEIGHT + AXIS}`} role="img" aria-label=${table.t("gm.required.chart")}>
    ${totals.map((each) => bar(table, each, each.total === required))}
  </svg>`;
}

/** @param {Table} table @param {any} chances @param {boolean} chosen */
function bar(table, { total, reached }, chosen) {
  const wide = WIDTH / HIGHEST;
  const tall = HEIGHT * reached.decimal;
  const said = table.t("gm.required.bar", { total, chance: table.words.percent(reached.fraction) });
  const number = svg`<text class=${chosen ? "chosen" : ""} font-size="9" x=${(total - 0.5) * wide} y=${HEIGHT + AXIS - 3}
    text-anchor="middle">${total}</text>`;
  return svg`<g>
    <rect class=${chosen ? "bar chosen" : "bar"} x=${(total - 1) * wide + 1.5} y=${HEIGHT - tall}
      width=${wide - 3} height=${tall} rx="1"><title>${said}</title></rect>
    ${chosen || total % 3 === 0 ? number : nothing}
  </g>`;
}

/** @param {Pick<T.Total, "id">} total @param {Values} values @returns {T.SetRequired} */
export function commandOf({ id }, values) {
  return {
    type: "set_required",
    total_id: id,
    required: values.number("required") ?? USUAL_NUMBER,
    secret: values.ticked("secret"),
    crisis: values.choice("crisis"),
  };
}
