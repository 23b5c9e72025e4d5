// @ts-check
/** The numbers of a race, a situation that the party must win before a threat clock runs out. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "../forms/fields.js"
 */

import { DIFFICULTY, THREAT } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { chance } from "../parts/odds_bar.js";
import { withOdds } from "../forms/odds.js";
import { onlyAsked } from "../forms/live.js";
import { inPlay } from "../app/party.js";

const CHANCES = ["1/4", "1/3", "1/2", "2/3", "3/4", "9/10"]; // chances that an effort (an attempt on an obstacle) succeeds
const ROUNDS = ["0", "1/4", "1/2", "1", "2"]; // how many rounds pass for each effort

/** Return the players' characters in play, without newcomers, who are not approved yet. Source: rules.md B12 and B18. @param {Table} table */
export function usualParty(table) {
  const { seats } = table.view;
  return inPlay(table).filter(({ owner, newcomer }) => seats.get(owner ?? "")?.role === "player" && !newcomer);
}

/**
 * Return the level of a party: the mean of its members' levels, rounded to the nearest whole number, halves up. If a new level waits
 * for approval, the approved level counts. Newcomers do not count. Return null if no other members are left. Source: rules.md B5 and B18.
 * @param {readonly T.Character[]} characters
 */
export function partyLevel(characters) {
  const party = characters.filter(({ newcomer }) => !newcomer);
  const sum = party.reduce((levels, { approved_level: approved, level }) => levels + (approved ?? level), 0);
  return party.length ? Math.floor((2 * sum + party.length) / (2 * party.length)) : null;
}

/**
 * Return the difficulty that follows from the levels of a race and of the party. Return null if the gm must choose the
 * difficulty, because the levels are too far apart or the party has no level.
 * Source: rules.md B5.
 * @param {number} level @param {number | null} party @returns {T.Difficulty | null}
 */
export function difficultyOf(level, party) {
  const difficulties = /** @type {{ [modifier: number]: T.Difficulty }} */ (DIFFICULTY);
  return party === null ? null : (difficulties[level - party] ?? null);
}

/** Return the initial threat of a race. @param {number} level @param {T.Difficulty} difficulty */
export function threatOf(level, difficulty) {
  return THREAT[difficulty][level - 1];
}

/**
 * Draw fields for two assumptions: how often efforts succeed, and how many rounds they take. If the situation and the
 * threat both have points left, also draw the chance to win and the mean threat that is left.
 * @param {Table} table @param {string} place
 * @param {{ situation: number, threat: number }} race the remaining points of the situation and of the threat @param {Fields} f
 */
export function raceOdds(table, place, { situation, threat }, f) {
  const params = { situation, threat, chance: f.read("chance", "1/2"), rounds_per_effort: f.read("rounds", "1/2") };
  const chances = CHANCES.map((odds) => /** @type {const} */ ([odds, table.words.percent(odds)]));
  const assumptions = html`${f.pick("chance", "gm.race.chance", chances, "1/2")} ${f.among("rounds", "gm.race.rounds", ROUNDS, "gm.race.rounds", "1/2")}`;
  const outlook = (/** @type {any} */ { success, mean_threat_left: left }) => html`<p>
    <b>${chance(table, "gm.race.won", success.fraction)}</b>
    ${left ? table.t("gm.race.left", { left: Math.round(left.decimal) }) : nothing}
  </p>`;
  return html`<div class="race-odds" data-part="race-odds">
    ${onlyAsked(table, assumptions)} ${threat > 0 && situation > 0 ? withOdds(table, place, "race", params, outlook) : nothing}
  </div>`;
}
