// @ts-check
/**
 * Sets up a page's stage, which shows moments (a roll and what it caused) in the arena. If the page has a visible place for
 * the arena, the arena is there. Otherwise it floats over the table, if possible beside the cards of the roll. A press on a
 * floating arena reaches the table.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Moment } from "./stage.js" */

import { sound } from "../app/settings.js";
import { Arena } from "./arena.js";
import { gather } from "./gathering.js";
import { Stage } from "./stage.js";

const STAYS_MS = 2_600; // how long a floating roll is shown after it has landed
const AFAR_MS = 4_500; // how long a dial shows a roll, and how long a floating arena stays away from its place
const OWN_PRESS_MS = 200; // a press this soon after the start of a roll does not skip the roll: it may be the press that rolled the dice
const NEW_MS = 1_000; // for an older roll, the arena stays in its place, even if that is out of view
const PRESSES = new Set(["Enter", " ", "Escape"]);
const BARS = ".strip, .bar-below, .top"; // the bars of the page, which the arena must not cover
const GAP = 8; // px between the arena and the cards and bars that it must not cover
const [WIDEST_REM, HIGHEST_REM] = [40, 34]; // the largest floating arena
const [LEAST_WIDE, LEAST_HIGH] = [200, 90]; // px: the smallest box beside a card for a floating arena
// A spark of light can fly to the things in these fields of a view.
const SPARKS = /** @type {const} */ (["challenges", "clocks", "countdowns", "situations", "scenes", "characters"]);
const PLACES = ["left", "top", "width", "min-height", "max-height"];
const SPARK_MS = 450;

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** Make a table's stage, and listen for presses that skip rolls. @param {Table} table */
export function setStage(table) {
  const layer = Object.assign(document.createElement("div"), { className: `layer ${table.isGm ? "brief" : ""}` });
  layer.setAttribute("aria-hidden", "true"); // screen readers read the log instead
  document.body.append(layer);
  const place = () => /** @type {HTMLElement | undefined} */ (table.ui.get("arena"));
  const inDial = () => Boolean(place()?.closest(".scene-dial")); // in a dial, a roll disappears after some time, because it covers the middle of the dial
  /** @type {Arena} */ const arena = new Arena(table, (moment) => stand(arena.element, place(), layer, moment));
  let back = 0;
  const goBack = () => {
    clearTimeout(back);
    const home = place();
    home?.classList.remove("live");
    if (!home || home.contains(arena.element)) return;
    home.append(arena.element);
    arena.refit(stage.moments);
  };
  const gathering = (/** @type {string} */ key, /** @type {T.Command} */ command) => {
    const home = place();
    return gather(table, key, command, layer, () => (home && isInSight(home) ? home.getBoundingClientRect() : freeBox([])));
  };
  const heard = (/** @type {Moment} */ moment) => {
    listen(table, moment);
    const dark = moment.landed && isDark(moment);
    if (dark) lampOn(layer, arena.element);
    layer.classList.toggle("dark", dark);
    rattle(moment);
    clearTimeout(back);
    place()?.classList.add("live"); // keeps the arena in view if the roll's changes move it
    if (moment.landed && place()) back = setTimeout(goBack, AFAR_MS);
  };
  const staysMs = (/** @type {Pick<Moment, "thrown">} */ { thrown }) => (inDial() ? AFAR_MS : thrown && place() ? Infinity : STAYS_MS);
  const settled = (/** @type {Moment} */ moment) => {
    if (moment.held.length) spark(layer, arena.element, moment);
    if (moment.thrown?.event.type !== "luck_pushed" || place()) return;
    requestAnimationFrame(() => requestAnimationFrame(() => { // wait until the table is drawn without the offer of a push, which leaves more room
      arena.refit(stage.moments);
      lampOn(layer, arena.element);
    }));
  };
  const stage = new Stage(table, { arena, staysMs, showsLatest: () => Boolean(place()) && !inDial(), onChange: heard, settled, gather: gathering });
  table.stage = stage;
  const press = () => {
    const lies = stage.moments.every(({ landed }) => landed);
    if (performance.now() - (stage.moments.find(({ begunAt }) => begunAt)?.begunAt ?? Infinity) < OWN_PRESS_MS) return;
    stage.skip();
    if (lies) goBack();
  };
  addEventListener("pointerdown", press, { capture: true });
  addEventListener("keydown", ({ key }) => PRESSES.has(key) && press(), { capture: true });
  requestAnimationFrame(() => {
    const home = place();
    if (!home) return;
    goBack();
    if (!stage.moments.length) stage.recall();
    const lies = () => stage.moments.every(({ landed }) => landed) && home.contains(arena.element);
    new ResizeObserver(() => lies() && arena.refit(stage.moments)).observe(home);
  });
}

/**
 * Move the arena to where a moment is shown. Return the free size there in px. For a floating arena, also return a function
 * that sets its place and size.
 * @param {HTMLElement} arena @param {HTMLElement | undefined} home its place in the page @param {HTMLElement} layer for a floating arena @param {Moment} moment
 */
function stand(arena, home, layer, moment) {
  if (home && (isInSight(home) || performance.now() - moment.begunAt > NEW_MS)) {
    if (!home.contains(arena)) home.append(arena);
    for (const name of PLACES) arena.style.removeProperty(name);
    return within(home);
  }
  const { left, top, right, bottom } = freeBox(cardsOf(moment));
  if (!layer.contains(arena)) layer.append(arena);
  const padded = 2 * parseFloat(getComputedStyle(arena).paddingLeft);
  const settle = (/** @type {{ width: number, height: number }} */ used) => {
    const [width, height] = [Math.min(right - left, used.width + padded), Math.min(bottom - top, used.height + padded)];
    const place = [(left + right - width) / 2, (top + bottom - height) / 2, width, height, bottom - top];
    PLACES.forEach((name, at) => arena.style.setProperty(name, `${place[at]}px`));
  };
  return { width: right - left - padded, height: bottom - top - padded, settle };
}

/** Return the inner size of an element in px, and whether it is in a dial. @param {HTMLElement} element */
function within(element) {
  const { paddingLeft, paddingTop } = getComputedStyle(element);
  const isRound = element.closest(".scene-dial") !== null;
  return { width: element.clientWidth - 2 * parseFloat(paddingLeft), height: element.clientHeight - 2 * parseFloat(paddingTop), isRound };
}

/** Tell whether an element is in the window over its whole height. @param {Element} element */
function isInSight(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top > -GAP && bottom < innerHeight + GAP;
}

/** Return the boxes of the visible cards of the thing that a moment rolls. @param {Moment} moment @returns {DOMRect[]} */
function cardsOf({ thrown }) {
  const { check_id: check, total_id: total, countdown_id: countdown, roll } = /** @type {any} */ (thrown?.event ?? {});
  const about = Object.entries({ check, total, countdown, roll: roll?.id }).filter(([, id]) => id);
  const cards = about.flatMap(([kind, id]) => [...document.querySelectorAll(`[data-thing="${CSS.escape(`${kind}:${id}`)}"]`)]);
  return cards.map((card) => card.getBoundingClientRect()).filter(({ width, bottom, top }) => width && bottom > 0 && top < innerHeight);
}

/**
 * Return a box for the arena: the middle of the table, or the largest box beside the cards if the middle would cover one. If
 * no box is free, return the middle.
 * @param {readonly Box[]} cards @returns {Box}
 */
function freeBox(cards) {
  const main = (document.querySelector(".stage") ?? document.getElementById("table"))?.getBoundingClientRect() ?? { left: 0, right: innerWidth };
  const bars = [...document.querySelectorAll(BARS)].map((bar) => bar.getBoundingClientRect()).filter(({ height }) => height);
  const all = {
    left: Math.max(GAP, main.left),
    right: Math.min(innerWidth - GAP, main.right),
    top: GAP + Math.max(0, ...bars.filter(({ top, bottom }) => top < GAP && bottom < innerHeight / 2).map(({ bottom }) => bottom)),
    bottom: Math.min(innerHeight, ...bars.filter(({ top, bottom }) => top > innerHeight / 2 && bottom > innerHeight - GAP).map(({ top }) => top)) - GAP,
  };
  const middle = centred(all);
  const meets = (/** @type {Box} */ box) => cards.some((card) => box.left < card.right && card.left < box.right && box.top < card.bottom && card.top < box.bottom);
  if (!meets(middle)) return middle;
  const beside = cards.flatMap(({ left, top, right, bottom }) => [
    { ...all, bottom: top - GAP }, { ...all, top: bottom + GAP }, { ...all, right: left - GAP }, { ...all, left: right + GAP },
  ]);
  const free = beside.filter((box) => box.right - box.left >= LEAST_WIDE && box.bottom - box.top >= LEAST_HIGH && !meets(box)).map(centred);
  const room = (/** @type {Box} */ box) => Math.min((box.right - box.left) / 7, (box.bottom - box.top) / 8);
  return free.sort((a, b) => room(b) - room(a))[0] ?? middle;
}

/** Return the largest box for the arena in the middle of another box. @param {Box} box @returns {Box} */
function centred({ left, top, right, bottom }) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const [width, height] = [Math.min(right - left, WIDEST_REM * rem), Math.min(bottom - top, HIGHEST_REM * rem)];
  const [x, y] = [left + (right - left - width) / 2, top + (bottom - top - height) / 2];
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** Tell whether a moment darkens the page by a crisis. @param {Moment} moment */
function isDark({ thrown, news }) {
  const broke = thrown?.event.type === "luck_pushed" && thrown.event.push.crisis;
  return broke || news.some(({ kind }) => kind === "crisis");
}

/** Move the light spot of the dark page to the arena. @param {HTMLElement} layer @param {HTMLElement} arena */
function lampOn(layer, arena) {
  const { left, top, width, height } = arena.getBoundingClientRect();
  const light = { x: left + width / 2, y: top + height / 2, width: width * 0.75, height };
  for (const [name, value] of Object.entries(light)) layer.style.setProperty(`--${name}`, `${value}px`);
}

/** Shake the dice on a countdown's card while its roll is in the air. @param {Moment} moment */
function rattle({ thrown, landed }) {
  if (thrown?.event.type !== "countdown_rolled") return;
  const dice = document.querySelectorAll(`main [data-thing="${CSS.escape(`countdown:${thrown.event.countdown_id}`)}"] .dice`);
  for (const row of dice) row.classList.toggle("rolling", !landed);
}

/**
 * Let a spark fly from the dice to a visible thing that the roll changed, if there is one.
 * @param {HTMLElement} layer @param {HTMLElement} arena @param {Moment} moment
 */
function spark(layer, arena, { held }) {
  const changed = SPARKS.flatMap((kind) => held.filter(({ field }) => field === kind).map(({ id }) => `${kind.slice(0, -1)}:${id}`));
  const target = changed.map((name) => document.querySelector(`main [data-thing="${CSS.escape(name)}"]`)).find((card) => card && isInSight(card));
  if (!target) return;
  const [from, to] = [arena.querySelector(".trays") ?? arena, target].map((element) => element.getBoundingClientRect());
  const light = layer.appendChild(Object.assign(document.createElement("i"), { className: "spark" }));
  const at = (/** @type {DOMRect} */ box) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px)`;
  light.animate([
    { transform: `${at(from)} scale(0.3)`, opacity: 0 },
    { transform: `${at(from)} scale(1.4)`, opacity: 1, offset: 0.2 },
    { transform: `${at(to)} scale(1)`, opacity: 1, offset: 0.85 },
    { transform: `${at(to)} scale(3)`, opacity: 0 },
  ], { duration: SPARK_MS, easing: "ease-in" }).finished.then(() => light.remove(), () => light.remove());
}

/**
 * Play the sound and vibration of a moment, as the visitor chose. By default, the device that rolls and a big screen
 * play sound.
 * @param {Table} table @param {Moment} moment
 */
function listen(table, moment) {
  const rolls = moment.isOwn || table.ui.get("across");
  const chosen = sound() === "auto" ? (rolls ? "sound" : "off") : sound();
  if (chosen !== "off") void import("./sound.js").then(({ sounded }) => sounded(moment, chosen), () => {});
}
