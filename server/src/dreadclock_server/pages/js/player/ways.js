// @ts-check
/** What a player can begin: each is closed until it is asked for, and its form is loaded then. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { nothing } from "../../vendor/lit-html/lit-html.js";
import { button, disclosure, lazily } from "../app/controls.js";
import { canTick, tickOf } from "../app/presses.js";
import { goTo } from "./waiting.js";
import { isOpen } from "./mine.js";

const checks = lazily(() => import("./propose_check.js"));
const totals = lazily(() => import("./propose_total.js"));
const rolls = lazily(() => import("./rolls.js"));
const starts = lazily(() => import("./start.js"));
const newcomers = lazily(() => import("./character_form.js"));
const seats = lazily(() => import("./seat.js"));

/**
 * Draw the way to something that one of the viewer's characters sets out to do.
 * @param {Table} table @param {T.Character} character @param {string} name @param {string} label
 * @param {(place: string) => unknown} content
 */
function deed(table, { id, name: describes }, name, label, content) {
  const place = `character:${id}:${name}`;
  return disclosure(table, { key: place, label, describes, kind: "action", content: () => content(place) });
}

/** @param {Table} table @param {T.Character} character */
export function proposeCheck(table, character) {
  const draw = (/** @type {string} */ place) => checks(table, (it) => it.checkForm(table, character, place));
  return deed(table, character, "check", table.t("my.check"), draw);
}

/** @param {Table} table @param {T.Character} character */
export function proposeTotal(table, character) {
  const draw = (/** @type {string} */ place) => totals(table, (it) => it.totalForm(table, character, place));
  return deed(table, character, "total", table.t("my.total"), draw);
}

/** Draw the way to roll plain dice for a character. @param {Table} table @param {T.Character} character */
export function rollFor(table, character) {
  const draw = (/** @type {string} */ place) => rolls(table, (it) => it.rollForm(table, place, character));
  return deed(table, character, "dice", table.t("my.plain_roll"), draw);
}

/**
 * Open the form for a check against a challenge.
 * @param {Table} table
 * @param {T.Character} character
 * @param {string} challengeId
 */
export function checkAgainst(table, { id }, challengeId) {
  const place = `character:${id}:check`;
  table.ui.set(`preset:${place}`, challengeId);
  table.set(`open:${place}`, true);
  goTo(`[data-form="${place}:send"] input`);
}

/**
 * Draw the way to something that is nobody's yet; none where the evening is over.
 * @param {Table} table @param {string} place @param {string} label @param {() => unknown} content
 */
function start(table, place, label, content) {
  return isOpen(table) ? disclosure(table, { key: place, label, content }) : nothing;
}

/** Draw the way to roll plain dice for nobody. @param {Table} table */
export function rollPlainly(table) {
  return start(table, "roll:dice", table.t("my.plain_roll"), () => rolls(table, (it) => it.rollForm(table, "roll:dice")));
}

/** Draw the way to start a countdown, where the house rules let players do so. @param {Table} table */
export function startCountdown(table) {
  if (!table.view.policy.player_countdowns) return nothing;
  const place = "start:countdown";
  return start(table, place, table.t("my.start_countdown"), () => starts(table, (it) => it.countdownForm(table, place)));
}

/** Draw the way to start a clock. @param {Table} table */
export function startClock(table) {
  const place = "start:clock";
  return start(table, place, table.t("my.start_clock"), () => starts(table, (it) => it.clockForm(table, place)));
}

const NEWCOMER = "add:character";

/** Draw the form of the viewer's first character. @param {Table} table */
export function firstCharacter(table) {
  return newcomers(table, (it) => it.characterForm(table, NEWCOMER));
}

/** Draw the way to bring another character into play. @param {Table} table */
export function addCharacter(table) {
  return start(table, NEWCOMER, table.t("my.add_character"), () => firstCharacter(table));
}

/** Draw what the viewer can do with her seat. @param {Table} table */
export function ownSeat(table) {
  const { seat } = table;
  if (!seat) return nothing;
  return start(table, "seat", table.t("my.seat"), () => seats(table, (it) => it.seatForm(table, seat, "seat")));
}

/** Draw the tick of a clock that is the viewer's own. @param {Table} table @param {T.Clock} clock */
export function clockControls(table, clock) {
  if (!table.owns(clock) || !canTick(table, clock)) return nothing;
  return button(table, { key: `clock:${clock.id}:tick`, label: table.t("my.tick"), describes: clock.name, ...tickOf(clock) });
}
