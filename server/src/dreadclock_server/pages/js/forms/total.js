// @ts-check
/** The forms that propose a total, and change it before the roll. The gm chooses from all characters, a player from the player's own. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "./fields.js"
 * @import { Demand } from "../gm/lazily.js"
 */

import { MAX_TOTAL_DICE } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { field } from "../app/controls.js";
import { inPlay } from "../app/party.js";
import { lazily } from "../gm/lazily.js";
import { keyed } from "../parts/card.js";
import { explained } from "../parts/word.js";
import { effortField, effortOf } from "./efforts.js";
import { demanded } from "./live.js";
import { rounded, withOdds } from "./odds.js";
import { attributeFields, attributeOf, characterField, chosen, usualScore } from "./part.js";

const numbers = lazily(() => import("../gm/required.js"));
const MORE = "more:"; // prefix of the fields for further special attributes

/** Draw the form that proposes a total. @param {Table} table @param {Demand} demand */
export function proposeTotal(table, demand) {
  const free = demand.characters ?? inPlay(table);
  return demanded(table, demand, {
    submit: table.t(table.isGm ? "gm.total.set" : "my.propose"),
    again: "total",
    seen: () => "public",
    ...(table.isGm ? { work: (values) => callFor(table, free, values) } : { command: (values) => proposalOf(free, values) }),
    fields: (f) =>
      html`${f.sentence("purpose", "form.purpose", { example: "form.purpose.example" })} ${characterField(f, free)}
      ${diceFields(table, f, chosen(free, f))} <div class="fields">${effortField(table, f)}</div>`,
  });
}

/** @param {readonly T.Character[]} free @param {Values} values @returns {T.ProposeTotal} */
function proposalOf(free, values) {
  return {
    type: "propose_total",
    character_id: values.text("character") ?? free[0]?.id ?? "",
    purpose: values.text("purpose"),
    effort: effortOf(values.text("effort")),
    ...aidsOf(values),
    more_specials: moreIn(values),
    attribute: values.text("attribute") ?? values.number("score") ?? 0,
  };
}

/** Propose a total, and set its number unless the gm left that out. @param {Table} table @param {readonly T.Character[]} free @param {Values} values */
async function callFor(table, free, values) {
  const id = `total-${table.room.positions.public?.seq ?? 0}-called`;
  await table.room.submit({ ...proposalOf(free, values), id });
  if (values.number("required")) await table.room.submit((await import("../gm/required.js")).commandOf({ id }, values));
}

/**
 * Draw the fields for a total's dice, and how many they are; for the gm, the number of a new total with its chance.
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
    ${sumOf(table, f, pool)} ${table.isGm && !total ? numbers(table, (it) => it.numberFields(table, f, { pool })) : nothing}`;
}

/** @param {Table} table @param {Fields} f @param {T.Character} character @param {T.Total} [total] */
function specialField(table, f, { specials }, total) {
  const options = specials.map((each) => /** @type {const} */ ([each.name, starred(each)]));
  const field = f.pick("special", "form.special", [["", table.t("form.none")], ...options], total?.special?.name);
  return html`${explained(table, "special", table.t("form.special"), f.key, field)} ${moreFields(table, f, { specials }, total)}`;
}

/**
 * Draw a checkbox for each further special attribute, if the room allows several. Source: rules.md D11.
 * @param {Table} table @param {Fields} f @param {Pick<T.Character, "specials">} character @param {T.Total} [total]
 */
function moreFields(table, f, { specials }, total) {
  const first = f.read("special", total?.special?.name);
  if (table.view.policy.specials !== "several" || !first) return nothing;
  return keyed(
    specials.filter(({ name }) => name !== first).map((each) => ({ id: each.name, label: `+ ${starred(each)}` })),
    ({ id, label }) => field({ name: `${MORE}${id}`, type: "checkbox", label, checked: hasMore(f, id, total) }),
  );
}

/** @param {Fields} f @param {string} name @param {T.Total} [total] */
function hasMore(f, name, total) {
  return f.ticked(`${MORE}${name}`, total?.more_specials.some((each) => each.name === name));
}

/** Return the further special attributes. @param {Values} values */
function moreIn(values) {
  const ticked = [...values.data.keys()].filter((each) => each.startsWith(MORE)).map((each) => each.slice(MORE.length));
  const first = values.text("special");
  return first ? ticked.filter((each) => each !== first) : [];
}

/** @param {T.Special} special */
const starred = ({ name, starred: twice }) => (twice ? `${name} ★` : name);

/** Draw the number of dice, and the mean of their total. @param {Table} table @param {Fields} f @param {number} pool */
function sumOf(table, f, pool) {
  if (pool < 1 || pool > MAX_TOTAL_DICE) return html`<p class="refusal" data-part="pool">${table.t("form.total.pool_wrong", { pool, most: MAX_TOTAL_DICE })}</p>`;
  const mean = (/** @type {any} */ known) => html`, ${table.t("form.total.mean", { mean: rounded(table, known.mean.decimal) })}`;
  return html`<div class="sum"><span data-part="pool">${table.t("dice", { number: pool })}</span>${withOdds(table, f.key, "total", { dice: pool }, mean)}</div>`;
}

/** @param {Fields} f @param {T.Character | undefined} character @param {string} attribute @param {T.Total} [total] */
function poolOf(f, character, attribute, total) {
  const score = attribute ? (character?.attributes[attribute] ?? 0) : f.number("score", total?.score ?? usualScore(f.table));
  const tool = f.read("tool", total?.tool?.name) ? f.number("quality", total?.tool?.quality ?? 1) : 0;
  const first = f.read("special", total?.special?.name);
  const specials = first ? (character?.specials ?? []).filter(({ name }) => name === first || hasMore(f, name, total)) : [];
  return specials.reduce((sum, each) => sum + (each.starred ? 2 : 1), score + tool);
}

/** Return the tool and the special attribute. @param {Values} values */
function aidsOf(values) {
  const tool = values.text("tool");
  const special = values.text("special");
  return {
    ...(tool ? { tool: { name: tool, quality: values.number("quality") ?? 0 } } : {}),
    ...(special ? { special } : {}),
  };
}

/** Draw the form that changes a total. @param {Table} table @param {Demand} demand @param {T.Total} total */
export function adjusting(table, demand, total) {
  const character = table.view.characters.get(total.character_id);
  return demanded(table, demand, {
    submit: table.t("gm.change"),
    command: (values) => changesOf(table, total, values),
    fields: (f) => diceFields(table, f, character, total),
  });
}

/** @param {Table} table @param {T.Total} total @param {Values} values @returns {T.AdjustTotal} */
function changesOf(table, { id, tool, special, more_specials: before }, values) {
  const more = moreIn(values);
  const other = table.view.policy.specials === "several" && more.join("\n") !== before.map(({ name }) => name).join("\n");
  const aids = aidsOf(values);
  const gone = /** @type {T.Aid[]} */ ([
    ...(tool && !aids.tool ? ["tool"] : []),
    ...(special && !aids.special ? ["special"] : []),
  ]);
  return {
    type: "adjust_total",
    total_id: id,
    attribute: values.text("attribute") ?? values.number("score"),
    ...aids,
    ...(gone.length ? { without: gone } : {}),
    ...(other ? { more_specials: more } : {}),
  };
}
