// @ts-check
/** The gm's desk: what waits for her comes first, each with what she can do about it. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { button } from "../app/controls.js";
import { card } from "../parts/card.js";
import { proposed, scores } from "../parts/character.js";
import { checkCard, nameOfCheck } from "../parts/check.js";
import { nameOfTotal, totalCard } from "../parts/total.js";
import { lazily } from "./lazily.js";
import { canRoll, isGms, isStuck } from "./party.js";

const declines = lazily(() => import("./declining.js"));
const efforts = lazily(() => import("./situations.js"));
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

/**
 * @typedef {object} Waiting
 * @property {string} id
 * @property {string} kind @property {string} name
 * @property {() => unknown} draw
 * @property {T.Command} [approve] what says yes to it as it stands, unless something is typed for it
 * @property {string} [says] what that approves besides, such as the number that a total needs
 */

/** Return what waits for the gm. @param {Table} table @returns {Waiting[]} */
export function waiting(table) {
  const { characters, efforts, checks, totals } = table.view;
  const all = [...characters.values()];
  const [due, sheets] = [all.filter((each) => each.crisis_due), all.filter(sheetWaits)];
  return [
    ...due.map((each) => waitingThing("crisis", each.id, table.t("gm.crisis.of", { name: each.name }), () => crisisDue(table, each))),
    ...sheets.map((each) =>
      waitingThing("sheet", each.id, table.t("gm.sheet.of", { name: each.name }), () => sheetCard(table, each), sheetApproval(each, true)),
    ),
    ...[...efforts.values()].map((each) => waitingThing("ruling", each.id, nameOfEffort(table, each), () => effortCard(table, each))),
    ...[...checks.values()].filter((each) => checkWaits(table, each)).map((each) => waitingCheck(table, each)),
    ...[...totals.values()].filter((each) => totalWaits(table, each)).map((each) => waitingTotal(table, each)),
  ];
}

/** @param {string} kind @param {string} id @param {string} name @param {() => unknown} draw @param {T.Command} [approve] @returns {Waiting} */
function waitingThing(kind, id, name, draw, approve) {
  return { id, kind, name, draw, ...(approve ? { approve } : {}) };
}

/** @param {Table} table @param {T.Check} check */
function waitingCheck(table, check) {
  const { id, status } = check;
  const plain = status === "proposed" && !table.ui.get(`typed:check:${id}:approve`);
  const approve = plain ? /** @type {const} */ ({ type: "adjust_check", check_id: id, approve: true }) : undefined;
  return waitingThing("check", id, nameOfCheck(table, check), () => checkCard(table, check), approve);
}

/** @param {Table} table @param {T.Total} total */
function waitingTotal(table, total) {
  const { id, status } = total;
  const waiting = waitingThing("total", id, nameOfTotal(table, total), () => totalCard(table, total));
  if (status !== "proposed" || table.ui.get(`typed:total:${id}:required`)) return waiting;
  const required = USUAL_NUMBER;
  const approve = /** @type {const} */ ({ type: "set_required", total_id: id, required, secret: total.secret, crisis: total.crisis });
  return { ...waiting, approve, says: table.t("total.required", { required }) };
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
      <div class="controls">${judgingSheet(table, character, "desk")}</div>`,
  });
}

/**
 * Draw the ways to approve and to decline what waits on a sheet.
 * @param {Table} table @param {T.Character} character @param {string} place which of the buttons for it these are
 */
export function judgingSheet(table, character, place) {
  const { newcomer, proposed: wanted, approved_level: approvedLevel } = character;
  if (!newcomer && wanted === undefined && approvedLevel === undefined) return nothing;
  const { id, name } = character;
  const approve = { key: `${place}:${id}:approve`, label: table.t("gm.sheet.approve"), command: sheetApproval(character, true) };
  return html`${button(table, { ...approve, describes: name, kind: "main" })}
  ${declines(table, (it) => it.decliningSheet(table, character, sheetApproval(character, false), place))}`;
}

/** @param {T.Character} character @param {boolean} approve @returns {T.ApproveSheet} */
function sheetApproval({ id, level, attributes, specials, reflex, proposed: wanted }, approve) {
  const expect = wanted ?? { level, attributes, specials, reflex };
  return { type: "approve_sheet", character_id: id, approve, expect };
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
    body: html`<div class="controls">${efforts(table, (it) => it.effortControls(table, effort))}</div>`,
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
