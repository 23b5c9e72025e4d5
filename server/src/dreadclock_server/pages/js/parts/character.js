// @ts-check
/** The cards of characters: scores, badges, and boxes for crises (lasting harm). */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { BOXES, CRISES } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { guard } from "../../vendor/lit-html/directives/guard.js";
import { word } from "./word.js";
import { badge, card } from "./card.js";
import { isolated } from "../../client/messages.js";

/** Draw a character. @param {Table} table @param {T.Character} character */
export function characterCard(table, character) {
  const { id, name, owner, status, states, momentum, interference, crisis_due: due } = character;
  return card(table, {
    kind: "character",
    thing: character,
    name,
    state: status,
    marks: html`${owner ? badge(table.t("of", { name: table.nameOfSeat(owner) }), "owner") : nothing}
    ${status === "in_play" ? nothing : badge(table.t(`character.${status}`), status)} ${states.map((state) => badge(state, "state"))}
    ${momentum ? explainedBadge(table, "momentum", id) : nothing}
    ${interference ? explainedBadge(table, "interference", id) : nothing}
    ${character.newcomer ? badge(table.t("character.newcomer"), "waits") : nothing}
    ${due ? badge(table.t("character.crisis_due"), "crisis") : nothing}`,
    body: guard([character, table.ui.get("word:asked")], () => html`${scores(table, character)} ${proposed(table, character)} ${bonuses(table, character)} ${crisisBoxes(table, character, table.t("character.crises"))}`),
  });
}

/**
 * Draw the badge for momentum or interference, with a button that explains it.
 * @param {Table} table @param {"momentum" | "interference"} kind @param {string} id of the character
 */
function explainedBadge(table, kind, id) {
  return html`${badge(table.t(kind), kind)} ${word(table, kind, table.t(kind), id)}`;
}

/** Draw the scores of a sheet: level, reflex, attributes, tracks and specials. @param {Table} table @param {T.Character} character */
export function scores(table, { level, attributes, specials, reflex, tracks }) {
  const scoresOnSheet = [
    [table.t("character.level"), level],
    ...(reflex === undefined ? [] : [[table.t("character.reflex"), reflex]]),
    ...Object.entries(attributes),
    ...Object.entries(tracks).map(([track, { value, most }]) => [track, `${value}/${most}`]),
  ];
  return html`<dl class="scores">
      ${scoresOnSheet.map(([name, score]) => html`<div><dt><bdi>${name}</bdi></dt><dd translate="no">${score}</dd></div>`)}
    </dl>
    ${specials.length
      ? html`<p class="specials" translate="no">${specials.map(starredName).join(", ")}</p>`
      : nothing}`;
}

/** Draw the changes to a sheet that await approval. Source: rules.md B18. @param {Table} table @param {T.Character} character */
export function proposed(table, { proposed: wanted }) {
  if (!wanted) return nothing;
  const { level, attributes, specials, reflex } = wanted;
  const sheet = [
    `${table.t("character.level")} ${level}`,
    ...Object.entries(attributes).map(([name, score]) => `${isolated(name)} ${score}`),
    ...specials.map(starredName),
    ...(reflex === undefined ? [] : [`${table.t("character.reflex")} ${reflex}`]),
  ];
  return html`<p class="hint proposed">${table.t("character.proposed", { sheet: sheet.join(", ") })}</p>`;
}

/** Return the name of a special; a starred one gets a star. @param {T.Special} special */
function starredName({ name, starred }) {
  return starred ? `${isolated(name)} ★` : isolated(name);
}

/** Draw a character's bonus dice, and the effects of a check from which its player must still choose. @param {Table} table @param {T.Character} character */
function bonuses(table, { bonuses: all, choices }) {
  return html`${all.map(
    (bonus) => html`<p class="bonus">${table.t("character.bonus", { dice: bonus.dice, benefits: table.t(`benefits.${bonus.benefits}`), what: bonus.what })}</p>`,
  )}
  ${choices.map((choice) => html`<p class="bonus">${table.t("character.choice", { offered: choice.offered.map(isolated).join(", ") })}</p>`)}`;
}

/** Draw a character's crisis boxes. @param {Table} table @param {T.Character} character @param {string} [heading] */
export function crisisBoxes(table, { id, crises }, heading) {
  return html`<div class="crises">
    ${heading ? html`<span class="kind" aria-hidden="true">${heading}</span> ${word(table, "crisis", heading.replace(/:$/, ""), id)}` : nothing}
    ${CRISES.map((kind) => {
      const suffered = crises.filter((crisis) => crisis.kind === kind);
      const label = table.t("crises", { kind: table.t(`crisis.${kind}`), number: suffered.length, boxes: BOXES });
      return html`<div class="boxes">
        <span role="img" aria-label=${label}>
          <span class="kind" aria-hidden="true">${table.t(`crisis.${kind}`)}</span>
          ${Array.from({ length: BOXES }, (_, place) => html`<span class=${`box ${place < suffered.length ? "marked" : ""}`} aria-hidden="true">${place < suffered.length ? "✕" : ""}</span>`)}
        </span>
        ${suffered.map((crisis) => (crisis.description ? html`<p class="crisis">${crisis.description}</p>` : nothing))}
      </div>`;
    })}
  </div>`;
}
