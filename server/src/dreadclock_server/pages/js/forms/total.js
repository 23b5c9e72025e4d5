// @ts-check
/** The forms that propose a total (a roll whose sum must reach a number), and change it before the roll. A player chooses only from own characters. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "./fields.js"
 * @import { Panel } from "../gm/panel.js"
 */

import { MAX_TOTAL_DICE } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { field } from "../app/controls.js";
import { inPlay } from "../app/party.js";
import { keyed } from "../parts/card.js";
import { explained } from "../parts/word.js";
import { formsIn } from "./loading.js";
import { panelForm } from "./live.js";
import { rounded, withOdds } from "./odds.js";
import { attributeFields, attributeOf, characterField, chosen, effortField, effortOf, usualScore } from "./part.js";

const numbers = formsIn(() => import("../gm/total_forms.js"), "gm_forms");
const MORE = "more:"; // prefix of the names of checkboxes for further special attributes; the attribute follows

/** Draw the form that proposes a total. @param {Table} table @param {Panel} panel */
export function proposeTotal(table, panel) {
  const free = panel.characters ?? inPlay(table);
  return panelForm(table, panel, {
    submit: table.t(table.isGm ? "gm.total.set" : "my.propose"),
    again: "total",
    seen: () => "public",
    ...(table.isGm
      ? { work: (entered, values) => callFor(table, proposalOf(free, entered, values), entered) }
      : { command: (entered, values) => proposalOf(free, entered, values) }),
    fields: (f) =>
      html`${f.sentence("purpose", "form.purpose", { example: "form.purpose.example" })} ${characterField(f, free)}
      ${diceFields(table, f, chosen(free, f))} <div class="fields">${effortField(table, f)}</div>`,
  });
}

/** @param {readonly T.Character[]} free @param {any} entered @param {Values} values @returns {T.ProposeTotal} */
function proposalOf(free, { character = free[0]?.id ?? "", purpose, effort, attribute, score = 0, ...entered }, values) {
  return {
    type: "propose_total",
    character_id: character,
    purpose,
    effort: effortOf(effort),
    ...aidsOf(entered),
    more_specials: moreIn(values),
    attribute: attribute ?? score,
  };
}

/** Propose a total, and set the required number if the gm entered a number. @param {Table} table @param {T.ProposeTotal} proposal @param {any} entered */
async function callFor(table, proposal, { required, secret }) {
  const id = `total-${table.room.positions.public?.seq ?? 0}-called`;
  await table.room.submit({ ...proposal, id });
  if (required) await table.room.submit({ type: "set_required", total_id: id, required, secret });
}

/**
 * Draw the fields for a total's dice, and the number of dice. When the gm proposes a total, draw also the fields for its required number.
 * @param {Table} table @param {Fields} f @param {T.Character | undefined} character @param {T.Total} [total]
 */
function diceFields(table, f, character, total) {
  const attribute = f.has("attribute") || !total ? attributeOf(character, f) : (total.attribute ?? "");
  const pool = poolOf(f, character, attribute, total);
  return html`<div class="fields">
      ${attributeFields(f, character, attribute, total?.score, MAX_TOTAL_DICE)} ${f.text("tool", "form.tool", { value: total?.tool?.name })}
      ${f.steps("quality", "form.tool.quality", total?.tool?.quality ?? 1, { max: MAX_TOTAL_DICE })}
      ${character?.specials.length ? specialField(table, f, character, total) : nothing}
    </div>
    ${sumOf(table, f, pool)} ${table.isGm && !total ? numbers(table, (module) => module.numberFields(table, f, { pool })) : nothing}`;
}

/** @param {Table} table @param {Fields} f @param {T.Character} character @param {T.Total} [total] */
function specialField(table, f, { specials }, total) {
  const options = specials.map((special) => /** @type {const} */ ([special.name, starred(special)]));
  const field = f.pick("special", "form.special", [["", table.t("form.none")], ...options], total?.special?.name);
  return html`${explained(table, "special", table.t("form.special"), f.key, field)} ${moreFields(table, f, { specials }, total)}`;
}

/**
 * If a special attribute is chosen, draw checkboxes for the others. Draw nothing if the house rules allow only one. Source: rules.md D11.
 * @param {Table} table @param {Fields} f @param {Pick<T.Character, "specials">} character @param {T.Total} [total]
 */
function moreFields(table, f, { specials }, total) {
  const first = f.read("special", total?.special?.name);
  if (table.view.policy.specials !== "several" || !first) return nothing;
  return keyed(
    specials.filter(({ name }) => name !== first).map((special) => ({ id: special.name, label: `+ ${starred(special)}` })),
    ({ id, label }) => field({ name: `${MORE}${id}`, type: "checkbox", label, checked: hasMore(f, id, total) }),
  );
}

/** Tell whether a further special attribute is ticked. @param {Fields} f @param {string} name @param {T.Total} [total] */
function hasMore(f, name, total) {
  return f.ticked(`${MORE}${name}`, total?.more_specials.some((special) => special.name === name));
}

/** Return the names of the ticked special attributes, without the chosen one. @param {Values} values */
function moreIn(values) {
  const ticked = [...values.data.keys()].filter((name) => name.startsWith(MORE)).map((name) => name.slice(MORE.length));
  const first = values.text("special");
  return first ? ticked.filter((name) => name !== first) : [];
}

/** Return the name of a special attribute, with a star if the attribute gives two dice. @param {T.Special} special */
const starred = ({ name, starred: twice }) => (twice ? `${name} ★` : name);

/** Draw the number of dice and the mean of their total. If the number is impossible, draw a sentence that says so. @param {Table} table @param {Fields} f @param {number} pool */
function sumOf(table, f, pool) {
  if (pool < 1 || pool > MAX_TOTAL_DICE) return html`<p class="refusal" data-part="pool">${table.t("form.total.pool_wrong", { pool, most: MAX_TOTAL_DICE })}</p>`;
  const meanOf = (/** @type {any} */ { mean }) => html`, ${table.t("form.total.mean", { mean: rounded(table, mean.decimal) })}`;
  return html`<div class="sum"><span data-part="pool">${table.t("dice", { number: pool })}</span>${withOdds(table, f.key, "total", { dice: pool }, meanOf)}</div>`;
}

/** Return the number of dice in the form. @param {Fields} f @param {T.Character | undefined} character @param {string} attribute @param {T.Total} [total] */
function poolOf(f, character, attribute, total) {
  const score = attribute ? (character?.attributes[attribute] ?? 0) : f.number("score", total?.score ?? usualScore(f.table));
  const tool = f.read("tool", total?.tool?.name) ? f.number("quality", total?.tool?.quality ?? 1) : 0;
  const first = f.read("special", total?.special?.name);
  const specials = first ? (character?.specials ?? []).filter(({ name }) => name === first || hasMore(f, name, total)) : [];
  return specials.reduce((sum, special) => sum + (special.starred ? 2 : 1), score + tool);
}

/** Return the tool and the first special attribute as fields of a command. What was not entered is left out. @param {any} entered */
function aidsOf({ tool, quality = 0, special }) {
  return { ...(tool && { tool: { name: tool, quality } }), ...(special && { special }) };
}

/** Draw the form that changes the dice of a total before the roll. @param {Table} table @param {Panel} panel @param {T.Total} total */
export function adjusting(table, panel, total) {
  const character = table.view.characters.get(total.character_id);
  return panelForm(table, panel, {
    submit: table.t("gm.change"),
    command: (entered, values) => changesOf(table, total, entered, values),
    fields: (f) => diceFields(table, f, character, total),
  });
}

/** @param {Table} table @param {T.Total} total @param {any} entered @param {Values} values @returns {T.AdjustTotal} */
function changesOf(table, { id, tool, special, more_specials: before }, entered, values) {
  const more = moreIn(values);
  const other = table.view.policy.specials === "several" && more.join("\n") !== before.map(({ name }) => name).join("\n");
  const aids = aidsOf(entered);
  const gone = /** @type {T.Aid[]} */ ([...(tool && !aids.tool ? ["tool"] : []), ...(special && !aids.special ? ["special"] : [])]);
  return {
    type: "adjust_total",
    total_id: id,
    attribute: entered.attribute ?? entered.score,
    ...aids,
    ...(gone.length ? { without: gone } : {}),
    ...(other ? { more_specials: more } : {}),
  };
}
