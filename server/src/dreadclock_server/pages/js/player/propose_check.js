// @ts-check
/** Proposing a check for a character, with its odds before it is sent. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { MAX_TEXT } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { choice, closeDisclosure, field, form } from "../app/controls.js";
import { asPart, oddsOf } from "./chances.js";
import { awaiting } from "../parts/check.js";
import { openChallenges } from "./mine.js";
import { rare } from "./phone.js";
import { again, draftOf, forget, partFields, partOf, rareFields, remember, remembered } from "./part_form.js";

/** Draw the form. @param {Table} table @param {T.Character} character @param {string} place */
export function checkForm(table, character, place) {
  const draft = draftOf([character], remembered(table, place));
  const isMeant = table.ui.has(`preset:${place}`); // it was asked for at a challenge, which comes first then
  const fields = html`${rareFields(table, draft)} ${isMeant ? nothing : against(table, place)}
  ${field({ name: "contest", label: table.t("my.contest"), type: "checkbox", hint: table.t("my.contest_hint") })}`;
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.propose"),
    describes: table.t("my.check_for", { name: character.name }),
    fields: html`${isMeant ? against(table, place) : nothing} ${partFields(table, [character], draft)} ${purposeField(table)} ${rare(table, `${place}:rare`, fields)}
    ${remembered(table, place)?.ticked("contest") ? awaiting(table) : oddsOf(table, place, [asPart(draft, "acting")], "acting")}`,
    changed: remember(table, place),
    command: (values) => checkCommand(character, values),
    done: () => {
      table.ui.delete(`preset:${place}`);
      forget(table, place);
      closeDisclosure(table, place);
    },
  });
}

/** @param {T.Character} character @param {Values} values @returns {T.Command} */
function checkCommand(character, values) {
  return {
    type: "propose_check",
    ...partOf(draftOf([character], values)),
    purpose: values.text("purpose"),
    effort: effortOf(values),
    contest: values.ticked("contest") || undefined,
  };
}

/** @param {Table} table */
export function purposeField(table) {
  return field({
    name: "purpose",
    label: table.t("my.purpose"),
    length: MAX_TEXT,
    placeholder: table.t("my.purpose_example"),
  });
}

/**
 * Draw the choice of a challenge that a roll is an effort against.
 * @param {Table} table
 * @param {string} place of the form
 */
export function against(table, place) {
  const open = openChallenges(table);
  if (!open.length) return nothing;
  const named = open.map((each) => /** @type {const} */ ([each.id, each.name]));
  const options = [/** @type {const} */ (["", table.t("my.no_effort")]), ...named];
  const value = table.ui.get(`preset:${place}`);
  const drawn = choice({
    name: "effort",
    label: table.t("my.effort"),
    options,
    value,
    hint: table.t("my.effort_hint"),
  });
  return keyed(value, again(options, drawn));
}

/** @param {Values} values */
export function effortOf(values) {
  const challenge = values.text("effort");
  return challenge === undefined ? undefined : { challenge_id: challenge };
}
