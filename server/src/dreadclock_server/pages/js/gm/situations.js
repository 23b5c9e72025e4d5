// @ts-check
/** Situations in the gm's hands, with their challenges and efforts. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily, more, onDemand } from "./lazily.js";
import { revealing } from "./presses.js";
import { goesOn } from "../app/over.js";

const forms = lazily(() => import("./situation_forms.js"));
const challenges = lazily(() => import("./challenge_forms.js"));
const complications = lazily(() => import("./complications.js"));

/** Draw what the gm does with a situation. @param {Table} table @param {T.Situation} situation */
export function situationControls(table, situation) {
  if (situation.status === "prepared") return preparedControls(table, situation);
  if (situation.status !== "open" || table.view.scenes.get(situation.scene_id)?.aside) return nothing;
  const { id, name, kind, visibility, scene_id: sceneId } = situation;
  const key = `situation:${id}`;
  const alone = visibility !== "public" && table.view.scenes.get(sceneId)?.visibility === "public";
  const round = /** @type {const} */ ({ type: "end_round", situation_id: id });
  const odds = () => forms(table, (module) => module.oddsOfRace(table, situation));
  const rest = () => forms(table, (module) => module.restOfSituation(table, situation));
  return html`${button(table, { key: `${key}:round`, label: table.t("gm.round.end"), describes: name, command: round })}
  ${alone ? revealing(table, situation, name) : nothing} ${challenge(table, situation)}
  ${kind === "race" ? more(table, `${key}:odds`, name, odds, table.t("gm.odds")) : nothing}
  ${complication(table, situation)} ${more(table, key, name, rest)}`;
}

/** Draw what the gm does with a situation that is prepared. @param {Table} table @param {T.Situation} situation */
function preparedControls(table, situation) {
  const { id, name } = situation;
  const key = `situation:${id}`;
  const rest = () => forms(table, (module) => module.restOfPrepared(table, situation));
  return html`${forms(table, (module) => module.beginning(table, situation))} ${challenge(table, situation)} ${more(table, key, name, rest)}`;
}

/** @param {Table} table @param {T.Situation} situation */
function challenge(table, situation) {
  const { id, name } = situation;
  const demand = { key: `situation:${id}:challenge`, label: table.t("gm.challenge.add"), about: "challenge", describes: name };
  return onDemand(table, demand, (asked) =>
    challenges(table, (module) => module.addChallenge(table, asked, situation)),
  );
}

/** @param {Table} table @param {T.Situation} situation */
function complication(table, situation) {
  const { id, name } = situation;
  const demand = { key: `situation:${id}:complication`, label: table.t("gm.complication"), does: table.t("gm.complication.does"), describes: name };
  return onDemand(table, demand, (asked) =>
    complications(table, (module) => module.complicating(table, asked, situation)),
  );
}

/** Draw what the gm does with a challenge. @param {Table} table @param {T.Challenge} challenge */
export function challengeControls(table, challenge) {
  if (!goesOn(table, challenge)) return nothing;
  const { id, name } = challenge;
  const key = `challenge:${id}`;
  const command = /** @type {const} */ ({ type: "overcome_challenge", challenge_id: id });
  const rest = () => challenges(table, (module) => module.restOfChallenge(table, challenge));
  return html`${button(table, { key: `${key}:overcome`, label: table.t("gm.overcome"), describes: name, command })}
  ${more(table, key, name, rest)}`;
}

/** Draw the ruling of an effort that waits. @param {Table} table @param {T.Effort} effort */
export function effortControls(table, effort) {
  return challenges(table, (module) => module.ruling(table, effort));
}
