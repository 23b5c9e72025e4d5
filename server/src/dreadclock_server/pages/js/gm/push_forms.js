// @ts-check
/** The forms of pushed luck: offered by the gm; and of crises, which she describes. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Demand } from "./lazily.js" */

import { CRISES } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { chance } from "../parts/odds_bar.js";
import { costOfCrisis } from "../parts/total.js";
import { withOdds } from "../forms/odds.js";
import { demanded, liveForm } from "../forms/live.js";
import { knownNumber, stakeField } from "./stakes.js";

/** Draw the form that offers a push, with its exact risk. @param {Table} table @param {Demand} demand @param {T.Total} total */
export function offering(table, demand, total) {
  const { id, kept, crisis, description } = total;
  return demanded(table, demand, {
    submit: table.t("gm.push.offer"),
    command: (values) => ({
      type: "offer_push",
      total_id: id,
      crisis: values.choice("crisis"),
      description: values.text("description"),
      until: values.number("until") ?? 1,
    }),
    fields: (f) =>
      html`${risk(table, f.key, kept, knownNumber(table, total))}
        <div class="fields">
          ${stakeField(table, f, crisis)}
          ${f.sentence("description", "gm.push.description", { value: description, example: "gm.push.example" })}
          ${total.required === undefined && !total.secret ? nothing : f.steps("until", "gm.push.until", 1, { min: 1, max: 6 })}
        </div>`,
  });
}

/** Draw the exact risk of a push, before it is offered. @param {Table} table @param {T.Total} total */
export function riskOfPush(table, total) {
  return html`${risk(table, `total:${total.id}:risk`, total.kept, knownNumber(table, total))} <p class="hint">${costOfCrisis(table, total)}</p>`;
}

/**
 * Draw the exact risk of a push.
 * @param {Table} table @param {string} place @param {readonly number[]} kept @param {number | undefined} required
 */
function risk(table, place, kept, required) {
  if (required === undefined) return nothing;
  const params = { kept: kept.join(","), required };
  return withOdds(table, place, "push", params, (known) => riskOf(table, known));
}

/** @param {Table} table @param {any} known */
function riskOf(table, known) {
  return html`<p class="odds" data-part="risk">
    <b>${chance(table, "odds.crisis", known.crisis.fraction)}</b>
    ${chance(table, "odds.reaches", known.enough.fraction)}
    ${chance(table, "odds.reaches_pushing", known.success.fraction)}
  </p>`;
}

/**
 * Draw the form that says what a crisis is.
 * @param {Table} table @param {string} totalId @param {string} name whose crisis it is
 * @param {boolean} open whether its kind is open, too @param {string} [offered] what was said of it when the push was offered
 */
export function describing(table, totalId, name, open, offered) {
  return liveForm(table, {
    key: `crisis:${totalId}:describe`,
    describes: name,
    submit: table.t("gm.crisis.describe"),
    command: (values) => ({
      type: "describe_crisis",
      total_id: totalId,
      description: values.text("description") ?? "",
      kind: values.choice("kind"),
    }),
    fields: (f) =>
      html`<div class="fields">
        ${open ? kindField(table) : nothing}
        ${f.sentence("description", "gm.crisis.what", { value: offered, required: true, example: "gm.crisis.example" })}
      </div>`,
  });
}

/** Draw the choice of a crisis's kind, which has no usual answer. @param {Table} table */
function kindField(table) {
  return html`<fieldset class="kinds">
    <legend>${table.t("gm.crisis.kind")}</legend>
    ${CRISES.map(
      (each) =>
        html`<label class="field tick">
          <input type="radio" name="kind" value=${each} required /><span class="name"
            >${table.t(`crisis.${each}`)}</span
          >
        </label>`,
    )}
  </fieldset>`;
}
