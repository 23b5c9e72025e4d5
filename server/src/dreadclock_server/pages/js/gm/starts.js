// @ts-check
/** What starts something new: a form beside each section's heading. */

/** @import { Table } from "../app/table.js" */

import { nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily, onDemand } from "./lazily.js";
import { inPlay } from "./party.js";

const characters = lazily(() => import("./character_forms.js"));
const checks = lazily(() => import("./check_forms.js"));
const clocks = lazily(() => import("./clock_forms.js"));
const countdowns = lazily(() => import("./countdown_forms.js"));
const rolls = lazily(() => import("./roll_form.js"));
const scenes = lazily(() => import("./scene_forms.js"));
const totals = lazily(() => import("./total_forms.js"));

const BEGUN = "begin-"; // begins the ids of what beginning.js puts on the table

/** Tell whether nothing is on the table but beginnings, in the first turn and before anybody rolls. @param {Table} table */
export function isFresh({ view: { checks, totals, rolls, turn, countdowns, scenes, clocks } }) {
  const free = [...clocks.values()].filter(({ kind }) => kind === "free");
  const things = [...countdowns.values(), ...scenes.values(), ...free];
  return turn === 1 && !checks.size && !totals.size && !rolls.size && things.every(({ id }) => id.startsWith(BEGUN));
}

/** Return the id of a beginning that is on the table, if it is. @param {Table} table @param {string} kind */
export function beginningOf({ view: { countdowns, scenes } }, kind) {
  return [...countdowns.keys(), ...scenes.keys()].findLast((id) => id.startsWith(`${BEGUN}${kind}-`));
}

/** @param {Table} table */
export function openScene(table) {
  const demand = { key: "scene:open", place: "start", label: table.t("gm.scene.open") };
  return onDemand(table, demand, (asked) => scenes(table, (forms) => forms.openScene(table, asked)));
}

/** @param {Table} table */
export function startCountdown(table) {
  const demand = { key: "countdown:start", place: "start", label: table.t("gm.countdown.start") };
  return onDemand(table, demand, (asked) => countdowns(table, (forms) => forms.startCountdown(table, asked)));
}

/** @param {Table} table */
export function startClock(table) {
  const demand = { key: "clock:start", place: "start", label: table.t("gm.clock.start") };
  return onDemand(table, demand, (asked) => clocks(table, (forms) => forms.startClock(table, asked)));
}

/** @param {Table} table */
export function proposeCheck(table) {
  if (!inPlay(table).length) return nothing;
  const demand = { key: "check:propose", place: "start", label: table.t("gm.check.propose") };
  return onDemand(table, demand, (asked) => checks(table, (forms) => forms.proposeCheck(table, asked)));
}

/** @param {Table} table */
export function proposeTotal(table) {
  if (!inPlay(table).length) return nothing;
  const demand = { key: "total:propose", place: "start", label: table.t("gm.total.propose") };
  return onDemand(table, demand, (asked) => totals(table, (forms) => forms.proposeTotal(table, asked)));
}

/** @param {Table} table */
export function rollDice(table) {
  const demand = { key: "roll:dice", place: "start", label: table.t("gm.dice.roll") };
  return onDemand(table, demand, (asked) => rolls(table, (forms) => forms.rollDice(table, asked)));
}

/** @param {Table} table */
export function addCharacter(table) {
  const demand = { key: "character:add", place: "start", label: table.t("gm.character.add") };
  return onDemand(table, demand, (asked) => characters(table, (forms) => forms.addCharacter(table, asked)));
}
