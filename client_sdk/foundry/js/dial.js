// @ts-check
/**
 * Computes the values for the template of a dial: the drawing of a scene, its threat and its challenges. The template draws
 * in a square of 200 units. The length of a ring is 100.
 */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { View } from "../client/views.js"
 *
 * @typedef {{ on: boolean, dashes: string, offset: number }} Arc
 * @typedef {{ mark: string, name: string, label: string, hint: string }} Entry of the legend
 */

import { sceneGoesOn } from "../client/due.js";
import { endsAs, openRaces } from "../client/views.js";
import { text } from "./words.js";

const MOST_POINTS = 24; // a clock with more points is drawn as a single arc
const MOST_STUDS = 12; // more challenges are counted, not drawn
const RADIUS = 76; // of the scene's ring, on which the studs are
const LINE = 4; // how thick the threat's ring is, until a quarter is left

/** Return the dials of the open scenes: first the chosen scene, then public scenes, the latest first. @param {View} view @param {string} chosen */
export function dialsOf(view, chosen) {
  const rank = (/** @type {T.Scene} */ { id, visibility }) => (id === chosen ? 2 : visibility === "public" ? 1 : 0);
  const open = [...view.scenes.values()].filter(sceneGoesOn).reverse();
  return open.sort((a, b) => rank(b) - rank(a)).map((scene) => dialOf(view, scene));
}

/** @param {View} view @param {T.Scene} scene */
function dialOf(view, { id, name, clock_id, threat_id, visibility }) {
  const points = view.clocks.get(clock_id);
  const races = openRaces(view, id);
  const threat = races.length ? view.clocks.get(threat_id ?? "") : undefined;
  const situations = [...view.situations.values()].filter(({ scene_id, status }) => scene_id === id && status === "open");
  const main = situations.findLast(({ kind }) => kind === "race") ?? situations.at(-1);
  const groups = situations.map((situation) => challengesOf(view, situation));
  const all = groups.flat();
  const isCounted = all.length > MOST_STUDS;
  const legend = [
    ...(points ? [entry("scene", text("Dial.Scene", { name }), points, text("Dial.SceneHint"))] : []),
    ...(threat ? [entry("threat", text("Dial.Threat"), threat, text("Dial.ThreatHint"))] : []),
    ...situations.filter((situation) => situation !== main).map((situation) => toWin(view, situation)),
    ...(isCounted ? [counted(all)] : all.map(({ entry: shown }) => shown)),
  ];
  return {
    id,
    title: name,
    name: main?.name ?? name,
    about: main ? [toWin(view, main).label, text("Dial.Round", { round: main.round + 1 }), ...endsNow(view, main)] : [],
    scene: points ? ringOf(points) : [],
    threat: threat ? { ring: ringOf(threat), width: 4 * threat.value <= threat.size ? 2 * LINE : LINE } : null,
    radius: RADIUS,
    studs: isCounted ? [] : placed(groups),
    legend,
    label: [name, ...legend.map((shown) => [shown.name, shown.label].filter(Boolean).join(": "))].join(". "),
    isHidden: visibility !== "public",
  };
}

/** @param {string} mark @param {string} name @param {T.Clock} clock @param {string} [hint] @returns {Entry} */
const entry = (mark, name, { value, size }, hint = "") => ({ mark, name, label: text("Dial.Left", { value, size }), hint });

/** @param {View} view @param {T.Situation} situation @returns {Entry} */
function toWin(view, { name, clock_id: clock }) {
  const { value = 0, size = 0 } = view.clocks.get(clock) ?? {};
  return { mark: "", name, label: text("Dial.Win", { value, size }), hint: "" };
}

/** Return words for how a race would end if its scene ended now; empty for other situations. @param {View} view @param {T.Situation} situation */
const endsNow = (view, situation) => (situation.kind === "race" ? [text(`Dial.Ends.${endsAs(view, situation)}`)] : []);

/** @param {View} view @param {T.Situation} situation */
function challengesOf(view, { id }) {
  const inside = [...view.challenges.values()].filter((challenge) => challenge.situation_id === id && challenge.status !== "closed");
  return inside.map(({ name, status, clock_id }) => {
    const clock = view.clocks.get(clock_id);
    if (status === "overcome") return { mark: "done", part: 0, entry: { mark: "done", name, label: text("Dial.Overcome"), hint: "" } };
    const isRing = clock && clock.size > 1;
    const part = isRing ? (100 * clock.value) / clock.size : 0;
    return { mark: "stud", part, entry: isRing ? entry("stud", name, clock) : { mark: "stud", name, label: "", hint: "" } };
  });
}

/** @param {ReturnType<typeof challengesOf>} all @returns {Entry} */
function counted(all) {
  const done = all.filter(({ mark }) => mark === "done").length;
  return { mark: "stud", name: text("Dial.Challenges"), label: text("Dial.Counted", { done, all: all.length }), hint: "" };
}

/** Place studs clockwise from the top, with a gap between situations. @param {ReturnType<typeof challengesOf>[]} groups */
function placed(groups) {
  const full = groups.filter((group) => group.length);
  const slots = full.flatMap((group) => (full.length > 1 ? [...group, null] : group));
  return slots.flatMap((stud, place) => {
    const angle = (2 * Math.PI * place) / slots.length;
    const [x, y] = [Math.sin(angle), -Math.cos(angle)].map((at) => (100 + RADIUS * at).toFixed(1));
    return stud ? [{ mark: stud.mark, part: stud.part, x, y }] : [];
  });
}

/**
 * Return the arcs of a clock's ring, clockwise from the top: a segment for each point, or one arc. A clock that counts
 * down empties clockwise. A clock that counts up fills clockwise.
 * @param {T.Clock} clock @returns {Arc[]}
 */
export function ringOf({ value, size, direction }) {
  const drains = direction === "down";
  if (size > MOST_POINTS) {
    const part = (100 * value) / size;
    const all = { on: false, dashes: "100 0", offset: 0 };
    return [all, { on: true, dashes: `${part} ${100 - part}`, offset: drains ? part - 100 : 0 }];
  }
  const whole = 100 / size;
  const gap = size === 1 ? 0 : Math.min(1.5, whole / 4);
  const dashes = `${whole - gap} ${100 - whole + gap}`;
  const isOn = (/** @type {number} */ place) => (drains ? place >= size - value : place < value);
  return Array.from({ length: size }, (_, place) => ({ on: isOn(place), dashes, offset: -place * whole - gap / 2 }));
}
