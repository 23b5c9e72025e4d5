// @ts-check
/** The dice that somebody brings to a check: an attribute of the sheet or a plain score, and what is added to it. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "./fields.js"
 */

import { BENEFITS, MAX_VENTURE } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { unclaimed } from "../app/checks.js";
import { claimFields, claimsIn } from "../parts/ventures.js";
import { explained } from "../parts/word.js";
import { folded } from "./live.js";

const SCORE = 3;
const VENTURES = Array.from({ length: MAX_VENTURE }, (_, at) => String(at + 1));

/**
 * Draw the fields of a part.
 * @param {Table} table @param {Fields} f @param {readonly T.Character[]} free who may take part
 */
export function partFields(table, f, free) {
  const character = chosen(free, f);
  const attribute = attributeOf(character, f);
  return html`<div class="fields">
      ${characterField(f, free)} ${attributeField(table, f, character, attribute)}
      ${attribute === "" ? f.steps("score", "gm.score", SCORE) : nothing} ${f.steps("bonus", "gm.bonus", 0)}
      ${f.steps("penalty", "gm.penalty", 0)}
    </div>
    ${claimField(table, f, character)} ${folded(table.t("gm.venture"), ventureFields(table, f))}`;
}

/** Draw the choice of a character. @param {Fields} f @param {readonly T.Character[]} free */
export function characterField(f, free) {
  return f.pick(
    "character",
    "gm.character",
    free.map((each) => /** @type {const} */ ([each.id, each.name])),
  );
}

/** Return the character that stands in a form now. @param {readonly T.Character[]} free @param {Fields} f */
export function chosen(free, f) {
  return free.find((each) => each.id === f.read("character")) ?? free[0];
}

/**
 * Draw the choice among a character's attributes, or a plain score.
 * @param {Table} table @param {Fields} f @param {T.Character | undefined} character @param {string} value
 */
export function attributeField(table, f, character, value) {
  const known = Object.entries(character?.attributes ?? {});
  const options = known.map(([name, score]) => /** @type {const} */ ([name, `${name} ${score}`]));
  return f.pick("attribute", "gm.attribute", [...options, ["", table.t("gm.plain_score")]], value);
}

/**
 * Return the attribute that stands in a form now, empty for a plain score.
 * @param {T.Character | undefined} character @param {Fields} f
 */
export function attributeOf(character, f) {
  const [first = "", ...others] = Object.keys(character?.attributes ?? {});
  const asked = f.read("attribute", first);
  return asked === "" || others.includes(asked) ? asked : first;
}

/**
 * Draw which ventures that lie ready are claimed.
 * @param {Table} table @param {Fields} f @param {T.Character | undefined} character
 */
function claimField(table, f, character) {
  if (!character) return nothing;
  return claimFields(table, unclaimed(table, character, "check"), claimsIn(f.values, character.bonuses));
}

/** @param {Table} table @param {Fields} f */
function ventureFields(table, f) {
  const levels = VENTURES.map((each) => /** @type {const} */ ([each, `−${each}`]));
  return html`<p class="hint">${table.t("gm.venture.hint")}</p>
    <div class="fields">
      ${explained(table, "venture", table.t("gm.venture"), f.key, f.pick("venture", "gm.venture.level", [["", table.t("gm.venture.none")], ...levels]))}
      ${f.sentence("what", "gm.venture.what")}
      ${f.among("benefits", "gm.venture.benefits", BENEFITS, (each) => `benefits.${each}`)}
      ${f.character("beneficiary", "gm.venture.beneficiary", "gm.venture.own")}
    </div>`;
}

/** Read what `partFields` drew. @param {Table} table @param {Values} values */
export function partOf(table, values) {
  const attribute = values.text("attribute");
  const bonuses = table.view.characters.get(values.text("character") ?? "")?.bonuses ?? [];
  const venture = ventureOf(values);
  return {
    character_id: values.text("character") ?? "",
    ...(attribute ? { attribute } : { score: values.number("score") }),
    bonus: values.number("bonus"),
    penalty: values.number("penalty"),
    claims: claimsIn(values, bonuses),
    ...(venture ? { venture } : {}),
  };
}

/** @param {Values} values @returns {T.NewVenture | null} */
function ventureOf(values) {
  const level = values.number("venture");
  if (!level) return null;
  const benefits = /** @type {T.Benefit} */ (values.choice("benefits"));
  return { level, what: values.text("what") ?? "", benefits, beneficiary: values.text("beneficiary") };
}

/**
 * Return the part that stands in a form now, as far as odds need it; null if nobody is left to take part.
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
    score: attribute ? character.attributes[attribute] : f.number("score", SCORE),
    bonus: f.number("bonus", 0),
    penalty: f.number("penalty", 0),
    claim: false,
    claims: claimsIn(f.values, character.bonuses),
    ...(level ? { venture: { level, benefits: "check", what: "" } } : {}),
  };
}
