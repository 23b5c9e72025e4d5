// @ts-check
/** The gm's desk: what waits for her comes first, each with what she can do about it. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { controlsOf } from "../actions/menu.js";
import { card } from "../parts/card.js";
import { proposed, scores } from "../parts/character.js";
import { checkCard } from "../parts/check.js";
import { totalCard } from "../parts/total.js";
import { lazily } from "./lazily.js";
import { canRoll, isGms, isStuck } from "../app/party.js";

const efforts = lazily(() => import("./challenge_forms.js"));
const pushes = lazily(() => import("./push_forms.js"));

export const USUAL_NUMBER = 12; // what a total needs until the gm says otherwise

/**
 * Tell whether a check waits for the gm: for her word, her dice or her other side.
 * @param {Table} table @param {T.Check} check
 */
export function checkWaits(table, check) {
  const { status, parts, contest, cost, visibility } = check;
  if (status === "resolved") return cost?.stage === "proposed";
  const unopposed = contest && !parts.some((part) => part.side === "opposing");
  const stuck = parts.some((part) => isStuck(table, part));
  const mine = parts.some(
    (part) => canRoll(table, check, part) && (visibility !== "public" || isGms(table, part.character_id)),
  );
  return status === "proposed" || unopposed || stuck || mine;
}

/** Tell whether a total waits for the gm. @param {Table} table @param {T.Total} total */
export function totalWaits(table, { status, enough, character_id: id }) {
  if (status === "proposed" || (status === "rolled" && enough !== true)) return true;
  return (status === "ready" || status === "offered") && isGms(table, id);
}

/** Draw what waits; nothing if nothing does. @param {Table} table */
export function desk(table) {
  const things = waiting(table);
  const number = things.length + table.room.knocks.length;
  if (number) document.title = `(${number}) ${document.title}`; // for whoever has scrolled on, or looks at another tab
  if (!things.length) return nothing;
  return html`<section class="things desk" data-place="desk" aria-labelledby="section-desk">
    <h2 id="section-desk" translate="no">${table.t("section.desk", { number: things.length })}</h2>
    <div class="cards">${repeat(things, ({ kind, id }) => `${kind}:${id}`, (each) => each.draw())}</div>
  </section>`;
}

/** @typedef {{ id: string, kind: string, draw: () => unknown }} Waiting */

/** Return what waits for the gm. @param {Table} table @returns {Waiting[]} */
export function waiting(table) {
  const { characters, efforts, checks, totals } = table.view;
  const all = [...characters.values()];
  /** @param {string} kind @param {Iterable<any>} things @param {(table: Table, thing: any) => unknown} draw @returns {Waiting[]} */
  const waits = (kind, things, draw) => [...things].map((each) => ({ id: each.id, kind, draw: () => draw(table, each) }));
  return [
    ...waits("crisis", all.filter((each) => each.crisis_due), crisisDue),
    ...waits("sheet", all.filter(sheetWaits), sheetCard),
    ...waits("ruling", efforts.values(), effortCard),
    ...waits("check", [...checks.values()].filter((each) => checkWaits(table, each)), checkCard),
    ...waits("total", [...totals.values()].filter((each) => totalWaits(table, each)), totalCard),
  ];
}

/** @param {Table} table @param {T.Character} character */
function crisisDue(table, character) {
  const { id, name, crisis_due: total } = character;
  return card(table, {
    kind: "crisis",
    thing: { id },
    name: table.t("gm.crisis.of", { name }),
    body: describing(table, total ?? "", name, true),
  });
}

/** Tell whether something on a character's sheet waits for the gm. @param {T.Character} character */
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
function nameOfEffort(table, effort) {
  const challenge = table.view.challenges.get(effort.challenge_id)?.name ?? effort.challenge_id;
  const who = effort.character_id ? table.nameOfCharacter(effort.character_id) : table.nameOfSeat(effort.seat_id);
  return table.t("gm.effort.of", { who, challenge });
}

/** @param {Table} table @param {T.Effort} effort */
function effortCard(table, effort) {
  return card(table, {
    kind: "ruling",
    thing: { id: effort.id },
    name: nameOfEffort(table, effort),
    body: html`<div class="controls">${efforts(table, (it) => it.ruling(table, effort))}</div>`,
  });
}

/**
 * Draw the form that says what a crisis is.
 * @param {Table} table @param {string} totalId @param {string} name whose crisis it is
 * @param {boolean} open whether its kind is open, too
 */
export function describing(table, totalId, name, open) {
  const { purpose, description } = table.view.totals.get(totalId) ?? {};
  const describes = purpose ? `${name}, ${purpose}` : `${name}, ${totalId}`;
  return pushes(table, (module) => module.describing(table, totalId, describes, open, description));
}
