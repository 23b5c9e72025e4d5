// @ts-check
/** The odds of a check before it is proposed, or before somebody joins it. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Draft } from "./part_form.js"
 *
 * @typedef {Pick<T.Part, "character_id" | "side" | "score" | "bonus" | "penalty" | "claim" | "claims" | "venture">} Rolled
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { oddsAt } from "../app/odds.js";
import { checkOdds, whose } from "../parts/odds_bar.js";
import { tokensAtRoll, wholeBonus } from "./mine.js";

/** Return a part as it would be in the check. @param {Draft} draft @param {T.Side} side @returns {Rolled} */
export function asPart({ character, score, bonus, penalty, claim, claims, level, what = "", benefits }, side) {
  const venture = level ? { level, benefits, what } : undefined;
  return { character_id: character.id, side, score, bonus, penalty, claim, claims, venture };
}

/**
 * Draw the odds of a side, with all who would roll.
 * @param {Table} table
 * @param {string} place where they are shown
 * @param {readonly Rolled[]} parts
 * @param {T.Side} side whose odds
 */
export function oddsOf(table, place, parts, side) {
  const asked = question(table, parts);
  const { report, current } = latest(table, place, oddsAt(table).ask(place, asked.path, asked.params));
  return html`<div class="preview" data-part="preview" aria-busy=${current ? "false" : "true"}>
    ${report ? checkOdds(table, /** @type {any} */ (read(report, side)), whose(table, parts, side)) : nothing}
  </div>`;
}

/**
 * Keep the last answer in sight, marked as such, while the next one is on its way.
 * @param {Table} table
 * @param {string} place
 * @param {any} report
 */
function latest(table, place, report) {
  const key = `report:${place}`;
  if (report !== undefined) table.ui.set(key, report);
  return { report: table.ui.get(key), current: report !== undefined };
}

/**
 * Put the parts of a check as a question about odds.
 * @param {Table} table
 * @param {readonly Rolled[]} parts
 */
function question(table, parts) {
  const [acting, opposing] = /** @type {const} */ (["acting", "opposing"]).map((side) =>
    parts.filter((part) => part.side === side),
  );
  if (!opposing.length) return { path: "check", params: side(table, acting, "dice", "") };
  const params = { ...side(table, acting, "dice", ""), ...side(table, opposing, "against", "against_") };
  return {
    path: "contest",
    params: { ...params, ...reflex(table, acting, ""), ...reflex(table, opposing, "against_") },
  };
}

/** @param {Table} table @param {readonly Rolled[]} parts @param {string} dice @param {string} prefix */
function side(table, [leader, ...helpers], dice, prefix) {
  const { momentum, interference } = tokensOf(table, leader);
  const all = {
    [dice]: leader.score,
    [`${prefix}bonus`]: wholeBonus(table.view.characters.get(leader.character_id), { ...leader, level: 0 }),
    [`${prefix}penalty`]: leader.penalty,
    [`${prefix}venture`]: leader.venture?.level ?? 0,
    [`${prefix}momentum`]: String(momentum),
    [`${prefix}interference`]: String(interference),
  };
  return helpers.length ? { ...all, [`${prefix}helper`]: helpers.map((part) => helper(table, part)) } : all;
}

/** Write a helper's dice as the question wants them: `3+1-2,momentum`. @param {Table} table @param {Rolled} part */
function helper(table, part) {
  const { momentum, interference } = tokensOf(table, part);
  const bonus = wholeBonus(table.view.characters.get(part.character_id), { ...part, level: 0 });
  const dice = `${part.score}${bonus ? `+${bonus}` : ""}${part.penalty ? `-${part.penalty}` : ""}`;
  const venture = part.venture ? `,venture=${part.venture.level}` : "";
  return `${dice}${momentum ? ",momentum" : ""}${interference ? ",interference" : ""}${venture}`;
}

/** @param {Table} table @param {Rolled} part */
function tokensOf(table, { character_id: id }) {
  const character = table.view.characters.get(id);
  return character ? tokensAtRoll(character) : { momentum: false, interference: false };
}

/** @param {Table} table @param {readonly Rolled[]} parts @param {string} prefix */
function reflex(table, [leader], prefix) {
  const known = table.view.characters.get(leader.character_id)?.reflex;
  return known === undefined ? {} : { [`${prefix}reflex`]: known };
}

/** Read a report as the odds of one side. @param {any} report @param {T.Side} side */
function read(report, side) {
  const outcomes = report.outcomes ?? report[`${side}_outcomes`];
  const odds = Object.fromEntries(
    Object.entries(outcomes).map(([name, exact]) => [name, /** @type {any} */ (exact).fraction]),
  );
  const succeeds = side === "acting" ? report.acting_succeeds?.fraction : undefined;
  return { ...odds, wins: report[`${side}_wins`]?.fraction, succeeds };
}
