// @ts-check
/** The gm's controls after a check. After a failure, gm and player can bargain: the character pays a cost instead. Some characters must choose an effect. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { costOf, failed } from "../app/checks.js";
import { nameOfCheck } from "../parts/check.js";
import { formPanel, lazily, more } from "./panel.js";
import { isGms } from "../app/party.js";
import { sure } from "./presses.js";

const forms = lazily(() => import("./answer_forms.js"));

/** Draw the controls for each failure of a check, and for each effect still to choose. @param {Table} table @param {T.Check} check */
export function settling(table, check) {
  const characters = check.parts.map(({ character_id: id }) => table.view.characters.get(id)).filter((character) => character !== undefined);
  return html`${check.parts.filter((part) => failed(check, part)).map((part) => bargain(table, check, part))}
  ${characters.map((character) => character.choices.filter(({ check_id: id }) => id === check.id).map((choice) => effects(table, character, choice)))}`;
}

/**
 * Draw the controls for the bargain over the failure of a part (one character's roll), or nothing once the bargain is
 * over. For a player's character, fold the controls that the player also has.
 * @param {Table} table @param {T.Check} check @param {T.Part} part
 */
function bargain(table, check, part) {
  const stage = costOf(check, part)?.stage;
  if (stage === "applied" || stage === "declined") return nothing;
  const { character_id: id } = part;
  const key = `check:${check.id}:${id}`;
  const name = nameOfCheck(table, check);
  const describes = id === check.parts[0].character_id ? name : `${name} (${table.nameOfCharacter(id)})`;
  const failure = { check_id: check.id, character_id: id };
  const players = () => playersControls(table, { key, describes, failure, stage });
  return html`${stage === "proposed" ? answers(table, { key, describes, failure }) : nothing}
  ${isGms(table, id) ? players() : more(table, `${key}:bargain`, describes, players, table.t("gm.cost.for_player"))}`;
}

/** @typedef {import("./answer_forms.js").Failure} Failure */

/** Draw the answers to a proposed cost: accept, refuse, other terms. @param {Table} table @param {{ key: string, describes: string, failure: Failure }} given */
function answers(table, { key, describes, failure }) {
  const answer = /** @type {const} */ ({ type: "answer_cost", ...failure });
  const panel = { key: `${key}:cost:counter`, label: table.t("gm.cost.counter"), about: "cost", describes };
  return html`${button(table, { key: `${key}:cost:accept`, label: table.t("gm.cost.accept"), kind: "main", describes, command: { ...answer, answer: "accept" } })}
  ${button(table, { key: `${key}:cost:refuse`, label: table.t("gm.cost.refuse"), describes, command: { ...answer, answer: "refuse" } })}
  ${formPanel(table, panel, () => forms(table, (module) => module.countering(table, panel, failure)))}`;
}

/**
 * Draw the controls that the player also has: propose a cost, pay an agreed cost, or accept the failure.
 * @param {Table} table @param {{ key: string, describes: string, failure: Failure, stage: T.CostStage | undefined }} given
 */
function playersControls(table, { key, describes, failure, stage }) {
  const panel = { key: `${key}:propose-cost`, label: table.t("gm.cost.propose"), about: "cost", describes };
  const settle = /** @type {const} */ ({ type: "settle_failure", ...failure });
  const apply = { key: `${key}:settle:apply`, label: table.t("gm.cost.apply"), describes, command: { ...settle, apply: true } };
  const decline = { key: `${key}:settle:decline`, label: table.t("gm.cost.decline"), describes, command: { ...settle, apply: false } };
  return html`${formPanel(table, panel, () => forms(table, (module) => module.proposing(table, panel, failure)))}
  ${stage === "accepted" || stage === "countered" ? button(table, apply) : nothing}
  ${sure(table, { ...decline, yes: table.t("gm.cost.decline.yes") })}`;
}

/** Draw a button for each effect that a character may choose. With `or_token`, the first button is for a token (momentum or interference). @param {Table} table @param {T.Character} character @param {T.Choice} choice */
function effects(table, { id, name }, { check_id: check, instead_of: token, offered, or_token: open }) {
  const options = [...(open ? [[token, table.t(token)]] : []), ...offered.map((effect) => [effect, effect])];
  const choose = /** @type {const} */ ({ type: "choose_effect", check_id: check, character_id: id });
  return html`<div class="effects" role="group" aria-label=${table.t("gm.choose", { name })}>
    <span class="hint">${table.t("gm.choose", { name })}</span>
    ${options.map(([effect, label]) =>
      button(table, { key: `check:${check}:${id}:choose:${token}:${effect}`, label, describes: name, command: { ...choose, effect } }),
    )}
  </div>`;
}
