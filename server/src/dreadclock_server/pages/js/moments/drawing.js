// @ts-check
/** Moments as plates: whose roll it is, its dice in motion, and once these lie still what came of them, and what else they did. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Moment } from "./stage.js"
 * @import { News, NewsKind, Thrown } from "./telling.js"
 * @import { DieFace } from "../parts/die.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { badge, called } from "../parts/card.js";
import { diceRow } from "../parts/die.js";
import { dial } from "../parts/dial.js";
import { cameOf, others } from "../parts/rolled.js";

const CUBES = 10; // more of them would be a heap: they land as flat dice
const CALM = 2; // more rolls at once are one list
const CALM_MS = 350;
const LANDED_MS = [560, 740, 860, 960]; // by how often 6s added dice, as css/moments.css moves them
const MOST_WAVES = LANDED_MS.length - 1;
/** @type {{ [face: number]: readonly number[] }} what is on the right, the left, above and below of a face, as on a real die */
const AROUND = { 1: [3, 4, 2, 5], 2: [3, 4, 6, 1], 3: [6, 1, 2, 5], 4: [1, 6, 2, 5], 5: [3, 4, 1, 6], 6: [4, 3, 2, 5] };
const SIDES = ["right", "left", "above", "below"];

/**
 * @typedef {(kind: NewsKind | "roll") => boolean} Shows which parts of moments are to be seen
 */

const MOST_ROWS = 8;
const MOST_NEWS = 3;
const EDGE = 16; // px that are left free below
const FALLEN = 8; // dice of one row; more of them are a number

/** Draw moments, oldest first. @param {Table} table @param {readonly Moment[]} moments @param {Shows} [shows] */
export function plates(table, moments, shows = () => true) {
  const seen = moments.map((moment) => seenOf(moment, moments, shows)).filter(({ rolls, news }) => rolls.length || news.length);
  return repeat(seen, (each) => each.key, (each) => plate(table, each));
}

/** Leave out of a moment what is not to be seen. @param {Moment} moment @param {readonly Moment[]} all @param {Shows} shows @returns {Moment} */
function seenOf(moment, all, shows) {
  const later = all.slice(all.indexOf(moment) + 1).flatMap(({ rolls }) => rolls.map(checkOf));
  const rolls = moment.rolls.filter((roll) => !checkOf(roll) || !later.includes(checkOf(roll))); // it shows them all
  const news = moment.landed ? moment.news.filter(({ kind }) => shows(kind)) : [];
  return { ...moment, rolls: shows("roll") ? rolls : [], news };
}

/** @param {Thrown} roll */
function checkOf({ event }) {
  return event.type === "check_rolled" ? event.check_id : undefined;
}

/** @param {Table} table @param {Moment} moment */
function plate(table, moment) {
  const { rolls, news, landed, going } = moment;
  const kind = news.some((each) => each.kind === "crisis") ? "crisis" : (news[0]?.kind ?? "");
  return html`<div class=${`moment ${kind} ${landed ? "landed" : ""} ${going ? "going" : ""}`} translate="no">
    ${isCalm(moment) ? list(table, rolls, landed) : repeat(rolls, (each) => each.key, (each) => thrown(table, each, landed))}
    ${news.slice(-MOST_NEWS).map((each) => (isCalm(moment) ? toldBriefly(each) : told(table, each)))}
  </div>`;
}

/** @param {Table} table @param {Thrown} given @param {boolean} landed */
function thrown(table, { event, roll }, landed) {
  const { came, kind } = (landed && cameOf(table, event)) || roll;
  const physical = roll.physical ? table.t("physical") : undefined;
  return html`<div class=${`thrown ${roll.falls ? "falls" : ""} ${roll.last ? "last" : ""}`} data-moment="roll">
    <p class="headline">${called(roll.name)}</p>
    ${landed ? diceRow(roll.dice, { label: roll.label, physical, big: true }) : tumbling(roll.dice)}
    ${came ? html`<p class="came">${verdict(landed, came, kind)}</p>` : nothing}
    ${others(table, event)}
    ${landed && mayPush(table, event) ? html`<p class="more">${table.t("push.may_come")}</p>` : nothing}
  </div>`;
}

/** Draw what came of a roll; until its dice lie, an empty place as high. @param {boolean} landed @param {string} came @param {string} [kind] */
function verdict(landed, came, kind) {
  return landed ? badge(came, kind) : badge(" ");
}

/** Tell whether a push may come of a roll. Source: rules.md D4. @param {Table} table @param {T.Event} event */
function mayPush({ view }, event) {
  if (event.type !== "total_rolled" && event.type !== "luck_pushed") return false;
  const { status, enough } = view.totals.get(event.total_id) ?? {};
  return status === "rolled" && enough === false;
}

/** Draw many rolls of one moment, those of most consequence first. @param {Table} table @param {readonly Thrown[]} rolls @param {boolean} landed */
function list(table, rolls, landed) {
  const fallen = (/** @type {Thrown} */ { roll }) => roll.dice.filter((die) => die.lost).length + (roll.kind === "expired" ? 100 : 0);
  const first = [...rolls].sort((one, other) => fallen(other) - fallen(one)).slice(0, MOST_ROWS);
  const more = rolls.length - first.length;
  return html`<div class="thrown list" data-moment="roll">
    <p class="headline">${table.t("moment.many", { number: rolls.length })}</p>
    <ul>
      ${first.map(({ event, roll }) => {
        const { came, kind } = (landed && cameOf(table, event)) || roll;
        const dice = roll.dice.slice(0, FALLEN);
        return html`<li><bdi class="name">${roll.name}</bdi> ${diceRow(dice, { label: roll.label })} ${came ? verdict(landed, came, kind) : html`<span></span>`}</li>`;
      })}
    </ul>
    ${more > 0 ? html`<p class="more">${table.t("more", { number: more })}</p>` : nothing}
  </div>`;
}

/** @param {Table} table @param {News} news */
function told(table, { kind, name, headline, text, more, clock }) {
  return html`<div class=${`news ${kind}`} data-moment=${kind}>
    ${clock ? html`<div class="strikes">${dial(table, clock)}</div>` : nothing}
    ${kind === "seal" ? html`<span class="breaks" aria-hidden="true"><i></i><i></i></span>` : nothing}
    ${name ? html`<p class="subject">${called(name)}</p>` : nothing}
    <p class="headline">${headline}</p>
    <p class="text"><bdi>${text}</bdi></p>
    ${more ? html`<p class="more">${more}</p>` : nothing}
  </div>`;
}

/** Draw news below a list of rolls, which leaves little room. @param {News} news */
function toldBriefly({ kind, name, headline, text }) {
  return html`<div class=${`news ${kind}`} data-moment=${kind}>
    <p class="headline">${name ? html`${called(name)}: ${headline}` : headline}</p>
    <p class="text"><bdi>${text}</bdi></p>
  </div>`;
}

/** Make moments smaller until all of them fit into what is around them: on a low screen, or where names are long. @param {HTMLElement} moments */
export function fit(moments) {
  moments.style.removeProperty("--fit");
  const around = /** @type {HTMLElement} */ (moments.parentElement);
  const { paddingTop, paddingBottom } = getComputedStyle(around);
  const room = around.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom) - EDGE;
  if (moments.scrollHeight > room) moments.style.setProperty("--fit", String(room / moments.scrollHeight));
}

/** Tell whether so many rolls happened at once that they are one list. @param {Moment} moment */
export function isCalm({ rolls }) {
  return rolls.length > CALM;
}

/** Return after how many ms the dice of a moment lie still. @param {Moment} moment */
export function landsAfter(moment) {
  if (isCalm(moment)) return CALM_MS;
  const waves = moment.rolls.flatMap(({ roll }) => roll.dice.map((die) => die.wave ?? 0));
  return LANDED_MS[Math.min(MOST_WAVES, Math.max(0, ...waves))];
}

/** Draw dice as they tumble; what they mean is not said before they lie. @param {readonly DieFace[]} dice */
export function tumbling(dice) {
  const flat = dice.length > CUBES;
  return html`<span class=${`dice big ${flat ? "flat" : "cubes"}`}>
    ${dice.map((die, place) => {
      const how = `wave-${Math.min(MOST_WAVES, die.wave ?? 0)} turn-${place % 3}`;
      return die.hidden ? html`<i class=${`tumbles hidden ${how}`}>?</i>` : cube(die.face ?? 1, how, flat);
    })}
  </span>`;
}

/** @param {number} face @param {string} how @param {boolean} flat */
function cube(face, how, flat) {
  const sides = flat ? nothing : html`${SIDES.map((side, place) => html`<b class=${`${side} f${AROUND[face][place]}`}></b>`)}<b class=${`behind f${7 - face}`}></b>`;
  return html`<i class=${`tumbles ${how}`}><i class="solid"><b class=${`front f${face}`}></b>${sides}</i></i>`;
}
