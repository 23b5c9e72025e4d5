// @ts-check
/** Odds beside the fields of a form. When the fields change, the old odds stay in their place until the new odds arrive. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { MAX_POOL, OUTCOMES } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { checkOdds, whose } from "../parts/odds_bar.js";
import { claimed, diceIn, tokensAtRoll } from "../app/checks.js";
import { oddsAt } from "../app/odds.js";

/**
 * Draw the odds of a side in a check with these parts, each the roll of one character. Draw nothing without acting parts.
 * @param {Table} table @param {string} place @param {readonly T.Part[]} parts @param {boolean} hidden @param {T.Side} [side]
 */
export function oddsOfParts(table, place, parts, hidden, side = "acting") {
  const question = questionOf(table, parts, hidden);
  if (!question) return nothing;
  return withOdds(table, place, question.path, question.params, (answer) => checkOdds(table, oddsIn(answer, side), whose(table, parts, side)));
}

/**
 * Convert the server's answer about a check or a contest into `T.CheckOdds`.
 * @param {any} answer @param {T.Side} side @returns {T.CheckOdds}
 */
function oddsIn(answer, side) {
  const outcomes = answer.outcomes ?? answer[`${side}_outcomes`];
  const [fumble, fail, success, triumph] = OUTCOMES.map((outcome) => outcomes[outcome].fraction);
  return {
    fumble,
    fail,
    success,
    triumph,
    interference: answer.any_fumble?.fraction ?? fumble,
    wins: answer[`${side}_wins`]?.fraction,
    succeeds: answer[`${side}_succeeds`]?.fraction,
  };
}

/**
 * Return the path and the parameters of the request for the odds. Return null if the acting side has no part, or if a part has too many dice.
 * @param {Table} table @param {readonly T.Part[]} parts @param {boolean} hidden
 */
function questionOf(table, parts, hidden) {
  const acting = parts.filter((part) => part.side === "acting");
  const opposing = parts.filter((part) => part.side === "opposing");
  if (!acting.length || parts.some(({ score, bonus }) => score + bonus > MAX_POOL)) return null;
  const ours = sideOf(table, acting, hidden, "");
  if (!opposing.length) return { path: "check", params: ours };
  const theirs = sideOf(table, opposing, hidden, "against_");
  return {
    path: "contest",
    params: { ...ours, ...theirs, ...reflexOf(table, acting[0], ""), ...reflexOf(table, opposing[0], "against_") },
  };
}

/** Return the parameters for the parts of a side. The first part leads the side, the other parts help. @param {Table} table @param {readonly T.Part[]} parts @param {boolean} hidden @param {string} prefix */
function sideOf(table, [leader, ...helpers], hidden, prefix) {
  const held = heldBy(table, leader, hidden);
  const dice = prefix ? "against" : "dice";
  return {
    [dice]: leader.score,
    [`${prefix}bonus`]: leader.bonus + held.paid,
    [`${prefix}penalty`]: leader.penalty,
    [`${prefix}venture`]: leader.venture?.level ?? 0,
    [`${prefix}momentum`]: String(held.momentum),
    [`${prefix}interference`]: String(held.interference),
    ...(helpers.length && { [`${prefix}helper`]: helpers.map((part) => written(part, heldBy(table, part, hidden))) }),
  };
}

/** Return the parameter for a helper, such as `3+1-0,momentum,venture=2`: score, bonus, penalty, token, venture. @param {T.Part} part @param {{ paid: number, momentum: boolean, interference: boolean }} held */
function written({ score, bonus, penalty, venture }, { paid, momentum, interference }) {
  const tokens = `${momentum ? ",momentum" : ""}${interference ? ",interference" : ""}`;
  return `${score}+${bonus + paid}-${penalty}${tokens}${venture ? `,venture=${venture.level}` : ""}`;
}

/**
 * Return whether a character would use momentum or interference for a roll, and how many dice it gets from earlier
 * checks (`paid`). A hidden roll uses none of these. Source: rules.md C7 and C8.
 * @param {Table} table @param {T.Part} part @param {boolean} hidden
 */
function heldBy(table, part, hidden) {
  const { character_id: id, score, bonus, penalty } = part;
  const character = table.view.characters.get(id);
  if (!character || hidden) return { paid: 0, momentum: false, interference: false };
  const paid = Math.max(0, Math.min(diceIn(claimed(character, part)), MAX_POOL - (score + bonus - penalty)));
  return { paid, ...tokensAtRoll(character) };
}

/** Return the parameter for a leader's reflex. Return an empty object if the sheet has no reflex. @param {Table} table @param {T.Part} leader @param {string} prefix */
function reflexOf(table, leader, prefix) {
  const reflex = table.view.characters.get(leader.character_id)?.reflex;
  return reflex === undefined ? {} : { [`${prefix}reflex`]: reflex };
}

/**
 * Request odds and draw them. Until the answer arrives, draw the previous odds of this place, marked as busy. At first, draw
 * an empty element.
 * @param {Table} table @param {string} place @param {string} path @param {Record<string, any>} params
 * @param {(answer: any) => unknown} draw a function that draws the server's answer
 */
export function withOdds(table, place, path, params, draw) {
  const answer = oddsAt(table).ask(place, path, params);
  if (answer !== undefined) table.ui.set(`odds:${place}`, answer);
  const latest = table.ui.get(`odds:${place}`);
  return html`<div class="asked" data-odds=${path} aria-busy=${String(answer === undefined)}>${latest ? draw(latest) : nothing}</div>`;
}

/** Return a number with at most one decimal. @param {Table} table @param {number} value */
export function rounded(table, value) {
  return value.toLocaleString(table.words.language, { maximumFractionDigits: 1 });
}
