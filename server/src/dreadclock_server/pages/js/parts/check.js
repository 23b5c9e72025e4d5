// @ts-check
/**
 * The cards of checks. A part is one character's share in a check. A bargain turns a failure into a success at a cost. A venture
 * risks dice of one roll for bonus dice in a later roll.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Rolled } from "./rolled.js" */

import { tooLateFor } from "../../client/narration.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { claimed, keyOf, unclaimed } from "../app/checks.js";
import { button } from "../app/controls.js";
import { badge, called, card, controls, titled } from "./card.js";
import { diceRow, digits, labelOf } from "./die.js";
import { checkOdds, whose } from "./odds_bar.js";
import { isPaid, ofPart, winnerOf } from "./rolled.js";
import { proofMark, word } from "./word.js";
import { isolated } from "../../client/messages.js";

const DISCUSSED = new Set(["proposed", "accepted", "refused", "countered"]); // a bargain in these stages is not settled

/** @param {Table} table @param {T.Check} check */
export function checkCard(table, check) {
  const { parts, status, result, contest, effort } = check;
  return card(table, {
    kind: "check",
    thing: check,
    name: nameOfCheck(table, check),
    state: status,
    marks: html`${statusOf(table, check)} ${contest ? badge(table.t("check.contest")) : nothing}
    ${effort ? badge(table.t("against", { name: table.view.challenges.get(effort)?.name ?? effort })) : nothing}`,
    body: html`${repeat(parts, (part) => part.character_id, (part) => partLine(table, check, part))}
    ${result ? outcome(table, check, result) : status === "rolling" ? nothing : chancesOf(table, check)} ${bargain(table, check)}`,
  });
}

/**
 * Tell whether a check is a contest that has no opposing side yet. Such a contest has no odds.
 * @param {{ contest: boolean, parts: readonly { side: T.Side }[] }} check
 */
export function needsOpposition({ contest, parts }) {
  return contest && !parts.some(({ side }) => side === "opposing");
}

/** Say that a contest waits for its opposing side. @param {Table} table */
export function awaiting(table) {
  return html`<p class="waits">${table.t("check.needs_opposition")}</p>`;
}

/** Draw a check's odds. @param {Table} table @param {T.Check} check */
export function chancesOf(table, check) {
  return needsOpposition(check) ? awaiting(table) : checkOdds(table, check.odds, whose(table, check.parts));
}

/**
 * Draw the status of a check. A resolved check is only marked as resolved when all effects are chosen and all costs settled.
 * Before that, a badge may say that a choice is open.
 * @param {Table} table @param {T.Check} check
 */
export function statusOf(table, { id, status, parts, cost }) {
  if (status !== "resolved") return badge(table.t(`check.${status}`), status);
  const chosen = [...table.view.characters.values()].some(({ choices }) => choices.some((choice) => choice.check_id === id));
  const discussed = [cost, ...parts.map((part) => part.cost)].some((bargained) => bargained && DISCUSSED.has(bargained.stage));
  if (!chosen && !discussed) return badge(table.t("check.resolved"), status);
  return chosen ? badge(table.t("check.choice"), "proposed") : nothing;
}

/** Return the name of a check: its first character, and its purpose. @param {Table} table @param {T.Check} check */
export function nameOfCheck(table, check) {
  const name = table.nameOfCharacter(check.parts[0]?.character_id ?? "");
  return titled(name, check.purpose);
}

/** Draw a part of a check. @param {Table} table @param {T.Check} check @param {T.Part} part */
function partLine(table, check, part) {
  const { character_id: id, side, venture, roll } = part;
  return html`<div class=${`part ${side}`} data-thing=${`part:${check.id}:${id}`}>
    <p>
      <b>${called(table.nameOfPart(part))}</b> ${side === "opposing" ? badge(table.t("check.opposing"), "opposing") : nothing}
      <span class="made" translate="no">${madeOf(table, check, part)}</span>
      ${venture ? ventured(table, venture) : nothing}
    </p>
    ${roll ? rolled(table, check, part, roll) : uncounted(table, check, part)} ${bargain(table, part)} ${controls(table, "part", { check, part })}
  </div>`;
}

/** Return words for why a part has this number of dice: its score, bonus, penalty and ventures. @param {Table} table @param {T.Check} check @param {T.Part} part */
function madeOf(table, check, part) {
  const { character_id: id, score, attribute, bonus, penalty, roll } = part;
  const claims = roll ? [] : claimed(table.view.characters.get(id), part);
  const paid = roll ? paidInto(table, check, part) : [];
  const made = [
    attribute ? `${isolated(attribute)} ${score}` : table.t("dice", { number: score }),
    bonus ? `+${bonus}` : "",
    penalty ? `−${penalty}` : "",
    ...claims.map((venture) => table.t("claim", { dice: venture.dice, what: venture.what })),
    ...paid.map((venture) => table.t("check.claimed", { dice: venture.dice, what: venture.what })),
  ];
  return made.filter(Boolean).join(" ");
}

/** Draw a line for each part of a check: the character, why it has this number of dice, and its venture. @param {Table} table @param {T.Check} check */
export function rollers(table, check) {
  return check.parts.map(
    (part) => html`<p class="made" translate="no">
      <b>${called(table.nameOfPart(part))}</b> ${madeOf(table, check, part)} ${part.venture ? ventured(table, part.venture) : nothing}
    </p>`,
  );
}

/**
 * Draw the ventures whose dice a part could use but does not. Before the roll, the gm can add each with a button.
 * @param {Table} table @param {T.Check} check @param {T.Part} part
 */
function uncounted(table, { id, visibility, status }, part) {
  const character = table.view.characters.get(part.character_id);
  if (!character || visibility !== "public" || part.claim) return nothing;
  const claims = part.claims ?? [];
  const open = table.role.controls && table.isGm && (status === "proposed" || status === "ready");
  return unclaimed(table, character, "check", part).filter((venture) => !claims.includes(keyOf(venture))).map((venture) => {
    const key = `check:${id}:${character.id}:claim:${keyOf(venture)}`;
    const command = /** @type {const} */ ({ type: "adjust_check", check_id: id, character_id: character.id, claims: [...claims, keyOf(venture)] });
    return html`<p class="uncounted" data-part="uncounted">
      ${table.t("check.uncounted", { dice: venture.dice, what: venture.what })}
      ${open ? button(table, { key, label: table.t("check.count_in", { dice: venture.dice }), describes: venture.what, command }) : nothing}
    </p>`;
  });
}

/** Draw the venture that a part earns if it succeeds. @param {Table} table @param {T.Venture} venture */
function ventured(table, { level, what }) {
  const why = table.t("why.venture");
  return html`<span class="made" title=${why} aria-description=${why}>${table.t("check.venture", { level, what })}</span>`;
}

/**
 * Return the ventures whose dice a rolled part used; none if the recent records no longer have them.
 * @param {Table} table @param {T.Check} check @param {T.Part} part
 */
function paidInto({ view }, { id }, { character_id: who, claim, claims }) {
  if (!claim && !claims?.length) return [];
  const events = Object.values(view.channels).flatMap((channel) => channel?.recent ?? []).map(({ event }) => event);
  return events.flatMap((event) =>
    event.type === "venture_paid" && event.into === id && event.character_id === who ? event.paid : [],
  );
}

/** Draw a rolled part: its dice and its outcome. @param {Table} table @param {T.Check} check @param {T.Part} part @param {T.PartRoll} roll */
function rolled(table, check, part, roll) {
  const drawn = /** @type {Rolled} */ (ofPart(table, { check_id: check.id, part }));
  const more = Math.max(0, roll.faces.length - roll.pool);
  const isWhole = check.result && check.parts.length === 1; // then the outcome is drawn below, as the result of the check
  return html`<p class="pool">
    ${diceRow(drawn.dice, labelOf(table, drawn))} ${proofMark(table, roll, `${check.id}-${part.character_id}`)}
    ${more ? html`<span class="count" translate="no">${table.t("check.more", { number: more })}</span>` : nothing}
    ${isWhole ? nothing : badge(table.t(`outcome.${roll.outcome}`), roll.outcome, whyOf(table, roll.outcome))}
    ${roll.momentum ? badge(table.t("check.momentum"), "momentum", table.t("why.momentum")) : nothing}
    ${roll.interference ? badge(table.t("check.interference"), "interference", table.t("why.interference")) : nothing}
  </p>`;
}

/** Return the explanation of a triumph, else undefined. @param {Table} table @param {T.Outcome} outcome */
function whyOf(table, outcome) {
  return outcome === "triumph" ? table.t("why.triumph") : undefined;
}

/**
 * Return the name of a challenge that was over before a check succeeded against it; undefined if the recent records show none.
 * @param {Table} table @param {T.Check} check
 */
function lateFor({ view }, { id }) {
  const record = view.public.recent.find(({ event }) => event.type === "check_resolved" && event.check_id === id);
  return record && tooLateFor({ record, views: [view] }, record.event)?.name;
}

/** Draw a check's result. @param {Table} table @param {T.Check} check @param {T.CheckResult} result */
function outcome(table, check, { acting, opposing, winner, deals, proof }) {
  const late = lateFor(table, check);
  /** @param {T.SideResult} side */
  const drawSide = (side) =>
    table.t("check.result", { outcome: table.t(`outcome.${side.outcome}`), highest: side.highest ?? "–", margin: side.margin });
  return html`<p class="result" data-part="result">
    ${isPaid(check) ? badge(table.t("check.paid"), "success") : nothing}
    ${badge(winnerOf(table, check), winner === "acting" ? "won" : "failed")}
    ${deals.length ? word(table, "deal", table.t("decided.deal"), check.id) : nothing}
    ${badge(drawSide(acting), acting.outcome, whyOf(table, acting.outcome))}
    ${opposing ? html`${table.t("check.against")} ${badge(drawSide(opposing), opposing.outcome, whyOf(table, opposing.outcome))}` : nothing}
    ${word(table, "margin", table.t("word.margin.name"), check.id)}
    ${late ? badge(table.t("check.late", { name: late }), "failed") : nothing}
    ${deals.length ? html`<span>(${digits(deals)})</span> ${proofMark(table, { proof }, `${check.id}-deals`)}` : nothing}
  </p>`;
}

/** Tell whether a cost still has to be agreed on or paid. @param {T.Check} check */
export function isDiscussed({ cost, parts }) {
  return [cost, ...parts.map((part) => part.cost)].some((bargained) => bargained && bargained.stage !== "refused" && DISCUSSED.has(bargained.stage));
}

/** @param {Table} table @param {T.Check} check */
export function bargains(table, check) {
  return [check, ...check.parts].map((owner) => bargain(table, owner));
}

/** Draw the bargain of a check or of a part; nothing without one. @param {Table} table @param {{ cost?: T.Cost }} owner the check or the part */
function bargain(table, { cost }) {
  if (!cost) return nothing;
  const pays = cost.pays.map(({ state, track, by }) => badge(state ?? `${isolated(track ?? "")} ${by}`, "pays"));
  return html`<div class="bargain" data-part="cost">
    ${badge(table.t(`cost.${cost.stage}`), cost.stage)}
    <dl>
      ${term(table, "offered", cost.cost)} ${term(table, "terms", cost.terms)} ${term(table, "pays", pays.length ? pays : "")}
    </dl>
  </div>`;
}

/** Draw a line of a bargain; nothing without content. @param {Table} table @param {string} name of the line @param {unknown} said */
function term(table, name, said) {
  return said ? html`<div><dt>${table.t(`cost.${name}`)}</dt><dd>${said}</dd></div>` : nothing;
}
