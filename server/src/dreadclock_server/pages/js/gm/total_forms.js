// @ts-check
/** The gm's forms for totals, rolls whose sum must reach a number. If the sum is too low, a push adds a die, which may bring a crisis (lasting harm). */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Panel } from "./panel.js"
 */

import { CRISES, MAX_REQUIRED } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { chance } from "../parts/odds_bar.js";
import { costOfCrisis } from "../parts/total.js";
import { explained } from "../parts/word.js";
import { withOdds } from "../forms/odds.js";
import { liveForm, panelForm } from "../forms/live.js";
import { chart } from "../forms/sizing.js";
import { USUAL_NUMBER, requiredOf } from "../app/party.js";

const HIGHEST = 21; // the highest number in the chart of a total's chances
const HEIGHT = 64;

/** Draw the form that sets the required number of a total. @param {Table} table @param {Panel} panel @param {T.Total} total */
export function requiring(table, panel, total) {
  return panelForm(table, panel, {
    submit: table.t(total.status === "proposed" ? "gm.required.set" : "gm.required.name"),
    command: (entered) => ({ type: "set_required", total_id: total.id, ...entered }),
    fields: (f) => numberFields(table, f, total, stakeField(table, f, total.crisis)),
  });
}

/**
 * Draw the fields for the required number of a total. Before the roll, draw also the chance to reach the number. For a total that
 * is not proposed yet, the number is optional.
 * @param {Table} table @param {Fields} f @param {Partial<T.Total>} total a total without an id is not proposed yet @param {unknown} [more] further fields
 */
export function numberFields(table, f, { id = "", pool = 0, secret, faces = [], required }, more) {
  const before = requiredOf(table, { id, required }) ?? USUAL_NUMBER;
  return html`<div class="fields">
      ${f.steps("required", "gm.required", before, { min: 1, max: MAX_REQUIRED, required: id !== "" })}
      ${f.tick("secret", "gm.required.secret", secret)} ${more}
    </div>
    ${faces.length || !pool ? nothing : reaching(table, f.key, pool, f.number("required", before))}`;
}

/** Draw the choice of the kind of crisis that a push risks. @param {Table} table @param {Fields} f @param {T.CrisisKind} [crisis] */
function stakeField(table, f, crisis) {
  const kinds = CRISES.map((kind) => /** @type {const} */ ([kind, table.t(`stake.${kind}`)]));
  const field = f.pick("crisis", "gm.stake", [["", table.t("gm.stake.later")], ...kinds], crisis);
  return explained(table, "push", table.t("gm.push"), f.key, field);
}

/**
 * Draw a chart with the chance to reach each number. The required number is marked.
 * @param {Table} table @param {string} place @param {number} pool @param {number} required
 */
function reaching(table, place, pool, required) {
  return withOdds(table, place, "total", { dice: pool, required }, (answer) => {
    const bars = answer.totals.map((/** @type {any} */ { total, reached }) => ({
      number: total,
      share: reached.decimal,
      title: table.t("gm.required.bar", { total, chance: table.words.percent(reached.fraction) }),
      mark: total === answer.required?.required ? "chosen" : "",
      isNumbered: total % 3 === 0 || total === answer.required?.required,
    }));
    return html`<figure class="distribution" data-part="reaching">
      ${chart(table.t("gm.required.chart"), HEIGHT, HIGHEST, bars)}
      <figcaption>
        <p>
          <b>${chance(table, "gm.required.reaches", answer.required?.roll.fraction)}</b>
          ${chance(table, "odds.reaches_pushing", answer.required?.pushing.fraction)}
        </p>
      </figcaption>
    </figure>`;
  });
}

/** Draw the chance that a total reaches the usual number. @param {Table} table @param {T.Total} total */
export function usual(table, { id, pool }) {
  const chances = (/** @type {any} */ { required }) => html`<p class="odds">${chance(table, "gm.required.reaches", required?.roll.fraction)}</p>`;
  return withOdds(table, `total:${id}:usual`, "total", { dice: pool, required: USUAL_NUMBER }, chances);
}

/** Draw the form that offers a push, with its exact risk. @param {Table} table @param {Panel} panel @param {T.Total} total */
export function offering(table, panel, total) {
  const { id, crisis, description } = total;
  return panelForm(table, panel, {
    command: ({ until = 1, ...entered }) => ({ type: "offer_push", total_id: id, until, ...entered }),
    fields: (f) =>
      html`${risk(table, total, f.key)}
        <div class="fields">
          ${stakeField(table, f, crisis)}
          ${f.sentence("description", "gm.push.description", { value: description, example: "gm.push.example" })}
          ${total.required === undefined && !total.secret ? nothing : f.steps("until", "gm.push.until", 1, { min: 1, max: 6 })}
        </div>`,
  });
}

/** Draw a sentence about what a crisis costs. With a required number, add the chances of a push. @param {Table} table @param {T.Total} total */
export function riskOfPush(table, total) {
  return html`${risk(table, total, `total:${total.id}:risk`)} <p class="hint">${costOfCrisis(table, total)}</p>`;
}

/** Draw the chances of a crisis and of success in a push. Draw nothing without a required number. @param {Table} table @param {T.Total} total @param {string} place */
function risk(table, total, place) {
  const required = requiredOf(table, total);
  if (required === undefined) return nothing;
  const chances = (/** @type {any} */ { crisis, enough, success }) => html`<p class="odds" data-part="risk">
    <b>${chance(table, "odds.crisis", crisis.fraction)}</b> ${chance(table, "odds.push", enough.fraction)}
    ${chance(table, "odds.push_on", success.fraction)}
  </p>`;
  return withOdds(table, place, "push", { kept: total.kept.join(","), required }, chances);
}

/**
 * Draw the form that describes a crisis.
 * @param {Table} table @param {string} totalId @param {string} name the name of the form for screen readers
 * @param {boolean} open whether the kind of the crisis can be chosen
 * @param {string} [offered] the description from the offer of the push
 */
export function describing(table, totalId, name, open, offered) {
  return liveForm(table, {
    key: `crisis:${totalId}:describe`,
    describes: name,
    submit: table.t("gm.crisis.describe"),
    command: ({ description }, values) => ({ type: "describe_crisis", total_id: totalId, description, kind: values.choice("kind") }),
    fields: (f) =>
      html`<div class="fields">
        ${open ? kindField(table) : nothing}
        ${f.sentence("description", "gm.crisis.what", { value: offered, required: true, example: "gm.crisis.example" })}
      </div>`,
  });
}

/** Draw the choice of a crisis's kind. No kind is chosen at first. @param {Table} table */
function kindField(table) {
  return html`<fieldset class="kinds">
    <legend>${table.t("gm.crisis.kind")}</legend>
    ${CRISES.map(
      (kind) =>
        html`<label class="field tick">
          <input type="radio" name="kind" value=${kind} required /><span class="name">${table.t(`crisis.${kind}`)}</span>
        </label>`,
    )}
  </fieldset>`;
}
