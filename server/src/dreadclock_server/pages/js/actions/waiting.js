// @ts-check
/** The gm's actions for checks, totals, sheets and knocks (requests for a seat). Frequent actions are on the thing's card, other actions in its menu. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Action } from "./actions.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { answerKnock } from "../../client/rest.js";
import { totalIsOver } from "../app/over.js";
import { USUAL_NUMBER, freeFor, isGms, isStuck, requiredOf } from "../app/party.js";
import { nameOfCheck } from "../parts/check.js";
import { lazily } from "../gm/panel.js";
import { attach, controlsIn, formsOf, lettered, reveal, sends } from "./common.js";

const declineForms = lazily(() => import("../gm/answer_forms.js"));
const adjustments = formsOf(() => import("../gm/adjusting.js"));
const checks = formsOf(() => import("../forms/check.js"));
const knocks = formsOf(() => import("../gm/knocks.js"));
const requests = formsOf(() => import("../forms/total.js"));
const totals = formsOf(() => import("../gm/total_forms.js"));
const oddsOf = controlsIn(() => import("../gm/total_forms.js"));

/** Tell whether a check is a contest without an opponent yet. @param {T.Check} check */
const isUnopposed = ({ contest, parts }) => contest && !isOpposed(parts);

/** @param {readonly T.Part[]} parts */
const isOpposed = (parts) => parts.some((part) => part.side === "opposing");

/** Tell whether no dice of a check are rolled yet, so that it can be changed. @param {Table} _ @param {T.Check} check */
const isBefore = (_, { status }) => status === "proposed" || status === "ready";

/**
 * Return the actions that approve a check and that add an opposing side. For a contest without an opponent, the card has the
 * action that adds the opposing side, and the menu has the action that approves. For other checks, it is the other way round.
 * @param {boolean} face whether to return the actions on the card, or those in the menu @returns {Action[]}
 */
const answers = (face) => [
  {
    name: "approve",
    keys: "a",
    label: "gm.approve",
    face,
    kind: () => "main",
    when: (_, check) => check.status === "proposed" && isUnopposed(check) !== face,
    command: sends("adjust_check", "check_id", { approve: true }),
  },
  {
    name: "oppose",
    keys: "o",
    label: "gm.check.oppose",
    face,
    when: (table, check) => isBefore(table, check) && !isOpposed(check.parts) && check.contest === face,
    form: checks("joining"),
  },
];

/**
 * Return two actions. The first declines a proposed check or total, and may have a note. The second withdraws an approved
 * check or total.
 * @param {"check" | "total"} kind @param {(table: Table, thing: any) => boolean} when whether the approved thing can be withdrawn @returns {Action[]}
 */
function withdrawing(kind, when) {
  const command = sends(`withdraw_${kind}`, `${kind}_id`);
  const declined = (/** @type {any} */ thing, /** @type {Table} */ table) => (/** @type {string | undefined} */ note) => ({ .../** @type {any} */ (command?.(thing, table)), note });
  return [
    {
      name: "withdraw",
      keys: "xw",
      label: "gm.decline",
      does: "gm.decline.roll",
      when: (_, { status }) => status === "proposed",
      form: (table, thing, panel) => declineForms(table, (module) => module.declining(table, panel, declined(thing, table))),
    },
    { name: "withdraw", keys: "xw", label: "gm.withdraw", when, sure: (_, table) => table.t("gm.withdraw.yes"), command },
  ];
}

/** @type {Action[]} */
export const CHECK = [
  ...answers(true),
  {
    name: "nobody",
    face: true,
    when: (table, check) => isBefore(table, check) && isUnopposed(check) && !freeFor(table, check).length,
    draw: (table) => html`<p class="hint">${table.t("gm.check.nobody")}</p>`,
  },
  { name: "settle", face: true, when: (_, { status }) => status === "resolved", draw: controlsIn(() => import("../gm/bargains.js"))("settling") },
  { name: "adjust", keys: "g", label: "gm.change", when: isBefore, form: adjustments("adjusting") },
  ...answers(false),
  ...["help", "help_against"].map((how) => /** @type {Action} */ ({
    name: how,
    keys: "u",
    label: `gm.check.${how}`,
    when: (table, check) => isBefore(table, check) && freeFor(table, check).length > 0 && (how === "help" || isOpposed(check.parts)),
    form: checks("joining"),
  })),
  reveal("check", undefined, nameOfCheck),
  { ...attach("check"), when: (_, { status }) => status !== "resolved" },
  ...withdrawing("check", (table, { status, parts }) => status === "ready" || (status === "rolling" && isLost(table, parts))),
  ...lettered({ roll: "r", faces: "f" }),
];

/** Tell whether the acting side can never roll: nobody on it has rolled, and all its characters are out of play. @param {Table} table @param {readonly T.Part[]} parts */
function isLost(table, parts) {
  return parts.filter((part) => part.side === "acting").every((part) => isStuck(table, part));
}

/** @typedef {(table: Table, total: T.Total) => boolean} OfTotal */
/** @type {OfTotal} */ const isProposed = (_, { status }) => status === "proposed";
/** @type {OfTotal} */ const isUnrolled = (_, { faces, status }) => !faces.length && (status === "proposed" || status === "ready");
/** @type {OfTotal} */ const isMissed = (_, { status, enough }) => status === "rolled" && enough === false;
/** @type {OfTotal} */ const isUnjudged = (_, total) => total.faces.length > 0 && !totalIsOver(total) && total.enough === undefined;
/** @type {OfTotal} */ const isNamed = (table, total) => requiredOf(table, total) !== undefined;

/** Return the action that rolls a total, or pushes (adds a die). @param {"roll" | "push"} name @param {boolean} mine whether it is for the gm's own characters, or for players' characters @returns {Action} */
const rolling = (name, mine) => ({
  name,
  keys: name === "roll" ? "r" : "p",
  face: mine,
  dice: true,
  kind: (total, table) => (mine && (name === "push" || isNamed(table, total)) ? "main" : "plain"), // without a required number, the main action is to set the number
  text: ({ character_id: id }, table) => table.t(mine ? `gm.${name}` : `gm.${name}_for`, { name: table.nameOfCharacter(id) }),
  when: (table, { status, character_id: id }) => status === (name === "roll" ? "ready" : "offered") && isGms(table, id) === mine,
  command: sends(name === "roll" ? "roll_total" : "push_luck", "total_id"),
});

/** Return the action that judges the result of a total without a required number. @param {boolean} enough whether the result is judged to be enough @returns {Action} */
const judging = (enough) => ({
  name: enough ? "enough" : "missed",
  label: `gm.total.${enough ? "enough" : "missed"}`,
  face: true,
  kind: () => "main",
  when: isUnjudged,
  command: sends("judge_total", "total_id", { enough }),
});

/** Return the action that ends a total as failed, without a further push. @param {string} label @param {OfTotal} when @param {boolean} [face] @returns {Action} */
const stopping = (label, when, face = false) => ({
  name: "stop",
  keys: "x8",
  label,
  face,
  when,
  sure: (_, table) => table.t("gm.stop.yes"),
  command: sends("stop_pushing", "total_id"),
});

/** Return a function that tells whether a push is offered. @param {boolean} mine whether the push is offered to a character of the gm, or to a character of a player @returns {OfTotal} */
const isOffered = (mine) => (table, { status, character_id: id }) => status === "offered" && isGms(table, id) === mine;

/** Return the action that sets the required number. It is on the card of a ready total without a number, else in the menu. @param {boolean} face whether to return the action on the card, or that in the menu @returns {Action} */
const numbering = (face) => ({
  name: "required",
  keys: "yq",
  face,
  text: (total, table) => table.t(isNamed(table, total) ? "gm.required.change" : "gm.required.name"),
  when: (table, total) =>
    (isUnrolled(table, total) || isUnjudged(table, total)) && face === (total.status === "ready" && !isNamed(table, total)),
  form: totals("requiring"),
});

/** @type {Action[]} */
export const TOTAL = [
  { name: "chance", face: true, when: (table, total) => isProposed(table, total) && !isNamed(table, total), draw: oddsOf("usual") },
  {
    name: "usual",
    keys: "a",
    face: true,
    kind: () => "main",
    text: (_, table) => `${table.t("gm.approve")} · ${table.t("total.required", { required: USUAL_NUMBER })}`,
    when: isProposed,
    command: ({ id, secret, crisis }) => ({ type: "set_required", total_id: id, required: USUAL_NUMBER, secret, crisis }),
  },
  numbering(true),
  rolling("roll", true),
  rolling("push", true),
  judging(true),
  judging(false),
  { name: "risk", face: true, when: isMissed, draw: oddsOf("riskOfPush") },
  {
    name: "offer",
    keys: "p",
    label: "gm.push.offer",
    face: true,
    kind: () => "main",
    when: isMissed,
    command: ({ id, crisis, description }) => ({ type: "offer_push", total_id: id, crisis, description, until: 1 }),
  },
  stopping("gm.stop_pushing", isOffered(true), true),
  { name: "terms", label: "gm.push.terms", when: isMissed, form: totals("offering") },
  numbering(false),
  { name: "approve", label: "gm.total.approve", does: "gm.total.approve.does", when: isProposed, command: sends("adjust_total", "total_id", { approve: true }) },
  rolling("roll", false),
  rolling("push", false),
  stopping("gm.stop_pushing", isOffered(false)),
  stopping("gm.stop", isMissed),
  stopping("gm.total.failed", isUnjudged),
  { name: "adjust", keys: "g", label: "gm.change", when: isUnrolled, form: requests("adjusting") },
  {
    name: "reveal",
    keys: "v",
    final: true,
    label: "gm.required.reveal",
    does: "gm.reveal.does",
    kind: () => "risk",
    when: (_, { secret }) => secret,
    command: sends("reveal", "thing_id"),
  },
  attach("total"),
  ...withdrawing("total", (table, total) => isUnrolled(table, total) && total.status === "ready"),
  ...lettered({ faces: "f" }),
];

/** Return the command that approves or refuses a sheet. Its field `expect` has the values that the gm sees: the server refuses the command if the sheet has changed meanwhile. @param {T.Character} character @param {boolean} approve @returns {T.ApproveSheet} */
function judged({ id, level, attributes, specials, reflex, proposed: wanted }, approve) {
  return { type: "approve_sheet", character_id: id, approve, expect: wanted ?? { level, attributes, specials, reflex } };
}

/** The gm's actions for a sheet that waits for approval. Declining a change only refuses the change. Declining a new character takes it out of play. @type {Action[]} */
export const SHEET = [
  { name: "approve", keys: "a", label: "gm.sheet.approve", face: true, kind: () => "main", command: (character) => judged(character, true) },
  ...[true, false].map((changed) => /** @type {Action} */ ({
    name: "refuse",
    label: "gm.decline",
    does: changed ? "gm.decline.sheet" : "gm.decline.newcomer",
    when: (_, { proposed, approved_level: level }) => (proposed !== undefined || level !== undefined) === changed,
    form: (table, character, panel) => {
      const leaves = /** @type {const} */ ({ type: "take_out_of_play", character_id: character.id, fate: "leaves" });
      return declineForms(table, (module) => module.declining(table, panel, (note) => (changed ? { ...judged(character, false), note } : { ...leaves, reason: note })));
    },
  })),
];

/** Return an action that answers a knock. @param {Partial<Action> & { name: string }} action @param {T.KnockAnswer} answer @returns {Action} */
const answering = (action, answer) => ({ ...action, work: ({ id }, { room }) => answerKnock(room.link, id, answer) });

/** Tell whether the name in a knock resembles the gm's name. No other seat can have such a name. @param {unknown} _ @param {T.WaitingKnock} knock */
const isLikeGm = (_, { resembles }) => resembles === "gm";

/**
 * The gm's actions for a knock. If the name resembles the name of a seat, the button that accepts the knock is not highlighted.
 * If the name resembles the gm's, the gm can accept the knock only under another name, with a form.
 * @type {Action[]}
 */
export const KNOCK = [
  answering(
    {
      name: "seat",
      face: true,
      kind: ({ resembles }) => (resembles ? "plain" : "main"),
      text: ({ wants }, table) => table.t(`gm.knock.seat.${wants}`),
      when: (_, knock) => !isLikeGm(_, knock),
    },
    { accept: true },
  ),
  answering(
    { name: "watch", label: "gm.knock.seat.spectator", when: (_, knock) => !isLikeGm(_, knock) && knock.wants !== "spectator" },
    { accept: true, role: "spectator" },
  ),
  ...[true, false].map((face) =>
    answering({ name: "away", label: "gm.knock.away", face, kind: () => "risk", when: (_, knock) => isLikeGm(_, knock) === face }, { accept: false }),
  ),
  { name: "otherwise", label: "gm.knock.otherwise", form: knocks("otherwise") },
];
