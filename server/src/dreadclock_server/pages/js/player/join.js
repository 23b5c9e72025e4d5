// @ts-check
/** Joining somebody's check: helping a side, or opposing it. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 *
 * @typedef {"help" | "hinder" | "oppose"} Way `hinder`: helping a side that opposes already
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { closeDisclosure, disclosure, form } from "../app/controls.js";
import { nameOfCheck } from "../parts/check.js";
import { asPart, oddsOf } from "./chances.js";
import { ableCharacters, isMine } from "./mine.js";
import { draftOf, forget, partFields, partOf, remember, remembered } from "./part_form.js";

/**
 * Draw the ways in which the viewer's characters can join a check; against her own they stand in for nobody.
 * @param {Table} table
 * @param {T.Check} check
 */
export function joining(table, check) {
  if (check.status !== "proposed" && check.status !== "ready") return nothing;
  const free = ableCharacters(table).filter((each) => !check.parts.some((part) => part.character_id === each.id));
  if (!free.length) return nothing;
  const opposed = check.parts.some((part) => part.side === "opposing");
  const against = isMine(table, check.parts[0]?.character_id)
    ? nothing
    : way(table, check, opposed ? "hinder" : "oppose", free);
  return html`${way(table, check, "help", free)} ${against}`;
}

/** @param {Table} table @param {T.Check} check @param {Way} how @param {readonly T.Character[]} characters */
function way(table, check, how, characters) {
  const place = `check:${check.id}:${how}`;
  return disclosure(table, {
    key: place,
    label: table.t(`my.${how}`),
    describes: nameOfCheck(table, check),
    content: () => joinForm(table, { check, how, characters, place }),
  });
}

/**
 * @param {Table} table
 * @param {{ check: T.Check, how: Way, characters: readonly T.Character[], place: string }} given
 */
function joinForm(table, { check, how, characters, place }) {
  const draft = draftOf(characters, remembered(table, place));
  const side = how === "help" ? "acting" : "opposing";
  return form(table, {
    key: `${place}:send`,
    submit: table.t(`my.${how}`),
    describes: nameOfCheck(table, check),
    fields: html`${partFields(table, characters, draft)}
    ${oddsOf(table, place, [...check.parts, asPart(draft, side)], side)}`,
    changed: remember(table, place),
    command: (values) => joinCommand(check, how, partOf(draftOf(characters, values))),
    done: () => {
      forget(table, place);
      closeDisclosure(table, place);
    },
  });
}

/** @param {T.Check} check @param {Way} how @param {ReturnType<typeof partOf>} part @returns {T.Command} */
function joinCommand(check, how, part) {
  if (how === "oppose") return { type: "oppose_check", check_id: check.id, ...part };
  return { type: "help_check", check_id: check.id, side: how === "help" ? "acting" : "opposing", ...part };
}
