// @ts-check
/** What follows a check: choosing effects, and bargaining over a failure. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { costOf, failed } from "../app/checks.js";
import { nameOfCheck } from "../parts/check.js";
import { lazily, more, onDemand } from "./lazily.js";
import { isGms } from "../app/party.js";
import { sure } from "./presses.js";

const forms = lazily(() => import("./bargain_forms.js"));

/** Draw what is settled after a check: its bargains, and the choice of effects. @param {Table} table @param {T.Check} check */
export function settling(table, check) {
  return html`${bargaining(table, check)} ${choosing(table, check)}`;
}

/**
 * Draw the gm's side of the bargains, and the character's side. The side of a player's character is folded away at first.
 * @param {Table} table @param {T.Check} check
 */
function bargaining(table, check) {
  return check.parts.filter((part) => failed(check, part)).map((part) => bargainOf(table, check, part));
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part whose failure it is about */
function bargainOf(table, check, part) {
  const cost = costOf(check, part);
  if (cost?.stage === "applied" || cost?.stage === "declined") return nothing;
  const other = () => html`${proposing(table, check, part)} ${answered(table, check, part)}`;
  const { key, describes } = about(table, check, part);
  return html`${cost?.stage === "proposed" ? answering(table, check, part) : nothing}
  ${
    isGms(table, part.character_id)
      ? other()
      : more(table, `${key}:bargain`, describes, other, table.t("gm.cost.for_player"))
  }`;
}

/** Return the names of a part: in the keys of controls, for people (`describes`), and in commands (`which`). @param {Table} table @param {T.Check} check @param {T.Part} part */
function about(table, check, { character_id: id }) {
  const name = nameOfCheck(table, check);
  const describes = id === check.parts[0].character_id ? name : `${name} (${table.nameOfCharacter(id)})`;
  return { key: `check:${check.id}:${id}`, describes, which: { check_id: check.id, character_id: id } };
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part */
function answering(table, check, part) {
  const { key: whose, describes, which } = about(table, check, part);
  const key = `${whose}:cost`;
  const answer = /** @type {const} */ ({ type: "answer_cost", ...which });
  const accept = /** @type {const} */ ({ ...answer, answer: "accept" });
  const refuse = /** @type {const} */ ({ ...answer, answer: "refuse" });
  const [yes, no, label] = [table.t("gm.cost.accept"), table.t("gm.cost.refuse"), table.t("gm.cost.counter")];
  return html`${button(table, { key: `${key}:accept`, label: yes, kind: "main", describes, command: accept })}
  ${button(table, { key: `${key}:refuse`, label: no, describes, command: refuse })}
  ${onDemand(table, { key: `${key}:counter`, label, about: "cost", describes }, (asked) =>
    forms(table, (module) => module.countering(table, asked, which)),
  )}`;
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part */
function proposing(table, check, part) {
  const { key, describes, which } = about(table, check, part);
  const demand = { key: `${key}:propose-cost`, label: table.t("gm.cost.propose"), about: "cost", describes };
  return onDemand(table, demand, (asked) => forms(table, (module) => module.proposing(table, asked, which)));
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part */
function answered(table, check, part) {
  const { key: whose, describes, which } = about(table, check, part);
  const key = `${whose}:settle`;
  const stage = costOf(check, part)?.stage;
  const agreed = stage === "accepted" || stage === "countered";
  const settle = /** @type {const} */ ({ type: "settle_failure", ...which });
  const apply = { key: `${key}:apply`, label: table.t("gm.cost.apply"), command: { ...settle, apply: true } };
  const decline = { key: `${key}:decline`, label: table.t("gm.cost.decline"), command: { ...settle, apply: false } };
  return html`${agreed ? button(table, { ...apply, describes }) : nothing}
  ${sure(table, { ...decline, yes: table.t("gm.cost.decline.yes"), describes })}`;
}

/** Draw the effects that the characters of a check may choose from. @param {Table} table @param {T.Check} check */
function choosing(table, check) {
  return check.parts.map(({ character_id: id }) => {
    const character = table.view.characters.get(id);
    const choices = (character?.choices ?? []).filter((each) => each.check_id === check.id);
    return choices.map((each) => choiceOf(table, /** @type {T.Character} */ (character), each));
  });
}

/** @param {Table} table @param {T.Character} character @param {T.Choice} choice */
function choiceOf(table, { id, name }, { check_id: check, instead_of: token, offered, or_token: open }) {
  const key = `check:${check}:${id}:choose:${token}`;
  const effects = [...(open ? [[token, table.t(token)]] : []), ...offered.map((each) => [each, each])];
  const choose = /** @type {const} */ ({ type: "choose_effect", check_id: check, character_id: id });
  return html`<div class="effects" role="group" aria-label=${table.t("gm.choose", { name })}>
    <span class="hint">${table.t("gm.choose", { name })}</span>
    ${effects.map(([effect, label]) =>
      button(table, { key: `${key}:${effect}`, label, describes: name, command: { ...choose, effect } }),
    )}
  </div>`;
}
