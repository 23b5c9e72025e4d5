// @ts-check
/** Computes the values for the template of the panel from a view, and what this seat may do. */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { View } from "../client/views.js"
 *
 * @typedef {{ seat: string, role: string }} Me
 */

import { rollStateIn } from "../client/due.js";
import { isolated } from "../client/messages.js";
import { isDone } from "../client/views.js";
import { EXPIRES_FROM } from "../client/limits.js";
import { dialsOf, ringOf } from "./dial.js";
import { text } from "./words.js";

const RUNS = ["running", "stabilized"];
/** @type {readonly (readonly number[])[]} where the pips of a face are, in rows of three from the upper left */
const PIPS = [[], [4], [2, 6], [2, 4, 6], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** Return everything that the panel shows. @param {View} view @param {Me} me @param {string} scene whose dial was chosen */
export function shown(view, me, scene) {
  const [dial, ...others] = dialsOf(view, scene);
  const clocks = [...view.clocks.values()].filter((clock) => clock.kind === "free" && !isDone(clock));
  const countdowns = [...view.countdowns.values()].filter(({ status }) => RUNS.includes(status));
  const sealed = [...view.sealed.values()].filter(({ kind }) => kind !== "roll" && kind !== "check");
  return {
    title: view.title,
    turn: text("Turn", { turn: view.turn }),
    endsTurns: me.role === "gm" && !view.closed,
    waits: [...checksToRoll(view, me), ...totalsToRoll(view, me)],
    dial,
    others,
    countdowns: countdowns.map((countdown) => countdownShown(view, me, countdown)),
    clocks: clocks.map((clock) => clockShown(view, me, clock)),
    sealed: sealed.map(({ name }) => ({ name })),
    isEmpty: !dial && !clocks.length && !countdowns.length && !sealed.length,
  };
}

/** @param {View} view @param {Me} me @param {string | undefined} owner */
const mayAct = (view, me, owner) => !view.closed && (me.role === "gm" || (me.role === "player" && owner === me.seat));

/** @param {View} view @param {string | undefined} owner */
const ownerName = (view, owner) => (owner === undefined ? "" : (view.seats.get(owner)?.name ?? owner));

/** @param {View} view @param {Me} me @param {T.Countdown} countdown */
function countdownShown(view, me, countdown) {
  const { id, name, pool, speed, owner, stages, status, ending, visibility } = countdown;
  const ahead = stages.filter(({ at }) => at < pool).sort((a, b) => b.at - a.at);
  const reached = stages.filter(({ at }) => at >= pool).sort((a, b) => a.at - b.at);
  const [next, now] = [ahead[0], reached[0]];
  return {
    id,
    name,
    dice: diceShown(countdown),
    left: text("Countdown.Left", { pool }),
    about: [text(`Countdown.Speed.${speed}`), isolated(ownerName(view, owner))].filter(Boolean).join(" · "),
    now: now ? text("Countdown.Now", { effect: now.effect }) : "",
    next: next ? text("Countdown.Next", { at: next.at, effect: next.effect }) : ending ? text("Countdown.End", { ending }) : "",
    isStill: status === "stabilized",
    isHidden: visibility !== "public",
    mayRoll: status === "running" && mayAct(view, me, owner) && rollStateIn(view, countdown) !== "rolled",
    roll: text("Countdown.Roll", { pool }),
  };
}

/** Return the dice of the last roll, and after them the remaining dice that were not rolled. @param {T.Countdown} countdown */
function diceShown({ last_faces: faces, speed, pool }) {
  const fell = faces.map((face) => ({ face, lost: face >= EXPIRES_FROM[speed] }));
  const stay = fell.filter(({ lost }) => !lost).length;
  const dice = [...fell, ...Array.from({ length: Math.max(0, pool - stay) }, () => ({ face: 0, lost: false }))];
  return dice.map((die) => ({ ...die, pips: PIPS[die.face].map((at) => ({ x: 5 + 5 * (at % 3), y: 5 + 5 * Math.floor(at / 3) })) }));
}

/** @param {View} view @param {Me} me @param {T.Clock} clock */
function clockShown(view, me, clock) {
  const { id, name, value, size, direction, owner, visibility } = clock;
  const mayTick = mayAct(view, me, owner);
  return {
    id,
    name,
    ring: ringOf(clock),
    value,
    label: direction === "down" ? text("Dial.Left", { value, size }) : text("Clock.Filled", { value, size }),
    about: isolated(ownerName(view, owner)),
    isHidden: visibility !== "public",
    mayTick,
    mayBack: mayTick && me.role === "gm" && value !== (direction === "down" ? size : 0),
  };
}

/** The parts of checks that this seat has to roll. @param {View} view @param {Me} me */
function checksToRoll(view, me) {
  const open = [...view.checks.values()].filter(({ status }) => status === "ready" || status === "rolling");
  return open.flatMap(({ id, purpose, parts }) => {
    const waiting = parts.filter((part) => !part.roll && rollsFor(view, me, part.character_id));
    return waiting.map(({ character_id: who, name }) => toRoll(view, "rollCheck", id, who, purpose, name));
  });
}

/** @param {View} view @param {string} action @param {string} id @param {string} who the roller @param {string} [purpose] @param {string} [name] of the roller, by default the character's */
function toRoll(view, action, id, who, purpose = "", name = view.characters.get(who)?.name ?? who) {
  return { action, id, who, name: [name, purpose].filter(Boolean).map(isolated).join(": ") };
}

/** @param {View} view @param {Me} me */
function totalsToRoll(view, me) {
  const ready = [...view.totals.values()].filter(({ status, character_id: who }) => status === "ready" && rollsFor(view, me, who));
  return ready.map(({ id, purpose, character_id: who }) => toRoll(view, "rollTotal", id, who, purpose));
}

/** Tell whether this seat rolls for a character. A gm rolls for characters without an owner. @param {View} view @param {Me} me @param {string} who */
export function rollsFor(view, me, who) {
  const owner = view.characters.get(who)?.owner;
  return !view.closed && (me.role === "gm" ? owner === undefined : me.role === "player" && owner === me.seat);
}
