// @ts-check
/** A player's controls for checks. A part is one character's share in a check. A bargain offers a success at a cost. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { MAX_TEXT } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, choice, commandButton, field, form } from "../app/controls.js";
import { costOf, failedAlone } from "../app/checks.js";
import { nameOfCheck } from "../parts/check.js";
import { word } from "../parts/word.js";
import { call, note, offer, withdrawalOf } from "./waiting.js";
import { joining } from "./join.js";
import { bargainsOf, canRoll, diceOf, isMine, ownChoices, ownParts } from "./mine.js";
import { roller } from "./roll.js";

/** Draw the viewer's controls for a check. @param {Table} table @param {T.Check} check */
export function checkControls(table, check) {
  const choices = ownChoices(table, check.id);
  return html`${choices.map(({ character, choice }) => choosing(table, check.id, character, choice))}
  ${bargainsOf(table, check).map((part) => bargain(table, check, part))} ${waits(table, check)} ${joining(table, check)}
  ${isMine(table, check.parts[0]?.character_id) && canWithdraw(table, check) ? button(table, { key: `check:${check.id}:withdraw`, ...withdrawalOf(table, check) }) : nothing}`;
}

/**
 * Draw the controls for rolling one of the viewer's own parts. If a crisis must be settled first, say so instead. Draw
 * nothing for other parts, and for parts that cannot be rolled now.
 * @param {Table} table
 * @param {{ check: T.Check, part: T.Part }} rolled
 */
export function partControls(table, { check, part }) {
  const character = table.view.characters.get(part.character_id);
  if (!isMine(table, part.character_id) || part.roll) return nothing;
  if (character?.crisis_due) return note(table.t("my.crisis_first"));
  if (!canRoll(table, check, part)) return nothing;
  const level = part.venture?.level ?? 0;
  const rolling = roller(table, {
    key: `check:${check.id}:${part.character_id}:roll`,
    label: table.t("my.roll", { dice: diceOf(character, { ...part, level }) }),
    describes: `${nameOfCheck(table, check)} (${table.nameOfPart(part)})`,
    command: { type: "roll_check", check_id: check.id, character_id: part.character_id },
  });
  return html`${call(table.t("my.your_roll"), rolling)} <p class="hint">${table.t("my.check_rule")}</p>`;
}

/**
 * Draw a button for each effect that the gm offers in place of a momentum or interference token. Before them, draw a button
 * for the token itself, if it can still be chosen.
 * @param {Table} table
 * @param {string} checkId
 * @param {T.Character} character
 * @param {T.Choice} choice
 */
export function choosing(table, checkId, { id, name }, { instead_of: token, offered, or_token: open }) {
  return call(
    table.t(`my.choose_${token}`, { name }),
    (open ? [token, ...offered] : offered).map((effect, place) =>
      button(table, {
        key: `check:${checkId}:${id}:choose:${place}`,
        label: open && place === 0 ? table.t(token) : effect,
        describes: name,
        command: { type: "choose_effect", check_id: checkId, character_id: id, effect },
      }),
    ),
  );
}

/**
 * Draw the controls for the bargain over a part's failure: propose a cost, pay the cost, or accept the failure.
 * @param {Table} table @param {T.Check} check @param {T.Part} part
 */
function bargain(table, check, part) {
  const stage = costOf(check, part)?.stage;
  if (stage === "accepted" || stage === "countered") return settling(table, check, part, stage);
  if (stage === "proposed") return html`${note(table.t("my.cost_waits"))} ${accepting(table, check, part)}`;
  return offer(
    table.t(stage === "refused" ? "my.cost_again" : failedAlone(check, part) ? "my.cost_part" : "my.cost_call"),
    html`${offering(table, check, part)} ${accepting(table, check, part)}`,
  );
}

/** Return the key prefix for the controls of a part, and the command fields that identify the part. @param {T.Check} check @param {T.Part} part */
function about(check, { character_id: id }) {
  return { key: `check:${check.id}:${id}`, which: { check_id: check.id, character_id: id } };
}

/**
 * Draw the form that proposes a cost: a text, a state to take, and points of a track to lose.
 * @param {Table} table @param {T.Check} check @param {T.Part} part
 */
function offering(table, check, part) {
  const { key, which } = about(check, part);
  const { tracks } = /** @type {T.Character} */ (table.view.characters.get(part.character_id));
  const options = Object.keys(tracks).map((name) => /** @type {const} */ ([name, name]));
  const pays = (/** @type {import("../app/controls.js").Values} */ values) => {
    const [state, track, by] = [values.text("state"), values.text("track"), values.number("points")];
    return [...(state ? [{ state }] : []), ...(track && by ? [{ track, by: -by }] : [])];
  };
  return form(table, {
    key: `${key}:cost`,
    submit: table.t("my.propose_cost"),
    describes: nameOfCheck(table, check),
    inline: true,
    fields: html`${field({ name: "cost", label: table.t("my.cost"), placeholder: table.t("my.cost_example"), required: true, length: MAX_TEXT })}
    ${field({ name: "state", label: table.t("my.cost_state") })}
    ${
      options.length
        ? html`${choice({ name: "track", label: table.t("my.cost_track"), options: [["", "–"], ...options] })}
          ${field({ name: "points", label: table.t("my.cost_points"), type: "number", min: 1 })}`
        : nothing
    }`,
    command: (values) => ({ type: "propose_cost", ...which, cost: values.text("cost") ?? "", pays: pays(values) }),
  });
}

/**
 * Draw the buttons for paying the cost and for failing.
 * @param {Table} table @param {T.Check} check @param {T.Part} part @param {T.CostStage} stage
 */
function settling(table, check, part, stage) {
  const { key, which } = about(check, part);
  const label = failedAlone(check, part) ? "my.pay_part" : "my.pay";
  const pay = commandButton(table, `${key}:pay`, label, nameOfCheck(table, check), { type: "settle_failure", ...which, apply: true }, "main");
  return call(table.t(`my.settle_${stage}`), html`${pay} ${accepting(table, check, part)}`);
}

/**
 * Draw the button that accepts the failure, and a button that explains costs.
 * @param {Table} table @param {T.Check} check @param {T.Part} part
 */
function accepting(table, check, part) {
  const { key, which } = about(check, part);
  const command = /** @type {const} */ ({ type: "settle_failure", ...which, apply: false });
  return html`${commandButton(table, `${key}:fail`, "my.take_failure", nameOfCheck(table, check), command)} ${word(table, "cost", table.t("cost.pays"), key)}`;
}

/** In a check where the viewer rolls, name the others who still have to roll. @param {Table} table @param {T.Check} check */
function waits(table, check) {
  if (check.status !== "ready" && check.status !== "rolling") return nothing;
  const open = check.parts.filter((part) => !part.roll && !isMine(table, part.character_id));
  if (!open.length || !ownParts(table, check).length) return nothing;
  const names = open.map((part) => table.nameOfPart(part));
  return note(table.t("my.waits_for", { number: names.length, names: new Intl.ListFormat(table.words.language).format(names) }));
}

/**
 * Tell whether a check can be withdrawn: before any die is rolled, or if the acting side has not rolled and its characters are
 * out of play.
 * @param {Table} table
 * @param {T.Check} check
 */
function canWithdraw(table, { status, parts }) {
  if (status === "resolved") return false;
  const stuck = (/** @type {T.Part} */ part) =>
    !part.roll && table.view.characters.get(part.character_id)?.status !== "in_play";
  return status !== "rolling" || parts.filter((part) => part.side === "acting").every(stuck);
}
