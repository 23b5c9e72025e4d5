// @ts-check
/** Describes rolls of every kind in the same form: a name, the dice, and the result. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { DieFace } from "./die.js"
 *
 * @typedef {object} Rolled
 * @property {string} name the roller, or the purpose of the roll
 * @property {string} [seat] the id of the roller's seat
 * @property {readonly DieFace[]} dice
 * @property {string} label the dice as text, for screen readers
 * @property {boolean} [physical]
 * @property {string} [came] the result, in a word or two
 * @property {string} [kind] the CSS class of the result
 */

import { titled } from "./card.js";
import { diceOfTotal, digits, lostAmong, wavesOf } from "./die.js";
import { expires } from "./countdown.js";
import { nameOfTotal } from "./total.js";

const COLOURS = 8;
const HOLD_DICE = new Set(["countdown", "roll", "check"]); // sealed (hidden) things of these kinds have dice: their changes are shown as rolls

/**
 * Return the roll of an event; null if the event has none.
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
      return ofPart(table, event);
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

/** Tell whether a cost turned a failed check into a success. Source: rules.md C20. @param {T.Check} check */
export function isPaid({ cost }) {
  return cost?.stage === "applied";
}

/** Return words for who won a contest, and how; empty without a winner. @param {Table} table @param {T.Check} check */
export function winnerOf(table, { parts, result }) {
  if (!result?.winner) return "";
  const names = parts.filter(({ side }) => side === result.winner).map((part) => table.nameOfPart(part));
  return table.t("check.winner", { names, how: table.t(`decided.${result.decided_by}`) });
}

/** Return one roll of revealed things: the first plain roll, else a check's last part, else a countdown's last roll, else null. @param {Table} table @param {T.Revealed} event */
export function revealedIn(table, { things: { rolls, checks, countdowns } }) {
  for (const roll of rolls) return ofDice(table, roll);
  for (const { id, parts } of checks) {
    const part = parts.findLast(({ roll }) => roll);
    if (part) return ofPart(table, { check_id: id, part });
  }
  for (const { id, hidden_rolls: hidden, pool } of countdowns) {
    const last = hidden.findLast(({ faces, amended }) => faces.length && !amended);
    if (last) return ofCountdown(table, { countdown_id: id, ...last, remaining: pool });
  }
  return null;
}

/**
 * Return the roll of a countdown.
 * @param {Table} table @param {Pick<T.CountdownRolled, "countdown_id" | "faces" | "remaining" | "physical">} event
 * @returns {Rolled}
 */
function ofCountdown(table, { countdown_id: id, faces, remaining, physical }) {
  const countdown = table.view.countdowns.get(id);
  const dice = faces.map((face) => ({ face, lost: countdown ? expires(countdown.speed, face) : false }));
  return {
    name: countdown?.name ?? id,
    dice,
    label: table.t("rolled_plainly", { faces: digits(faces) }),
    physical,
    came: table.t("countdown.rolled", { lost: dice.filter(({ lost }) => lost).length, pool: remaining }),
    kind: remaining === 0 ? "expired" : "",
  };
}

/**
 * Return the dice of a roll. Dice that sixes added have a mark, and a later `wave`: they are thrown later.
 * @param {readonly number[]} faces in the order rolled @param {number} pool how many dice there were at first
 */
function diceInWaves(faces, pool) {
  const waves = wavesOf(faces, pool);
  return faces.map((face, place) => ({ face, wave: waves[place], mark: waves[place] ? "+" : undefined }));
}

/** Return a plain roll, which belongs to no check or total. @param {Table} table @param {T.Roll} roll @returns {Rolled} */
export function ofDice(table, { character_id, seat_id, name, faces, added = 0, physical }) {
  const who = character_id ? table.nameOfCharacter(character_id) : table.nameOfSeat(seat_id);
  return {
    name: titled(who, name),
    seat: ownerOf(table, character_id) ?? seat_id,
    dice: diceInWaves(faces, faces.length - added),
    label: table.t("rolled_plainly", { faces: digits(faces) }),
    physical,
    came: added ? table.t("rolled.added", { added, capped: faces.filter((face) => face === 6).length > added ? "yes" : "no" }) : undefined,
  };
}

/**
 * Return the roll of a part (a character's share in a check); null if the part is not rolled.
 * @param {Table} table @param {Pick<T.CheckRolled, "check_id" | "part">} event @returns {Rolled | null}
 */
export function ofPart(table, { check_id, part }) {
  const { roll } = part;
  if (!roll) return null;
  const { faces, remaining, outcome, physical } = roll;
  const { purpose, parts: [leader] = [part] } = table.view.checks.get(check_id) ?? {};
  const isLeader = leader.character_id === part.character_id;
  const names = { name: table.nameOfPart(part), leader: table.nameOfPart(leader) };
  const who = isLeader ? names.name : table.t(part.side === "opposing" ? "check.opposes" : "check.helps", names);
  const lost = lostAmong(faces, remaining);
  return {
    name: titled(who, purpose),
    seat: ownerOf(table, part.character_id),
    dice: diceInWaves(faces, roll.pool).map((die, place) => ({ ...die, lost: lost[place] })),
    label: table.t("rolled", { faces: digits(faces) || "–", remaining: digits(remaining) || "–" }),
    physical,
    came: table.t(`outcome.${outcome}`),
    kind: outcome,
  };
}

/** @param {Table} table @param {T.TotalRolled} event @returns {Rolled} */
function ofTotal(table, { total_id, faces, kept, total, enough, physical }) {
  return {
    ...ofTotalsOwner(table, total_id),
    dice: diceOfTotal(faces),
    label: table.t("total.dice", { faces: digits(faces), kept: digits(kept), total }),
    physical,
    came: joined(summed(table, total, 0), needed(table, total_id), reached(table, enough)),
    kind: judged(enough),
  };
}

/** Return the roll of a push: one more die for a total. @param {Table} table @param {T.LuckPushed} event @returns {Rolled} */
function ofPush(table, { total_id, push: { face, total, enough, crisis, physical } }) {
  return {
    ...ofTotalsOwner(table, total_id),
    dice: [{ face, lost: crisis, mark: "+" }],
    label: table.t("total.pushes", { faces: digits([face]) }),
    physical,
    kind: crisis ? "crisis" : judged(enough),
    came: joined(
      summed(table, total, crisis ? 0 : face),
      crisis ? table.t("stake.open") : needed(table, total_id),
      crisis ? "" : reached(table, enough),
    ),
  };
}

/** Return the roll of a sealed thing: a die without a face. @param {Table} table @param {{ kind: string, name: string }} sealed @returns {Rolled} */
function ofSealed(table, { kind, name }) {
  return {
    name,
    dice: [{ hidden: true }],
    label: table.t("sealed.inside"),
    came: table.t("sealed.kind", { kind: table.t(`kind.${kind}`) }),
    kind: "sealed",
  };
}

/** Return the name of a total, and the seat of its character's owner. @param {Table} table @param {string} id @returns {Pick<Rolled, "name" | "seat">} */
function ofTotalsOwner(table, id) {
  const total = table.view.totals.get(id);
  return total ? { name: nameOfTotal(table, total), seat: ownerOf(table, total.character_id) } : { name: id };
}

/** Return the seat of a character's owner. @param {Table} table @param {string} [id] of the character */
const ownerOf = ({ view }, id = "") => view.characters.get(id)?.owner;

/** Return the style with the colour of a player's seat; empty for other seats. @param {Table} table @param {string} [seat] its id */
export function edgeOf({ view }, seat) {
  const place = [...view.seats.values()].filter(({ role }) => role === "player").findIndex(({ id }) => id === seat);
  return place < 0 ? "" : `--seat: var(--seat-${1 + (place % COLOURS)}); --rim: 0.03`;
}

/**
 * Return words for a total, and for a die that a push added.
 * @param {Table} table @param {number} total @param {number} face the face that a push added; 0 without a push
 */
function summed(table, total, face) {
  return face ? table.t("total.pushed", { before: total - face, face, total }) : table.t("total.sum", { total });
}

/** Join the texts that are not empty. @param {readonly string[]} parts */
function joined(...parts) {
  return parts.filter(Boolean).join(" · ");
}

/** Return words for the number that a total must reach, if the number is public. @param {Table} table @param {string} id */
function needed(table, id) {
  const required = table.view.totals.get(id)?.required;
  return required === undefined ? "" : table.t("total.required", { required });
}

/** Return the CSS class for whether a total is enough; empty if this is not known. @param {boolean | undefined} enough */
function judged(enough) {
  return enough === undefined ? "" : enough ? "success" : "fail";
}

/** Return words for whether a total is enough; empty if this is not known. @param {Table} table @param {boolean | undefined} enough */
function reached(table, enough) {
  return enough === undefined ? "" : table.t(enough ? "total.enough" : "total.missed");
}
