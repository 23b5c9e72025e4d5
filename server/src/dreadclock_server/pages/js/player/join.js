// @ts-check
/** Controls to join a check: to help a side, or to oppose it. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 *
 * @typedef {"help" | "help_against" | "oppose"} Way `help_against`: helping the opposing side
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { disclosure } from "../app/controls.js";
import { formsIn } from "../forms/loading.js";
import { ableCharacters, isMine } from "./mine.js";
import { titled } from "../parts/card.js";
import { nameOfCheck } from "../parts/check.js";

const forms = formsIn(() => import("../forms/check.js"));

/**
 * Draw the buttons with which the viewer's characters can join a check. They cannot oppose the viewer's own check.
 * @param {Table} table
 * @param {T.Check} check
 */
export function joining(table, check) {
  const free = freeFor(table, check);
  if (!free.length) return nothing;
  const against = check.parts.some((part) => part.side === "opposing") ? "help_against" : "oppose";
  return html`${way(table, check, "help", free)}
  ${isMine(table, check.parts[0]?.character_id) ? nothing : way(table, check, against, free)}`;
}

/** Return the viewer's characters that can still join a check. @param {Table} table @param {T.Check} check */
export function freeFor(table, { status, parts }) {
  if (status !== "proposed" && status !== "ready") return [];
  return ableCharacters(table).filter(({ id }) => !parts.some((part) => part.character_id === id));
}

/**
 * Draw a button that opens the form for joining a check.
 * @param {Table} table @param {T.Check} check @param {Way} how @param {readonly T.Character[]} characters who can join
 */
function way(table, check, how, characters) {
  const [key, leader] = [`check:${check.id}:${how}`, check.parts[0]];
  const label = titled(table.t(`my.${how}`), leader && table.nameOfPart(leader)); // the label names whom a character helps or opposes
  return disclosure(table, { key, label, describes: check.purpose, content: () => joinForm(table, check, how, characters, key) });
}

/**
 * Draw the form for joining a check.
 * @param {Table} table @param {T.Check} check @param {Way} how @param {readonly T.Character[]} characters who can join
 * @param {string} closes the key of its disclosure, which ends in `how`
 */
export function joinForm(table, check, how, characters, closes) {
  const panel = { key: `${closes}:send`, label: table.t(`my.${how}`), describes: nameOfCheck(table, check), closes, characters };
  return forms(table, (module) => module.joining(table, panel, check));
}
