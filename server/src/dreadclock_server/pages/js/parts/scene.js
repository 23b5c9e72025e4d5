// @ts-check
/** Scenes with their situations and challenges, and clocks that stand for themselves. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { TYPICAL } from "../../client/limits.js";
import { endsAs } from "../../client/views.js";
import { isFull } from "../app/over.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { badge, called, card, controls, follows, keyed } from "./card.js";
import { dial } from "./dial.js";
import { word } from "./word.js";

/** Draw a scene, its threat, and all that goes on in it. @param {Table} table @param {T.Scene} scene */
export function sceneCard(table, scene) {
  const { view } = table;
  const situations = [...view.situations.values()].filter((each) => each.scene_id === scene.id);
  const races = situations.some(({ kind, status }) => kind === "race" && status === "open");
  return card(table, {
    kind: "scene",
    thing: scene,
    name: scene.name,
    state: scene.status,
    marks: sceneMarks(table, scene),
    body: html`<div class="dials">
        ${named(table, view.clocks.get(scene.clock_id), table.t("scene.clock"))}
        ${scene.threat_id ? named(table, view.clocks.get(scene.threat_id), table.t("scene.threat"), { about: races ? "threat" : "" }) : nothing}
      </div>
      <div class="situations">${keyed(situations, (each) => situationCard(table, each))}</div>`,
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

/** @param {Table} table @param {T.Situation} situation */
function situationCard(table, situation) {
  const challenges = [...table.view.challenges.values()].filter((each) => each.situation_id === situation.id);
  const { kind, level, difficulty, round, status, outcome } = situation;
  const around = table.view.situations.get(situation.within ?? "");
  const race = kind === "race";
  return card(table, {
    kind: "situation",
    thing: situation,
    name: situation.name,
    state: status,
    level: 4,
    marks: html`${badge(table.t(`situation.${kind}`), kind)}
    ${around ? badge(table.t("situation.within", { name: around.name }), "within") : nothing}
    ${race && difficulty ? badge(table.t("situation.race_of", { level, difficulty: table.t(`difficulty.${difficulty}`) })) : nothing}
    ${status === "open" ? badge(table.t("situation.round", { round: round + 1 })) : nothing}
    ${situation.party ? badge(table.t("situation.party", { names: situation.party.map((id) => table.nameOfCharacter(id)) })) : nothing}
    ${race && status === "open" ? endingNow(table, situation) : nothing}
    ${status === "open" ? nothing : badge(table.t(outcome ? `outcome.${outcome}` : `situation.${status}`), status)}`,
    body: html`<div class="dials">
        ${named(table, table.view.clocks.get(situation.clock_id), table.t("situation.clock"), { about: status === "open" ? "situation" : "" })}
        ${keyed(challenges, (each) => challengeDial(table, each))}
      </div>
      ${keyed(challenges, (each) => efforts(table, each))}`,
  });
}

/** Say how a race would end if its scene ended now. @param {Table} table @param {T.Situation} race */
function endingNow(table, race) {
  const outcome = endsAs(table.view, race);
  return badge(table.t("situation.now", { outcome: table.t(`outcome.${outcome}`) }), `now ${outcome}`);
}

/** @param {Table} table @param {T.Challenge} challenge */
function challengeDial(table, challenge) {
  const { id, kind, name, status } = challenge;
  return html`<div class=${`challenge ${status}`} data-thing=${`challenge:${id}`} data-state=${status} role="group" aria-label=${name}>
    ${named(table, table.view.clocks.get(challenge.clock_id), name, { kind: table.t(`challenge.${kind}`) })}
    ${status === "open" ? nothing : badge(table.t(`challenge.${status}`), status)} ${controls(table, "challenge", challenge)}
    ${follows(table, "challenge", challenge)}
  </div>`;
}

/** @param {Table} table @param {T.Challenge} challenge */
function efforts(table, challenge) {
  const waiting = [...table.view.efforts.values()].filter((each) => each.challenge_id === challenge.id);
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

/** @param {Table} table @param {T.Clock | undefined} clock @param {string} name @param {{ kind?: string, about?: string }} [how] `about`: the word that says what moves it */
function named(table, clock, name, { kind, about } = {}) {
  if (!clock) return nothing;
  return html`<figure class="dialled" data-clock=${clock.id}>
    ${dial(table, clock)}
    <figcaption>${kind ? html`<span class="kind">${kind}</span> ` : nothing}${kind ? called(name) : name} ${about ? word(table, about, name, clock.id) : nothing}</figcaption>
  </figure>`;
}

/** Draw a clock that stands for itself. @param {Table} table @param {T.Clock} clock */
export function clockCard(table, clock) {
  const { direction, size } = clock;
  const owner = clock.owner && table.nameOfSeat(clock.owner);
  return card(table, {
    kind: "clock",
    thing: clock,
    name: clock.name,
    state: isFull(clock) ? "full" : "running",
    marks: html`${owner ? badge(table.t("of", { name: owner }), "owner") : nothing}
    ${isFull(clock) ? badge(table.t(`clock.done.${direction}`), "full") : nothing}`,
    body: html`<div class="dials">${dial(table, clock)}</div>
      <p class="hint">${table.t("clock.moves", { direction, size, owned: owner ? "yes" : "no", owner })}</p>`,
  });
}
