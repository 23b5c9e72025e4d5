// @ts-check
/** The gm's page: what waits for her, the turn, and the table with all that she can do to it, and what follows by itself. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Role, Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { characters, checks, clocks, countdowns, rolls, scenes, totals } from "../parts/board.js";
import { spectator } from "../parts/spectator.js";
import { characterControls } from "./characters.js";
import { clockControls, countdownControls } from "./countdowns.js";
import { checkWaits, desk, totalWaits, waiting } from "./desk.js";
import { lazily, onDemand } from "./lazily.js";
import { closing, houseRules, people } from "./people.js";
import { revealing } from "./presses.js";
import { addCharacter, isFresh, openScene, proposeCheck, proposeTotal, rollDice, startClock, startCountdown } from "./starts.js";
import { strip } from "./strip.js";
import { button } from "../app/controls.js";
import { isOver } from "../app/over.js";
import { nameOfCheck } from "../parts/check.js";
import { nameOfTotal } from "../parts/total.js";

const first = lazily(() => import("./beginning.js"), "gm_beginning");
const scene = lazily(() => import("./scenes.js"));
const situation = lazily(() => import("./situations.js"));
const challenge = lazily(() => import("./situations.js"));
const check = lazily(() => import("./checks.js"));
const total = lazily(() => import("./totals.js"));
const knocks = lazily(() => import("./knocks.js"));
const size = lazily(() => import("./room_size.js"));
const outlived = lazily(() => import("./outliving.js"));
const consequenceForms = lazily(() => import("./consequence_forms.js"));

/** The tables whose dials can be turned. @type {WeakSet<Table>} */ const turned = new WeakSet();

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

/** Tell whether something has happened since the page was opened. @param {Table} table */
function hasGrown({ room, ui }) {
  const seq = room.positions.public?.seq;
  if (!ui.has("size:from")) ui.set("size:from", seq);
  return ui.get("size:from") !== seq;
}

/** Tell whether a running countdown goes with something else, which it may outlive. @param {Table} table */
function mayOutlive({ view }) {
  return [...view.countdowns.values()].some((each) => each.status === "running" && (each.about || each.bound_id));
}

/** @param {Table} table */
function layout(table) {
  if (table.over) return spectator.layout(table);
  if (table.view.closed) return html`${closing(table)} ${spectator.layout(table)}`;
  if (!turned.has(table)) void import("./turning.js").then(({ turnDials }) => turnDials(table), () => turned.delete(table));
  turned.add(table);
  return html`${strip(table)} ${hasGrown(table) ? size(table, (it) => it.sizeWarning(table)) : nothing}
    ${mayOutlive(table) ? outlived(table, (it) => it.outliving(table)) : nothing}
    ${table.room.knocks.length ? knocks(table, (it) => it.knocking(table)) : nothing}
    ${isFresh(table) ? first(table, (it) => it.beginning(table)) : nothing} ${desk(table)}
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

/**
 * Return a function that draws a thing's controls and, unless it is over, the form that attaches a consequence to it.
 * @param {T.Consequence["of"]["kind"] | "scene"} kind @param {(table: Table, thing: any) => unknown} controls
 */
export function following(kind, controls) {
  return (/** @type {Table} */ table, /** @type {any} */ thing) => {
    const own = controls(table, thing);
    const of = kind === "scene" ? { kind: /** @type {const} */ ("clock"), id: thing.clock_id } : { kind, id: thing.id };
    const ended = kind === "check" ? thing.status === "resolved" : isOver(table.view, of);
    return ended ? own : html`${own} ${attaching(table, kind, thing)}`;
  };
}

/** @param {Table} table @param {string} kind @param {any} thing */
function attaching(table, kind, thing) {
  const describes = nameOf(table, kind, thing);
  const demand = { key: `${kind}:${thing.id}:attach`, label: table.t("gm.follows"), describes };
  return onDemand(table, demand, (asked) => consequenceForms(table, (module) => module.attaching(table, asked, kind, thing)));
}

/** @param {Table} table @param {string} kind @param {any} thing */
function nameOf(table, kind, thing) {
  if (kind === "check") return nameOfCheck(table, thing);
  return kind === "total" ? nameOfTotal(table, thing) : thing.name;
}

/** Draw the button that takes a consequence away. @param {Table} table @param {T.Consequence} consequence */
export function consequenceControls(table, { id }) {
  const command = /** @type {const} */ ({ type: "detach_consequence", consequence_id: id });
  return button(table, { key: `consequence:${id}:detach`, label: table.t("gm.follows.detach"), describes: id, command });
}
