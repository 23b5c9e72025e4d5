// @ts-check
/** Rows of a form, each for one effect: what happens, and to which thing. Source: rules.md C26 and E5. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields, Options } from "../forms/fields.js"
 *
 * @typedef {object} Row
 * @property {number} number as its label counts it, from 1
 * @property {T.Effect} [known] what it is until something is typed
 * @property {boolean} [isGms] whether only the gm knows what follows
 * @property {boolean} [required] whether it does something in any case
 * @property {boolean} [ofFumble] whether a fumble effect does it, by default to whoever fumbled
 * @property {number} [depth] how many fumble effects are set around it
 */

import { MAX_CLOCK, MAX_EFFECTS, MAX_FUMBLE_DEPTH, MAX_POOL, SPEEDS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { countdownIsOver, isFull } from "../app/over.js";
import { clockOptions, runningClocks } from "./clock_forms.js";
import { inPlay } from "../app/party.js";

const POOL = 6;
const FATES = ["dies", "leaves", "retires"];
const BINDINGS = ["turn", "nothing"]; // the usual one first
const TOKENS = ["momentum", "interference"];
const TRACK = " | "; // between a character and its track: no id has blanks
const WITHIN = "\t"; // before the place of a row within another thing: no line of a text field has it inside

/** Return the things that each effect can be on. @type {{ [does: string]: (table: Table) => Options }} */
const TARGETS = {
  tick: (table) => clockOptions(table, movingClocks(table)),
  stabilize: (table) => named(countdowns(table, (each) => each.stabilizable)),
  resume: (table) => named(countdowns(table, (each) => each.stabilizable || each.status === "stabilized")),
  replenish: (table) => named(countdowns(table, (each) => each.replenishable)),
  roll: (table) => named(countdowns(table, () => true)),
  take_off: (table) => named(standing(table)),
  give_state: (table) => named(inPlay(table)),
  drop_state: (table) => named(inPlay(table)),
  move_track: (table) => tracks(table),
  give_token: (table) => named(inPlay(table).filter((each) => each.visibility === "public")),
  leave: (table) => named(inPlay(table)),
  set_fumble: (table) => named(bearers(table)),
  drop_fumble: (table) => named(bearers(table)),
  reveal: hiddenThings,
};
const DOES = /** @type {T.Does[]} */ ([...Object.keys(TARGETS), "start", "tell"]);
const ON_WHOEVER_FUMBLED = new Set(["give_state", "drop_state", "move_track", "give_token", "leave", "set_fumble", "drop_fumble"]);

/** @param {readonly { id: string, name: string }[]} things @returns {Options} */
const named = (things) => things.map(({ id, name }) => [id, name]);

/** @param {Table} table @param {(countdown: T.Countdown) => boolean} which */
function countdowns({ view }, which) {
  return [...view.countdowns.values()].filter((each) => !countdownIsOver(each) && which(each));
}

/** @param {Table} table */
function movingClocks(table) {
  const free = [...table.view.clocks.values()].filter((each) => each.kind === "free" && !isFull(each));
  const scenes = [...table.view.scenes.values()].filter((each) => each.status === "open");
  return [...free, ...scenes.flatMap((each) => runningClocks(table, each))];
}

/** Return the challenges whose situation is not over. @param {Table} table */
function standing(table) {
  const goOn = new Set(situations(table).map(({ id }) => id));
  return [...table.view.challenges.values()].filter(({ status, situation_id: id }) => status === "open" && goOn.has(id));
}

/** Return the situations that are not over, of scenes that are open. @param {Table} table */
function situations({ view }) {
  return [...view.situations.values()].filter(
    ({ status, scene_id: id }) => (status === "open" || status === "prepared") && view.scenes.get(id)?.status === "open",
  );
}

/** Return all that fumble effects can stand on. @param {Table} table */
function bearers(table) {
  const scenes = [...table.view.scenes.values()].filter((each) => each.status === "open");
  return [...inPlay(table), ...scenes, ...situations(table)];
}

/** @param {Table} table @returns {Options} */
function tracks(table) {
  return inPlay(table).flatMap(({ id, name, tracks: all }) =>
    Object.keys(all).map((track) => /** @type {const} */ ([`${id}${TRACK}${track}`, `${name}: ${track}`])),
  );
}

/** @param {Table} table @returns {Options} */
function hiddenThings({ view: { gm } }) {
  if (!gm) return [];
  const free = [...gm.clocks.values()].filter((each) => each.kind === "free");
  const all = [gm.countdowns, gm.scenes, gm.situations, gm.characters].flatMap((each) => [...each.values()]);
  return named([...all, ...free]);
}

/** Return what one effect can be on; one that was chosen before stays a choice. @param {Table} table @param {string} does @param {Row} row @returns {Options} */
function targets(table, does, { known, ofFumble }) {
  const all = [...(ofFumble && ON_WHOEVER_FUMBLED.has(does) ? whoeverFumbled(table, does) : []), ...TARGETS[does](table)];
  const chosen = known?.does === does ? targetOf(known) : "";
  return all.some(([each]) => each === chosen) || !chosen ? all : [...all, [chosen, known?.thing_id ?? chosen]];
}

/** @param {Table} table @param {string} does @returns {Options} */
function whoeverFumbled(table, does) {
  const who = table.t("gm.effect.whoever");
  if (does !== "move_track") return [["", who]];
  const all = new Set(inPlay(table).flatMap((each) => Object.keys(each.tracks)));
  return [...all].map((track) => /** @type {const} */ ([`${TRACK}${track}`, `${who}: ${track}`]));
}

/** @param {T.Effect} effect */
function targetOf({ does, thing_id: id = "", name }) {
  return does === "move_track" ? `${id}${TRACK}${name}` : id;
}

/**
 * Draw the fields of one effect; `row` ends their names.
 * @param {Table} table @param {Fields} f @param {string} row @param {Row} given @returns {unknown}
 */
export function effectFields(table, f, row, given) {
  const { number, known, required, ofFumble, depth = 0 } = given;
  const may = (/** @type {T.Does} */ does) => !(does === "reveal" && ofFumble) && !(does === "set_fumble" && depth === MAX_FUMBLE_DEPTH);
  const offered = DOES.filter((does) => may(does) && (!TARGETS[does] || targets(table, does, given).length > 0));
  const typed = f.read(`does${row}`, known?.does ?? (required ? offered[0] : ""));
  const does = /** @type {T.Does | ""} */ (offered.some((each) => each === typed) ? typed : "");
  const choices = /** @type {Options} */ (offered.map((each) => [each, table.t(`gm.does.${each}`)]));
  const same = known?.does === does ? known : undefined;
  return html`<div class="fields" role="group" aria-label=${table.t("gm.effect", { number })}>
    ${f.pick(`does${row}`, "gm.effect.does", required ? choices : [["", table.t("form.none")], ...choices], does)}
    ${does in TARGETS ? f.pick(`target${row}`, "gm.effect.on", targets(table, does, given), same && targetOf(same)) : nothing}
    ${does ? detailFields(table, f, row, does, { ...given, known: same }) : nothing}
  </div>`;
}

/** @param {Table} table @param {Fields} f @param {string} row @param {T.Does} does @param {Row} given @returns {unknown} */
function detailFields(table, f, row, does, { known, isGms, depth = 0 }) {
  switch (does) {
    case "tick":
      return f.steps(`by${row}`, "gm.effect.by", known?.by ?? 1, { min: -MAX_CLOCK, max: MAX_CLOCK });
    case "move_track":
      return f.steps(`by${row}`, "gm.effect.by_track", known?.by ?? 1, { min: -MAX_CLOCK, max: MAX_CLOCK });
    case "replenish":
      return f.steps(`by${row}`, "form.dice", known?.by ?? 1, { min: 1, max: MAX_POOL });
    case "take_off":
      return f.steps(`by${row}`, "gm.points", known?.by ?? 1, { min: 1, max: MAX_CLOCK });
    case "give_state":
    case "drop_state":
      return f.text(`name${row}`, "gm.effect.state", { value: known?.name, required: true });
    case "give_token":
      return f.among(`token${row}`, "gm.effect.token", TOKENS, (each) => `gm.effect.${each}`, known?.token);
    case "leave":
      return f.among(`fate${row}`, "gm.effect.fate", FATES, (each) => `gm.effect.${each}`, known?.fate);
    case "set_fumble":
      return html`${f.sentence(`text${row}`, "gm.effect.fumble", { value: known?.text, required: true })}
      ${deedFields(table, f, row, known?.do, { ofFumble: true, depth: depth + 1 })}`;
    case "drop_fumble":
      return f.sentence(`text${row}`, "gm.effect.fumble", { value: known?.text, required: true });
    case "start":
      return countdownFields(f, row, known?.countdown);
    case "tell":
      return f.sentence(`text${row}`, "gm.effect.text", { value: known?.text, required: true, hint: `gm.effect.text.${isGms ? "gm" : "public"}` });
    default:
      return nothing;
  }
}

/** @param {Fields} f @param {string} row @param {T.NewCountdown} [known] */
function countdownFields(f, row, known) {
  return html`${f.text(`name${row}`, "form.name", { value: known?.name, required: true })}
  ${known?.from_attribute ? nothing : f.steps(`pool${row}`, "form.dice", known?.pool ?? POOL, { min: 1, max: MAX_POOL })}
  ${f.among(`speed${row}`, "form.speed", SPEEDS, (each) => `form.speed.${each}`, known?.speed ?? "slow")}
  ${f.sentence(`ending${row}`, "form.ending", { value: known?.ending })} ${f.owner("gm.owner.gm", known?.owner, `owner${row}`)}
  ${known?.bound_id ? nothing : f.among(`bound${row}`, "form.bound", BINDINGS, (each) => `form.bound.${each}`, known?.bound_to)}
  ${f.tick(`stabilizable${row}`, "form.stabilizable", known?.stabilizable)}
  ${f.tick(`replenishable${row}`, "form.replenishable", known?.replenishable)}`;
}

/**
 * Draw rows for what a thing does, with an empty one for the next.
 * @param {Table} table @param {Fields} f @param {string} of begins the names of the rows, of `deedsIn`
 * @param {readonly T.Effect[]} [known] @param {Partial<Row>} [given] what goes for all rows @returns {unknown[]}
 */
export function deedFields(table, f, of, known = [], given = {}) {
  const rows = Array.from({ length: MAX_EFFECTS }, (_, at) => `${of}${WITHIN}${at}`);
  const filled = rows.findLastIndex((row, at) => f.read(`does${row}`, known[at]?.does) !== "");
  return rows.slice(0, filled + 2).map((row, at) => effectFields(table, f, row, { ...given, number: at + 1, known: known[at] }));
}

/** Read what `deedFields` drew. @param {Values} values @param {string} of @param {readonly T.Effect[]} [known] @returns {T.Effect[]} */
export function deedsIn(values, of, known = []) {
  const places = Array.from({ length: MAX_EFFECTS }, (_, at) => at);
  return places.filter((at) => values.text(`does${of}${WITHIN}${at}`)).map((at) => effectOf(values, `${of}${WITHIN}${at}`, known[at]));
}

/** Read what `effectFields` drew. @param {Values} values @param {string} row @param {T.Effect} [known] @returns {T.Effect} */
export function effectOf(values, row, known) {
  const does = /** @type {T.Does} */ (values.text(`does${row}`));
  const name = values.text(`name${row}`);
  if (does === "start") return { does, countdown: { ...known?.countdown, ...countdownOf(values, row, name, known?.countdown) } };
  const [target, ...track] = String(values.data.get(`target${row}`) ?? "").split(TRACK);
  const deeds = does === "set_fumble" ? deedsIn(values, row, known?.do) : [];
  return {
    does,
    thing_id: target || undefined,
    by: values.number(`by${row}`),
    fate: values.choice(`fate${row}`),
    name: track.length ? track.join(TRACK) : name,
    token: values.choice(`token${row}`),
    text: values.text(`text${row}`),
    ...(deeds.length ? { do: deeds } : {}),
  };
}

/** @param {Values} values @param {string} row @param {string} [name] @param {T.NewCountdown} [known] @returns {T.NewCountdown} */
function countdownOf(values, row, name = "", known) {
  return {
    name,
    pool: values.number(`pool${row}`) ?? (known?.from_attribute ? undefined : POOL),
    stages: known?.stages ?? [],
    speed: values.choice(`speed${row}`),
    ending: values.text(`ending${row}`),
    owner: values.text(`owner${row}`),
    bound_to: values.choice(`bound${row}`) ?? known?.bound_to,
    stabilizable: values.ticked(`stabilizable${row}`),
    replenishable: values.ticked(`replenishable${row}`),
    visibility: known?.visibility ?? "public",
  };
}
