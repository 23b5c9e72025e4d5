// @ts-check
/** Countdowns: the dice that remain, and what happens when they are gone. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { EXPIRES_FROM } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { guard } from "../../vendor/lit-html/directives/guard.js";
import { badge, card } from "./card.js";
import { diceRow, digits, proofMark } from "./die.js";

const LOOKED_AT = 6; // events

/** Tell whether a face leaves the pool of a countdown. @param {T.Speed} speed @param {number} face */
export function expires(speed, face) {
  return face >= EXPIRES_FROM[speed];
}

/** Return the dice that remain, as far as they were rolled with their faces. @param {T.Countdown} countdown */
export function remaining({ last_faces: faces, speed, pool }) {
  const stayed = faces.filter((face) => !expires(speed, face)).slice(0, pool);
  return [...stayed.map((face) => ({ face })), ...Array.from({ length: pool - stayed.length }, () => ({}))];
}

/** Tell whether a countdown is over. @param {T.Countdown} countdown */
export function isOver(countdown) {
  return countdown.status === "expired" || countdown.status === "cancelled";
}

/** Name the countdowns that ended a moment ago: people still look at them. @param {Table} table */
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
    body: html`${countdownDice(table, countdown)} ${stages(table, countdown)}`,
  });
}

/** @param {Table} table @param {T.Countdown} countdown */
function marks(table, countdown) {
  const { speed, bound_to, owner, status } = countdown;
  return html`${badge(table.t(`speed.${speed}`), "speed")}
  ${bound_to === "turn" && !isOver(countdown) ? badge(table.t("countdown.each_turn")) : nothing}
  ${owner ? badge(table.t("of", { name: table.nameOfSeat(owner) }), "owner") : nothing}
  ${status === "running" ? nothing : badge(table.t(`countdown.${status}`), status)}`;
}

/** Draw a countdown's last roll and the dice that remain. @param {Table} table @param {T.Countdown} countdown */
export function countdownDice(table, countdown) {
  const fresh = table.fresh(`countdown:${countdown.id}`);
  const roll = lastRoll(table, countdown);
  const standing = table.checked.standing(table.view, roll?.proof);
  return guard([countdown, fresh, roll, standing], () => drawn(table, countdown, fresh, roll));
}

/** @param {Table} table @param {T.Countdown} countdown @param {string} [fresh] @param {T.HiddenRoll} [roll] */
function drawn(table, { last_faces: faces, speed, pool }, fresh, roll) {
  const stay = faces.filter((face) => !expires(speed, face)).length;
  const shown = [
    ...faces.map((face) => ({ face, lost: expires(speed, face) })),
    ...Array.from({ length: Math.max(0, pool - stay) }, () => ({})),
  ];
  const left = table.t("countdown.left", { pool });
  const label = faces.length ? `${left}; ${table.t("last_roll", { faces: digits(faces) })}` : left;
  return html`<p class="pool">
    ${diceRow(shown, { label, fresh, physical: roll?.physical ? table.t("physical") : undefined })}
    ${roll ? proofMark(table, roll) : nothing}
    <span class="count" aria-hidden="true">${left}</span>
  </p>`;
}

/**
 * Return the last roll of a countdown, as far as that is still told.
 * @param {Table} table @param {T.Countdown} countdown @returns {T.HiddenRoll | undefined}
 */
function lastRoll(table, { id }) {
  const parts = Object.values(table.view.channels);
  for (const part of parts) {
    const records = part?.recent ?? [];
    for (let place = records.length - 1; place >= 0; place--) {
      const { event } = records[place];
      if (event.type === "countdown_rolled" && event.countdown_id === id) return event;
      const shown = event.type === "revealed" && event.things.countdowns.find((each) => each.id === id);
      if (shown) return shown.hidden_rolls.at(-1);
    }
  }
  return undefined;
}

/** @param {Table} table @param {T.Countdown} countdown */
function stages(table, { stages: all, ending, pool, status }) {
  if (!all.length && !ending) return nothing;
  return html`<ul class="stages">
    ${all.map((stage) => {
      const reached = pool <= stage.at && status !== "cancelled";
      return html`<li class=${reached ? "reached" : ""}>
        ${table.t(reached ? "stage.reached" : "stage.ahead", { at: stage.at })}: ${stage.effect}
      </li>`;
    })}
    ${ending ? html`<li class=${status === "expired" ? "reached" : ""}>${table.t("stage.end")}: ${ending}</li>` : nothing}
  </ul>`;
}
