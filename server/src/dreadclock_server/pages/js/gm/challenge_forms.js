// @ts-check
/** The forms of challenges and efforts. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { button } from "../app/controls.js";
import { CHALLENGES, MAX_CLOCK } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { explained } from "../parts/word.js";
import { demanded } from "../forms/live.js";
import { stepper } from "../forms/stepper.js";

const POINTS = { min: 1, max: MAX_CLOCK };

/**
 * Draw the form that puts a challenge into a situation.
 * @param {Table} table @param {Demand} demand @param {T.Situation} situation
 */
export function addChallenge(table, demand, { id, scene_id, visibility, status }) {
  const hidden = table.view.scenes.get(scene_id)?.visibility !== "public" || status === "prepared";
  return demanded(table, demand, {
    submit: table.t("gm.add"),
    again: "challenge",
    stays: true,
    seen: () => (hidden ? "gm" : visibility),
    command: (values) => ({
      type: "add_challenge",
      situation_id: id,
      name: values.text("name") ?? "",
      kind: values.choice("kind"),
      clock: values.number("clock"),
    }),
    fields: (f) =>
      html`<div class="fields">
        ${f.text("name", "form.name", { required: true })}
        ${f.segments("kind", "gm.challenge.kind", CHALLENGES, (each) => `challenge.${each}`)}
        ${f.steps("clock", "gm.challenge.clock", 1, POINTS)}
      </div>`,
  });
}

/** Draw an effort that the gm rules in the same breath. @param {Table} table @param {Demand} demand @param {T.Challenge} challenge */
export function attempting(table, demand, { id }) {
  return demanded(table, demand, {
    submit: table.t("gm.effort"),
    command: (values) => ({
      type: "attempt_effort",
      challenge_id: id,
      character_id: values.text("character"),
      success: values.text("success") === "yes",
      amount: values.number("amount"),
    }),
    fields: (f) =>
      html`<div class="fields">
        ${explained(table, "effort", table.t("word.effort.name"), f.key, f.character("character", "gm.effort.who", "gm.effort.anybody"))}
        ${f.among("success", "gm.effort.result", ["yes", "no"], (each) => `gm.effort.result.${each}`)}
        ${f.steps("amount", "gm.points", 1, POINTS)}
      </div>`,
  });
}

/** Draw the ruling of an effort that waits. @param {Table} table @param {T.Effort} effort */
export function ruling(table, { id, challenge_id: challengeId }) {
  const key = `effort:${id}`;
  const describes = table.view.challenges.get(challengeId)?.name ?? challengeId;
  const amount = table.ui.get(`${key}:amount`) ?? 1;
  const changed = (/** @type {number} */ value) => table.set(`${key}:amount`, Math.max(1, value));
  const said = /** @type {const} */ ({ type: "rule_effort", effort_id: id });
  const won = { ...said, success: true, amount };
  const lost = { ...said, success: false };
  const success = { key: `${key}:success`, label: table.t("gm.success"), kind: "main", describes, command: won };
  return html`${button(table, success)}
  ${button(table, { key: `${key}:failure`, label: table.t("gm.failure"), describes, command: lost })}
  ${stepper(table, { ...POINTS, key, name: "amount", label: table.t("gm.points"), value: 1, describes, changed })}`;
}
