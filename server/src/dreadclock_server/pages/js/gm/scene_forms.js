// @ts-check
/** The gm's forms for scenes, the situations in them, their challenges, and efforts (attempts on a challenge); and the odds of races (situations with a threat clock). */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields, Options } from "../forms/fields.js"
 * @import { Panel } from "./panel.js"
 */

import { CHALLENGES, DIFFICULTIES, MAX_CLOCK, MAX_LEVEL, SITUATIONS, TYPICAL } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, field, segments } from "../app/controls.js";
import { explained, word } from "../parts/word.js";
import { commandForm, folded, panelForm, question, seenAs } from "../forms/live.js";
import { named } from "../forms/fields.js";
import { stepper } from "../forms/stepper.js";
import { inPlay } from "../app/party.js";
import { waitsForRoll } from "../parts/countdown.js";
import { difficultyOf, partyLevel, raceOdds, threatOf, usualParty } from "./race.js";
import { rollsAlong } from "./presses.js";

const SCENE_POINTS = 10; // the initial number of points of a new scene
const SITUATION_POINTS = 3;
const CONTENTS = ["exploration", "combat", "social"]; // the most frequent content first
const POINTS = { min: 1, max: MAX_CLOCK };

// Scenes

/** Draw the form that opens a scene. @param {Table} table @param {Panel} panel */
export function openScene(table, panel) {
  return panelForm(table, panel, {
    submit: table.t("gm.open"),
    seen: seenAs,
    command: (entered) => ({ type: "open_scene", ...entered }),
    fields: (f) =>
      html`<div class="fields">
          ${f.text("name", "form.name", { required: true })}
          ${f.steps("clock", "gm.scene.clock", SCENE_POINTS, POINTS)} ${f.visibility()} ${f.tick("sixes_add", "gm.scene.sixes")}
        </div>
        <p class="hint">${table.t("gm.scene.typical", TYPICAL)}</p>`,
  });
}

/** Draw the button that ends the turn of one scene, and a sentence about the countdowns that it rolls. @param {Table} table @param {T.Scene} scene */
export function turning(table, { id, name }) {
  const bound = [...table.view.countdowns.values()].filter((countdown) => countdown.bound_to === "scene" && countdown.bound_id === id);
  const due = bound.filter((countdown) => waitsForRoll(table.view, countdown));
  const command = /** @type {const} */ ({ type: "end_turn", scene_id: id });
  return html`${button(table, { key: `scene:${id}:turn`, label: table.t("gm.scene.turn"), describes: name, command })}
    <span class="hint" data-part="due">${rollsAlong(table, due)}</span>`;
}

// Situations

/** Draw the form that starts a situation in a scene. @param {Table} table @param {Panel} panel @param {T.Scene} scene */
export function startSituation(table, panel, scene) {
  return panelForm(table, panel, {
    submit: table.t("form.start"),
    again: "situation",
    seen: (f) => seenIn(scene, f),
    work: (entered, values) => start(table, scene, entered, values),
    fields: (f) => startFields(table, scene, f),
  });
}

/** @param {Table} table @param {T.Scene} scene @param {Fields} f */
function startFields(table, scene, f) {
  const race = f.read("kind") === "race";
  return html`<div class="fields">
      ${f.text("name", "form.name", { required: true })} ${f.segments("kind", "gm.situation.kind", SITUATIONS, "gm.situation", "standard")}
      ${f.among("content", "gm.situation.content", CONTENTS, "content")} ${f.steps("clock", "gm.situation.clock", SITUATION_POINTS, POINTS)}
      ${race ? levelFields(table, scene, f) : standardFields(table, scene, f)} ${f.tick("prepared", "gm.situation.prepared", scene.aside)}
    </div>
    ${challengeRows(table, f)} ${race ? raceFields(table, scene, f) : nothing}`;
}

/** Draw rows for the first challenges of a situation, at first one for each kind. @param {Table} table @param {Fields} f */
function challengeRows(table, f) {
  const options = CHALLENGES.map((kind) => /** @type {const} */ ([kind, table.t(`challenge.${kind}`)]));
  return html`<fieldset class="rows challenges">
    <legend>${table.t("gm.challenges")}</legend>
    ${CHALLENGES.map((kind, at) => {
      const number = at + 1;
      return html`<div class="fields">
        ${field({ name: `challenge${at}`, label: table.t("gm.challenge.number", { number }), value: f.read(`challenge${at}`) })}
        ${segments({ name: `kind${at}`, label: table.t("gm.challenge.is", { number }), options, value: f.read(`kind${at}`, kind) })}
      </div>`;
    })}
  </fieldset>`;
}

/** Return who will see a new situation: `gm`, `public` or `sealed`. @param {T.Scene} scene @param {Fields} f */
function seenIn(scene, f) {
  const hidden = scene.visibility !== "public" || f.ticked("prepared", scene.aside);
  return hidden ? "gm" : f.read("kind") === "race" ? "public" : seenAs(f);
}

/**
 * Start a situation, and then add the challenges that have a name.
 * @param {Table} table @param {T.Scene} scene @param {any} entered @param {Values} values
 */
async function start(table, scene, { kept, ...entered }, values) {
  const party = inPlay(table).filter(({ id }) => values.ticked(`party:${id}`)).map(({ id }) => id);
  const isUsual = !party.length || party.join() === usualParty(table).map(({ id }) => id).join();
  const seen = kept ? { visibility: "gm" } : {};
  const { records } = await table.room.submit({ type: "start_situation", scene_id: scene.id, ...entered, ...(isUsual ? {} : { party }), ...seen });
  const [situation_id] = records.flatMap(({ event }) => (event.type === "situation_started" ? [event.situation.id] : []));
  for (const [at, usual] of CHALLENGES.entries()) {
    const name = values.text(`challenge${at}`);
    const kind = values.choice(`kind${at}`) ?? usual;
    if (name && situation_id) await table.room.submit({ type: "add_challenge", situation_id, name, kind });
  }
}

/** Draw the fields that only a standard situation has: its visibility, and the race around it. @param {Table} table @param {T.Scene} scene @param {Fields} f */
function standardFields(table, scene, f) {
  const prepared = f.ticked("prepared", scene.aside);
  const races = [...table.view.situations.values()].filter(
    ({ scene_id, kind, status }) => scene_id === scene.id && kind === "race" && (status === "open" || (prepared && status === "prepared")),
  );
  const hiding = scene.visibility === "public" ? f.visibility() : f.tick("kept", "gm.situation.kept");
  return html`${races.length ? f.pick("within", "gm.situation.within", [["", table.t("form.none")], ...named(races)]) : nothing}
  ${prepared ? nothing : hiding}`;
}

/** Return the difficulties of races as options, with explanations. @param {Table} table @returns {Options} */
function difficulties(table) {
  return DIFFICULTIES.map((difficulty) => [difficulty, table.t(`gm.race.${difficulty}`, { difficulty: table.t(`difficulty.${difficulty}`) })]);
}

/**
 * Draw the fields for the level and the difficulty of a race. If the gm chooses no difficulty, the server takes the difficulty for the
 * levels of the race and the party.
 * @param {Table} table @param {T.Scene} scene @param {Fields} f
 */
function levelFields(table, scene, f) {
  const { party, level } = levelsIn(table, f);
  const needed = difficultyOf(level, party) === null && !f.ticked("prepared", scene.aside);
  const byParty = party === null ? table.t("gm.race.no_party") : table.t("gm.race.by_party", { party });
  return html`${f.steps("level", "gm.race.level", level, { min: 1, max: MAX_LEVEL })}
  ${f.pick("difficulty", "gm.race.difficulty", [["", byParty], ...difficulties(table)], undefined, { required: needed })}`;
}

/** Return the entered level of a race, and the level of the ticked characters. The second is null if only newcomers (not approved yet) or nobody is ticked. @param {Table} table @param {Fields} f */
function levelsIn(table, f) {
  const party = partyLevel(partyIn(table, f));
  return { party, level: Math.min(MAX_LEVEL, Math.max(1, f.number("level", party ?? 1))) };
}

/** @param {Table} table @param {T.Scene} scene @param {Fields} f */
function raceFields(table, scene, f) {
  const { party, level } = levelsIn(table, f);
  const difficulty = /** @type {T.Difficulty | ""} */ (f.read("difficulty")) || difficultyOf(level, party);
  const left = table.view.clocks.get(scene.threat_id ?? "")?.value; // the present threat, if the scene already has a threat
  const threat = left ?? (difficulty ? threatOf(level, difficulty) : 0);
  const begins = difficulty ? table.t("gm.race.start", { difficulty: table.t(`difficulty.${difficulty}`), threat }) : table.t("gm.race.name_it");
  return html`${folded(table.t("gm.party"), partyFields(table, f))}
    <p class="hint">
      ${left === undefined ? begins : table.t("gm.race.shared", { threat })} ${word(table, "threat", table.t("scene.threat"), f.key)}
    </p>
    ${raceOdds(table, `${f.key}:odds`, { situation: f.number("clock", SITUATION_POINTS), threat }, f.apart())}`;
}

/** Return the ticked characters, who are the party of a race. Until the checkboxes are drawn, return the players' characters. Source: rules.md B18. @param {Table} table @param {Fields} f */
function partyIn(table, f) {
  if (!f.has("party")) return usualParty(table);
  return inPlay(table).filter(({ id }) => f.values.ticked(`party:${id}`));
}

/** Draw a checkbox for each character in play. The label of a newcomer says that newcomers do not count for the party's level. Source: rules.md B18. @param {Table} table @param {Fields} f */
function partyFields(table, f) {
  const party = partyIn(table, f);
  const members = inPlay(table).map((character) => {
    const { id, name, newcomer } = character;
    const label = newcomer ? table.t("gm.party.newcomer", { name }) : name;
    return field({ name: `party:${id}`, type: "checkbox", label, checked: party.includes(character) });
  });
  return html`<div class="fields"><input type="hidden" name="party" value="ticked" />${members}</div>`;
}

/** Draw the odds of a race that has started. @param {Table} table @param {Panel} _ @param {T.Situation} situation */
export function odds(table, _, { id, clock_id: clockId, scene_id: sceneId }) {
  const { clocks, scenes } = table.view;
  const situation = clocks.get(clockId)?.value ?? 0;
  const threat = clocks.get(scenes.get(sceneId)?.threat_id ?? "")?.value ?? 0;
  const key = `situation:${id}:odds`;
  return question(table, key, (f) => raceOdds(table, key, { situation, threat }, f));
}

/**
 * Draw the button that begins a prepared (hidden) situation. If the gm must choose the difficulty of a race first,
 * draw a form for the difficulty instead. Source: rules.md B5.
 * @param {Table} table @param {T.Situation} situation
 */
export function beginning(table, situation) {
  const { id, name, kind, level, difficulty, party } = situation;
  const label = table.t("gm.situation.begin");
  const measured = party ? inPlay(table).filter((character) => party.includes(character.id)) : usualParty(table);
  if (kind === "race" && level !== undefined && difficulty === undefined && difficultyOf(level, partyLevel(measured)) === null) {
    return html`<p class="hint">${table.t("gm.race.name_it")}</p>
      ${beginningAs(table, { key: `situation:${id}:begin_as`, describes: name, label }, situation)}`;
  }
  return button(table, { key: `situation:${id}:begin`, label, describes: name, command: { type: "begin_situation", situation_id: id } });
}

/** Draws the form that begins a prepared race with a chosen difficulty. */
export const beginningAs = commandForm(
  "begin_situation",
  "situation_id",
  (f) => f.pick("difficulty", "gm.race.difficulty", difficulties(f.table)),
  { submit: "gm.situation.begin" },
);

/** Draws the form that ends a situation as won. */
export const resolving = commandForm("resolve_situation", "situation_id", (f) => f.sentence("how", "gm.resolve.how", { required: true }));

/** Draws the form that ends a situation as failed. */
export const failing = commandForm(
  "fail_situation",
  "situation_id",
  (f) => f.among("reason", "gm.fail.why", ["defeated", "retreated"], "gm.fail"),
  { kind: "risk" },
);

// Challenges

/** Draw the form that adds a challenge to a situation. @param {Table} table @param {Panel} panel @param {T.Situation} situation */
export function addChallenge(table, panel, { id, scene_id, visibility, status }) {
  const hidden = table.view.scenes.get(scene_id)?.visibility !== "public" || status === "prepared";
  return panelForm(table, panel, {
    submit: table.t("gm.add"),
    again: "challenge",
    stays: true,
    seen: () => (hidden ? "gm" : visibility),
    command: (entered) => ({ type: "add_challenge", situation_id: id, ...entered }),
    fields: (f) =>
      html`<div class="fields">
        ${f.text("name", "form.name", { required: true })} ${f.segments("kind", "gm.challenge.kind", CHALLENGES, "challenge")}
        ${f.steps("clock", "gm.challenge.clock", 1, POINTS)}
      </div>`,
  });
}

/** Draw the form for an effort and its result. @param {Table} table @param {Panel} panel @param {T.Challenge} challenge */
export function attempting(table, panel, { id }) {
  return panelForm(table, panel, {
    command: ({ success, ...entered }) => ({ type: "attempt_effort", challenge_id: id, ...entered, success: success === "yes" }),
    fields: (f) =>
      html`<div class="fields">
        ${explained(table, "effort", table.t("word.effort.name"), f.key, f.character("character_id", "gm.effort.who", "gm.effort.anybody"))}
        ${f.among("success", "gm.effort.result", ["yes", "no"], "gm.effort.result")} ${f.steps("amount", "gm.points", 1, POINTS)}
      </div>`,
  });
}

/** Draw the controls that decide an effort: success with a number of points, or failure. @param {Table} table @param {T.Effort} effort */
export function ruling(table, { id, challenge_id: challengeId }) {
  const key = `effort:${id}`;
  const describes = table.view.challenges.get(challengeId)?.name ?? challengeId;
  const amount = table.ui.get(`${key}:amount`) ?? 1;
  const changed = (/** @type {number} */ value) => table.set(`${key}:amount`, Math.max(1, value));
  const command = /** @type {const} */ ({ type: "rule_effort", effort_id: id });
  const success = { key: `${key}:success`, label: table.t("gm.success"), kind: "main", describes, command: { ...command, success: true, amount } };
  return html`${button(table, success)}
  ${button(table, { key: `${key}:failure`, label: table.t("gm.failure"), describes, command: { ...command, success: false } })}
  ${stepper(table, { ...POINTS, key, name: "amount", label: table.t("gm.points"), value: 1, describes, changed })}`;
}
