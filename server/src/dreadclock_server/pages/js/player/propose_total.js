// @ts-check
/** Proposing a total for a character: attribute, tool and special attribute, with its mean before it is sent. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { MAX_TOTAL_DICE } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { choice, closeDisclosure, field, form } from "../app/controls.js";
import { oddsAt } from "../app/odds.js";
import { decimal } from "./lasting.js";
import { attributeFields, draftOf, forget, remember, remembered, again } from "./part_form.js";
import { explained } from "../parts/word.js";
import { keyed } from "../parts/card.js";
import { against, effortOf, purposeField } from "./propose_check.js";

const MORE = "more:"; // before the name of a special attribute beside the first

/** Draw the form. @param {Table} table @param {T.Character} character @param {string} place */
export function totalForm(table, character, place) {
  const values = remembered(table, place);
  const draft = draftOf([character], values);
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.propose"),
    describes: table.t("my.total_for", { name: character.name }),
    fields: html`${purposeField(table)} ${attributeFields(table, draft)} ${aids(table, character, values)}
    ${against(table, place)} ${preview(table, place, poolOf(character, values))}`,
    changed: remember(table, place),
    command: (given) => totalCommand(table, character, given),
    done: () => {
      forget(table, place);
      closeDisclosure(table, place);
    },
  });
}

/** @param {Table} table @param {T.Character} character @param {Values | undefined} values */
function aids(table, { specials }, values) {
  const named = specials.map(
    ({ name, starred }) => /** @type {const} */ ([name, starred ? `${name} ★ +2` : `${name} +1`]),
  );
  const first = values?.text("special");
  const more = table.view.policy.specials === "several" && first ? specials.filter(({ name }) => name !== first) : [];
  const options = [/** @type {const} */ (["", table.t("my.no_special")]), ...named];
  return html`${field({ name: "tool", label: table.t("my.tool") })}
  ${field({ name: "quality", label: table.t("my.quality"), type: "number", min: 0, max: MAX_TOTAL_DICE, placeholder: "0" })}
  ${specials.length ? explained(table, "special", table.t("my.special"), "total", again(options, choice({ name: "special", label: table.t("my.special"), options }))) : nothing}
  ${keyed(
    more.map(({ name, starred }) => ({ id: name, label: `${name}${starred ? " ★ +2" : " +1"}` })),
    ({ id, label }) => field({ name: `${MORE}${id}`, type: "checkbox", label, checked: values?.ticked(`${MORE}${id}`) }),
  )}`;
}

/**
 * Count the dice of a total as it stands in the form.
 * @param {T.Character} character
 * @param {Values | undefined} values
 */
function poolOf(character, values) {
  const names = values ? specialsIn(character, values) : [];
  const specials = character.specials.filter(({ name }) => names.includes(name));
  const own = draftOf([character], values).score + (values?.number("quality") ?? 0);
  return specials.reduce((sum, { starred }) => sum + (starred ? 2 : 1), own);
}

/** Name the special attributes that are chosen, the first one first. @param {T.Character} character @param {Values} values */
function specialsIn({ specials }, values) {
  const first = values.text("special");
  const more = specials.filter(({ name }) => name !== first && values.ticked(`${MORE}${name}`)).map(({ name }) => name);
  return first ? [first, ...more] : [];
}

/** @param {Table} table @param {string} place @param {number} pool */
function preview(table, place, pool) {
  if (pool < 1 || pool > MAX_TOTAL_DICE) return html`<p class="refusal">${table.t("my.total_pool", { pool })}</p>`;
  const report = oddsAt(table).ask(place, "total", { dice: pool });
  const mean = report ? table.t("my.mean", { mean: decimal(table, report.mean.decimal) }) : "";
  return html`<p class="preview">${table.t("dice", { number: pool })}${mean ? `, ${mean}` : ""}</p>`;
}

/** @param {Table} table @param {T.Character} character @param {Values} values @returns {T.Command} */
function totalCommand(table, character, values) {
  const { attribute, score } = draftOf([character], values);
  const quality = values.number("quality");
  const [special, ...more] = specialsIn(character, values);
  const tool = values.text("tool") ?? (quality ? table.t("my.tool") : undefined);
  return {
    type: "propose_total",
    character_id: character.id,
    attribute: attribute ?? score,
    tool: tool === undefined ? undefined : { name: tool, quality: quality ?? 0 },
    special,
    more_specials: more,
    purpose: values.text("purpose"),
    effort: effortOf(values),
  };
}
