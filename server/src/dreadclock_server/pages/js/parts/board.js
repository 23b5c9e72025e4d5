// @ts-check
/** The sections of a table. The pages of all roles use them. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { countdownIsOver, totalIsOver } from "../app/over.js";
import { section } from "./card.js";
import { characterCard } from "./character.js";
import { checkCard } from "./check.js";
import { countdownCard, justEnded } from "./countdown.js";
import { rollCard, sealedCard } from "./roll.js";
import { clockCard, sceneCard, shownScene, smallScene } from "./scene.js";
import { totalCard } from "./total.js";
import { nothing } from "../../vendor/lit-html/lit-html.js";

const LATEST_ROLLS = 6;

/**
 * @typedef {object} Of which things of a family, and what stands before them
 * @property {(thing: any) => boolean} [only]
 * @property {unknown} [before]
 * @property {string} [name] the name of the section's heading, by default the family's
 */

/** Draw one scene as the large dial, the others as small dials. @param {Table} table @param {Of} [of] */
export function scenes(table, { only = all, before = nothing, name = "scenes" } = {}) {
  const all = [...table.view.scenes.values()].filter(only);
  const [over, shown] = [sceneIsOver(all), shownScene(table, all)];
  const things = [...all].sort((a, b) => Number(b === shown) - Number(a === shown));
  const draw = (/** @type {T.Scene} */ scene) => (scene === shown || over(scene) ? sceneCard : smallScene)(table, scene);
  return section(table, { name, things, before, draw, over });
}

/** Draw the free-standing clocks. @param {Table} table @param {Of} [of] */
export function clocks(table, { only = all, before = nothing, name = "clocks" } = {}) {
  const things = [...table.view.clocks.values()].filter((clock) => clock.kind === "free" && only(clock));
  return section(table, { name, things, before, draw: (clock) => clockCard(table, clock) });
}

/** @param {Table} table @param {Of} [of] */
export function countdowns(table, { only = all, before = nothing, name = "countdowns" } = {}) {
  const things = [...table.view.countdowns.values()].filter(only);
  const lookedAt = justEnded(table);
  const over = (/** @type {T.Countdown} */ countdown) => countdownIsOver(countdown) && !lookedAt.has(countdown.id);
  return section(table, { name, things, before, draw: (countdown) => countdownCard(table, countdown), over });
}

/** @param {Table} table @param {Of} [of] */
export function checks(table, { only = all, before = nothing, name = "checks" } = {}) {
  const things = [...table.view.checks.values()].filter(only);
  return section(table, { name, things, before, draw: (check) => checkCard(table, check), over: checkIsOver(table) });
}

/** @param {Table} table @param {Of} [of] */
export function totals(table, { only = all, before = nothing, name = "totals" } = {}) {
  const things = [...table.view.totals.values()].filter(only);
  return section(table, { name, things, before, draw: (total) => totalCard(table, total), over: lately(things, totalIsOver) });
}

/** @param {Table} table @param {Of} [of] */
export function characters(table, { only = all, before = nothing, name = "characters" } = {}) {
  const everyone = [...table.view.characters.values()].filter(only);
  const isDead = (/** @type {T.Character} */ { status }) => status === "dead";
  const things = [...everyone.filter((character) => !isDead(character)), ...everyone.filter(isDead)];
  return section(table, { name, things, before, draw: (character) => characterCard(table, character), over: (character) => character.status === "retired" });
}

/** @param {Table} table @param {Of} [of] */
export function sealed(table, { only = all, before = nothing, name = "sealed" } = {}) {
  const things = [...table.view.sealed.values()].filter(only);
  return section(table, { name, things, before, draw: (thing) => sealedCard(table, thing) });
}

/** Draw the latest plain rolls, the newest first. @param {Table} table @param {Of} [of] */
export function rolls(table, { only = all, before = nothing, name = "rolls" } = {}) {
  const things = [...table.view.rolls.values()].filter(only).slice(-LATEST_ROLLS).reverse();
  return section(table, { name, things, before, draw: (roll) => rollCard(table, roll) });
}

/**
 * Return a function that tells whether a scene is over. The latest scene does not count as over until another scene opens.
 * @param {readonly T.Scene[]} scenes in the order in which they opened
 */
function sceneIsOver(scenes) {
  const last = scenes.at(-1);
  return (/** @type {T.Scene} */ scene) => scene.status !== "open" && scene !== last;
}

/** @type {(thing: any) => boolean} */
const all = () => true;

/** @param {Table} table @returns {(check: T.Check) => boolean} */
function checkIsOver(table) {
  return lately([...table.view.checks.values()], (check) => check.status === "resolved");
}

/**
 * Return a function that tells whether a thing is over. The thing that ended last does not count, because people still look at it.
 * @template {{ id: string }} Thing
 * @param {readonly Thing[]} things in the order in which they ended
 * @param {(thing: Thing) => boolean} isOver
 * @returns {(thing: Thing) => boolean}
 */
function lately(things, isOver) {
  const latest = things.filter(isOver).at(-1);
  return (thing) => isOver(thing) && thing.id !== latest?.id;
}
