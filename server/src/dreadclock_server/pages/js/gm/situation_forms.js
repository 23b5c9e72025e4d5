// @ts-check
/** The forms of situations: started, with the odds of a race; resolved, lost. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields, Options } from "../forms/fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { CHALLENGES, DIFFICULTIES, MAX_CLOCK, MAX_LEVEL, SITUATIONS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, field, segments } from "../app/controls.js";
import { word } from "../parts/word.js";
import { demanded, folded, question } from "../forms/live.js";
import { inPlay } from "../app/party.js";
import { difficultyOf, partyLevel, raceOdds, threatOf, usualParty } from "./race.js";

const CONTENTS = ["exploration", "combat", "social"]; // the usual one first
const CLOCK = 3;

/**
 * Draw the form that starts a situation in a scene.
 * @param {Table} table @param {Demand} demand @param {T.Scene} scene
 */
export function startSituation(table, demand, scene) {
  return demanded(table, demand, {
    submit: table.t("form.start"),
    again: "situation",
    seen: (f) => seenIn(scene, f),
    work: (values) => start(table, scene, values),
    fields: (f) => startFields(table, scene, f),
  });
}

/** @param {Table} table @param {T.Scene} scene @param {Fields} f */
function startFields(table, scene, f) {
  const race = f.read("kind") === "race";
  return html`<div class="fields">
      ${f.text("name", "form.name", { required: true })}
      ${f.segments("kind", "gm.situation.kind", SITUATIONS, (each) => `gm.situation.${each}`, "standard")}
      ${f.among("content", "gm.situation.content", CONTENTS, (each) => `content.${each}`)}
      ${f.steps("clock", "gm.situation.clock", CLOCK, { min: 1, max: MAX_CLOCK })}
      ${race ? levelFields(table, scene, f) : ownFields(table, scene, f)} ${f.tick("prepared", "gm.situation.prepared", scene.aside)}
    </div>
    ${challengeRows(table, f)} ${race ? raceFields(table, scene, f) : nothing}`;
}

/** Draw the challenges that it starts with. @param {Table} table @param {Fields} f */
function challengeRows(table, f) {
  return html`<fieldset class="rows challenges">
    <legend>${table.t("gm.challenges")}</legend>
    ${CHALLENGES.map((kind, at) => {
      const number = at + 1;
      const options = CHALLENGES.map((each) => /** @type {const} */ ([each, table.t(`challenge.${each}`)]));
      return html`<div class="fields">
        ${field({ name: `challenge${at}`, label: table.t("gm.challenge.number", { number }), value: f.read(`challenge${at}`) })}
        ${segments({ name: `kind${at}`, label: table.t("gm.challenge.is", { number }), options, value: f.read(`kind${at}`, kind) })}
      </div>`;
    })}
  </fieldset>`;
}

/** Say who will see a situation. @param {T.Scene} scene @param {Fields} f */
function seenIn(scene, f) {
  const hidden = scene.visibility !== "public" || f.ticked("prepared", scene.aside);
  return hidden ? "gm" : f.read("kind") === "race" ? "public" : f.read("visibility", "public");
}

/** Start a situation, and put its challenges into it. @param {Table} table @param {T.Scene} scene @param {Values} values */
async function start(table, scene, values) {
  const { records } = await table.room.submit(commandOf(table, scene, values));
  const [situation_id] = records.flatMap(({ event }) => (event.type === "situation_started" ? [event.situation.id] : []));
  for (const [at, usual] of CHALLENGES.entries()) {
    const name = values.text(`challenge${at}`);
    const kind = values.choice(`kind${at}`) ?? usual;
    if (name && situation_id) await table.room.submit({ type: "add_challenge", situation_id, name, kind });
  }
}

/** Draw what only a standard situation has: a race around it, and a secrecy of its own. */
function ownFields(/** @type {Table} */ table, /** @type {T.Scene} */ scene, /** @type {Fields} */ f) {
  const prepared = f.ticked("prepared", scene.aside);
  const around = [...table.view.situations.values()].filter(
    ({ scene_id, kind, status }) =>
      scene_id === scene.id && kind === "race" && (status === "open" || (prepared && status === "prepared")),
  );
  const options = around.map((each) => /** @type {const} */ ([each.id, each.name]));
  const hiding = scene.visibility === "public" ? f.visibility() : f.tick("kept", "gm.situation.kept");
  return html`${around.length ? f.pick("within", "gm.situation.within", [["", table.t("form.none")], ...options]) : nothing}
  ${prepared ? nothing : hiding}`;
}

/** Return the difficulties, each with what it means. @param {Table} table @returns {Options} */
function difficulties(table) {
  return DIFFICULTIES.map((each) => [each, table.t(`gm.race.${each}`, { difficulty: table.t(`difficulty.${each}`) })]);
}

/** Draw how hard a race is: its level, and its difficulty, which follows from the party's level. @param {Table} table @param {T.Scene} scene @param {Fields} f */
function levelFields(table, scene, f) {
  const { party, level } = levelsIn(table, f);
  const needed = difficultyOf(level, party) === null && !f.ticked("prepared", scene.aside);
  const byParty = party === null ? table.t("gm.race.no_party") : table.t("gm.race.by_party", { party });
  return html`${f.steps("level", "gm.race.level", level, { min: 1, max: MAX_LEVEL })}
  ${f.pick("difficulty", "gm.race.difficulty", [["", byParty], ...difficulties(table)], undefined, { required: needed })}`;
}

/** Return the levels of a race and of the party that is ticked for it, null for one of nobody. @param {Table} table @param {Fields} f */
function levelsIn(table, f) {
  const party = partyLevel(partyIn(table, f));
  return { party, level: Math.min(MAX_LEVEL, Math.max(1, f.number("level", party ?? 1))) };
}

/** @param {Table} table @param {T.Scene} scene @param {Fields} f */
function raceFields(table, scene, f) {
  const { party, level } = levelsIn(table, f);
  const difficulty = /** @type {T.Difficulty | ""} */ (f.read("difficulty")) || difficultyOf(level, party);
  const left = table.view.clocks.get(scene.threat_id ?? "")?.value;
  const threat = left ?? (difficulty ? threatOf(level, difficulty) : 0);
  return html`${folded(table.t("gm.party"), partyFields(table, f))}
    <p class="hint">
      ${left === undefined ? startOf(table, difficulty, threat) : table.t("gm.race.shared", { threat })}
      ${word(table, "threat", table.t("scene.threat"), f.key)}
    </p>
    ${raceOdds(table, `${f.key}:odds`, { situation: f.number("clock", CLOCK), threat }, f)}`;
}

/** Return who is ticked as the party of a race, at first the players' characters. Source: rules.md B18. @param {Table} table @param {Fields} f */
function partyIn(table, f) {
  if (!f.has("party")) return usualParty(table);
  return inPlay(table).filter(({ id }) => f.values.ticked(`party:${id}`));
}

/** @param {Table} table @param {Fields} f */
function partyFields(table, f) {
  const party = partyIn(table, f);
  const members = inPlay(table).map((each) =>
    field({ name: `party:${each.id}`, type: "checkbox", label: nameInParty(table, each), checked: party.includes(each) }),
  );
  return html`<div class="fields"><input type="hidden" name="party" value="ticked" />${members}</div>`;
}

/** Name a character, and say whether it does not count for a race yet. Source: rules.md B18. @param {Table} table @param {T.Character} character */
function nameInParty(table, { name, newcomer }) {
  return newcomer ? table.t("gm.party.newcomer", { name }) : name;
}

/** @param {Table} table @param {T.Difficulty | null} difficulty @param {number} threat */
function startOf(table, difficulty, threat) {
  if (!difficulty) return table.t("gm.race.name_it");
  return table.t("gm.race.start", { difficulty: table.t(`difficulty.${difficulty}`), threat });
}

/** @param {Table} table @param {T.Scene} scene @param {Values} values @returns {T.StartSituation} */
function commandOf(table, scene, values) {
  const party = inPlay(table).flatMap(({ id }) => (values.ticked(`party:${id}`) ? [id] : []));
  const usual = usualParty(table).map(({ id }) => id);
  return {
    type: "start_situation",
    scene_id: scene.id,
    name: values.text("name") ?? "",
    kind: values.choice("kind"),
    content: values.choice("content"),
    clock: values.number("clock") ?? CLOCK,
    level: values.number("level"),
    party: party.length && party.join() !== usual.join() ? party : undefined,
    difficulty: values.choice("difficulty"),
    visibility: values.ticked("kept") ? "gm" : values.choice("visibility"),
    within: values.choice("within"),
    prepared: values.ticked("prepared") || undefined,
  };
}

/** Draw how a race stands. @param {Table} table @param {Demand} _ @param {T.Situation} situation */
export function odds(table, _, { id, clock_id: clockId, scene_id: sceneId }) {
  const { clocks, scenes } = table.view;
  const situation = clocks.get(clockId)?.value ?? 0;
  const threat = clocks.get(scenes.get(sceneId)?.threat_id ?? "")?.value ?? 0;
  const key = `situation:${id}:odds`;
  return question(table, key, (f) => raceOdds(table, key, { situation, threat }, f));
}

/** Draw what begins a situation that is prepared: of a race too far from its party's level, how hard it is is asked for. @param {Table} table @param {T.Situation} situation */
export function beginning(table, situation) {
  if (needsDifficulty(table, situation)) {
    return html`<p class="hint">${table.t("gm.race.name_it")}</p>
      ${beginningAs(table, { key: `situation:${situation.id}:begin_as`, describes: situation.name, label: table.t("gm.situation.begin") }, situation)}`;
  }
  const { id, name } = situation;
  const command = /** @type {const} */ ({ type: "begin_situation", situation_id: id });
  return button(table, { key: `situation:${id}:begin`, label: table.t("gm.situation.begin"), describes: name, command });
}

/** Tell whether a race begins only if its difficulty is named. Source: rules.md B5. @param {Table} table @param {T.Situation} situation */
function needsDifficulty(table, { kind, level, difficulty, party }) {
  if (kind !== "race" || level === undefined || difficulty !== undefined) return false;
  const measured = party ? inPlay(table).filter(({ id }) => party.includes(id)) : usualParty(table);
  return difficultyOf(level, partyLevel(measured)) === null;
}

/** Draw the form that begins a race with a difficulty of its own. @param {Table} table @param {Demand} demand @param {T.Situation} situation */
export function beginningAs(table, demand, { id }) {
  return demanded(table, demand, {
    submit: table.t("gm.situation.begin"),
    command: (values) => ({ type: "begin_situation", situation_id: id, difficulty: values.choice("difficulty") }),
    fields: (f) => f.pick("difficulty", "gm.race.difficulty", difficulties(table)),
  });
}

/** @param {Table} table @param {Demand} demand @param {T.Situation} situation */
export function resolving(table, demand, { id }) {
  return demanded(table, demand, {
    submit: table.t("gm.resolve"),
    command: (values) => ({ type: "resolve_situation", situation_id: id, how: values.text("how") ?? "" }),
    fields: (f) => f.sentence("how", "gm.resolve.how", { required: true }),
  });
}

/** @param {Table} table @param {Demand} demand @param {T.Situation} situation */
export function failing(table, demand, { id }) {
  return demanded(table, demand, {
    submit: table.t("gm.fail"),
    kind: "risk",
    command: (values) => ({ type: "fail_situation", situation_id: id, reason: values.choice("reason") }),
    fields: (f) => f.among("reason", "gm.fail.why", ["defeated", "retreated"], (each) => `gm.fail.${each}`),
  });
}
