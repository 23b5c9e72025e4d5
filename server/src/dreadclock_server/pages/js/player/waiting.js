// @ts-check
/** Finds the things that wait for the viewer, and draws their list and the frames around their controls. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { costOf } from "../app/checks.js";
import { unfold } from "../app/presses.js";
import { nameOfCheck } from "../parts/check.js";
import { waitsForRoll } from "../parts/countdown.js";
import { nameOfTotal } from "../parts/total.js";
import { lastSeqOf } from "./now.js";
import { bargainsOf, canRoll, isAble, isMine, isOpen, ownCharacters, ownParts } from "./mine.js";
import { called } from "../parts/card.js";
import { showScreenOf } from "./phone.js";

const FRAMES = 60; // how many animation frames to wait for a thing that is still loading

/**
 * @typedef {object} Waiting
 * @property {string} thing the `data-thing` of its element
 * @property {string} label what the viewer can do
 * @property {string} name of the thing
 * @property {boolean} [may] whether it is optional, as for a countdown, which its turn or round rolls anyway
 */

/** Return the things that wait for the viewer. @param {Table} table @returns {Waiting[]} */
export function waiting(table) {
  if (!isOpen(table)) return [];
  const { checks, totals, countdowns } = table.view;
  const failure = latestFailure(table);
  return [
    ...ownCharacters(table).flatMap((character) => choices(table, character)),
    ...[...checks.values()].flatMap((check) => ofCheck(table, check, failure)),
    ...[...totals.values()].flatMap((total) => ofTotal(table, total)),
    ...[...countdowns.values()].flatMap((countdown) => ofCountdown(table, countdown)),
  ];
}

/** Draw the list of waiting things; nothing for fewer than two. Each item is a button that moves to the thing. @param {Table} table @param {readonly Waiting[]} all */
export function waitingList(table, all) {
  if (all.length < 2) return nothing;
  return html`<nav class="waiting" aria-label=${table.t("my.waiting", { number: all.length })}>
    <span class="calls" translate="no" aria-hidden="true">${table.t("my.waiting", { number: all.length })}</span>
    <ul>
      ${all.map(({ thing, label, name }) => {
        const go = () =>
          goTo(`[data-thing="${thing}"] .call :is(button, input)`, `[data-thing="${thing}"] .button.big`);
        return html`<li><button type="button" class="button" @click=${go}>${label}: ${called(name)}</button></li>`;
      })}
    </ul>
  </nav>`;
}

/** Return an item for each choice of an effect that a character has to make. @param {Table} table @param {T.Character} character @returns {Waiting[]} */
function choices(table, { id, name, choices: all }) {
  return all.map((choice) => {
    const thing = table.view.checks.has(choice.check_id) ? `check:${choice.check_id}` : `character:${id}`;
    return { thing, label: table.t("my.wait_choice"), name };
  });
}

/**
 * Return the latest failed check that the viewer can still turn into a success at a cost. Earlier failures are not listed as
 * waiting.
 * @param {Table} table
 */
function latestFailure(table) {
  const failures = [...table.view.checks.values()].filter((check) => {
    return bargainsOf(table, check).some((part) => !costOf(check, part) || costOf(check, part)?.stage === "refused");
  });
  return failures.sort((a, b) => lastSeqOf(table, a) - lastSeqOf(table, b)).at(-1);
}

/**
 * Return the items of a check: one item for its cost, or else an item for each part (a character's share) that the viewer can
 * roll now.
 * @param {Table} table @param {T.Check} check @param {T.Check | undefined} failure the result of `latestFailure`
 * @returns {Waiting[]}
 */
function ofCheck(table, check, failure) {
  const name = nameOfCheck(table, check);
  const stages = bargainsOf(table, check).map((part) => costOf(check, part)?.stage);
  if (check === failure || stages.some((stage) => stage === "accepted" || stage === "countered")) {
    return [{ thing: `check:${check.id}`, label: table.t("my.wait_cost"), name }];
  }
  const mine = ownParts(table, check).filter((part) => canRoll(table, check, part));
  return mine.map((part) => ({ thing: `part:${check.id}:${part.character_id}`, label: table.t("my.wait_roll"), name }));
}

/** Return an item if a total waits for the viewer's roll, or for a decision whether to push (roll one more die). Otherwise the list is empty. @param {Table} table @param {T.Total} total @returns {Waiting[]} */
function ofTotal(table, total) {
  const { id, status, character_id: who } = total;
  const label = { ready: table.t("my.wait_roll"), offered: table.t("my.wait_push") }[/** @type {string} */ (status)];
  if (!label || !isMine(table, who) || !isAble(table.view.characters.get(who))) return [];
  return [{ thing: `total:${id}`, label, name: nameOfTotal(table, total) }];
}

/**
 * Return an item if a countdown of the viewer still has to be rolled in this turn or round. Otherwise the list is empty.
 * @param {Table} table @param {T.Countdown} countdown @returns {Waiting[]}
 */
function ofCountdown(table, countdown) {
  const { id, name } = countdown;
  const due = table.owns(countdown) && waitsForRoll(table.view, countdown);
  return due ? [{ thing: `countdown:${id}`, label: table.t("my.wait_roll"), name, may: true }] : [];
}

/** Draw a call to act: a sentence with controls. @param {string} sentence @param {unknown} controls */
export function call(sentence, controls) {
  return framed("call", sentence, controls);
}

/** Draw an optional action: a sentence with controls. @param {string} sentence @param {unknown} controls */
export function offer(sentence, controls) {
  return framed("call quiet", sentence, controls);
}

/** Return the name of a check or total. @param {Table} table @param {T.Check | T.Total} thing */
export function nameOf(table, thing) {
  return "parts" in thing ? nameOfCheck(table, thing) : nameOfTotal(table, thing);
}

/** Return the label, the name and the command of a button that withdraws a check or total. @param {Table} table @param {T.Check | T.Total} thing */
export function withdrawalOf(table, thing) {
  const { id } = thing;
  /** @type {T.Command} */
  const command = "parts" in thing ? { type: "withdraw_check", check_id: id } : { type: "withdraw_total", total_id: id };
  return { label: table.t("my.withdraw"), describes: nameOf(table, thing), command };
}

/** @param {string} kind CSS classes @param {string} sentence @param {unknown} controls */
function framed(kind, sentence, controls) {
  return html`<div class=${kind} data-part="call">
    <p class="calls">${sentence}</p>
    <div class="controls">${controls}</div>
  </div>`;
}

/** Draw a sentence without controls; nothing for an empty sentence. @param {string} sentence */
export function note(sentence) {
  return sentence ? html`<p class="waits">${sentence}</p>` : nothing;
}

/**
 * Scroll to an element and focus it, once the page is drawn. The first selector that matches counts.
 * @param {...string} selectors
 */
export function goTo(...selectors) {
  requestAnimationFrame(() => focusFirst(selectors, FRAMES));
}

/**
 * Scroll to a matching element and focus it, as soon as there is one.
 * @param {readonly string[]} selectors @param {number} frames how many animation frames to wait at most
 */
function focusFirst(selectors, frames) {
  requestAnimationFrame(() => {
    const target = selectors.map((selector) => document.querySelector(selector)).find((element) => element instanceof HTMLElement);
    if (!(target instanceof HTMLElement)) return frames ? focusFirst(selectors, frames - 1) : undefined;
    unfold(target);
    showScreenOf(target);
    target.scrollIntoView({ block: target.offsetHeight > innerHeight / 2 ? "start" : "center" });
    if (target.tabIndex < 0) target.tabIndex = -1; // makes an element focusable
    target.focus({ preventScroll: true });
  });
}
