// @ts-check
/** The gm's page: what waits for her, the turn, and the table with all that she can do to it. */

/** @import { Role, Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { characters, checks, clocks, countdowns, rolls, scenes, totals } from "../parts/board.js";
import { spectator } from "../parts/spectator.js";
import { beginning } from "./beginning.js";
import { challengeControls } from "./challenges.js";
import { characterControls } from "./characters.js";
import { checkControls, partControls } from "./checks.js";
import { clockControls } from "./clocks.js";
import { countdownControls } from "./countdowns.js";
import { checkWaits, desk, totalWaits } from "./desk.js";
import { houseRules, people } from "./people.js";
import { rollControls } from "./rolls.js";
import { sceneControls } from "./scenes.js";
import { situationControls } from "./situations.js";
import { addCharacter, openScene, proposeCheck, proposeTotal, rollDice, startClock, startCountdown } from "./starts.js";
import { totalControls } from "./totals.js";
import { turn } from "./turn.js";

/** @type {Role} */
export const page = {
  layout,
  controls: {
    countdown: countdownControls,
    clock: clockControls,
    scene: sceneControls,
    situation: situationControls,
    challenge: challengeControls,
    check: checkControls,
    part: partControls,
    total: totalControls,
    character: characterControls,
    roll: rollControls,
  },
};

/** @param {Table} table */
function layout(table) {
  if (table.view.closed || table.over) return spectator.layout(table);
  return html`${beginning(table)} ${desk(table)} ${turn(table)}
    <div class="columns">
      <div class="column">
        ${scenes(table, { before: openScene(table) })} ${countdowns(table, { before: startCountdown(table) })}
        ${clocks(table, { before: startClock(table) })}
      </div>
      <div class="column">
        ${checks(table, { only: (check) => !checkWaits(table, check), before: proposeCheck(table) })}
        ${totals(table, { only: (total) => !totalWaits(table, total), before: proposeTotal(table) })}
        ${rolls(table, { before: rollDice(table) })} ${characters(table, { before: addCharacter(table) })}
        ${people(table)} ${houseRules(table)}
      </div>
    </div>`;
}
