// @ts-check
/** A player's page: first the player's own things, then the other things of the table. The page offers once to keep the seat on this device. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Role, Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { PLAYERS } from "../actions/player.js";
import { lazily } from "../app/controls.js";
import { characters, checks, clocks, countdowns, rolls, scenes, sealed, totals } from "../parts/board.js";
import { badge, called, section } from "../parts/card.js";
import { checkCard } from "../parts/check.js";
import { isPaid, winnerOf } from "../parts/rolled.js";
import { totalCard } from "../parts/total.js";
import { bar, raise } from "./bar.js";
import { characterControls } from "./characters.js";
import { countdownControls } from "./countdowns.js";
import { isMine, isOpen, ownCharacters } from "./mine.js";
import { inOrder, isOver, latestOver, ownThings } from "./now.js";
import { fold, isPhone } from "./phone.js";
import { nameOf, note, waiting, waitingList } from "./waiting.js";
import { addCharacter, clockControls, firstCharacter, focusNewcomer, ownSeat, rollPlainly, startClock, startCountdown } from "./ways.js";
import { isKept } from "../app/seats.js";
import { withStorage } from "../app/settings.js";
import { turnKeeping } from "../parts/people.js";

const efforts = lazily(() => import("./efforts.js"));
const check = lazily(() => import("./checks.js"));
const total = lazily(() => import("./totals.js"));
const refused = lazily(() => import("./declined.js"));

/** @type {Role} */
export const page = {
  opened: focusNewcomer,
  layout: (table) => {
    const all = waiting(table);
    if (all.length) document.title = `(${all.length}) ${document.title}`;
    raise(table, all);
    return html`${withdrawn(table)}
    <div class="columns">
      <div class="column mine">
        ${waitingList(table, all)} ${now(table, all)} ${countdowns(table, { only: mine(table), name: "my_countdowns" })}
        ${ownPeople(table)} ${clocks(table, { only: mine(table), name: "my_clocks" })} ${more(table)} ${keepOffer(table)}
      </div>
      <div class="column">${rest(table)}</div>
    </div>
    ${bar(table, all)}`;
  },
  waits: (table) => waiting(table).length,
  actions: PLAYERS,
  controls: {
    countdown: countdownControls,
    clock: clockControls,
    challenge: (table, thing) => efforts(table, (module) => module.challengeControls(table, thing)),
    check: (table, thing) => check(table, (module) => module.checkControls(table, thing)),
    part: (table, which) => check(table, (module) => module.partControls(table, which)),
    total: (table, thing) => total(table, (module) => module.totalControls(table, thing)),
    character: characterControls,
  },
};

/** Return a function that tells whether the viewer owns a thing. @param {Table} table @returns {(thing: { owner?: string }) => boolean} */
function mine(table) {
  return (thing) => table.owns(thing);
}

/** Draw the latest withdrawn proposal, if it is the viewer's and the gm withdrew it. @param {Table} table */
function withdrawn(table) {
  const last = table.sentences.findLast(({ record }) => record.event.type === "check_withdrawn" || record.event.type === "total_withdrawn");
  return last ? refused(table, (module) => module.declined(table, last.record)) : nothing;
}

/**
 * Draw the checks and totals that involve the viewer.
 * @param {Table} table @param {ReturnType<typeof waiting>} all the things that wait for the viewer
 */
function now(table, all) {
  const owned = ownThings(table);
  const waits = !all.length && isOpen(table) && ownCharacters(table).length ? note(table.t("my.next")) : nothing;
  const things = inOrder(table, owned, all);
  const draw = (/** @type {T.Check | T.Total} */ thing) => (isPhone(table) && isOver(table, thing) ? settled : cardOf)(table, thing);
  return html`${waits} ${section(table, { name: "my_now", things, draw, over: latestOver(table, owned) })}`;
}

/** Draw a check or total as a card. @param {Table} table @param {T.Check | T.Total} thing */
function cardOf(table, thing) {
  return "parts" in thing ? checkCard(table, thing) : totalCard(table, thing);
}

/** Draw a thing that is over as a line with its outcome. A press on the line shows the thing's card. @param {Table} table @param {T.Check | T.Total} thing */
function settled(table, thing) {
  const hurts = "pushes" in thing && thing.pushes.some(({ crisis }) => crisis); // after a crisis, the card is open at first, to show the die
  const end = () => table.t(hurts ? "stake.open" : `total.${thing.status}`);
  const [outcome, kind] = "parts" in thing ? outcomeOf(table, thing) : [`${table.t("total.sum", { total: thing.total ?? 0 })} · ${end()}`, thing.status];
  return html`<details class="fold settled" ?open=${hurts}>
    <summary>${called(nameOf(table, thing))} ${badge(outcome, kind)}</summary>
    ${cardOf(table, thing)}
  </details>`;
}

/** Return the outcome of a check in words, and its CSS class. @param {Table} table @param {T.Check} check @returns {[words: string, kind: string]} */
function outcomeOf(table, check) {
  const { outcome = "" } = check.result?.acting ?? {};
  if (isPaid(check)) return [table.t("check.paid"), "success"];
  return [winnerOf(table, check) || (outcome && table.t(`outcome.${outcome}`)), outcome];
}

/** Draw the viewer's characters, or the form for the first character. @param {Table} table */
function ownPeople(table) {
  if (ownCharacters(table).length || !isOpen(table)) return characters(table, { only: mine(table), name: "my_characters" });
  const asked = table.t("my.who", { name: table.seat?.name ?? "", title: table.view.title });
  return html`<section class="things who" data-place="my_characters" aria-labelledby="who">
    <h2 id="who">${asked}</h2>
    ${firstCharacter(table)}
  </section>`;
}

/** Draw the things that the viewer can start at any time. @param {Table} table */
function more(table) {
  if (!isOpen(table)) return nothing;
  const content = html`<section class="things more" data-place="my_more" aria-labelledby="section-my_more">
    <h2 id="section-my_more">${table.t("section.my_more")}</h2>
    <div class="controls">
      ${rollPlainly(table)} ${startCountdown(table)} ${startClock(table)}
      ${ownCharacters(table).length ? addCharacter(table) : nothing} ${ownSeat(table)}
    </div>
    ${houseRules(table)}
  </section>`;
  return fold(table, "my_more", table.t("section.my_more"), content);
}

/** Draw what the house rules allow players to do. @param {Table} table */
function houseRules(table) {
  const { physical_dice: dice, check_approval: approval, player_countdowns: starts, care, sheets } = table.view.policy;
  return html`<p class="hint" data-part="policy">
    ${table.t("my.rules")} ${table.t(`my.rules.dice.${dice}`)} ${table.t(`my.rules.approval.${approval}`)}
    ${table.t(`my.rules.countdowns.${starts ? "players" : "gm"}`)} ${table.t(`my.rules.care.${care}`)}
    ${table.t(`my.rules.sheets.${sheets}`)}
  </p>`;
}

/** Draw the things that do not belong to the viewer. @param {Table} table */
function rest(table) {
  const others = (/** @type {{ owner?: string }} */ thing) => !table.owns(thing);
  const parts = (/** @type {T.Check} */ check) => !check.parts.some((part) => isMine(table, part.character_id));
  const totaled = (/** @type {T.Total} */ total) => !isMine(table, total.character_id);
  const isCalled = (/** @type {T.Check} */ check) => check.status === "proposed" || check.status === "ready";
  const isFree = (/** @type {T.Clock} */ clock) => clock.kind === "free" && others(clock);
  const sections = [
    table.view.scenes.size ? scenes(table) : nothing,
    folded(table, "more_checks", table.view.checks, checks, parts, isCalled),
    folded(table, "more_totals", table.view.totals, totals, totaled),
    folded(table, "more_countdowns", table.view.countdowns, countdowns, others),
    folded(table, "more_clocks", table.view.clocks, clocks, isFree),
    folded(table, "sealed", table.view.sealed, sealed),
    folded(table, "more_characters", table.view.characters, characters, others),
    folded(table, "rolls", table.view.rolls, rolls),
  ];
  if (sections.every((content) => content === nothing)) return html`<p class="empty">${table.t("table.empty")}</p>`;
  return html`${sections}`;
}

/**
 * Draw a section that a phone folds away, with the number of things in it.
 * @param {Table} table @param {string} name @param {ReadonlyMap<string, any>} things
 * @param {(table: Table, of: import("../parts/board.js").Of) => unknown} draw @param {(thing: any) => boolean} [only]
 * @param {(thing: any) => boolean} [calls] whether the viewer may take part in a thing. If so, the section is open at first
 */
function folded(table, name, things, draw, only = () => true, calls = () => false) {
  const all = [...things.values()].filter(only);
  if (!all.length) return nothing;
  return fold(table, name, `${table.t(`section.${name}`)} (${all.length})`, draw(table, { only, name }), all.some(calls));
}

/**
 * Draw the offer to keep the seat on this device, until the viewer answers. Draw nothing in an embedded page: the page around it
 * keeps the seat.
 * @param {Table} table
 */
function keepOffer(table) {
  const { link } = table.room;
  const name = `dreadclock:chosen/${link.room}`;
  const chosen = table.ui.has(name) || withStorage((storage) => storage.getItem(name));
  if (chosen || table.over || table.ui.get("knocked") || self !== top || isKept(link)) return nothing;
  const choose = (/** @type {boolean} */ keeps) => {
    withStorage((storage) => storage.setItem(name, "yes"));
    table.ui.set(name, true);
    if (keeps) turnKeeping(table);
    table.redraw();
  };
  const no = table.t("my.keep.no");
  return html`<div class="keep-offer" role="group" aria-label=${table.t("my.keep")} data-place="keep-offer">
    <p>${table.t("my.keep")}</p>
    <button type="button" class="button" data-key="keep:yes" title=${table.t("keep.does")} @click=${() => choose(true)}>${table.t("keep")}</button>
    <button type="button" class="button" data-key="keep:no" aria-label=${no} title=${no} @click=${() => choose(false)}>×</button>
  </div>`;
}
