// @ts-check
/** The cards of countdowns, which are pools of dice. A stage says what happens at a number of remaining dice. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { View } from "../../client/views.js"
 * @import { Table } from "../app/table.js"
 * @typedef {Pick<T.HiddenRoll, "physical" | "proof">} Shown the fields of a roll from which its mark is drawn
 */

import { rollStateIn } from "../../client/due.js";
import { EXPIRES_FROM } from "../../client/limits.js";
import { countdownIsOver } from "../app/over.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { guard } from "../../vendor/lit-html/directives/guard.js";
import { badge, card, pressed } from "./card.js";
import { diceRow, digits, labelOf } from "./die.js";
import { askedWord, proofMark } from "./word.js";

const LOOKED_AT = 6; // `justEnded` searches this many events of each channel

/** Tell whether a die with this face leaves the pool. @param {T.Speed} speed @param {number} face */
export function expires(speed, face) {
  return face >= EXPIRES_FROM[speed];
}

/** Return the remaining dice, with their faces if they were rolled. @param {T.Countdown} countdown */
export function remaining({ last_faces: faces, speed, pool }) {
  const stayed = faces.filter((face) => !expires(speed, face)).slice(0, pool);
  return [...stayed.map((face) => ({ face })), ...Array.from({ length: pool - stayed.length }, () => ({}))];
}

/**
 * Tell whether a countdown was already rolled in the current turn or round. Source: rules.md A8 and A12.
 * @param {View} view @param {T.Countdown} countdown
 */
export const wasRolled = (view, countdown) => rollStateIn(view, countdown) === "rolled";

/** Tell whether a countdown has to be rolled in the current turn or round. @param {View} view @param {T.Countdown} countdown */
export const waitsForRoll = (view, countdown) => countdown.status === "running" && rollStateIn(view, countdown) === "due";

/** Tell whether a countdown will be rolled at the end of the current turn. @param {View} view @param {T.Countdown} countdown */
export const isDue = (view, countdown) => countdown.status === "running" && rollStateIn(view, countdown, true) === "due";

/**
 * Return words for when a countdown is rolled, such as each round of a situation; empty if it is bound to nothing.
 * @param {Table} table @param {T.Countdown} countdown
 */
function boundTo(table, { bound_to, bound_id = "" }) {
  const { situations, scenes } = table.view;
  const name = (bound_to === "rounds" ? situations : scenes).get(bound_id)?.name ?? bound_id;
  return bound_to === "nothing" ? "" : table.t(`countdown.each_${bound_to}`, { name });
}

/**
 * Return sentences about a countdown: which character it is about, which attribute gave its dice, whether it can be
 * stabilized and replenished, and how it repeats. `whole`: also say if it cannot be stabilized or replenished.
 * Source: rules.md A9, A10, A13 and A15.
 * @returns {string[]}
 */
export function saidOf(/** @type {Table} */ table, /** @type {T.Countdown} */ countdown, whole = true) {
  const { about, fate, from_attribute: attribute, repeats } = countdown;
  const name = about && (table.view.characters.get(about)?.name ?? about);
  const goes = !countdownIsOver(countdown);
  const by = carersOf(table, countdown);
  return [
    name ? table.t(`countdown.about.${fate ?? "nothing"}`, { name }) : "",
    attribute ? table.t("countdown.from", { attribute }) : "",
    goes && (whole || countdown.stabilizable) ? table.t(`countdown.${countdown.stabilizable ? "" : "not_"}stabilizable`, { by }) : "",
    goes && (whole || countdown.replenishable) ? table.t(`countdown.${countdown.replenishable ? "" : "not_"}replenishable`, { by }) : "",
    goes && repeats ? table.t(`countdown.repeats.${repeats}`) : "",
  ].filter(Boolean);
}

/**
 * Return words for who may stabilize, resume and replenish a countdown. The gm always may, so the words name the gm only if
 * nobody else may. Source: rules.md A11.
 * @param {Table} table @param {T.Countdown} countdown
 */
function carersOf(table, { owner }) {
  const { care } = table.view.policy;
  if (care !== "owner") return table.t(`countdown.by.${care}`);
  return owner === undefined ? table.t("countdown.by.gm") : table.t("countdown.by.owner", { name: table.nameOfSeat(owner) });
}

/** Return the ids of the countdowns that ended lately: people still look at them. @param {Table} table */
export function justEnded({ view }) {
  const latest = Object.values(view.channels).flatMap((part) => part?.recent.slice(-LOOKED_AT) ?? []);
  return new Set(latest.flatMap(({ event }) => (event.type === "countdown_expired" ? [event.countdown_id] : [])));
}

/** Draw a countdown. @param {Table} table @param {T.Countdown} countdown */
export function countdownCard(table, countdown) {
  return card(table, {
    kind: "countdown",
    thing: countdown,
    name: countdown.name,
    state: countdown.status,
    marks: marks(table, countdown),
    body: html`${pressed(table, "countdown", countdown, countdownDice(table, countdown))} ${stages(table, countdown)}`,
  });
}

/** Draw the badges of a countdown. @param {Table} table @param {T.Countdown} countdown */
function marks(table, countdown) {
  const { speed, owner, status } = countdown;
  const bound = countdownIsOver(countdown) ? "" : boundTo(table, countdown);
  return html`${badge(table.t(`speed.${speed}`), "speed")}
  ${bound ? badge(bound) : nothing} ${saidOf(table, countdown).map((words) => badge(words))}
  ${owner ? badge(table.t("of", { name: table.nameOfSeat(owner) }), "owner") : nothing}
  ${status === "running" ? nothing : badge(table.t(`countdown.${status}`), status)}`;
}

/** Draw a countdown's last roll and its remaining dice. @param {Table} table @param {T.Countdown} countdown */
function countdownDice(table, countdown) {
  const roll = lastRoll(table, countdown);
  const standing = table.checked.standing(table.view, roll?.proof);
  return guard([countdown, roll, standing, askedWord(table)], () => drawn(table, countdown, roll));
}

/**
 * Draw the dice of the last roll, a blank die for each further die of the pool, and the number of dice left.
 * @param {Table} table @param {T.Countdown} countdown @param {Shown} [roll]
 */
function drawn(table, { id, last_faces: faces, speed, pool }, roll) {
  const stay = faces.filter((face) => !expires(speed, face)).length;
  const shown = [
    ...faces.map((face) => ({ face, lost: expires(speed, face) })),
    ...Array.from({ length: Math.max(0, pool - stay) }, () => ({})),
  ];
  const left = table.t("countdown.left", { pool });
  const label = faces.length ? `${left}; ${table.t("last_roll", { faces: digits(faces) })}` : left;
  return html`<p class="pool" translate="no">
    ${diceRow(shown, labelOf(table, { label, physical: roll?.physical }))}
    ${roll ? proofMark(table, roll, id) : nothing}
    <span class="count" aria-hidden="true">${left}</span>
  </p>`;
}

/**
 * Return the last roll of a countdown; undefined if the recent records do not have it.
 * @param {Table} table @param {T.Countdown} countdown @returns {Shown | undefined}
 */
function lastRoll(table, { id }) {
  for (const { event } of Object.values(table.view.channels).flatMap((part) => [...(part?.recent ?? [])].reverse())) {
    if (event.type === "countdown_rolled" && event.countdown_id === id) return event;
    const shown = event.type === "revealed" && event.things.countdowns.find((revealed) => revealed.id === id);
    if (shown) return shown.hidden_rolls.at(-1);
  }
}

/** Draw the stages and the ending. @param {Table} table @param {T.Countdown} countdown */
export function stages(table, { stages: all, ending, pool, status, started_with: start }) {
  if (!all.length && !ending) return nothing;
  return html`<ul class="stages">
    ${all.map((stage) => {
      const reached = pool <= stage.at && status !== "cancelled";
      return html`<li class=${reached ? "reached" : ""}>
        ${table.t(stage.at === start ? "stage.start" : reached ? "stage.reached" : "stage.ahead", { at: stage.at })}:
        <bdi>${stage.effect}</bdi>
      </li>`;
    })}
    ${ending ? html`<li class=${status === "expired" ? "reached" : ""}>${table.t("stage.end")}: <bdi>${ending}</bdi></li>` : nothing}
  </ul>`;
}
