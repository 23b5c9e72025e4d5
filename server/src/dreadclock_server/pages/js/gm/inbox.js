// @ts-check
/** The gm's inbox. It has a card for each crisis, sheet, effort, check and total that waits for the gm. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { controlsOf } from "../actions/menu.js";
import { card } from "../parts/card.js";
import { proposed, scores } from "../parts/character.js";
import { checkCard } from "../parts/check.js";
import { totalCard } from "../parts/total.js";
import { lazily } from "./panel.js";
import { canRoll, isGms, isStuck } from "../app/party.js";

const efforts = lazily(() => import("./scene_forms.js"));
const totals = lazily(() => import("./total_forms.js"));

/**
 * Tell whether a check waits for the gm. The gm may have to approve, oppose, roll or change the check, or answer a proposed cost.
 * @param {Table} table @param {T.Check} check
 */
export function checkWaits(table, check) {
  const { status, parts, contest, cost, visibility } = check;
  if (status === "resolved") return cost?.stage === "proposed";
  const unopposed = contest && !parts.some((part) => part.side === "opposing");
  const rolls = (/** @type {T.Part} */ part) => canRoll(table, check, part) && (visibility !== "public" || isGms(table, part.character_id));
  return status === "proposed" || unopposed || parts.some((part) => isStuck(table, part) || rolls(part));
}

/** Tell whether a total waits for the gm, who may have to set the required number, judge the roll, offer a push (a further die), or roll or push for an own character. @param {Table} table @param {T.Total} total */
export function totalWaits(table, { status, enough, character_id: id }) {
  if (status === "proposed" || (status === "rolled" && enough !== true)) return true;
  return (status === "ready" || status === "offered") && isGms(table, id);
}

/** Draw the inbox, or nothing if it is empty. The number of waiting things and knocks is put into the page's title. @param {Table} table */
export function inbox(table) {
  const things = waiting(table);
  const number = things.length + table.room.knocks.length;
  if (number) document.title = `(${number}) ${document.title}`; // the gm sees the number even while another tab is open
  if (!things.length) return nothing;
  return html`<section class="things desk" data-place="desk" aria-labelledby="section-desk">
    <h2 id="section-desk" translate="no">${table.t("section.desk", { number: things.length })}</h2>
    <div class="cards">${repeat(things, ({ kind, id }) => `${kind}:${id}`, ({ draw }) => draw())}</div>
  </section>`;
}

/** Return the things that wait for the gm, without knocks, in page order. `draw` draws the card of a thing. @param {Table} table @returns {{ id: string, kind: string, draw: () => unknown }[]} */
export function waiting(table) {
  const { characters, efforts, checks, totals } = table.view;
  const all = [...characters.values()];
  /** @param {string} kind @param {Iterable<any>} things @param {(table: Table, thing: any) => unknown} draw */
  const waits = (kind, things, draw) => [...things].map((thing) => ({ id: thing.id, kind, draw: () => draw(table, thing) }));
  return [
    ...waits("crisis", all.filter((character) => character.crisis_due), crisisCard),
    ...waits("sheet", all.filter(sheetWaits), sheetCard),
    ...waits("ruling", efforts.values(), effortCard),
    ...waits("check", [...checks.values()].filter((check) => checkWaits(table, check)), checkCard),
    ...waits("total", [...totals.values()].filter((total) => totalWaits(table, total)), totalCard),
  ];
}

/** @param {Table} table @param {T.Character} character */
function crisisCard(table, { id, name, crisis_due: total = "" }) {
  return card(table, { kind: "crisis", thing: { id }, name: table.t("gm.crisis.of", { name }), body: describing(table, total, name, true) });
}

/** Tell whether a new sheet or a change to a sheet waits for the gm's approval. @param {T.Character} character */
function sheetWaits({ status, newcomer, proposed, approved_level: level }) {
  return status === "in_play" && (newcomer || proposed !== undefined || level !== undefined);
}

/** @param {Table} table @param {T.Character} character */
function sheetCard(table, character) {
  const { id, name } = character;
  return card(table, {
    kind: "sheet",
    thing: { id },
    name: table.t("gm.sheet.of", { name }),
    body: html`${scores(table, character)} ${proposed(table, character)}
      <div class="controls">${controlsOf(table, "sheet", character, name)}</div>`,
  });
}

/** @param {Table} table @param {T.Effort} effort */
function effortCard(table, effort) {
  const { id, challenge_id: challengeId, character_id: characterId, seat_id: seat } = effort;
  const challenge = table.view.challenges.get(challengeId)?.name ?? challengeId;
  const who = characterId ? table.nameOfCharacter(characterId) : table.nameOfSeat(seat);
  return card(table, {
    kind: "ruling",
    thing: { id },
    name: table.t("gm.effort.of", { who, challenge }),
    body: html`<div class="controls">${efforts(table, (module) => module.ruling(table, effort))}</div>`,
  });
}

/**
 * Draw the form that describes a crisis.
 * @param {Table} table @param {string} totalId the total whose push led to the crisis @param {string} name the name of the character
 * @param {boolean} open whether the kind of the crisis can be chosen
 */
export function describing(table, totalId, name, open) {
  const { purpose, description } = table.view.totals.get(totalId) ?? {};
  return totals(table, (module) => module.describing(table, totalId, `${name}, ${purpose || totalId}`, open, description));
}
