// @ts-check
/** The gm's page: what waits for her, the turn, and the table with all that she can do to it. */

/** @import { Role, Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { characters, checks, clocks, countdowns, rolls, scenes, totals } from "../parts/board.js";
import { spectator } from "../parts/spectator.js";
import { characterControls } from "./characters.js";
import { clockControls } from "./clocks.js";
import { countdownControls } from "./countdowns.js";
import { consequenceControls, following } from "./following.js";
import { checkWaits, desk, totalWaits, waiting } from "./desk.js";
import { lazily } from "./lazily.js";
import { closing, houseRules, people } from "./people.js";
import { revealing } from "./presses.js";
import { addCharacter, openScene, proposeCheck, proposeTotal, rollDice, startClock, startCountdown } from "./starts.js";
import { strip } from "./strip.js";

const first = lazily(() => import("./beginning.js"));
const scene = lazily(() => import("./scenes.js"));
const situation = lazily(() => import("./situations.js"));
const challenge = lazily(() => import("./challenges.js"));
const check = lazily(() => import("./checks.js"));
const total = lazily(() => import("./totals.js"));
const knocks = lazily(() => import("./knocks.js"));
const size = lazily(() => import("./room_size.js"));

/** @type {Role} */
export const page = {
  layout,
  waits: (table) => (table.view.closed ? 0 : waiting(table).length + table.room.knocks.length),
  controls: {
    countdown: following("countdown", countdownControls),
    clock: following("clock", clockControls),
    scene: following("scene", (table, thing) => scene(table, (it) => it.sceneControls(table, thing))),
    situation: (table, thing) => situation(table, (it) => it.situationControls(table, thing)),
    challenge: (table, thing) => challenge(table, (it) => it.challengeControls(table, thing)),
    check: following("check", (table, thing) => check(table, (it) => it.checkControls(table, thing))),
    part: (table, which) => check(table, (it) => it.partControls(table, which)),
    total: following("total", (table, thing) => total(table, (it) => it.totalControls(table, thing))),
    character: following("character", characterControls),
    consequence: consequenceControls,
    roll: (table, roll) => (roll.visibility === "public" ? nothing : revealing(table, roll, roll.name ?? table.t("kind.roll"))),
  },
};

/** Tell whether the first steps are not all done, in the first turn and before anybody rolls. @param {Table} table */
function isNew({ view: { characters, countdowns, scenes, checks, totals, turn }, ui }) {
  const done = [characters, scenes, countdowns].every((things) => things.size > 0);
  const begun = checks.size > 0 || totals.size > 0 || turn > 1;
  return !done && !begun && !ui.get("beginning:over");
}

/** Tell whether something has happened since the page was opened. @param {Table} table */
function hasGrown({ room, ui }) {
  const seq = room.positions.public?.seq;
  if (!ui.has("size:from")) ui.set("size:from", seq);
  return ui.get("size:from") !== seq;
}

/** @param {Table} table */
function layout(table) {
  if (table.over) return spectator.layout(table);
  if (table.view.closed) return html`${closing(table)} ${spectator.layout(table)}`;
  return html`${strip(table)} ${hasGrown(table) ? size(table, (it) => it.sizeWarning(table)) : nothing}
    ${table.room.knocks.length ? knocks(table, (it) => it.knocking(table)) : nothing}
    ${isNew(table) ? first(table, (it) => it.beginning(table)) : nothing} ${desk(table)}
    <div class="columns">
      <div class="column">
        ${scenes(table, { before: openScene(table) })} ${countdowns(table, { before: startCountdown(table) })}
        ${clocks(table, { before: startClock(table) })}
      </div>
      <div class="column">
        ${checks(table, { only: (check) => !checkWaits(table, check), before: proposeCheck(table) })}
        ${totals(table, { only: (total) => !totalWaits(table, total), before: proposeTotal(table) })}
        ${rolls(table, { before: rollDice(table) })} ${characters(table, { before: addCharacter(table) })}
        ${people(table)} ${houseRules(table)} ${closing(table)}
      </div>
    </div>`;
}
