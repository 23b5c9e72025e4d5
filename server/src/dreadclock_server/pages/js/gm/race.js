// @ts-check
/** What a race's numbers mean: the threat that it starts with, and the chance to win it. */

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

const CHANCES = ["1/4", "1/3", "1/2", "2/3", "3/4", "9/10"];
const ROUNDS = ["0", "1/4", "1/2", "1", "2"];

/** Return the characters of the players that the gm has approved. Source: rules.md B12 and B18. @param {Table} table */
export function usualParty(table) {
  const { seats } = table.view;
  return inPlay(table).filter((each) => seats.get(each.owner ?? "")?.role === "player" && !each.newcomer);
}

/** Return the level of a party, null if it is nobody whom the gm approved. Source: rules.md B5 and B18. @param {readonly T.Character[]} all */
export function partyLevel(all) {
  const party = all.filter((each) => !each.newcomer);
  const sum = party.reduce((levels, each) => levels + (each.approved_level ?? each.level), 0);
  return party.length ? Math.floor((2 * sum + party.length) / (2 * party.length)) : null;
}

/**
 * Say how hard a race is by its level, null where the gm must name it. Source: rules.md B5.
 * @param {number} level @param {number | null} party @returns {T.Difficulty | null}
 */
export function difficultyOf(level, party) {
  const difficulties = /** @type {{ [modifier: number]: T.Difficulty }} */ (DIFFICULTY);
  return party === null ? null : (difficulties[level - party] ?? null);
}

/** @param {number} level @param {T.Difficulty} difficulty */
export function threatOf(level, difficulty) {
  return THREAT[difficulty][level - 1];
}

/**
 * Draw the odds of a race: how often it is won if efforts come off so often.
 * @param {Table} table @param {string} place @param {{ situation: number, threat: number }} race @param {Fields} f
 */
export function raceOdds(table, place, { situation, threat }, f) {
  const params = { situation, threat, chance: f.read("chance", "1/2"), rounds_per_effort: f.read("rounds", "1/2") };
  const chances = CHANCES.map((odds) => /** @type {const} */ ([odds, table.words.percent(odds)]));
  return html`<div class="race-odds" data-part="race-odds">
    ${onlyAsked(
      table,
      html`${f.pick("chance", "gm.race.chance", chances, "1/2")}
      ${f.among("rounds", "gm.race.rounds", ROUNDS, (each) => `gm.race.rounds.${each}`, "1/2")}`,
    )}
    ${threat > 0 && situation > 0 ? withOdds(table, place, "race", params, (known) => outlook(table, known)) : nothing}
  </div>`;
}

/** @param {Table} table @param {any} known */
function outlook(table, { success, mean_threat_left: left }) {
  return html`<p>
    <b>${chance(table, "gm.race.won", success.fraction)}</b>
    ${left ? table.t("gm.race.left", { left: Math.round(left.decimal) }) : nothing}
  </p>`;
}
