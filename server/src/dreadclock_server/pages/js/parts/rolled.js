// @ts-check
/** Rolls of every kind as one kind of picture: whose they are, their dice, and what came of them. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { DieFace } from "./die.js"
 *
 * @typedef {object} Rolled
 * @property {string} name whose dice they are, or what they are for
 * @property {readonly DieFace[]} dice
 * @property {string} label what is read aloud in place of the dice
 * @property {boolean} [physical]
 * @property {string} [came] what came of it, in a word or two
 * @property {string} [kind] the class of that word
 */

import { digits, lostAmong, repeated } from "./die.js";
import { expires } from "./countdown.js";

const HOLD_DICE = new Set(["countdown", "roll", "check"]); // a sealed one that changes has most likely rolled

/**
 * Return the picture of an event; null if it rolled nothing.
 * @param {Table} table
 * @param {T.Event} event
 * @returns {Rolled | null}
 */
export function rolledIn(table, event) {
  switch (event.type) {
    case "countdown_rolled":
      return ofCountdown(table, event);
    case "dice_rolled":
      return ofDice(table, event.roll);
    case "check_rolled":
      return ofCheck(table, event);
    case "total_rolled":
      return ofTotal(table, event);
    case "luck_pushed":
      return ofPush(table, event);
    case "sealed_changed":
      return HOLD_DICE.has(event.kind) ? ofSealed(table, event) : null;
    case "sealed_started":
      return event.thing.kind === "roll" ? ofSealed(table, event.thing) : null;
    default:
      return null;
  }
}

/** @param {Table} table @param {T.CountdownRolled} event @returns {Rolled} */
function ofCountdown(table, { countdown_id: id, faces, remaining, physical }) {
  const countdown = table.view.countdowns.get(id);
  return {
    name: countdown?.name ?? id,
    dice: faces.map((face) => ({ face, lost: countdown ? expires(countdown.speed, face) : false })),
    label: table.t("rolled_plainly", { faces: digits(faces) }),
    physical,
    came: table.t("countdown.left", { pool: remaining }),
    kind: remaining === 0 ? "expired" : "",
  };
}

/** @param {Table} table @param {T.Roll} roll @returns {Rolled} */
function ofDice(table, { character_id, seat_id, name, faces, physical }) {
  const who = character_id ? table.nameOfCharacter(character_id) : table.nameOfSeat(seat_id);
  return {
    name: name ? `${who}: ${name}` : who,
    dice: faces.map((face) => ({ face })),
    label: table.t("rolled_plainly", { faces: digits(faces) }),
    physical,
  };
}

/** @param {Table} table @param {T.CheckRolled} event @returns {Rolled | null} */
function ofCheck(table, { check_id, part }) {
  const { roll } = part;
  if (!roll) return null;
  const { faces, remaining, outcome, physical } = roll;
  const purpose = table.view.checks.get(check_id)?.purpose;
  const who = table.nameOfPart(part);
  const lost = lostAmong(faces, remaining);
  return {
    name: purpose ? `${who}: ${purpose}` : who,
    dice: faces.map((face, place) => ({ face, lost: lost[place] })),
    label: table.t("rolled", { faces: digits(faces) || "–", remaining: digits(remaining) || "–" }),
    physical,
    came: table.t(`outcome.${outcome}`),
    kind: outcome,
  };
}

/** @param {Table} table @param {T.TotalRolled} event @returns {Rolled} */
function ofTotal(table, { total_id, faces, kept, total, enough, physical }) {
  const again = repeated(faces);
  return {
    name: nameOfTotal(table, total_id),
    dice: faces.map((face, place) => ({ face, lost: again[place] })),
    label: table.t("total.dice", { faces: digits(faces), kept: digits(kept), total }),
    physical,
    came: [table.t("total.sum", { total }), reached(table, enough)].filter(Boolean).join(" · "),
    kind: enough === undefined ? "" : enough ? "success" : "fail",
  };
}

/** @param {Table} table @param {T.LuckPushed} event @returns {Rolled} */
function ofPush(table, { total_id, push: { face, total, enough, crisis, physical } }) {
  return {
    name: nameOfTotal(table, total_id),
    dice: [{ face, lost: crisis, mark: "+" }],
    label: table.t("total.pushes", { faces: digits([face]) }),
    physical,
    came: [table.t("total.sum", { total }), crisis ? table.t("stake.open") : reached(table, enough)].join(" · "),
    kind: crisis ? "crisis" : enough ? "success" : "fail",
  };
}

/** @param {Table} table @param {{ kind: string, name: string }} sealed @returns {Rolled} */
function ofSealed(table, { kind, name }) {
  return {
    name,
    dice: [{ hidden: true }],
    label: table.t("sealed.inside"),
    came: table.t("sealed.kind", { kind: table.t(`kind.${kind}`) }),
    kind: "sealed",
  };
}

/** @param {Table} table @param {string} id */
function nameOfTotal(table, id) {
  const total = table.view.totals.get(id);
  if (!total) return id;
  const who = table.nameOfCharacter(total.character_id);
  return total.purpose ? `${who}: ${total.purpose}` : who;
}

/** @param {Table} table @param {boolean | undefined} enough */
function reached(table, enough) {
  return enough === undefined ? "" : table.t(enough ? "total.enough" : "total.missed");
}
