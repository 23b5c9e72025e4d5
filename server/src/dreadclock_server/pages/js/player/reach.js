// @ts-check
/** The buttons above a phone's bar: undo the latest command, join a check, attempt a challenge. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 *
 * @typedef {object} Way
 * @property {string} id the key under which it is open, and under which its form is stored
 * @property {string} does
 * @property {string} who
 * @property {string} name
 * @property {() => unknown} draw draws the card above the bar when it is opened
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, lazily, refusal } from "../app/controls.js";
import { called, keyed } from "../parts/card.js";
import { chancesOf, nameOfCheck, needsOpposition, rollers } from "../parts/check.js";
import { nameOfTotal } from "../parts/total.js";
import { lastAct } from "../parts/undo.js";
import { goTo } from "./waiting.js";
import { freeFor, joinForm } from "./join.js";
import { ableCharacters, isMine, isOpen, openChallenges, ownCharacters, ownParts, waitsForRuling } from "./mine.js";
import { ownThings } from "./now.js";
import { isolated } from "../../client/messages.js";

const efforts = lazily(() => import("./efforts.js"));
const dice = lazily(() => import("./rolls.js"));
const PLAIN_DICE = "reach:dice"; // the same key as in bar.js

/** Draw the line of buttons, and the card that was opened. @param {Table} table @param {boolean} busy whether another card is up */
export function reach(table, busy) {
  if (!isOpen(table)) return nothing;
  const ways = busy ? [] : [...joins(table), ...tries(table)];
  const open = (busy ? ways : [...ways, plainDice(table)]).find(({ id }) => table.ui.get(`open:${id}`));
  const back = lastAct(table);
  const chips = open ? [] : ways;
  const undoes = back || table.refusal("bar:undo") ? html`<li>${takeBack(table, back)}</li>` : nothing;
  const proposed = busy ? [] : ownThings(table).filter((thing) => thing.status === "proposed" && isLed(table, thing));
  const none = undoes === nothing && !chips.length && !proposed.length;
  return html`${open ? raised(open) : nothing}
  ${none
    ? nothing
    : html`<ul class="reach" data-part="reach">
        ${undoes} ${keyed(proposed, (thing) => html`<li>${withdrawal(table, thing)}</li>`)}
        ${keyed(chips, (way) => html`<li>${chip(table, way)}</li>`)}
      </ul>`}`;
}

/** Tell whether the viewer leads a proposal: a helper cannot withdraw it. @param {Table} table @param {T.Check | T.Total} thing */
function isLed(table, thing) {
  return isMine(table, "parts" in thing ? thing.parts[0]?.character_id : thing.character_id);
}

/** Draw the button that withdraws a proposal which waits for the gm. @param {Table} table @param {T.Check | T.Total} thing */
function withdrawal(table, thing) {
  const [name, command] =
    "parts" in thing
      ? [nameOfCheck(table, thing), /** @type {const} */ ({ type: "withdraw_check", check_id: thing.id })]
      : [nameOfTotal(table, thing), /** @type {const} */ ({ type: "withdraw_total", total_id: thing.id })];
  return button(table, { key: `bar:withdraw:${thing.id}`, label: `${table.t("my.withdraw")}: ${isolated(name)}`, command });
}

/** @param {Table} table @param {ReturnType<typeof lastAct>} back */
function takeBack(table, back) {
  if (!back) return refusal(table, "bar:undo");
  const { text, command } = back;
  return html`${button(table, { key: "bar:undo", label: table.t("undo.this"), title: text, describes: text, command })}
    <span class="what" aria-hidden="true">${text}</span>`;
}

/** @param {Table} table @param {Way} way */
function chip(table, { id, does, who, name }) {
  const ask = () => {
    table.ui.set("reach", id);
    table.set(`open:${id}`, true);
    goTo("[data-part=reached]");
  };
  return html`<button type="button" class="button" data-reach=${id} title=${name} @click=${ask}>${does}: ${called(who)}</button>`;
}

/** @param {Way} way */
function raised({ name, draw }) {
  return html`<article class="card up" data-part="reached" aria-label=${name}>
    <h3>${called(name)}</h3>
    ${draw()}
  </article>`;
}

/** Return the card for plain dice. The bar's button opens it if no roll waits for the viewer. @param {Table} table @returns {Way} */
function plainDice(table) {
  const name = table.t("my.bar.nothing");
  const why = table.t(ownCharacters(table).length ? "my.bar.nothing.yet" : "my.bar.nothing.no_character");
  const draw = () => html`<p role="status">${why}</p>
    ${dice(table, (it) => it.rollForm(table, PLAIN_DICE))}`;
  return { id: PLAIN_DICE, does: "", who: "", name, draw };
}

/** @param {Table} table @returns {Way[]} */
function joins(table) {
  const checks = [...table.view.checks.values()].filter((check) => !ownParts(table, check).length && freeFor(table, check).length);
  return checks.flatMap((check) => {
    const who = check.parts[0] ? table.nameOfPart(check.parts[0]) : "";
    return waysInto(check).map((how) => {
      const id = `reach:check:${check.id}:${how}`;
      return { id, does: table.t(`my.${how}`), who, name: nameOfCheck(table, check), draw: () => joining(table, check, how, id) };
    });
  });
}

/**
 * Return how a character can join a check. For a contest without its other side, opposing comes first.
 * @param {T.Check} check @returns {readonly ("help" | "oppose")[]}
 */
function waysInto(check) {
  return needsOpposition(check) ? ["oppose", "help"] : ["help"];
}

/** @param {Table} table @param {T.Check} check @param {"help" | "oppose"} how @param {string} place */
function joining(table, check, how, place) {
  return html`${rollers(table, check)} ${chancesOf(table, check)} ${joinForm(table, check, how, freeFor(table, check), place)}`;
}

/** @param {Table} table @returns {Way[]} */
function tries(table) {
  const able = ableCharacters(table);
  if (!able.length) return [];
  return openChallenges(table).map((challenge) => {
    const id = `reach:challenge:${challenge.id}`;
    const draw = () => efforts(table, (it) => it.trying(table, challenge, able, id));
    const does = table.t(waitsForRuling(table, challenge.id) ? "my.attempt_waiting" : "my.attempt");
    return { id, does, who: challenge.name, name: challenge.name, draw };
  });
}
