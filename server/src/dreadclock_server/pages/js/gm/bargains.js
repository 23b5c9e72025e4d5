// @ts-check
/** What follows a check: choosing effects, and bargaining over a failure. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { nameOfCheck } from "../parts/check.js";
import { lazily, more, onDemand } from "./lazily.js";
import { isGms } from "./party.js";
import { sure } from "./presses.js";

const forms = lazily(() => import("./bargain_forms.js"));

/**
 * Draw the gm's side of the bargain, and for her own characters the other.
 * @param {Table} table @param {T.Check} check
 */
export function bargaining(table, check) {
  const { result, cost, parts } = check;
  if (result?.acting.outcome !== "fail" || cost?.stage === "applied" || cost?.stage === "declined") return nothing;
  const other = () => html`${proposing(table, check)} ${settling(table, check)}`;
  const key = `check:${check.id}:bargain`;
  return html`${cost?.stage === "proposed" ? answering(table, check) : nothing}
  ${
    isGms(table, parts[0].character_id)
      ? other()
      : more(table, key, nameOfCheck(table, check), other, table.t("gm.cost.for_player"))
  }`;
}

/** @param {Table} table @param {T.Check} check */
function answering(table, check) {
  const key = `check:${check.id}:cost`;
  const describes = nameOfCheck(table, check);
  const answer = /** @type {const} */ ({ type: "answer_cost", check_id: check.id });
  const accept = /** @type {const} */ ({ ...answer, answer: "accept" });
  const refuse = /** @type {const} */ ({ ...answer, answer: "refuse" });
  const [yes, no, label] = [table.t("gm.cost.accept"), table.t("gm.cost.refuse"), table.t("gm.cost.counter")];
  return html`${button(table, { key: `${key}:accept`, label: yes, kind: "main", describes, command: accept })}
  ${button(table, { key: `${key}:refuse`, label: no, describes, command: refuse })}
  ${onDemand(table, { key: `${key}:counter`, label, describes }, (asked) =>
    forms(table, (module) => module.countering(table, asked, check)),
  )}`;
}

/** @param {Table} table @param {T.Check} check */
function proposing(table, check) {
  const describes = nameOfCheck(table, check);
  const demand = { key: `check:${check.id}:propose-cost`, label: table.t("gm.cost.propose"), describes };
  return onDemand(table, demand, (asked) => forms(table, (module) => module.proposing(table, asked, check)));
}

/** @param {Table} table @param {T.Check} check */
function settling(table, check) {
  const key = `check:${check.id}:settle`;
  const describes = nameOfCheck(table, check);
  const agreed = check.cost?.stage === "accepted" || check.cost?.stage === "countered";
  const settle = /** @type {const} */ ({ type: "settle_failure", check_id: check.id });
  const apply = { key: `${key}:apply`, label: table.t("gm.cost.apply"), command: { ...settle, apply: true } };
  const decline = { key: `${key}:decline`, label: table.t("gm.cost.decline"), command: { ...settle, apply: false } };
  return html`${agreed ? button(table, { ...apply, describes }) : nothing}
  ${sure(table, { ...decline, yes: table.t("gm.cost.decline.yes"), describes })}`;
}

/** Draw the effects that the characters of a check may choose from. @param {Table} table @param {T.Check} check */
export function choosing(table, check) {
  return check.parts.map(({ character_id: id }) => {
    const character = table.view.characters.get(id);
    const choices = (character?.choices ?? []).filter((each) => each.check_id === check.id);
    return choices.map((each) => choiceOf(table, /** @type {T.Character} */ (character), each));
  });
}

/** @param {Table} table @param {T.Character} character @param {T.Choice} choice */
function choiceOf(table, { id, name }, { check_id: check, instead_of: token, offered }) {
  const key = `check:${check}:${id}:choose:${token}`;
  const effects = [[token, table.t(token)], ...offered.map((each) => [each, each])];
  const choose = /** @type {const} */ ({ type: "choose_effect", check_id: check, character_id: id });
  return html`<div class="effects" role="group" aria-label=${table.t("gm.choose", { name })}>
    <span class="hint">${table.t("gm.choose", { name })}</span>
    ${effects.map(([effect, label]) =>
      button(table, { key: `${key}:${effect}`, label, describes: name, command: { ...choose, effect } }),
    )}
  </div>`;
}
