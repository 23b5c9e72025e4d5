// @ts-check
/**
 * Draws scenes as dials, and clocks that belong to no scene. A scene has situations, and a situation has challenges. A race
 * is a situation against a second clock of the scene, the threat. An effort is an attempt at a challenge.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Stud } from "./dial.js" */

import { TYPICAL } from "../../client/limits.js";
import { endsAs } from "../../client/views.js";
import { isFull } from "../app/over.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { badge, called, card, controls, follows, keyed, pressed, visibility } from "./card.js";
import { dial, rings, said, stud } from "./dial.js";
import { MOST_STUDS, place, studs } from "./ring.js";
import { ask, word } from "./word.js";

const CHOSEN = "scene:chosen";
const MOST_NAMES = 8; // the most names that are drawn beside their studs
const NAMES = 0.54; // the distance of names from the middle of a dial, in diameters

/** @param {Table} table @param {T.Scene} scene */
export function sceneCard(table, scene) {
  return card(table, {
    kind: "scene",
    thing: scene,
    name: scene.name,
    state: scene.status,
    marks: sceneMarks(table, scene),
    body: sceneDial(table, scene),
  });
}

/** @param {Table} table @param {T.Scene} scene */
function sceneMarks(table, { status, aside, turn, sixes_add: sixes, clock_id: clockId }) {
  const { size = TYPICAL.least } = table.view.clocks.get(clockId) ?? {};
  if (status !== "open") return badge(table.t(`scene.${status}`), status);
  const isTypical = size >= TYPICAL.least && size <= TYPICAL.most;
  return html`${isTypical ? nothing : badge(table.t("scene.untypical"), "untypical")} ${aside ? badge(table.t("scene.aside"), "aside") : nothing}
  ${turn > 1 ? badge(table.t("scene.turn", { turn })) : nothing} ${sixes ? badge(table.t("scene.sixes"), "sixes") : nothing}`;
}

/**
 * Draw the dial of a scene: its rings, the studs of its challenges, and its situation in the middle.
 * @param {Table} table @param {T.Scene} scene @param {boolean} [quiet] whether to leave out buttons, ended situations and waiting efforts
 */
export function sceneDial(table, scene, quiet = false) {
  const { points, threat } = clocksOf(table, scene);
  const all = [...table.view.situations.values()].filter((situation) => situation.scene_id === scene.id);
  const open = all.filter(({ status }) => status === "open");
  const main = open.find(({ kind }) => kind === "race") ?? open.at(-1);
  const challenges = open.map((situation) => challengesOf(table, situation));
  const arcs = studs(challenges.map(({ length }) => length));
  const placed = challenges.flatMap((ofSituation, at) => ofSituation.map((challenge, number) => studOf(table, challenge, arcs?.[at].studs[number])));
  const turns = new Map(arcs ? placed.map(({ challenge, turn }) => [challenge.id, turn]) : []);
  const label = spoken(table, { points, threat, main, placed });
  // A press on a ring opens the explanation beside the section's heading, or beside the threat's points.
  const pressed = quiet ? undefined : (/** @type {"scene" | "threat"} */ kind) => ask(table, kind === "scene" ? "scene@scenes" : `threat@${scene.id}`);
  return html`<div class="dial-room">
    <div class=${`scene-dial ${turns.size && turns.size <= MOST_NAMES ? "named" : ""} ${[...turns.values()].some(isDeep) ? "deep" : ""}`}>
      ${rings(table, { label, points, threat, studs: arcs ? placed : [], arcs: (open.length > 1 && arcs) || [], pressed })}
      ${(quiet && table.ui.get("arena")) || nothing}
      ${main || !points ? nothing : html`<p class="middle" translate="no" aria-hidden="true">${points.value}</p>`}
      <p class="of-rings">${numbers(table, { points, threat }, scene, quiet)}</p>
      ${arcs ? nothing : html`<p class="counted">${countOf(table, placed)}</p>`}
      <div class="situations">${keyed(quiet ? open : all, (situation) => situationPart(table, situation, { main: situation === main, turns, quiet }))}</div>
    </div>
  </div>`;
}

/** Return the clocks of a scene's rings. The threat is only included while a race is open. @param {Table} table @param {T.Scene} scene */
function clocksOf({ view }, { id, clock_id: points, threat_id: threat = "" }) {
  const races = [...view.situations.values()].some((situation) => situation.scene_id === id && situation.kind === "race" && situation.status === "open");
  return { points: view.clocks.get(points), threat: races ? view.clocks.get(threat) : undefined };
}

/** @param {Table} table @param {T.Situation} situation */
const challengesOf = ({ view }, { id }) => [...view.challenges.values()].filter((challenge) => challenge.situation_id === id);

/** Return the stud of a challenge. @param {Table} table @param {T.Challenge} challenge @param {number} [turn] its place @returns {Stud} */
const studOf = ({ view }, challenge, turn = 0) => ({ challenge, clock: view.clocks.get(challenge.clock_id), turn });

/**
 * Return a dial as a sentence, for screen readers.
 * @param {Table} table @param {{ points?: T.Clock, threat?: T.Clock, main?: T.Situation, placed?: readonly Stud[] }} shown
 */
function spoken(table, { points, threat, main, placed = [] }) {
  return [
    points && said(table, "scene", points),
    threat && said(table, "threat", threat),
    main && leftToWin(table, main),
    placed.length > MOST_STUDS ? countOf(table, placed) : placed.map(({ challenge, clock }) => `${challenge.name}: ${leftOf(table, challenge, clock)}`).join("; "),
  ]
    .filter(Boolean)
    .join(". ");
}

/**
 * Draw words for the points left on the clocks of a scene and its threat, with a button that explains the threat.
 * @param {Table} table @param {ReturnType<typeof clocksOf>} clocks @param {T.Scene} scene @param {boolean} quiet whether to leave out the button
 */
function numbers(table, { points, threat }, { id }, quiet) {
  return html`${points ? html`<span class="number-of scene" data-clock=${points.id}>${said(table, "scene", points)}</span>` : nothing}
  ${threat
    ? html`<span class="number-of threat" data-clock=${threat.id}>${said(table, "threat", threat)} ${quiet ? nothing : word(table, "threat", table.t("scene.threat"), id)}</span>`
    : nothing}`;
}

/**
 * Return words for how many challenges are overcome.
 * @param {Table} table @param {readonly Stud[]} all @returns {string}
 */
function countOf(table, all) {
  return table.t("challenges.overcome", { done: all.filter(({ challenge }) => challenge.status === "overcome").length, number: all.length });
}

/** Return words for the points that are left to win a situation. @param {Table} table @param {T.Situation} situation @returns {string} */
function leftToWin(table, { clock_id: id }) {
  const clock = table.view.clocks.get(id);
  return clock ? table.t("situation.left", { value: clock.value, size: clock.size }) : "";
}

/**
 * Return words for the points of a challenge if it is open, else for its status.
 * @param {Table} table @param {T.Challenge} challenge @param {T.Clock} [clock] @returns {string}
 */
function leftOf(table, { status }, clock) {
  return status === "open" && clock ? table.t(`dial.${clock.direction}`, { value: clock.value, size: clock.size }) : table.t(`challenge.${status}`);
}

/**
 * Draw a situation. The main situation is in the middle of its scene's dial.
 * @param {Table} table @param {T.Situation} situation
 * @param {{ main: boolean, turns: Map<string, number>, quiet: boolean }} how `turns`: where the studs of its challenges are, in turns around the dial
 */
function situationPart(table, situation, { main, turns, quiet }) {
  const { kind, level, difficulty, round, status, outcome, party, within = "" } = situation;
  const around = table.view.situations.get(within);
  const [race, open] = [kind === "race", status === "open"];
  return card(table, {
    kind: "situation",
    thing: situation,
    name: situation.name,
    state: status,
    also: main ? "main" : "",
    level: quiet ? 3 : 4, // heading level: below the heading of its scene
    marks: html`<p class="left">${open ? html`${leftToWin(table, situation)} · ${table.t("situation.round", { round: round + 1 })}` : table.t(outcome ? `outcome.${outcome}` : `situation.${status}`)}</p>
      ${race && open ? endingNow(table, situation) : nothing}`,
    body: html`<p class="about">
        ${badge(table.t(`situation.${kind}`), kind)} ${around ? badge(table.t("situation.within", { name: around.name }), "within") : nothing}
        ${race && difficulty ? badge(table.t("situation.race_of", { level, difficulty: table.t(`difficulty.${difficulty}`) })) : nothing}
        ${party ? badge(table.t("situation.party", { names: party.map((id) => table.nameOfCharacter(id)) })) : nothing}
        ${open && !quiet ? word(table, race ? "race" : "situation", table.t(race ? "situation.race" : "situation.clock"), situation.id) : nothing}
      </p>
      ${keyed(challengesOf(table, situation), (challenge) => html`${challengePart(table, challenge, turns.get(challenge.id))} ${quiet ? nothing : efforts(table, challenge)}`)}`,
  });
}

/** Draw how a race would end if its scene ended now. @param {Table} table @param {T.Situation} race */
function endingNow(table, race) {
  const outcome = endsAs(table.view, race);
  return html`<p class=${`now ${outcome}`}>${table.t("situation.now", { outcome: table.t(`outcome.${outcome}`) })}</p>`;
}

/**
 * @param {Table} table @param {T.Challenge} challenge @param {number} [turn] the place of the stud beside which it is drawn
 */
function challengePart(table, challenge, turn) {
  const { id, kind, name, status } = challenge;
  const { clock } = studOf(table, challenge);
  return html`<div
      class=${`challenge ${status} ${turn === undefined ? "" : "placed"}`}
      data-thing=${`challenge:${id}`}
      data-state=${status}
      role="group"
      aria-label=${name}
      .style=${turn === undefined ? "" : beside(turn)}
    >
      <svg class="dial glyph" viewBox="46 46 8 8" aria-hidden="true">${stud({ challenge, clock })}</svg>
      <p class="name">${called(name)}</p>
      <p class="left" data-clock=${challenge.clock_id}>${table.t(`challenge.${kind}`)} · ${leftOf(table, challenge, clock)}</p>
      ${controls(table, "challenge", challenge)} ${follows(table, "challenge", challenge)}
    </div>`;
}

/** Tell whether the name of a stud extends below its dial. @param {number} turn */
const isDeep = (turn) => turn > 0.36 && turn < 0.64;

/** Return the style that places a name beside its stud, outside the dial. @param {number} turn */
function beside(turn) {
  const [x, y] = place(1, turn).map((coordinate) => coordinate - 50);
  const side = (/** @type {number} */ way) => (way > 0.3 ? 0 : way < -0.3 ? 2 : 1);
  const room = side(x) === 1 ? "calc(var(--d) * 0.6)" : `calc(50cqi - var(--d) * ${Math.abs(x * NAMES).toFixed(3)})`;
  return `--x:${(x * NAMES).toFixed(3)};--y:${(y * NAMES).toFixed(3)};--to-x:${side(x) * -50}%;--to-y:${side(y) * -50}%;--align:${["left", "center", "right"][side(x)]};--room:${room}`;
}

/** Draw efforts that wait for the gm's ruling. @param {Table} table @param {T.Challenge} challenge */
function efforts(table, challenge) {
  const waiting = [...table.view.efforts.values()].filter((effort) => effort.challenge_id === challenge.id);
  return keyed(
    waiting,
    (effort) => html`<p class="effort" data-thing=${`effort:${effort.id}`}>
      ${table.t("effort.waits", {
        name: effort.character_id ? table.nameOfCharacter(effort.character_id) : table.nameOfSeat(effort.seat_id),
        challenge: challenge.name,
      })}
      ${word(table, "effort", table.t("word.effort.name"), effort.id)} ${controls(table, "effort", effort)}
    </p>`,
  );
}

// Several scenes

/**
 * Return the scene with the large dial: the active scene, with two exceptions. A scene that the user has chosen stays until
 * another scene becomes active. The shown scene stays while it has the focus or an open form.
 * @param {Table} table @param {readonly T.Scene[]} scenes
 */
export function shownScene(table, scenes) {
  const active = activeScene(table.view, scenes);
  const chosen = table.ui.get(CHOSEN);
  const stays = chosen && (chosen.over === active?.id || document.querySelector(`[data-thing="scene:${CSS.escape(chosen.id)}"]:is(:focus-within, :has(.disclosure[open]))`));
  const shown = (stays && scenes.find(({ id }) => id === chosen.id)) || active;
  if (!stays && shown) table.ui.set(CHOSEN, { id: shown.id, over: active?.id });
  return shown;
}

/**
 * Return the active scene. Candidates are the open scenes that are not set aside. Return the candidate with the latest
 * recent event, else the last candidate. Without candidates, return the last of all scenes.
 * @param {Table["view"]} view @param {readonly T.Scene[]} scenes
 */
function activeScene(view, scenes) {
  const open = new Map(scenes.filter(({ status, aside }) => status === "open" && !aside).map((openScene) => [openScene.id, openScene]));
  const happened = (/** @type {T.EventRecord} */ { event }) => open.get(sceneOf(view, event));
  const latest = Object.values(view.channels).flatMap((part) => (open.size > 1 && part?.recent.findLast(happened)) || []);
  const [last] = latest.sort((a, b) => b.at - a.at);
  return (last && happened(last)) ?? [...open.values()].at(-1) ?? scenes.at(-1);
}

/** Return the id of an event's scene. Without a scene, return another id or "". @param {Table["view"]} view @param {T.Event} event @returns {string} */
function sceneOf({ clocks, situations, challenges }, event) {
  const { scene_id, situation_id, challenge_id, clock_id } = /** @type {any} */ (event);
  const { of = "" } = clocks.get(clock_id) ?? {};
  const situation = situation_id ?? challenges.get(challenge_id ?? of)?.situation_id ?? of;
  return scene_id ?? situations.get(situation)?.scene_id ?? of;
}

/** Draw a scene as a small dial. A press on it shows the scene as the large dial. @param {Table} table @param {T.Scene} scene */
export function smallScene(table, scene) {
  const { id, name, status, visibility: seen } = scene;
  const hidden = seen === "public" ? "" : seen;
  const press = () => table.set(CHOSEN, { id, over: activeScene(table.view, [...table.view.scenes.values()])?.id });
  return html`<article class=${`card scene small ${status} ${hidden}`} data-thing=${`scene:${id}`} data-state=${status} aria-labelledby=${`scene-${id}-name`}>
    <button type="button" class="swap" data-key=${`scene:${id}:show`} aria-label=${table.t("scene.show", { name })} @click=${press}></button>
    <div class="heading"><h3 id=${`scene-${id}-name`}>${called(name)}</h3> ${visibility(table, hidden)} ${sceneMarks(table, scene)}</div>
    ${smallDial(table, scene)}
  </article>`;
}

/** Draw a small dial of a scene with its numbers. @param {Table} table @param {T.Scene} scene */
export function smallDial(table, scene) {
  const clocks = clocksOf(table, scene);
  return html`${rings(table, { ...clocks, label: spoken(table, clocks), small: true })}
    <p class="of-rings" aria-hidden="true">${numbers(table, clocks, scene, true)}</p>`;
}

// Clocks that belong to no scene

/** @param {Table} table @param {T.Clock} clock */
export function clockCard(table, clock) {
  const { direction, size, value } = clock;
  const owner = clock.owner && table.nameOfSeat(clock.owner);
  return card(table, {
    kind: "clock",
    thing: clock,
    name: clock.name,
    also: isAlone(table) ? "alone" : "",
    state: isFull(clock) ? "full" : "running",
    marks: html`${owner ? badge(table.t("of", { name: owner }), "owner") : nothing}
    ${isFull(clock) ? badge(table.t(`clock.done.${direction}`), "full") : nothing}`,
    body: html`${pressed(table, "clock", clock, dial(table, clock))}
      <p class="left" aria-hidden="true">${table.t(`dial.${direction}`, { value, size })}</p>
      <p class="hint">${table.t("clock.moves", { direction, size, owned: owner ? "yes" : "no", owner })}</p>`,
  });
}

/** Tell whether the view has a single clock, and no scene, countdown or sealed thing. @param {Table} table */
export function isAlone({ view: { scenes, countdowns, clocks, sealed } }) {
  return !scenes.size && !countdowns.size && !sealed.size && clocks.size === 1;
}
