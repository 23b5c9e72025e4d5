// @ts-check
/** The form that lets something follow by itself: from which moment of a thing, and what. Source: rules.md E5. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields, Options } from "./fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { MAX_CLOCK, MAX_EFFECTS, MAX_POOL, SPEEDS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button } from "../app/controls.js";
import { countdownIsOver, isFull } from "../app/over.js";
import { clockOptions, nameOfClock, openClocks, runningClocks } from "./clock_forms.js";
import { demanded } from "./live.js";
import { inPlay } from "./party.js";

/** The moments of kinds of things that have always the same. @type {{ [kind: string]: T.When[] }} */
const MOMENTS = {
  total: ["succeeded", "failed", "crisis"],
  character: ["crisis"],
};
const OUTCOMES = /** @type {T.When[]} */ (["success", "triumph", "fail", "fumble"]);
const POOL = 6;
const FATES = ["dies", "leaves", "retires"];
const BINDINGS = ["turn", "nothing"]; // the usual one first
const TOKENS = ["momentum", "interference"];

/**
 * Draw the form.
 * @param {Table} table @param {Demand} demand @param {string} kind of the thing @param {any} thing
 */
export function attaching(table, demand, kind, thing) {
  const rows = `rows:${demand.key}`;
  const effects = table.ui.get(rows) ?? 1;
  const work = async () => table.set(rows, effects + 1);
  const another = button(table, { key: `${demand.key}:row`, label: table.t("gm.effect.another"), work });
  return demanded(table, demand, {
    submit: table.t("gm.follows.attach"),
    command: (values) => commandOf(values, effects),
    done: () => table.ui.delete(rows),
    fields: (f) => {
      const isGms = f.read("visibility", atFirst(thing)) === "gm";
      return html`<div class="fields">
          ${f.pick("when", "gm.when", momentsOf(table, kind, thing))}
          ${f.among("visibility", "gm.visibility", ["public", "gm"], (each) => `gm.visibility.${each}`, atFirst(thing))}
        </div>
        ${Array.from({ length: effects }, (_, row) => effectFields(table, f, row, isGms))}
        ${effects < MAX_EFFECTS ? another : nothing}`;
    },
  });
}

/** Choose the form's first visibility: what names a hidden thing is the gm's. @param {{ visibility?: string }} thing */
const atFirst = ({ visibility = "public" }) => (visibility === "public" ? "public" : "gm");

/**
 * Return the moments that something can follow from, each as `kind|id|when|at`, which `commandOf` takes apart.
 * @param {Table} table @param {string} kind @param {any} thing @returns {Options}
 */
function momentsOf(table, kind, thing) {
  const moment = (/** @type {string} */ when, /** @type {number | ""} */ at = "") => `${kind}|${thing.id}|${when}|${at}`;
  switch (kind) {
    case "countdown": {
      const places = [...new Set(thing.stages.map((/** @type {T.Stage} */ stage) => stage.at))];
      const stages = places.map((at) => /** @type {const} */ ([moment("stage", at), table.t("gm.when.stage", { at })]));
      return [...stages, [moment("end"), table.t("gm.when.end")]];
    }
    case "clock":
      return [[moment("end"), table.t("gm.when.end")]];
    case "scene":
      return openClocks(table, thing).map((clock) => [
        `clock|${clock.id}|end|`,
        table.t("gm.when.clock", { name: nameOfClock(table, clock) }),
      ]);
    case "check": {
      const outcomes = thing.contest ? [...OUTCOMES, "won", "lost"] : OUTCOMES;
      return outcomes.map((each) => [moment(each), table.t(`gm.when.${each}`)]);
    }
    default:
      return MOMENTS[kind].map((each) => [moment(each), table.t(`gm.when.${each}`)]);
  }
}

// Effects: what each needs, and on which things it can be

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
  reveal: hiddenThings,
};
const DOES = /** @type {T.Does[]} */ ([...Object.keys(TARGETS), "start", "tell"]);
const TRACK = " | "; // between a character and its track: no id has blanks

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
function standing({ view }) {
  return [...view.challenges.values()].filter(({ status, situation_id: id }) => {
    const situation = view.situations.get(id);
    const goesOn = situation?.status === "open" || situation?.status === "prepared";
    return status === "open" && goesOn && view.scenes.get(situation.scene_id)?.status === "open";
  });
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

/** @param {Table} table @param {Fields} f @param {number} row @param {boolean} isGms whether only the gm knows what follows */
function effectFields(table, f, row, isGms) {
  const offered = DOES.filter((does) => !TARGETS[does] || TARGETS[does](table).length > 0);
  const typed = f.read(`does${row}`, row ? "" : offered[0]);
  const does = /** @type {T.Does | ""} */ (offered.some((each) => each === typed) ? typed : "");
  const choices = /** @type {Options} */ (offered.map((each) => [each, table.t(`gm.does.${each}`)]));
  const label = table.t("gm.effect", { number: row + 1 });
  return html`<div class="fields" role="group" aria-label=${label}>
    ${f.pick(`does${row}`, "gm.effect.does", row ? [["", table.t("gm.none")], ...choices] : choices, does)}
    ${does in TARGETS ? f.pick(`target${row}`, "gm.effect.on", TARGETS[does](table)) : nothing}
    ${does ? detailFields(f, row, does, isGms) : nothing}
  </div>`;
}

/** @param {Fields} f @param {number} row @param {T.Does} does @param {boolean} isGms */
function detailFields(f, row, does, isGms) {
  switch (does) {
    case "tick":
      return f.steps(`by${row}`, "gm.effect.by", 1, { min: -MAX_CLOCK, max: MAX_CLOCK });
    case "move_track":
      return f.steps(`by${row}`, "gm.effect.by_track", 1, { min: -MAX_CLOCK, max: MAX_CLOCK });
    case "replenish":
      return f.steps(`by${row}`, "gm.dice", 1, { min: 1, max: MAX_POOL });
    case "take_off":
      return f.steps(`by${row}`, "gm.points", 1, { min: 1, max: MAX_CLOCK });
    case "give_state":
    case "drop_state":
      return f.text(`name${row}`, "gm.effect.state", { required: true });
    case "give_token":
      return f.among(`token${row}`, "gm.effect.token", TOKENS, (each) => `gm.effect.${each}`);
    case "leave":
      return f.among(`fate${row}`, "gm.effect.fate", FATES, (each) => `gm.effect.${each}`);
    case "start":
      return html`${f.text(`name${row}`, "gm.name", { required: true })}
      ${f.steps(`pool${row}`, "gm.dice", POOL, { min: 1, max: MAX_POOL })}
      ${f.among(`speed${row}`, "gm.speed", SPEEDS, (each) => `gm.speed.${each}`, "slow")}
      ${f.sentence(`ending${row}`, "gm.ending")} ${f.owner("gm.owner.gm", undefined, `owner${row}`)}
      ${f.among(`bound${row}`, "gm.bound", BINDINGS, (each) => `gm.bound.${each}`)} ${f.tick(`stabilizable${row}`, "gm.stabilizable")}
      ${f.tick(`replenishable${row}`, "gm.replenishable")}`;
    case "tell":
      return f.sentence(`text${row}`, "gm.effect.text", { required: true, hint: `gm.effect.text.${isGms ? "gm" : "public"}` });
    default:
      return nothing;
  }
}

/** @param {Values} values @param {number} rows @returns {T.AttachConsequence} */
function commandOf(values, rows) {
  const [kind, id, when, at] = (values.text("when") ?? "").split("|");
  const places = Array.from({ length: rows }, (_, row) => row).filter((row) => values.text(`does${row}`));
  return {
    type: "attach_consequence",
    of: { kind: /** @type {T.Subject["kind"]} */ (kind), id },
    when: { when: /** @type {T.When} */ (when), ...(at ? { at: Number(at) } : {}) },
    do: places.map((row) => effectOf(values, row)),
    visibility: values.choice("visibility"),
  };
}

/** @param {Values} values @param {number} row @returns {T.Effect} */
function effectOf(values, row) {
  const does = /** @type {T.Does} */ (values.text(`does${row}`));
  const name = values.text(`name${row}`);
  if (does === "start") return { does, countdown: countdownOf(values, row, name) };
  const [target, ...track] = (values.text(`target${row}`) ?? "").split(TRACK);
  return {
    does,
    thing_id: target || undefined,
    by: values.number(`by${row}`),
    name: track.length ? track.join(TRACK) : name,
    fate: values.choice(`fate${row}`),
    token: values.choice(`token${row}`),
    text: values.text(`text${row}`),
  };
}

/** @param {Values} values @param {number} row @param {string} [name] @returns {T.NewCountdown} */
function countdownOf(values, row, name = "") {
  return {
    name,
    pool: values.number(`pool${row}`) ?? POOL,
    stages: [],
    speed: values.choice(`speed${row}`),
    ending: values.text(`ending${row}`),
    owner: values.text(`owner${row}`),
    bound_to: values.choice(`bound${row}`),
    stabilizable: values.ticked(`stabilizable${row}`),
    replenishable: values.ticked(`replenishable${row}`),
    visibility: "public",
  };
}
