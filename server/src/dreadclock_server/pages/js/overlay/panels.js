// @ts-check
/** The panels of an overlay: parts of the table, large enough for a video. They have no controls. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { actionsOf, lineOf } from "../app/lines.js";
import { countdownIsOver, totalIsOver } from "../app/over.js";
import { badge, called, follows, keyed } from "../parts/card.js";
import { crisisBoxes } from "../parts/character.js";
import { bargains, chancesOf, isDiscussed, nameOfCheck, rollers, statusOf } from "../parts/check.js";
import { remaining, saidOf, stages } from "../parts/countdown.js";
import { diceRow } from "../parts/die.js";
import { closed, dial } from "../parts/dial.js";
import { drawLine } from "../parts/line.js";
import { isAlone, sceneDial, shownScene, smallDial } from "../parts/scene.js";
import { nameOfTotal, totalBody } from "../parts/total.js";
import { isolated } from "../../client/messages.js";

const MOST_DICE = 12; // dice of a countdown; for more dice, only a number and a single die are drawn
const MOST_THINGS = 8; // things in a panel, by default
const MOST_COMING = 2; // checks and totals that are about to be rolled
const LINES = 5;

/**
 * The functions that draw the panels. `most`: how many things are drawn. `keepsLast`: if nothing is active, draw the last thing
 * that was not cancelled.
 * @type {{ [panel: string]: (table: Table, most?: number, keepsLast?: boolean) => unknown }}
 */
export const PANELS = { countdowns, clocks, scenes, others, characters, checks, totals, log };

/**
 * Draw a panel, or nothing without things. A last line says how many are left out.
 * @template {{ id: string }} Thing
 * @param {Table} table @param {string} name @param {readonly Thing[]} things @param {(thing: Thing) => unknown} draw
 * @param {number} [most] how many things are drawn
 */
function panel(table, name, things, draw, most = MOST_THINGS) {
  if (!things.length) return nothing;
  const more = things.length - most;
  return html`<section class=${`panel ${name}`} aria-label=${table.t(`section.${name}`)}>
    ${keyed(things.slice(0, most), draw)} ${more > 0 ? html`<p class="more">${table.t("more", { number: more })}</p>` : nothing}
  </section>`;
}

/**
 * Return the active things. If there are none and `keepsLast` is true, return the last thing that was not cancelled.
 * @template {{ status: string }} Thing
 * @param {readonly Thing[]} things @param {(thing: Thing) => boolean} goesOn @param {boolean} keepsLast
 */
function going(things, goesOn, keepsLast) {
  const active = things.filter(goesOn);
  return active.length || !keepsLast ? active : things.filter(({ status }) => status !== "cancelled").slice(-1);
}

/**
 * Draw a thing: its name with some marks, and below it its content and what it triggers.
 * @param {Table} table @param {string} kind @param {any} thing
 * @param {{ name?: string, marks?: unknown, body: unknown, also?: string }} drawn `name`: by default the thing's; `also`: a further CSS class
 */
function item(table, kind, thing, { name = thing.name, marks = nothing, body, also = "" }) {
  return html`<div class=${`item ${also}`} data-thing=${`${kind}:${thing.id}`} data-state=${thing.status ?? nothing}>
    <p class="title" role=${kind === "scene" ? "heading" : nothing} aria-level=${kind === "scene" ? 2 : nothing} translate="no">${called(name)} ${marks}</p>
    ${body} ${follows(table, kind, thing)}
  </div>`;
}

/** Return the sealed things of a kind, of which only the names are public. @param {Table} table @param {T.Sealed["kind"]} kind */
function sealedOf(table, kind) {
  return [...table.view.sealed.values()].filter((thing) => thing.kind === kind);
}

/** Draw a sealed thing. @param {Table} table @param {T.Sealed} thing */
function sealed(table, thing) {
  const marks = badge(table.t("sealed.kind", { kind: table.t(`kind.${thing.kind}`) }), "sealed");
  return item(table, "sealed", thing, { marks, body: html`<p class="pool" translate="no">${closed(table, thing)}</p>` });
}

/** Draw the panel of countdowns. @param {Table} table @param {number} [most] @param {boolean} [keepsLast] */
function countdowns(table, most, keepsLast = false) {
  const running = going([...table.view.countdowns.values()], (countdown) => !countdownIsOver(countdown), keepsLast);
  const draw = (/** @type {T.Countdown | T.Sealed} */ thing) => ("pool" in thing ? countdown(table, thing) : sealed(table, thing));
  return panel(table, "countdowns", [...running, ...sealedOf(table, "countdown")], draw, most);
}

/** @param {Table} table @param {T.Countdown} thing */
function countdown(table, thing) {
  const { pool, status } = thing;
  const words = saidOf(table, thing, false);
  return item(table, "countdown", thing, {
    marks: status === "running" ? nothing : badge(table.t(`countdown.${status}`), status),
    body: html`<p class="pool" translate="no">
        <span class="number" aria-hidden="true">${pool}</span>${diceRow(pool > MOST_DICE ? [{}] : remaining(thing), table.t("countdown.left", { pool }))}
      </p>
      ${words.length ? html`<p class="said">${words.join(", ")}</p>` : nothing} ${stages(table, thing)}`,
  });
}

/** Draw the panel of free-standing clocks. @param {Table} table @param {number} [most] */
function clocks(table, most) {
  const free = [...table.view.clocks.values()].filter((clock) => clock.kind === "free");
  const draw = (/** @type {T.Clock | T.Sealed} */ thing) => ("size" in thing ? clock(table, thing) : sealed(table, thing));
  return panel(table, "clocks", [...free, ...sealedOf(table, "clock")], draw, most);
}

/** Draw a clock. Its dial stands before its name. @param {Table} table @param {T.Clock} thing */
function clock(table, thing) {
  const { id, name, direction, value, size } = thing;
  return html`<div class=${`item clock ${isAlone(table) ? "alone" : ""}`} data-thing=${`clock:${id}`}>
    ${dial(table, thing)}
    <p class="title" translate="no">${called(name)}</p>
    <p class="left" aria-hidden="true">${table.t(`dial.${direction}`, { value, size })}</p>
    ${follows(table, "clock", thing)}
  </div>`;
}

/** Draw the panel of scenes, the main scene first. @param {Table} table @param {number} [most] @param {boolean} [keepsLast] */
function scenes(table, most = MOST_THINGS, keepsLast = false) {
  const { main, others } = scenesOf(table, keepsLast);
  return panel(table, "scenes", main ? [main, ...others].slice(0, most) : [], (thing) => scene(table, thing, thing === main));
}

/** Draw the scenes except the main scene. @param {Table} table @param {number} [most] */
function others(table, most) {
  return panel(table, "scenes", scenesOf(table).others, (thing) => scene(table, thing), most);
}

/** Return the scene to show as the large dial, and the other scenes. @param {Table} table @param {boolean} [keepsLast] */
function scenesOf(table, keepsLast = true) {
  const open = going([...table.view.scenes.values()], ({ status, aside }) => status === "open" && !aside, keepsLast);
  const all = [...open, ...sealedOf(table, "scene")];
  const main = shownScene(table, open) ?? all[0];
  return { main, others: all.filter((thing) => thing !== main) };
}

/** Draw a scene. @param {Table} table @param {T.Scene | T.Sealed} thing @param {boolean} [isMain] whether its dial is the large dial of the table */
function scene(table, thing, isMain = false) {
  if (!("clock_id" in thing)) return sealed(table, thing);
  const { status } = thing;
  return item(table, "scene", thing, {
    also: isMain ? "scene" : "scene small",
    marks: status === "open" ? nothing : badge(table.t(`scene.${status}`), status),
    body: isMain ? sceneDial(table, thing, true) : smallDial(table, thing),
  });
}

/** Draw the panel of characters. @param {Table} table @param {number} [most] */
function characters(table, most) {
  const present = [...table.view.characters.values()].filter(({ status }) => status !== "retired" && status !== "left");
  return panel(table, "characters", present, (thing) => character(table, thing), most);
}

/** @param {Table} table @param {T.Character} thing */
function character(table, thing) {
  const { status, states, tracks, momentum, interference } = thing;
  return item(table, "character", thing, {
    marks: html`${status === "in_play" ? nothing : badge(table.t(`character.${status}`), status)}
    ${states.map((state) => badge(state, "state"))}
    ${Object.entries(tracks).map(([track, { value, most }]) => badge(`${isolated(track)} ${value}/${most}`, "track"))}
    ${momentum ? badge(table.t("momentum"), "momentum") : nothing}
    ${interference ? badge(table.t("interference"), "interference") : nothing}`,
    body: crisisBoxes(table, thing),
  });
}

/** Draw the panel of checks. @param {Table} table @param {number} [most] */
function checks(table, most) {
  const draw = (/** @type {T.Check | T.Sealed} */ thing) => ("parts" in thing ? check(table, thing) : sealed(table, thing));
  return panel(table, "checks", [...openChecks(table), ...sealedOf(table, "check")], draw, most);
}

/** Return the checks that are not resolved, or in which a cost for a failure waits for an answer. @param {Table} table */
export function openChecks({ view }) {
  return [...view.checks.values()].filter((check) => check.status !== "resolved" || isDiscussed(check));
}

/**
 * Draw the open checks and totals. Leave out the checks or totals for which the overlay has a panel.
 * @param {Table} table @param {readonly string[]} show the names of the panels
 */
export function coming(table, show) {
  return html`<div class="coming">
    ${show.includes("checks") ? nothing : panel(table, "checks", openChecks(table), (thing) => check(table, thing), MOST_COMING)}
    ${show.includes("totals") ? nothing : totals(table, MOST_COMING)}
  </div>`;
}

/** @param {Table} table @param {T.Check} thing */
function check(table, thing) {
  const opposing = thing.parts.filter(({ side }) => side === "opposing").map((part) => table.nameOfPart(part));
  return item(table, "check", thing, {
    name: nameOfCheck(table, thing),
    marks: html`${opposing.length ? table.t("check.versus", { names: opposing }) : nothing} ${statusOf(table, thing)}`,
    body: thing.status === "resolved" ? bargains(table, thing) : html`${rollers(table, thing)} ${chancesOf(table, thing)}`,
  });
}

/** Draw the panel of open totals, the latest first. @param {Table} table @param {number} [most] */
function totals(table, most) {
  const open = [...table.view.totals.values()].filter((total) => !totalIsOver(total)).reverse();
  return panel(table, "totals", open, (thing) => total(table, thing), most);
}

/** @param {Table} table @param {T.Total} thing */
function total(table, thing) {
  const marks = badge(table.t(`total.${thing.status}`), thing.status);
  return item(table, "total", thing, { name: nameOfTotal(table, thing), marks, body: totalBody(table, thing, true) });
}

/** Draw the latest lines of the log. @param {Table} table */
function log(table) {
  const lines = actionsOf(table.sentences).slice(-LINES).map((action) => lineOf(action, table.words.t));
  if (!lines.length) return nothing;
  return html`<section class="panel log" aria-label=${table.t("chronicle")}>
    ${lines.map((line) => html`<p>${drawLine(table, line)}</p>`)}
  </section>`;
}
