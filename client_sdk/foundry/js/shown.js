// @ts-check
/** What the panel shows of a view: plain values for its template, and what this seat may press. */

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
import { text } from "./words.js";

const MOST_SEGMENTS = 24; // beyond it, one arc says it better
const RUNS = ["running", "stabilized"];

/** Return everything that the panel shows. @param {View} view @param {Me} me */
export function shown(view, me) {
  const clocks = [...view.clocks.values()].filter((clock) => isShown(view, clock));
  const countdowns = [...view.countdowns.values()].filter(({ status }) => RUNS.includes(status));
  const sealed = [...view.sealed.values()].filter(({ kind }) => kind !== "roll" && kind !== "check");
  return {
    title: view.title,
    turn: text("Turn", { turn: view.turn }),
    endsTurns: me.role === "gm" && !view.closed,
    waits: [...checksToRoll(view, me), ...totalsToRoll(view, me)],
    countdowns: countdowns.map((each) => countdownShown(view, me, each)),
    clocks: clocks.map((each) => clockShown(view, me, each)),
    sealed: sealed.map(({ name }) => ({ name })),
    isEmpty: !clocks.length && !countdowns.length && !sealed.length,
  };
}

/** @param {View} view @param {Me} me @param {string | undefined} owner */
const mayAct = (view, me, owner) => !view.closed && (me.role === "gm" || (me.role === "player" && owner === me.seat));

/** @param {View} view @param {string | undefined} owner */
const ownerName = (view, owner) => (owner === undefined ? "" : (view.seats.get(owner)?.name ?? owner));

/** @param {View} view @param {Me} me @param {T.Countdown} countdown */
function countdownShown(view, me, countdown) {
  const { id, name, pool, speed, owner, stages, status, ending, visibility } = countdown;
  const ahead = stages.filter(({ at }) => at < pool).sort((one, other) => other.at - one.at);
  const reached = stages.filter(({ at }) => at >= pool).sort((one, other) => one.at - other.at);
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
    isMine: owner === me.seat,
    mayRoll: status === "running" && mayAct(view, me, owner) && rollStateIn(view, countdown) !== "rolled",
    roll: text("Countdown.Roll", { pool }),
  };
}

/** The last roll, and after it the dice that remain and were not seen yet. @param {T.Countdown} countdown */
function diceShown({ last_faces: faces, speed, pool }) {
  const fell = faces.map((face) => ({ face, lost: face >= EXPIRES_FROM[speed] }));
  const stay = fell.filter(({ lost }) => !lost).length;
  return [...fell, ...Array.from({ length: Math.max(0, pool - stay) }, () => ({ face: 0, lost: false }))];
}

/** Tell whether a clock still runs, in a scene that does. @param {View} view @param {T.Clock} clock */
function isShown(view, clock) {
  if (clock.kind === "free") return !isDone(clock);
  if (clock.kind === "challenge") return !isDone(clock) && view.challenges.has(clock.of ?? "");
  const situation = clock.kind === "situation" ? view.situations.get(clock.of ?? "") : undefined;
  if (clock.kind === "situation" && situation?.status !== "open") return false;
  const scene = view.scenes.get(situation?.scene_id ?? clock.of ?? "");
  return scene?.status === "open" && !scene.aside;
}

/** @param {View} view @param {Me} me @param {T.Clock} clock */
function clockShown(view, me, clock) {
  const { id, name, value, size, direction, kind, owner, visibility } = clock;
  const free = kind === "free";
  return {
    id,
    name,
    ring: size <= MOST_SEGMENTS ? segments(value, size) : arc(value, size),
    value,
    size,
    label: text("Clock.Stands", { value, size }),
    about: [text(`Clock.Kind.${kind}`), isolated(ownerName(view, owner))].filter(Boolean).join(" · "),
    isThreat: kind === "threat",
    isHidden: visibility !== "public",
    isMine: owner === me.seat,
    mayTick: free && mayAct(view, me, owner),
    mayBack: free && me.role === "gm" && !view.closed && value !== (direction === "down" ? size : 0),
  };
}

/** @param {number} value @param {number} size */
function segments(value, size) {
  const whole = 100 / size;
  const gap = size === 1 ? 0 : Math.min(2, whole / 4);
  const dashes = `${whole - gap} ${100 - whole + gap}`;
  return Array.from({ length: size }, (_, place) => ({ on: place < value, dashes, offset: -place * whole }));
}

/** @param {number} value @param {number} size */
function arc(value, size) {
  const part = (100 * value) / size;
  return [
    { on: false, dashes: "100 0", offset: 0 },
    { on: true, dashes: `${part} ${100 - part}`, offset: 0 },
  ];
}

/** The parts of checks that this seat has to roll. @param {View} view @param {Me} me */
function checksToRoll(view, me) {
  const open = [...view.checks.values()].filter(({ status }) => status === "ready" || status === "rolling");
  return open.flatMap(({ id, purpose, parts }) =>
    parts
      .filter((part) => !part.roll && rollsFor(view, me, part.character_id))
      .map(({ character_id: who, name }) => ({
        action: "rollCheck",
        ...{ id, who },
        name: [name ?? view.characters.get(who)?.name ?? who, purpose ?? ""].filter(Boolean).map(isolated).join(": "),
      })),
  );
}

/** @param {View} view @param {Me} me */
function totalsToRoll(view, me) {
  const ready = [...view.totals.values()].filter(({ status, character_id: who }) => status === "ready" && rollsFor(view, me, who));
  return ready.map(({ id, purpose, character_id: who }) => ({
    action: "rollTotal",
    ...{ id, who },
    name: [view.characters.get(who)?.name ?? who, purpose ?? ""].filter(Boolean).map(isolated).join(": "),
  }));
}

/** Tell whether a character's dice wait for this seat: a gm rolls for those whom nobody owns. @param {View} view @param {Me} me @param {string} who */
function rollsFor(view, me, who) {
  const owner = view.characters.get(who)?.owner;
  return !view.closed && (me.role === "gm" ? owner === undefined : me.role === "player" && owner === me.seat);
}
