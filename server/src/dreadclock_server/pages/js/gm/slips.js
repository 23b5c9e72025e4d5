// @ts-check
/** Slips of the hand: what the gm may take back, beside the sentences that tell of it. The server has the last word. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table, Told } from "../app/table.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily, onDemand } from "./lazily.js";

const forms = lazily(() => import("./slip_forms.js"));

const LATEST = 20; // sentences: a slip is noticed soon

/** Events of which no command is ever taken back. */
const BARRED = new Set([
  "room_opened", "room_continued", "room_closed", "room_reopened", "seat_joined", "seat_renamed", "seat_removed",
  "seat_lent", "seat_taken_back", "sealed_started", "revealed", "made_public", "required_revealed", "command_voided",
]);

/** Events of which a command is taken back only if all its dice were real ones, which can be mistyped. */
const OF_DICE = new Set([
  "crisis_due", "crisis_suffered", "crisis_described",
  "lane_opened", "dice_rolled", "countdown_rolled", "countdown_repeated", "total_rolled", "luck_pushed",
  "check_rolled", "check_resolved", "effects_offered", "effect_happened",
  "momentum_gained", "momentum_spent", "interference_gained", "interference_spent",
  "venture_earned", "venture_paid", "venture_lapsed",
]);

/** Return what draws the way to take a sentence back, where there is one. @param {Table} table */
export function slips(table) {
  const keys = table.view.closed || table.over || table.ui.has("past") ? new Set() : voidable(table);
  return (/** @type {Told} */ told) => (keys.has(told.key) ? slip(table, told) : nothing);
}

/** @param {Table} table @param {Told} told */
function slip(table, told) {
  const asked = { key: `void:${told.key}`, label: table.t("gm.slip"), describes: told.text };
  const draw = () => forms(table, (it) => it.takingBack(table, asked, told));
  return html`<div class="slip" aria-live="off">${onDemand(table, asked, draw)}</div>`;
}

/** Name the sentences that can be taken back: the first of each command, among the latest. @param {Table} table */
function voidable({ told, ui }) {
  const done = barredIn(told);
  const keys = new Set();
  told.forEach((each, place) => {
    const isNear = place >= told.length - LATEST || ui.get(`open:void:${each.key}:form`);
    if (!isNear || each.back || each.record.event.type === "sealed_changed" || done.has(commandOf(each))) return;
    done.add(commandOf(each));
    keys.add(each.key);
  });
  return keys;
}

/** Name the commands that are not taken back. @param {readonly Told[]} told */
function barredIn(told) {
  const done = new Set(told.filter(isBarred).map(commandOf));
  const real = new Map(); // by command that threw dice: whether all of them were real
  for (const each of told) {
    const physical = isPhysical(each.record.event);
    if (physical !== undefined) real.set(commandOf(each), physical && (real.get(commandOf(each)) ?? true));
  }
  told.filter(isOfDice).forEach((each) => real.get(commandOf(each)) || done.add(commandOf(each)));
  return done;
}

/** Tell whether an event's dice were real; undefined if it has none. @param {T.Event} event */
function isPhysical(event) {
  switch (event.type) {
    case "countdown_rolled":
    case "total_rolled":
      return event.physical;
    case "dice_rolled":
      return event.roll.physical;
    case "check_rolled":
      return event.part.roll?.physical;
    case "luck_pushed":
      return event.push.physical;
    case "countdown_repeated":
      return event.faces.length ? false : undefined; // the server's die says with how many
    case "check_resolved":
      return event.result.deals.length ? false : undefined; // the server deals
  }
}

/** Name the command that a record is of: who gave it, and when. @param {Told} told */
const commandOf = ({ at, record }) => `${record.by} ${at}`;

/** @param {Told} told */
function isBarred({ channel, record: { event } }) {
  if (event.type === "countdown_started" || event.type === "check_proposed") return channel === "gm"; // with its dice
  return BARRED.has(event.type);
}

/** @param {Told} told */
function isOfDice({ record: { event } }) {
  if (event.type === "check_adjusted") return event.check.parts.some((part) => part.roll);
  if (event.type === "required_set") return event.enough !== undefined; // it judged a roll
  return OF_DICE.has(event.type);
}
