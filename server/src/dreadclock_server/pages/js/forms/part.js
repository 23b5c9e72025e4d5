// @ts-check
/** The fields for a character's roll (its part) in a check: score, bonus, penalty, and ventures (fewer dice now, more later). Also the choice of a challenge. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "./fields.js"
 */

import { BENEFITS, MAX_VENTURE } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { unclaimed } from "../app/checks.js";
import { goesOn } from "../app/over.js";
import { claimFields, claimsIn } from "../parts/ventures.js";
import { explained } from "../parts/word.js";
import { named } from "./fields.js";
import { rare } from "./live.js";

const VENTURES = Array.from({ length: MAX_VENTURE }, (_, at) => String(at + 1));

/**
 * Draw the fields of a character's part in a check.
 * @param {Table} table @param {Fields} f @param {readonly T.Character[]} free the characters that may take part
 * @param {unknown} [rarer] further fields that are rarely set
 */
export function partFields(table, f, free, rarer = nothing) {
  const character = chosen(free, f);
  return html`<div class="fields">
      ${characterField(f, free)} ${attributeFields(f, character, attributeOf(character, f))}
      ${character ? claimFields(table, unclaimed(table, character, "check"), claimsIn(f.values, character.bonuses)) : nothing}
    </div>
    ${rare(table, f, html`${f.steps("bonus", "form.bonus", 0)} ${f.steps("penalty", "form.penalty", 0)} ${ventureFields(table, f)} ${rarer}`)}`;
}

/** Draw the choice of a character. With fewer than two characters, draw nothing in a player's form or in the form of a character's menu. @param {Fields} f @param {readonly T.Character[]} free */
export function characterField(f, free) {
  if (free.length < 2 && (!f.table.isGm || f.key.startsWith("character:"))) return nothing;
  return f.pick("character", "form.character", named(free), free[0]?.id);
}

/** Return the character that is now chosen in a form, by default the first, or undefined if there are no characters. @param {readonly T.Character[]} free @param {Fields} f */
export function chosen(free, f) {
  return free.find(({ id }) => id === f.read("character")) ?? free[0];
}

/**
 * Draw the choice between a character's attributes and a plain score. For a plain score, draw its field too.
 * @param {Fields} f @param {T.Character | undefined} character @param {string} attribute @param {number} [score] the initial score @param {number} [max]
 */
export function attributeFields(f, character, attribute, score = usualScore(f.table), max) {
  const options = Object.entries(character?.attributes ?? {}).map(([name, dice]) => /** @type {const} */ ([name, `${name} ${dice}`]));
  return html`${f.chips("attribute", "form.attribute", [...options, ["", f.table.t("form.other_score")]], attribute)}
  ${attribute === "" ? f.steps("score", "form.score", score, { max }) : nothing}`;
}

/** Return the initial score. @param {Table} table */
export const usualScore = ({ isGm }) => (isGm ? 3 : 1);

/**
 * Return the attribute that is now chosen in a form, by default the attribute with the highest score. Return "" for a plain score.
 * @param {T.Character | undefined} character @param {Fields} f
 */
export function attributeOf(character, f) {
  const attributes = character?.attributes ?? {};
  const highest = Math.max(...Object.values(attributes));
  const best = Object.keys(attributes).find((name) => attributes[name] === highest) ?? "";
  const chosen = f.read("attribute", best);
  return chosen === "" || Object.hasOwn(attributes, chosen) ? chosen : best;
}

/** @param {Table} table @param {Fields} f */
function ventureFields(table, f) {
  const levels = VENTURES.map((level) => /** @type {const} */ ([level, `−${level}`]));
  const level = f.pick("venture", "form.venture", [["", table.t("form.venture.none")], ...levels]);
  return html`${explained(table, "venture", table.t("form.venture"), f.key, level)}
  ${
    f.number("venture", 0)
      ? html`<div class="fields">
          <p class="hint">${table.t("form.venture.hint", { level: f.number("venture", 0) })}</p>
          ${f.sentence("what", "form.venture.what", { required: true, example: "form.venture.example" })}
          ${f.among("benefits", "form.venture.benefits", BENEFITS, "benefits")}
          ${f.character("beneficiary", "form.venture.beneficiary", "form.venture.own")}
        </div>`
      : nothing
  }`;
}

/**
 * Return what was entered into `partFields` as fields of a command.
 * @param {readonly T.Character[]} free @param {any} entered @param {Values} values
 */
export function partOf(free, { character, attribute, score, bonus, penalty, venture: level, what, benefits, beneficiary }, values) {
  const { id = "", bonuses = [] } = free.find((candidate) => candidate.id === character) ?? free[0] ?? {};
  const venture = { level: Number(level), what, benefits, beneficiary };
  return { character_id: id, ...(attribute ? { attribute } : { score }), bonus, penalty, claims: claimsIn(values, bonuses), ...(level && { venture }) };
}

/**
 * Return the part that is now in a form, with the values that the odds depend on. Return null if no character can take part.
 * @param {Fields} f @param {readonly T.Character[]} free @param {T.Side} side @returns {T.Part | null}
 */
export function partIn(f, free, side) {
  const character = chosen(free, f);
  if (!character) return null;
  const attribute = attributeOf(character, f);
  const level = f.number("venture", 0);
  return {
    character_id: character.id,
    side,
    score: attribute ? character.attributes[attribute] : f.number("score", usualScore(f.table)),
    bonus: f.number("bonus", 0),
    penalty: f.number("penalty", 0),
    claim: false,
    claims: claimsIn(f.values, character.bonuses),
    ...(level ? { venture: { level, benefits: "check", what: "" } } : {}),
  };
}

/** Draw the choice of the challenge that a roll attempts. Draw nothing if no challenge is open. @param {Table} table @param {Fields} f @param {string} [meant] the id of the challenge that is chosen at first */
export function effortField(table, f, meant) {
  const open = [...table.view.challenges.values()].filter((challenge) => goesOn(table, challenge));
  if (!open.length) return nothing;
  return keyed(meant, f.pick("effort", "form.effort", [["", table.t("form.none")], ...named(open)], meant, { hint: "form.effort.hint" }));
}

/** Return the field `effort` of a command, or undefined if no challenge is chosen. @param {string | undefined} challenge the id of the chosen challenge */
export function effortOf(challenge) {
  return challenge ? { challenge_id: challenge } : undefined;
}
