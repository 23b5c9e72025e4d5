// @ts-check
/** Draws the sections of a table's page: one for scenes, one for countdowns, and so on. The pages of all roles use them. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { countdownIsOver, totalIsOver } from "../app/over.js";
import { section } from "./card.js";
import { characterCard } from "./character.js";
import { checkCard, nameOfCheck } from "./check.js";
import { countdownCard, justEnded } from "./countdown.js";
import { rollCard, sealedCard } from "./roll.js";
import { clockCard, sceneCard, shownScene, smallScene } from "./scene.js";
import { nameOfTotal, totalCard } from "./total.js";

const LATEST_ROLLS = 6;

/** @typedef {{ only?: (thing: any) => boolean, name?: string }} Of `only`: whether to draw a thing, by default true. `name`: the name of the section; by default the kind of its things */

/** Return the name of a thing; empty if it has none. @param {Table} table @param {string} kind @param {any} thing @returns {string} */
export function nameOf(table, kind, thing) {
  if (kind === "check") return nameOfCheck(table, thing);
  return kind === "total" ? nameOfTotal(table, thing) : (thing.name ?? "");
}

/**
 * Return the things to draw, all of one kind (`family`), and the name of their section.
 * @param {Table} table @param {"scenes" | "clocks" | "countdowns" | "checks" | "totals" | "characters" | "sealed" | "rolls"} family @param {Of} [of]
 */
function chosen(table, family, { only = () => true, name = family } = {}) {
  return { name, things: /** @type {any[]} */ ([...table.view[family].values()]).filter(only) };
}

/** Draw the scenes. The main scene has a large dial. Other scenes have small dials, unless they are over. @param {Table} table @param {Of} [of] */
export function scenes(table, of) {
  const { name, things } = chosen(table, "scenes", of);
  const [over, shown] = [sceneIsOver(things), shownScene(table, things)];
  const sorted = [...things].sort((a, b) => Number(b === shown) - Number(a === shown));
  const draw = (/** @type {T.Scene} */ scene) => (scene === shown || over(scene) ? sceneCard : smallScene)(table, scene);
  return section(table, { name, things: sorted, draw, over });
}

/** Draw the clocks that belong to no scene. @param {Table} table @param {Of} [of] */
export function clocks(table, { only = () => true, ...of } = {}) {
  const free = chosen(table, "clocks", { ...of, only: (clock) => clock.kind === "free" && only(clock) });
  return section(table, { ...free, draw: (clock) => clockCard(table, clock) });
}

/** Draw the countdowns. A countdown that has just ended is not yet drawn with the ended things. @param {Table} table @param {Of} [of] */
export function countdowns(table, of) {
  const lookedAt = justEnded(table);
  const over = (/** @type {T.Countdown} */ countdown) => countdownIsOver(countdown) && !lookedAt.has(countdown.id);
  return section(table, { ...chosen(table, "countdowns", of), draw: (countdown) => countdownCard(table, countdown), over });
}

/** @param {Table} table @param {Of} [of] */
export function checks(table, of) {
  const over = lately([...table.view.checks.values()], (check) => check.status === "resolved");
  return section(table, { ...chosen(table, "checks", of), draw: (check) => checkCard(table, check), over });
}

/** @param {Table} table @param {Of} [of] */
export function totals(table, of) {
  const totals = chosen(table, "totals", of);
  return section(table, { ...totals, draw: (total) => totalCard(table, total), over: lately(totals.things, totalIsOver) });
}

/** Draw the characters, dead characters last. @param {Table} table @param {Of} [of] */
export function characters(table, of) {
  const { name, things } = chosen(table, "characters", of);
  const deadLast = [...things].sort((a, b) => Number(a.status === "dead") - Number(b.status === "dead"));
  const over = (/** @type {T.Character} */ { status }) => status === "retired";
  return section(table, { name, things: deadLast, draw: (character) => characterCard(table, character), over });
}

/** Draw the sealed (hidden) things. @param {Table} table @param {Of} [of] */
export function sealed(table, of) {
  return section(table, { ...chosen(table, "sealed", of), draw: (thing) => sealedCard(table, thing) });
}

/** Draw the latest plain rolls (of no check or total), the newest first. @param {Table} table @param {Of} [of] */
export function rolls(table, of) {
  const { name, things } = chosen(table, "rolls", of);
  return section(table, { name, things: things.slice(-LATEST_ROLLS).reverse(), draw: (roll) => rollCard(table, roll) });
}

/**
 * Return a function that tells whether a scene is over. The last scene never counts as over.
 * @param {readonly T.Scene[]} scenes the latest last
 */
function sceneIsOver(scenes) {
  const last = scenes.at(-1);
  return (/** @type {T.Scene} */ scene) => scene.status !== "open" && scene !== last;
}

/**
 * Return a function that tells whether a thing is over. The newest such thing does not count yet: people still look at it.
 * @template {{ id: string }} Thing
 * @param {readonly Thing[]} things the oldest first
 * @param {(thing: Thing) => boolean} isOver
 * @returns {(thing: Thing) => boolean}
 */
function lately(things, isOver) {
  const latest = things.filter(isOver).at(-1);
  return (thing) => isOver(thing) && thing.id !== latest?.id;
}
