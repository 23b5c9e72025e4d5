// @ts-check
/** Form rows for effects, such as moving a clock. A row has the kind of one effect, its target and its details. Source: rules.md C26 and E5. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields, Options } from "../forms/fields.js"
 *
 * @typedef {object} Row
 * @property {number} number the number in the row's label, from 1
 * @property {T.Effect} [before] the stored effect whose values the row shows at first
 * @property {boolean} [isGms] whether only the gm sees the text of the effect `tell`
 * @property {boolean} [required] whether an effect must be chosen
 * @property {boolean} [ofFumble] whether the effect happens after a fumble. If so, the first offered target is the character that fumbled
 * @property {number} [depth] how many rows for `set_fumble` are around the row
 */

import { MAX_CLOCK, MAX_EFFECTS, MAX_FUMBLE_DEPTH, MAX_POOL, SPEEDS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { countdownIsOver, isFull } from "../app/over.js";
import { named } from "../forms/fields.js";
import { clockOptions, runningClocks } from "./clock_forms.js";
import { inPlay } from "../app/party.js";

const POOL = 6; // the initial number of dice of a new countdown
const FATES = ["dies", "leaves", "retires"];
const BINDINGS = ["turn", "nothing"]; // what rolls a countdown automatically; the most frequent first
const TOKENS = ["momentum", "interference"];
const TRACK = " | "; // between a character's id and the name of a track (a value on the sheet). Ids have no spaces
const WITHIN = "\t"; // separates the row's number in a field's name. What precedes it may contain typed text, but no tab

/** For each effect with a target: a function that returns the possible targets as options. @type {{ [does: string]: (table: Table) => Options }} */
const TARGETS = {
  tick: (table) => clockOptions(table, movingClocks(table)),
  stabilize: (table) => countdowns(table, ({ stabilizable }) => stabilizable),
  resume: (table) => countdowns(table, ({ stabilizable, status }) => stabilizable || status === "stabilized"),
  replenish: (table) => countdowns(table, ({ replenishable }) => replenishable),
  roll: (table) => countdowns(table, () => true),
  take_off: (table) => named(openChallenges(table)),
  give_state: (table) => named(inPlay(table)),
  drop_state: (table) => named(inPlay(table)),
  move_track: (table) =>
    inPlay(table).flatMap(({ id, name, tracks }) => Object.keys(tracks).map((track) => /** @type {const} */ ([`${id}${TRACK}${track}`, `${name}: ${track}`]))),
  give_token: (table) => named(inPlay(table).filter(({ visibility }) => visibility === "public")),
  leave: (table) => named(inPlay(table)),
  set_fumble: (table) => named(withFumbles(table)),
  drop_fumble: (table) => named(withFumbles(table)),
  reveal: hiddenThings,
};
const EFFECTS = /** @type {T.Does[]} */ ([...Object.keys(TARGETS), "start", "tell"]);
/** The effects whose target can be the character that fumbled. */
const ON_FUMBLER = new Set(["give_state", "drop_state", "move_track", "give_token", "leave", "set_fumble", "drop_fumble"]);

/** For each effect with a number: the key of the number's label, its minimum and its maximum. @type {{ [does: string]: [label: string, min: number, max: number] }} */
const NUMBERS = {
  tick: ["gm.effect.by", -MAX_CLOCK, MAX_CLOCK],
  move_track: ["gm.effect.by_track", -MAX_CLOCK, MAX_CLOCK],
  replenish: ["form.dice", 1, MAX_POOL],
  take_off: ["gm.points", 1, MAX_CLOCK],
};

/** Return as options the countdowns that are not over and that pass the filter. @param {Table} table @param {(countdown: T.Countdown) => boolean} filter */
function countdowns({ view }, filter) {
  return named([...view.countdowns.values()].filter((countdown) => !countdownIsOver(countdown) && filter(countdown)));
}

/** @param {Table} table */
function openScenes({ view }) {
  return [...view.scenes.values()].filter(({ status }) => status === "open");
}

/** Return the clocks that can move now: clocks without a scene that are not full, and clocks of open scenes. @param {Table} table */
function movingClocks(table) {
  const free = [...table.view.clocks.values()].filter((clock) => clock.kind === "free" && !isFull(clock));
  return [...free, ...openScenes(table).flatMap((scene) => runningClocks(table, scene))];
}

/** Return the open and the prepared situations of open scenes. @param {Table} table */
function situations({ view }) {
  const isOpen = (/** @type {T.Situation} */ { status }) => status === "open" || status === "prepared";
  return [...view.situations.values()].filter((situation) => isOpen(situation) && view.scenes.get(situation.scene_id)?.status === "open");
}

/** Return the open challenges of the situations that `situations` returns. @param {Table} table */
function openChallenges(table) {
  const ids = new Set(situations(table).map(({ id }) => id));
  return [...table.view.challenges.values()].filter(({ status, situation_id: id }) => status === "open" && ids.has(id));
}

/** Return the things that can have fumble effects: characters in play, open scenes and their situations. @param {Table} table */
function withFumbles(table) {
  return [...inPlay(table), ...openScenes(table), ...situations(table)];
}

/** Return the things that only the gm sees, as options. @param {Table} table @returns {Options} */
function hiddenThings({ view: { gm } }) {
  if (!gm) return [];
  const free = [...gm.clocks.values()].filter(({ kind }) => kind === "free");
  return named([...[gm.countdowns, gm.scenes, gm.situations, gm.characters].flatMap((things) => [...things.values()]), ...free]);
}

/** Return the possible targets of an effect as options. While a row still has its stored effect, the stored target is included, even if it is no longer possible. @param {Table} table @param {string} does @param {Row} row @returns {Options} */
function targets(table, does, { before, ofFumble }) {
  const all = [...(ofFumble && ON_FUMBLER.has(does) ? onFumbler(table, does) : []), ...TARGETS[does](table)];
  const earlier = before?.does === does ? targetOf(before) : "";
  return !earlier || all.some(([target]) => target === earlier) ? all : [...all, [earlier, before?.thing_id ?? earlier]];
}

/** Return the options for the character that fumbled: one, or for `move_track` one for each name of a track. @param {Table} table @param {string} does @returns {Options} */
function onFumbler(table, does) {
  const who = table.t("gm.effect.whoever");
  if (does !== "move_track") return [["", who]];
  const tracks = new Set(inPlay(table).flatMap((character) => Object.keys(character.tracks)));
  return [...tracks].map((track) => [`${TRACK}${track}`, `${who}: ${track}`]);
}

/** Return the value of the option for an effect's target. @param {T.Effect} effect */
function targetOf({ does, thing_id: id = "", name }) {
  return does === "move_track" ? `${id}${TRACK}${name}` : id;
}

/**
 * Draw the fields of an effect. The names of the fields end with `suffix`, so that the rows of a form have different names.
 * @param {Table} table @param {Fields} f @param {string} suffix @param {Row} row @returns {unknown}
 */
export function effectFields(table, f, suffix, row) {
  const { number, before, required, ofFumble, depth = 0 } = row;
  const may = (/** @type {T.Does} */ does) => !(does === "reveal" && ofFumble) && !(does === "set_fumble" && depth === MAX_FUMBLE_DEPTH);
  const offered = EFFECTS.filter((does) => may(does) && (!TARGETS[does] || targets(table, does, row).length > 0));
  const typed = f.read(`does${suffix}`, before?.does ?? (required ? offered[0] : ""));
  const does = offered.find((effect) => effect === typed) ?? "";
  const options = /** @type {Options} */ (offered.map((effect) => [effect, table.t(`gm.does.${effect}`)]));
  const same = before?.does === does ? before : undefined;
  return html`<div class="fields" role="group" aria-label=${table.t("gm.effect", { number })}>
    ${f.pick(`does${suffix}`, "gm.effect.does", required ? options : [["", table.t("form.none")], ...options], does)}
    ${does in TARGETS ? f.pick(`target${suffix}`, "gm.effect.on", targets(table, does, row), same && targetOf(same)) : nothing}
    ${does ? detailFields(table, f, suffix, does, { ...row, before: same }) : nothing}
  </div>`;
}

/** Draw the further fields of an effect, such as its number or its text. @param {Table} table @param {Fields} f @param {string} suffix @param {T.Does} does @param {Row} row @returns {unknown} */
function detailFields(table, f, suffix, does, { before, isGms, depth = 0 }) {
  if (does in NUMBERS) {
    const [label, min, max] = NUMBERS[does];
    return f.steps(`by${suffix}`, label, before?.by ?? 1, { min, max });
  }
  const text = { value: before?.text, required: true };
  switch (does) {
    case "give_state":
    case "drop_state":
      return f.text(`name${suffix}`, "gm.effect.state", { value: before?.name, required: true });
    case "give_token":
      return f.among(`token${suffix}`, "gm.effect.token", TOKENS, "gm.effect", before?.token);
    case "leave":
      return f.among(`fate${suffix}`, "gm.effect.fate", FATES, "gm.effect", before?.fate);
    case "set_fumble":
      return html`${f.sentence(`text${suffix}`, "gm.effect.fumble", text)}
      ${effectRows(table, f, suffix, before?.do, { ofFumble: true, depth: depth + 1 })}`;
    case "drop_fumble":
      return f.sentence(`text${suffix}`, "gm.effect.fumble", text);
    case "start":
      return countdownFields(f, suffix, before?.countdown);
    case "tell":
      return f.sentence(`text${suffix}`, "gm.effect.text", { ...text, hint: `gm.effect.text.${isGms ? "gm" : "public"}` });
    default:
      return nothing;
  }
}

/** @param {Fields} f @param {string} suffix @param {T.NewCountdown} [before] */
function countdownFields(f, suffix, before) {
  return html`${f.text(`name${suffix}`, "form.name", { value: before?.name, required: true })}
  ${before?.from_attribute ? nothing : f.steps(`pool${suffix}`, "form.dice", before?.pool ?? POOL, { min: 1, max: MAX_POOL })}
  ${f.among(`speed${suffix}`, "form.speed", SPEEDS, "form.speed", before?.speed ?? "slow")}
  ${f.sentence(`ending${suffix}`, "form.ending", { value: before?.ending })} ${f.owner("gm.owner.gm", before?.owner, `owner${suffix}`)}
  ${before?.bound_id ? nothing : f.among(`bound${suffix}`, "form.bound", BINDINGS, "form.bound", before?.bound_to)}
  ${f.tick(`stabilizable${suffix}`, "form.stabilizable", before?.stabilizable)}
  ${f.tick(`replenishable${suffix}`, "form.replenishable", before?.replenishable)}`;
}

/**
 * Draw a row for each entered effect, and an empty row for a further effect. There are at most MAX_EFFECTS rows.
 * @param {Table} table @param {Fields} f @param {string} prefix the start of the suffix, before the row's number
 * @param {readonly T.Effect[]} [before] the stored effects, which the rows show at first @param {Partial<Row>} [row] properties of all rows @returns {unknown[]}
 */
export function effectRows(table, f, prefix, before = [], row = {}) {
  const suffixes = Array.from({ length: MAX_EFFECTS }, (_, at) => `${prefix}${WITHIN}${at}`);
  const filled = suffixes.findLastIndex((suffix, at) => f.read(`does${suffix}`, before[at]?.does) !== "");
  return suffixes.slice(0, filled + 2).map((suffix, at) => effectFields(table, f, suffix, { ...row, number: at + 1, before: before[at] }));
}

/** Return the effects entered into `effectRows`. @param {Values} values @param {string} prefix @param {readonly T.Effect[]} [before] @returns {T.Effect[]} */
export function effectsIn(values, prefix, before = []) {
  const places = Array.from({ length: MAX_EFFECTS }, (_, at) => at).filter((at) => values.text(`does${prefix}${WITHIN}${at}`));
  return places.map((at) => effectOf(values, `${prefix}${WITHIN}${at}`, before[at]));
}

/** Return the effect entered into `effectFields`. @param {Values} values @param {string} suffix @param {T.Effect} [before] @returns {T.Effect} */
export function effectOf(values, suffix, before) {
  const does = /** @type {T.Does} */ (values.text(`does${suffix}`));
  const name = values.text(`name${suffix}`);
  if (does === "start") return { does, countdown: { ...before?.countdown, ...countdownOf(values, suffix, name, before?.countdown) } };
  const [target, ...track] = String(values.data.get(`target${suffix}`) ?? "").split(TRACK);
  const effects = does === "set_fumble" ? effectsIn(values, suffix, before?.do) : [];
  return {
    does,
    thing_id: target || undefined,
    by: values.number(`by${suffix}`),
    fate: values.choice(`fate${suffix}`),
    name: track.length ? track.join(TRACK) : name,
    token: values.choice(`token${suffix}`),
    text: values.text(`text${suffix}`),
    ...(effects.length ? { do: effects } : {}),
  };
}

/** @param {Values} values @param {string} suffix @param {string} [name] @param {T.NewCountdown} [before] @returns {T.NewCountdown} */
function countdownOf(values, suffix, name = "", before) {
  return {
    name,
    pool: values.number(`pool${suffix}`) ?? (before?.from_attribute ? undefined : POOL),
    stages: before?.stages ?? [],
    speed: values.choice(`speed${suffix}`),
    ending: values.text(`ending${suffix}`),
    owner: values.text(`owner${suffix}`),
    bound_to: values.choice(`bound${suffix}`) ?? before?.bound_to,
    stabilizable: values.ticked(`stabilizable${suffix}`),
    replenishable: values.ticked(`replenishable${suffix}`),
    visibility: before?.visibility ?? "public",
  };
}
