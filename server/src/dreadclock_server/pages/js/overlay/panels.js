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

const MOST_DICE = 12; // dice of a countdown; more dice are drawn as a number
const MOST_THINGS = 8; // things in a panel, by default
const MOST_COMING = 2; // checks and totals that are about to be rolled
const LINES = 5;

/**
 * The functions that draw the panels. `most`: the most things. `keepsLast`: also draw the thing that ended last.
 * @type {{ [panel: string]: (table: Table, most?: number, keepsLast?: boolean) => unknown }}
 */
export const PANELS = { countdowns, clocks, scenes, others, characters, checks, totals, log };

/**
 * @template {{ id: string }} Thing
 * @param {Table} table @param {string} name @param {readonly Thing[]} things @param {(thing: Thing) => unknown} draw
 * @param {number} [most] the most things that are drawn
 */
function panel(table, name, things, draw, most = MOST_THINGS) {
  if (!things.length) return nothing;
  const more = things.length - most;
  return html`<section class=${`panel ${name}`} aria-label=${table.t(`section.${name}`)}>
    ${keyed(things.slice(0, most), draw)} ${more > 0 ? html`<p class="more">${table.t("more", { number: more })}</p>` : nothing}
  </section>`;
}

/**
 * Return the active things. Without any, return the thing that ended last, if `keepsLast`.
 * @template {{ status: string }} Thing
 * @param {readonly Thing[]} things @param {(thing: Thing) => boolean} goesOn @param {boolean} keepsLast
 */
function going(things, goesOn, keepsLast) {
  const active = things.filter(goesOn);
  return active.length || !keepsLast ? active : things.filter(({ status }) => status !== "cancelled").slice(-1);
}

/** @param {Table} table @param {T.Sealed["kind"]} kind */
function sealedOf(table, kind) {
  return [...table.view.sealed.values()].filter((thing) => thing.kind === kind);
}

/** @param {Table} table @param {number} [most] @param {boolean} [keepsLast] */
function countdowns(table, most, keepsLast = false) {
  const running = going([...table.view.countdowns.values()], (countdown) => !countdownIsOver(countdown), keepsLast);
  return panel(table, "countdowns", [...running, ...sealedOf(table, "countdown")], (thing) =>
    "pool" in thing ? countdown(table, thing) : sealed(table, thing),
    most,
  );
}

/** @param {Table} table @param {T.Countdown} thing */
function countdown(table, thing) {
  const { id, name, pool, status } = thing;
  const label = table.t("countdown.left", { pool });
  const said = saidOf(table, thing, false);
  const dice = pool > MOST_DICE ? [{}] : remaining(thing);
  return html`<div class="item" data-thing=${`countdown:${id}`} data-state=${status}>
    <p class="title" translate="no">${called(name)} ${status === "running" ? nothing : badge(table.t(`countdown.${status}`), status)}</p>
    <p class="pool" translate="no">
      <span class="number" aria-hidden="true">${pool}</span>${diceRow(dice, { label })}
    </p>
    ${said.length ? html`<p class="said">${said.join(", ")}</p>` : nothing} ${stages(table, thing)}
    ${follows(table, "countdown", thing)}
  </div>`;
}

/** @param {Table} table @param {T.Sealed} thing */
function sealed(table, thing) {
  const { id, kind, name } = thing;
  return html`<div class="item" data-thing=${`sealed:${id}`}>
    <p class="title" translate="no">${called(name)} ${badge(table.t("sealed.kind", { kind: table.t(`kind.${kind}`) }), "sealed")}</p>
    <p class="pool" translate="no">${closed(table, thing)}</p>
  </div>`;
}

/** @param {Table} table @param {number} [most] */
function clocks(table, most) {
  const free = [...table.view.clocks.values()].filter((clock) => clock.kind === "free");
  return panel(table, "clocks", [...free, ...sealedOf(table, "clock")], (thing) => ("size" in thing ? clock(table, thing) : sealed(table, thing)), most);
}

/** @param {Table} table @param {T.Clock} thing */
function clock(table, thing) {
  const { id, name, direction, value, size } = thing;
  return html`<div class=${`item clock ${isAlone(table) ? "alone" : ""}`} data-thing=${`clock:${id}`}>
    ${dial(table, thing)}
    <p class="title" translate="no">${called(name)}</p>
    <p class="left" aria-hidden="true">${table.t(`dial.${direction}`, { value, size })}</p>
    ${follows(table, "clock", thing)}
  </div>`;
}

/** @param {Table} table @param {number} [most] @param {boolean} [keepsLast] */
function scenes(table, most = MOST_THINGS, keepsLast = false) {
  const { shown, others } = scenesOf(table, keepsLast);
  return panel(table, "scenes", shown ? [shown, ...others].slice(0, most) : [], (each) => aScene(table, each, shown));
}

/** Draw the scenes beside the one that is shown. @param {Table} table @param {number} [most] */
function others(table, most) {
  return panel(table, "scenes", scenesOf(table).others, (each) => aScene(table, each), most);
}

/** @param {Table} table @param {boolean} [keepsLast] */
function scenesOf(table, keepsLast = true) {
  const open = going([...table.view.scenes.values()], (each) => each.status === "open" && !each.aside, keepsLast);
  const all = [...open, ...sealedOf(table, "scene")];
  const shown = shownScene(table, open) ?? all[0];
  return { shown, others: all.filter((each) => each !== shown) };
}

/** @param {Table} table @param {T.Scene | T.Sealed} thing @param {T.Scene | T.Sealed} [shown] */
const aScene = (table, thing, shown) => ("clock_id" in thing ? scene(table, thing, thing === shown) : sealed(table, thing));

/** @param {Table} table @param {T.Scene} thing @param {boolean} shown whether its dial is the large dial of the table */
function scene(table, thing, shown) {
  const { id, name, status } = thing;
  return html`<div class=${`item scene ${shown ? "" : "small"}`} data-thing=${`scene:${id}`}>
    <p class="title" role="heading" aria-level="2" translate="no">${called(name)} ${status === "open" ? nothing : badge(table.t(`scene.${status}`), status)}</p>
    ${shown ? sceneDial(table, thing, true) : smallDial(table, thing)} ${follows(table, "scene", thing)}
  </div>`;
}

/** @param {Table} table @param {number} [most] */
function characters(table, most) {
  const present = [...table.view.characters.values()].filter((character) => character.status !== "retired" && character.status !== "left");
  return panel(table, "characters", present, (thing) => character(table, thing), most);
}

/** @param {Table} table @param {T.Character} thing */
function character(table, thing) {
  const { id, name, status, states, tracks, momentum, interference } = thing;
  return html`<div class="item" data-thing=${`character:${id}`} data-state=${status}>
    <p class="title" translate="no">
      ${called(name)} ${status === "in_play" ? nothing : badge(table.t(`character.${status}`), status)}
      ${states.map((state) => badge(state, "state"))}
      ${Object.entries(tracks).map(([track, { value, most }]) => badge(`${isolated(track)} ${value}/${most}`, "track"))}
      ${momentum ? badge(table.t("momentum"), "momentum") : nothing}
      ${interference ? badge(table.t("interference"), "interference") : nothing}
    </p>
    ${crisisBoxes(table, thing)} ${follows(table, "character", thing)}
  </div>`;
}

/** @param {Table} table @param {number} [most] */
function checks(table, most) {
  return panel(table, "checks", [...openChecks(table), ...sealedOf(table, "check")], (thing) =>
    "parts" in thing ? check(table, thing) : sealed(table, thing),
    most,
  );
}

/** @param {Table} table */
function openChecks({ view }) {
  return [...view.checks.values()].filter((check) => check.status !== "resolved" || isDiscussed(check));
}

/** Draw the rolls that are about to happen, except rolls that a panel already shows. @param {Table} table @param {readonly string[]} show */
export function coming(table, show) {
  const [ofChecks, ofTotals] = ["checks", "totals"].map((name) => show.includes(name));
  return html`<div class="coming">
    ${ofChecks ? nothing : panel(table, "checks", openChecks(table), (thing) => check(table, thing), MOST_COMING)}
    ${ofTotals ? nothing : totals(table, MOST_COMING)}
  </div>`;
}

/** @param {Table} table @param {T.Check} thing */
function check(table, thing) {
  const { id, status, parts } = thing;
  const opposing = parts.filter(({ side }) => side === "opposing").map((part) => table.nameOfPart(part));
  return html`<div class="item" data-thing=${`check:${id}`} data-state=${status}>
    <p class="title" translate="no">
      ${called(nameOfCheck(table, thing))} ${opposing.length ? table.t("check.versus", { names: opposing }) : nothing} ${statusOf(table, thing)}
    </p>
    ${status === "resolved" ? bargains(table, thing) : html`${rollers(table, thing)} ${chancesOf(table, thing)}`}
    ${follows(table, "check", thing)}
  </div>`;
}

/** @param {Table} table @param {number} [most] */
function totals(table, most) {
  const open = [...table.view.totals.values()].filter((each) => !totalIsOver(each)).reverse();
  return panel(table, "totals", open, (each) => total(table, each), most);
}

/** @param {Table} table @param {T.Total} thing */
function total(table, thing) {
  const { id, status } = thing;
  return html`<div class="item" data-thing=${`total:${id}`} data-state=${status}>
    <p class="title" translate="no">${called(nameOfTotal(table, thing))} ${badge(table.t(`total.${status}`), status)}</p>
    ${totalBody(table, thing, true)} ${follows(table, "total", thing)}
  </div>`;
}

/** @param {Table} table */
function log(table) {
  const lines = actionsOf(table.told).slice(-LINES).map((action) => lineOf(action, table.words.t));
  if (!lines.length) return nothing;
  return html`<section class="panel log" aria-label=${table.t("chronicle")}>
    ${lines.map((line) => html`<p>${drawLine(table, line)}</p>`)}
  </section>`;
}
