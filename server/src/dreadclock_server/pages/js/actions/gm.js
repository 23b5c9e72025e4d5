// @ts-check
/** The gm's actions by kind of thing. Frequent actions are on the thing's card, rare ones in its menu. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Panel } from "../gm/panel.js" @import { Action, Actions } from "./actions.js" */

import { countdownIsOver, goesOn, isFull } from "../app/over.js";
import { canTick } from "../app/presses.js";
import { endsAs, openRaces } from "../../client/views.js";
import { wasRolled } from "../parts/countdown.js";
import { describing } from "../gm/inbox.js";
import { inPlay } from "../app/party.js";
import { facesField, ticking } from "../gm/presses.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { lazily } from "../app/controls.js";
import { called, keyed } from "../parts/card.js";
import { formsIn } from "../forms/loading.js";
import { closeMenu, menuItems } from "./menu.js";
import { attach, controlsIn, formsOf, lettered, reveal, sends } from "./common.js";
import { CHECK, KNOCK, SHEET, TOTAL } from "./waiting.js";

const characters = formsOf(() => import("../forms/sheet.js"));
const checks = formsOf(() => import("../forms/check.js"));
const clocks = formsOf(() => import("../gm/clock_forms.js"));
const newClocks = formsOf(() => import("../forms/clock.js"));
const complications = formsOf(() => import("../gm/complications.js"));
const countdowns = formsOf(() => import("../gm/countdown_forms.js"));
const effects = formsOf(() => import("../gm/effect_forms.js"));
const rolls = formsIn(() => import("../forms/roll.js"), "gm_forms");
const scenes = formsOf(() => import("../gm/scene_forms.js"));
const totals = formsOf(() => import("../forms/total.js"));
const narration = lazily(() => import("../parts/narrate.js"));
const ofScene = controlsIn(() => import("../gm/scene_forms.js"));
const conditions = controlsIn(() => import("../parts/conditions.js"));

/** Tell whether a thing is active: it is open or in play, and neither it nor its scene is set aside (paused). @param {Table} table @param {any} thing */
function isOpen({ view }, { status, aside, scene_id: scene }) {
  return status === "in_play" || (status === "open" && !aside && !view.scenes.get(scene)?.aside);
}

/** @param {unknown} _ @param {{ status: string }} thing */
const isPrepared = (_, { status }) => status === "prepared";

/** @type {Action} */
const standing = { name: "effects", keys: "xx", label: "gm.effects.standing", when: isOpen, form: effects("standingEffects") };
/** @type {Action} */
const complication = { name: "complication", keys: "xm", label: "gm.complication", does: "gm.complication.does", when: isOpen, form: complications("complicating") };
/** @type {Action} */
const mistake = { name: "cancel", keys: "xq", label: "gm.mistake", form: clocks("cancelling") };
/** @type {Action} */
const correct = { name: "amend", keys: "ya", label: "gm.amend", form: clocks("amending") };
/** @type {Action} */
const move = { name: "move", keys: "x1", label: "gm.clock.move", form: clocks("moving") };

/** @type {Action[]} */
const COUNTDOWN = [
  { name: "start", keys: "c", begins: true, label: "gm.countdown.start", about: "countdown", form: countdowns("startCountdown") },
  {
    name: "roll",
    keys: "r",
    label: "gm.roll",
    press: true,
    dice: true,
    when: ({ view }, countdown) => countdown.status === "running" && !wasRolled(view, countdown),
    command: sends("roll_countdown", "countdown_id"),
  },
  { name: "resume", keys: "yu", label: "gm.resume", face: true, when: (_, { status }) => status !== "running", command: sends("resume_countdown", "countdown_id") },
  {
    name: "stabilize",
    keys: "yz",
    label: "gm.stabilize",
    when: (_, { status, stabilizable }) => status === "running" && stabilizable,
    command: sends("stabilize_countdown", "countdown_id"),
  },
  { name: "replenish", keys: "+", label: "gm.replenish", when: (_, { replenishable }) => replenishable, form: countdowns("replenishing") },
  reveal("countdown"),
  { name: "odds", keys: "yo", label: "gm.odds", form: countdowns("odds") },
  { name: "amend", keys: "ya", label: "gm.countdown.amend", form: countdowns("amending") },
  attach("countdown"),
  { name: "cancel", keys: "xq", label: "gm.cancel", form: countdowns("cancelling") },
  ...lettered({ faces: "f" }),
];

/** @type {Action[]} */
const CLOCK = [
  { name: "start", keys: "k", begins: true, label: "gm.clock.start", about: "clock", form: newClocks("startClock") },
  { name: "tick", keys: "t", press: true, draw: (table, clock) => ticking(table, clock), when: (table, clock) => canTick(table, clock) },
  { name: "untick", keys: "j", draw: (table, clock) => ticking(table, clock, true), when: (table, clock) => canTick(table, clock, true) },
  reveal("clock"),
  { ...move, when: (_, clock) => !isFull(clock) },
  correct,
  attach("clock"),
  mistake,
];

/** @type {Action[]} */
const CHALLENGE = [
  { name: "overcome", keys: "xo", label: "gm.overcome", kind: () => "main", command: sends("overcome_challenge", "challenge_id") },
  { name: "effort", keys: "x6", label: "gm.effort", form: scenes("attempting") },
  mistake,
];

/** Return the latest active scene, in which the menu "Add" starts situations. @param {Table} table @returns {T.Scene | undefined} */
const lastScene = (table) => [...table.view.scenes.values()].findLast((scene) => isOpen(table, scene));
const starting = scenes("startSituation");

/** @type {Action[]} */
const SITUATION = [
  { name: "start", begins: true, label: "gm.situation.start", when: (table) => !!lastScene(table), form: (table, _, panel) => starting(table, lastScene(table), panel) },
  { name: "round", keys: "u", final: true, label: "gm.round.end", face: true, when: isOpen, command: sends("end_round", "situation_id") },
  { name: "begin", face: true, when: isPrepared, draw: ofScene("beginning") },
  reveal("situation", (table, thing) => isOpen(table, thing) && table.view.scenes.get(thing.scene_id)?.visibility === "public"),
  { name: "challenge", keys: "xc", label: "gm.challenge.add", about: "challenge", form: scenes("addChallenge") },
  { name: "odds", keys: "yo", label: "gm.odds", when: (table, thing) => isOpen(table, thing) && thing.kind === "race", form: scenes("odds") },
  complication,
  { name: "resolve", keys: "x4", label: "gm.resolve", when: isOpen, form: scenes("resolving") },
  { name: "fail", keys: "x5", label: "gm.fail", when: isOpen, form: scenes("failing") },
  { name: "begin_as", label: "gm.situation.begin_as", when: (_, thing) => isPrepared(_, thing) && thing.kind === "race", form: scenes("beginningAs") },
  standing,
  mistake,
];

/** @type {Action[]} */
const SCENE = [
  { name: "open", keys: "s", begins: true, label: "gm.scene.open", about: "scene", form: scenes("openScene") },
  { name: "travel", keys: "xt", label: "gm.travel", does: "gm.travel.does", when: isOpen, command: sends("travel", "scene_id") },
  { name: "rest", keys: "xr", label: "gm.rest", does: "gm.rest.does", when: isOpen, command: sends("rest", "scene_id") },
  reveal("scene", isOpen),
  { name: "situation", keys: "xi", label: "gm.situation.start", about: "situation", form: starting },
  complication,
  { name: "turn", keys: "x2", when: isOpen, draw: ofScene("turning") },
  { name: "aside", keys: "x3", label: "gm.scene.aside", when: isOpen, command: sends("set_scene_aside", "scene_id") },
  { name: "aside", keys: "x3", label: "gm.scene.take_up", face: true, when: (_, { aside }) => aside, command: sends("take_up_scene", "scene_id") },
  { name: "end", keys: "xe", label: "gm.scene.end", when: isOpen, sure: endOf, command: ending },
  { ...move, when: isOpen },
  { ...correct, when: isOpen },
  standing,
  attach("scene"),
  { ...mistake, label: "gm.mistake.scene" },
  { name: "situations", draw: ofSituations },
];

/** Draw the rare actions of a scene's situations in the scene's menu. Situations are parts of the scene's dial and have no menu of their own. @param {Table} table @param {T.Scene} scene */
function ofSituations(table, { id }) {
  const all = [...table.view.situations.values()].filter((situation) => situation.scene_id === id && GOES_ON.situation(table, situation));
  return keyed(all, (situation) => html`<div class="part-of" role="group" aria-label=${situation.name} data-of=${`situation:${situation.id}`}>
    <p class="hint">${called(situation.name)}</p>
    ${menuItems(table, "situation", situation, situation.name)}
  </div>`);
}

/**
 * Return the command that ends a scene. If the scene has open races, `expect` has the outcomes that the gm sees
 * for them now: the server refuses the command if an outcome has changed meanwhile.
 * @param {T.Scene} scene @param {Table} table @returns {T.EndScene}
 */
function ending({ id }, { view }) {
  const races = openRaces(view, id);
  const expect = Object.fromEntries(races.map((race) => [race.id, endsAs(view, race)]));
  return { type: "end_scene", scene_id: id, ...(races.length && { expect }) };
}

/** Return the label of the button that confirms the end of a scene. It names the scene's open races and their outcomes. @param {T.Scene} scene @param {Table} table */
function endOf({ id }, table) {
  const races = openRaces(table.view, id);
  const ends = races.map((race) => table.t("gm.scene.end.race", { name: race.name, outcome: table.t(`outcome.${endsAs(table.view, race)}`) }));
  const outcomes = new Intl.ListFormat(table.words.language).format(ends);
  return ends.length ? table.t("gm.scene.end.yes_race", { outcomes }) : table.t("gm.scene.end.yes");
}

const calling = { check: checks("proposeCheck"), total: totals("proposeTotal") };

/** Return the action that asks a character for a check or total. @param {"check" | "total"} name @returns {Action} */
const call = (name) => ({
  name,
  label: `gm.${name}.propose`,
  does: `gm.${name}.does`,
  about: name,
  when: (table, character) => inPlay(table).includes(character),
  form: (table, character, panel) => calling[name](table, null, { ...panel, characters: [character] }),
});

/** @type {Action[]} */
const CHARACTER = [
  { name: "add", keys: "b", begins: true, label: "gm.character.add", form: characters("addCharacter") },
  { name: "describe", face: true, draw: undescribed },
  call("check"),
  call("total"),
  { name: "conditions", draw: conditions("linesOf") },
  { name: "lasting", keys: "xl", label: "character.lasting", form: conditions("addingTo") },
  { name: "update", keys: "xu", label: "gm.character.update", form: characters("updateCharacter") },
  { ...standing, when: undefined },
  attach("character"),
  ...["leaves", "retires", "dies"].map((fate, at) => /** @type {Action} */ ({
    name: fate,
    keys: ["x9", "yr", "yd"][at],
    label: `character.fate.${fate}`,
    when: isOpen,
    sure: (_, table) => table.t("gm.yes"),
    command: sends("take_out_of_play", "character_id", { fate }),
  })),
  { name: "return", label: "character.return", when: (_, { status }) => status === "left", command: sends("return_to_play", "character_id") },
  ...lettered({ give: "yg", set: "ys" }),
];

/** Draw a form for each crisis that came from a total and has no description yet. @param {Table} table @param {T.Character} character */
function undescribed(table, { crises, name }) {
  const all = crises.filter(({ description, total_id: total }) => description === undefined && total !== undefined);
  return all.map(({ total_id: total = "" }) => describing(table, total, name, false));
}

/** By kind: a function that tells whether a thing still allows actions. @type {{ [kind: string]: (table: Table, thing: any) => boolean }} */
export const GOES_ON = {
  countdown: (_, countdown) => !countdownIsOver(countdown),
  clock: () => true,
  challenge: goesOn,
  situation: (table, thing) => isPrepared(table, thing) || isOpen(table, thing),
  scene: (_, { status }) => status === "open",
  check: () => true,
  total: () => true,
  character: () => true,
};

/** @param {Table} table @param {unknown} _ @param {Panel} panel */
function narrating(table, _, { key }) {
  const done = () => {
    table.setOpen(`${key}:form`, false);
    closeMenu(table);
  };
  return narration(table, (module) => module.narrate(table, key, done));
}

/** Draw the form that rolls dice. @param {Table} table @param {unknown} _ @param {Panel} panel */
function rolling(table, _, panel) {
  const faces = table.view.policy.physical_dice === "off" ? undefined : facesField(table, false);
  return rolls(table, (module) => module.rollDice(table, panel, faces));
}

/** @param {Table} table */
const isPeopled = (table) => inPlay(table).length > 0;

/** @type {Actions} */
export const GMS = {
  countdown: COUNTDOWN,
  scene: SCENE,
  clock: CLOCK,
  check: [{ name: "propose", keys: "h", begins: true, label: "gm.check.propose", does: "gm.check.does", about: "check", when: isPeopled, form: calling.check }, ...CHECK],
  total: [{ name: "propose", keys: "l", begins: true, label: "gm.total.propose", does: "gm.total.does", about: "total", when: isPeopled, form: calling.total }, ...TOTAL],
  roll: [{ name: "dice", keys: "d", begins: true, label: "gm.dice.roll", form: rolling }, ...lettered({ reveal: "v" })],
  character: CHARACTER,
  challenge: CHALLENGE,
  situation: SITUATION,
  sheet: SHEET,
  knock: KNOCK,
  narrate: [{ name: "narrate", keys: "n", begins: true, label: "narrate", form: narrating }],
  consequence: lettered({ detach: "xd" }),
  turn: [{ name: "end", keys: "e", final: true }],
  seat: lettered({ invite: "i", link: "xn", rename: "xa", remove: "xv" }),
  evening: lettered({ end: "xe" }),
  tokens: lettered({ tokens: "xy" }),
  rules: lettered({ rules: "xh" }),
  closing: lettered({ closing: "xz" }),
  room: lettered({ room: "xj" }),
};
