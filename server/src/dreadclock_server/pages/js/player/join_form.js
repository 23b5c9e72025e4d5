// @ts-check
/** The form with which somebody helps a side of a check, or opposes it. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Rolled } from "./chances.js"
 * @import { Way } from "./join.js"
 */

import { html } from "../../vendor/lit-html/lit-html.js";
import { closeDisclosure, form } from "../app/controls.js";
import { awaiting, nameOfCheck, needsOpposition } from "../parts/check.js";
import { asPart, oddsOf } from "./chances.js";
import { rare } from "./phone.js";
import { draftOf, forget, partFields, partOf, rareFields, remember, remembered } from "./part_form.js";

/**
 * Draw the form.
 * @param {Table} table
 * @param {{ check: T.Check, how: Way, characters: readonly T.Character[], place: string }} given
 */
export function joinForm(table, { check, how, characters, place }) {
  const draft = draftOf(characters, remembered(table, place));
  const side = how === "help" ? "acting" : "opposing";
  return form(table, {
    key: `${place}:send`,
    submit: table.t(`my.${how}.send`),
    describes: nameOfCheck(table, check),
    fields: html`${partFields(table, characters, draft)} ${rare(table, `${place}:rare`, rareFields(table, draft))}
    ${chances(table, place, check, [...check.parts, asPart(draft, side)], side)}`,
    changed: remember(table, place),
    command: (values) => joinCommand(check, how, partOf(draftOf(characters, values))),
    done: () => {
      forget(table, place);
      closeDisclosure(table, place);
    },
  });
}

/** Draw the odds with whoever joins, as far as there are any. @param {Table} table @param {string} place @param {T.Check} check @param {readonly Rolled[]} parts @param {T.Side} side */
function chances(table, place, { contest }, parts, side) {
  if (needsOpposition({ contest, parts })) return awaiting(table);
  return html`<p class="hint">${table.t("my.with_you")}</p>
    ${oddsOf(table, place, parts, side)}`;
}

/** @param {T.Check} check @param {Way} how @param {ReturnType<typeof partOf>} part @returns {T.Command} */
function joinCommand(check, how, part) {
  if (how === "oppose") return { type: "oppose_check", check_id: check.id, ...part };
  return { type: "help_check", check_id: check.id, side: how === "help" ? "acting" : "opposing", ...part };
}
