// @ts-check
/** The buttons above a phone's bar: undo the latest command, withdraw a proposal, join a check, attempt a challenge. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 *
 * @typedef {object} Way an action. Its button opens a card above the bar
 * @property {string} id the key of its state and of its form
 * @property {string} does the verb of its button
 * @property {string} who the name that follows the verb
 * @property {string} name the heading of its card
 * @property {() => unknown} draw draws the content of its card
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, lazily, refusal } from "../app/controls.js";
import { called, keyed } from "../parts/card.js";
import { chancesOf, nameOfCheck, needsOpposition, rollers } from "../parts/check.js";
import { lastAct } from "../parts/undo.js";
import { goTo, withdrawalOf } from "./waiting.js";
import { freeFor, joinForm } from "./join.js";
import { ableCharacters, isMine, isOpen, openChallenges, ownCharacters, ownParts, waitsForRuling } from "./mine.js";
import { ownThings } from "./now.js";
import { rollForm } from "./ways.js";
import { isolated } from "../../client/messages.js";

const efforts = lazily(() => import("./efforts.js"));
const PLAIN_DICE = "reach:dice"; // the same key as in bar.js

/** Draw a line of buttons, and the opened card. @param {Table} table @param {boolean} busy whether the bar shows the card of a thing that waits for the viewer */
export function reach(table, busy) {
  if (!isOpen(table)) return nothing;
  const ways = busy ? [] : [...joins(table), ...tries(table)];
  const open = (busy ? ways : [...ways, plainDice(table)]).find(({ id }) => table.ui.get(`open:${id}`));
  const back = lastAct(table);
  const chips = open ? [] : ways;
  const undoes = back || table.refusal("bar:undo") ? html`<li>${takeBack(table, back)}</li>` : nothing;
  const leads = (/** @type {T.Check | T.Total} */ thing) => isMine(table, "parts" in thing ? thing.parts[0]?.character_id : thing.character_id);
  const proposed = busy ? [] : ownThings(table).filter((thing) => thing.status === "proposed" && leads(thing)); // a helper cannot withdraw a check
  const none = undoes === nothing && !chips.length && !proposed.length;
  return html`${open ? raised(open) : nothing}
  ${none
    ? nothing
    : html`<ul class="reach" data-part="reach">
        ${undoes} ${keyed(proposed, (thing) => html`<li>${withdrawal(table, thing)}</li>`)}
        ${keyed(chips, (way) => html`<li>${chip(table, way)}</li>`)}
      </ul>`}`;
}

/** Draw the button that withdraws a proposal. Its label has the proposal's name. @param {Table} table @param {T.Check | T.Total} thing */
function withdrawal(table, thing) {
  const { label, describes, command } = withdrawalOf(table, thing);
  return button(table, { key: `bar:withdraw:${thing.id}`, label: `${label}: ${isolated(describes)}`, command });
}

/** Draw the button that undoes the latest command, and a sentence about it. Without a command, draw why the last undo was refused. @param {Table} table @param {ReturnType<typeof lastAct>} back */
function takeBack(table, back) {
  if (!back) return refusal(table, "bar:undo");
  const { text, command } = back;
  return html`${button(table, { key: "bar:undo", label: table.t("undo.this"), title: text, describes: text, command })}
    <span class="what" aria-hidden="true">${text}</span>`;
}

/** Draw the button of an action. @param {Table} table @param {Way} way */
function chip(table, { id, does, who, name }) {
  const ask = () => {
    table.ui.set("reach", id);
    table.set(`open:${id}`, true);
    goTo("[data-part=reached]");
  };
  return html`<button type="button" class="button" data-reach=${id} title=${name} @click=${ask}>${does}: ${called(who)}</button>`;
}

/** Draw the card of an action. @param {Way} way */
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
    ${rollForm(table, PLAIN_DICE)}`;
  return { id: PLAIN_DICE, does: "", who: "", name, draw };
}

/** Return the ways in which a free character can join checks in which the viewer does not roll. Helping is always a way. Opposing is one if a contest lacks an opponent. @param {Table} table @returns {Way[]} */
function joins(table) {
  const checks = [...table.view.checks.values()].filter((check) => !ownParts(table, check).length && freeFor(table, check).length);
  return checks.flatMap((check) => {
    const who = check.parts[0] ? table.nameOfPart(check.parts[0]) : "";
    const ways = /** @type {const} */ (["oppose", "help"]).slice(needsOpposition(check) ? 0 : 1);
    return ways.map((how) => {
      const id = `reach:check:${check.id}:${how}`;
      const draw = () => html`${rollers(table, check)} ${chancesOf(table, check)} ${joinForm(table, check, how, freeFor(table, check), id)}`;
      return { id, does: table.t(`my.${how}`), who, name: nameOfCheck(table, check), draw };
    });
  });
}

/** Return a way for each open challenge, if the viewer has an approved character who can roll. @param {Table} table @returns {Way[]} */
function tries(table) {
  const able = ableCharacters(table).filter(({ newcomer }) => !newcomer);
  if (!able.length) return [];
  return openChallenges(table).map((challenge) => {
    const id = `reach:challenge:${challenge.id}`;
    const draw = () => efforts(table, (module) => module.trying(table, challenge, able, id));
    const does = table.t(waitsForRuling(table, challenge.id) ? "my.attempt_waiting" : "my.attempt");
    return { id, does, who: challenge.name, name: challenge.name, draw };
  });
}
