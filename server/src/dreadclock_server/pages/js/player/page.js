// @ts-check
/** A player's page: what is hers first, then the rest of the table. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Role, Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily } from "../app/controls.js";
import { characters, checks, clocks, countdowns, rolls, scenes, sealed, totals } from "../parts/board.js";
import { section } from "../parts/card.js";
import { checkCard } from "../parts/check.js";
import { totalCard } from "../parts/total.js";
import { characterControls } from "./characters.js";
import { countdownControls } from "./countdowns.js";
import { isMine, isOpen, ownCharacters } from "./mine.js";
import { inOrder, latestOver, ownThings } from "./now.js";
import { waiting, waitingList } from "./waiting.js";
import { addCharacter, clockControls, ownSeat, rollPlainly, startClock, startCountdown } from "./ways.js";

const efforts = lazily(() => import("./efforts.js"));
const check = lazily(() => import("./checks.js"));
const total = lazily(() => import("./totals.js"));

/** @type {Role} */
export const page = {
  layout: (table) => {
    const all = waiting(table);
    if (all.length) document.title = `(${all.length}) ${document.title}`;
    return html`<div class="columns">
      <div class="column mine">
        ${waitingList(table, all)} ${now(table, all)} ${countdowns(table, { only: mine(table), name: "my_countdowns" })}
        ${ownPeople(table)} ${clocks(table, { only: mine(table), name: "my_clocks" })} ${more(table)}
      </div>
      <div class="column">${rest(table)}</div>
    </div>`;
  },
  waits: (table) => waiting(table).length,
  controls: {
    countdown: countdownControls,
    clock: clockControls,
    challenge: (table, thing) => efforts(table, (it) => it.challengeControls(table, thing)),
    check: (table, thing) => check(table, (it) => it.checkControls(table, thing)),
    part: (table, which) => check(table, (it) => it.partControls(table, which)),
    total: (table, thing) => total(table, (it) => it.totalControls(table, thing)),
    character: characterControls,
  },
};

/** @param {Table} table @returns {(thing: { owner?: string }) => boolean} */
function mine(table) {
  return (thing) => table.owns(thing);
}

/** Draw the checks and totals that the viewer has a hand in. @param {Table} table @param {ReturnType<typeof waiting>} all what waits for her */
function now(table, all) {
  const owned = ownThings(table);
  const things = inOrder(table, owned, all);
  const draw = (/** @type {T.Check | T.Total} */ thing) =>
    "parts" in thing ? checkCard(table, thing) : totalCard(table, thing);
  return section(table, { name: "my_now", things, draw, over: latestOver(table, owned) });
}

/** @param {Table} table */
function ownPeople(table) {
  const none = ownCharacters(table).length === 0;
  const before = none
    ? html`<p>${table.t("my.no_character")}</p>
        ${addCharacter(table, none)}`
    : nothing;
  return characters(table, { only: mine(table), name: "my_characters", before });
}

/** Draw what the viewer can begin at any time. @param {Table} table */
function more(table) {
  if (!isOpen(table)) return nothing;
  const first = ownCharacters(table).length === 0;
  return html`<section class="things more" data-place="my_more" aria-labelledby="section-my_more">
    <h2 id="section-my_more">${table.t("section.my_more")}</h2>
    <div class="controls">
      ${rollPlainly(table)} ${startCountdown(table)} ${startClock(table)}
      ${first ? nothing : addCharacter(table, first)} ${ownSeat(table)}
    </div>
    ${houseRules(table)}
  </section>`;
}

/** Say what the house rules let players do. @param {Table} table */
function houseRules(table) {
  const { physical_dice: dice, check_approval: approval, player_countdowns: starts, care, sheets } = table.view.policy;
  return html`<p class="hint" data-part="policy">
    ${table.t("my.rules")} ${table.t(`my.rules.dice.${dice}`)} ${table.t(`my.rules.approval.${approval}`)}
    ${table.t(`my.rules.countdowns.${starts ? "players" : "gm"}`)} ${table.t(`my.rules.care.${care}`)}
    ${table.t(`my.rules.sheets.${sheets}`)}
  </p>`;
}

/** Draw what is the others', or nobody's. @param {Table} table */
function rest(table) {
  const others = (/** @type {{ owner?: string }} */ thing) => !table.owns(thing);
  const parts = (/** @type {T.Check} */ check) => check.parts.some((part) => isMine(table, part.character_id));
  return html`${scenes(table)} ${checks(table, { only: (each) => !parts(each), name: "more_checks" })}
  ${totals(table, { only: (each) => !isMine(table, each.character_id), name: "more_totals" })}
  ${countdowns(table, { only: others, name: "more_countdowns" })}
  ${clocks(table, { only: others, name: "more_clocks" })} ${sealed(table)}
  ${characters(table, { only: others, name: "more_characters" })} ${rolls(table)}`;
}
