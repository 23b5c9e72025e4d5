// @ts-check
/** The cards of totals. A total adds up a roll, in which equal dice count once. A push adds a die, at the risk of a crisis (lasting harm). */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { BOXES, CRISES } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { totalIsOver } from "../app/over.js";
import { badge, card, titled } from "./card.js";
import { diceOfTotal, diceRow, digits, labelOf } from "./die.js";
import { proofMark, word } from "./word.js";
import { chance } from "./odds_bar.js";
import { isolated } from "../../client/messages.js";

const FACES = [1, 2, 3, 4, 5, 6];

/** @param {Table} table @param {T.Total} total */
export function totalCard(table, total) {
  const { status, effort } = total;
  return card(table, {
    kind: "total",
    thing: total,
    name: nameOfTotal(table, total),
    state: status,
    marks: html`${badge(table.t(`total.${status}`), status)}
    ${total.pushes.some((push) => push.crisis) ? badge(table.t("total.crisis"), "crisis") : nothing}
    ${effort ? badge(table.t("against", { name: table.view.challenges.get(effort)?.name ?? effort })) : nothing}`,
    body: totalBody(table, total),
  });
}

/**
 * Draw a total: how many dice and why, its roll, the required number, the offer of a push, and the odds before the roll.
 * @param {Table} table @param {T.Total} total @param {boolean} [quiet] whether to leave out the buttons
 */
export function totalBody(table, total, quiet = false) {
  return html`<p class="made" translate="no">${madeOf(table, total)}</p>
    ${total.faces.length ? rolled(table, total, quiet) : nothing}
    ${total.status === "ready" && !quiet ? html`<p class="hint">${table.t("total.once")}</p>` : nothing} ${number(table, total)} ${offer(table, total, quiet)} ${odds(table, total)}`;
}

/** Return the name of a total: its character, and its purpose. @param {Table} table @param {T.Total} total */
export function nameOfTotal(table, total) {
  const name = table.nameOfCharacter(total.character_id);
  return titled(name, total.purpose);
}

/** Return words for why a total has this number of dice: its score, tool and specials. @param {Table} table @param {T.Total} total */
function madeOf(table, { attribute, score, tool, special, more_specials: more, pool }) {
  const parts = [
    attribute ? `${isolated(attribute)} ${score}` : table.t("total.score", { score }),
    tool ? `${isolated(tool.name)} ${tool.quality}` : "",
    ...[special, ...more].map((attributeOfTotal) => attributeOfTotal ? `${isolated(attributeOfTotal.name)} ${attributeOfTotal.starred ? 2 : 1}` : ""),
  ];
  return `${table.t("dice", { number: pool })}: ${parts.filter(Boolean).join(", ")}`;
}

/**
 * Draw the dice of a total, the dice that pushes added, and the sum.
 * @param {Table} table @param {T.Total} thrown @param {boolean} quiet whether to leave out the marks for proven rolls
 */
function rolled(table, thrown, quiet) {
  const { id, faces, kept, total, pushes, physical } = thrown;
  const dice = diceOfTotal(faces);
  const label = table.t("total.dice", { faces: digits(faces), kept: digits(kept), total });
  const added = pushes.map(({ face, crisis }) => ({ face, lost: crisis, mark: "+" }));
  return html`<p class="pool">
      ${diceRow(dice, labelOf(table, { label, physical: physical || pushes.some((push) => push.physical) }))}
      ${added.length ? diceRow(added, table.t("total.pushes", { faces: digits(pushes.map(({ face }) => face)) })) : nothing}
      ${quiet ? nothing : [thrown, ...pushes].map((roll, place) => proofMark(table, roll, `${id}-${place}`))}
      <span class="sum" translate="no" data-part="sum">${table.t("total.sum", { total })}</span>
    </p>
    ${dice.some(({ again }) => again) ? html`<p class="hint">${table.t("total.equal")}</p>` : nothing}`;
}

/** Return the number that a total must reach, if the viewer knows it. @param {Table} table @param {T.Total} total */
export function requiredOf({ view }, { id, required, secret }) {
  return required ?? (secret ? view.secrets.get(id)?.required : undefined);
}

/** Draw the required number, if there is one, and whether a total that is not over reaches it. @param {Table} table @param {T.Total} total */
function number(table, total) {
  const { secret, enough } = total;
  const needed = requiredOf(table, total);
  const text = needed === undefined ? (secret ? table.t("total.secret") : "") : table.t("total.required", { required: needed });
  if (!text) return nothing;
  return html`<p class="required" translate="no" data-part="required">
    ${text} ${secret && needed !== undefined ? badge(table.t("visibility.gm"), "gm") : nothing}
    ${enough === undefined || totalIsOver(total) ? nothing : badge(table.t(enough ? "total.enough" : "total.missed"), enough ? "success" : "fail")}
  </p>`;
}

/**
 * Draw the offer of a push, with the six faces that the new die may show. Red faces repeat a kept die, which is a crisis.
 * Gold faces reach the required number; there are none if the viewer does not know it.
 * @param {Table} table @param {T.Total} total @param {boolean} quiet
 */
function offer(table, total, quiet) {
  const { id, status, crisis, description, push_odds: chances, until, kept } = total;
  if (status !== "offered") return nothing;
  const needed = requiredOf(table, total);
  const isEnough = (/** @type {number} */ face) => needed !== undefined && (total.total ?? 0) + face >= needed;
  const dice = FACES.map((face) => ({ face, look: /** @type {"red" | "gold" | ""} */ (kept.includes(face) ? "red" : isEnough(face) ? "gold" : "") }));
  const [breaks, wins] = ["red", "gold"].map((look) => digits(dice.filter((die) => die.look === look).map(({ face }) => face)));
  const known = needed === undefined ? "no" : wins ? "yes" : "none";
  return html`<p class="offer" data-part="offer">
    ${table.t("total.offer", { stake: table.t(`stake.${crisis ?? "open"}`), known })} ${quiet ? nothing : word(table, "push", table.t("word.push.name"), id)}${description ? html`<q>${description}</q>` : nothing} ${until > 1 ? badge(table.t("total.until", { until })) : nothing}
    ${diceRow(dice, table.t("total.push_faces", { breaks, wins, known }))}
    <span class="chances">${chance(table, "odds.crisis", chances?.crisis)} ${chance(table, "odds.push", chances?.reaches)}
    ${chance(table, "odds.push_on", chances?.reaches_pushing)}</span>
    <span class="hint">${costOfCrisis(table, total)}</span>
  </p>`;
}

/**
 * Return a sentence about what a crisis does to the character of a total. The third crisis of a kind ends the character's
 * story.
 * @param {Table} table @param {T.Total} total
 */
export function costOfCrisis(table, { character_id: id, crisis }) {
  const crises = table.view.characters.get(id)?.crises ?? [];
  const isLast = CRISES.some((kind) => (crisis ?? kind) === kind && crises.filter((suffered) => suffered.kind === kind).length === BOXES - 1);
  return table.t(isLast ? "total.third" : "total.crisis_costs", { kind: crisis ?? "open", name: isolated(table.nameOfCharacter(id)) });
}

/** Draw the odds of a total before its roll; nothing if they are secret. @param {Table} table @param {T.Total} total */
function odds(table, total) {
  const chances = total.odds ?? table.view.secrets.get(total.id)?.odds;
  if (total.faces.length || !chances) return nothing;
  return html`<p class="odds" data-part="odds">
    ${chance(table, "odds.reaches", chances.reaches)} ${chance(table, "odds.reaches_pushing", chances.reaches_pushing)}
  </p>`;
}
