// @ts-check
/** The form in which the gm changes a check before the roll, or approves a proposed check. It shows the new odds. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Panel } from "./panel.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { needsOpposition } from "../parts/check.js";
import { named } from "../forms/fields.js";
import { oddsOfParts } from "../forms/odds.js";
import { unclaimed } from "../app/checks.js";
import { claimFields, claimsIn } from "../parts/ventures.js";
import { effectsFields, effectsOf } from "./effect_forms.js";
import { folded, panelForm } from "../forms/live.js";

const NUMBERS = /** @type {const} */ (["score", "bonus", "penalty"]);

/** @param {Table} table @param {Panel} panel @param {T.Check} check */
export function adjusting(table, panel, check) {
  const approve = check.status === "proposed";
  const isOpposed = check.parts.some((part) => part.side === "opposing");
  return panelForm(table, panel, {
    submit: table.t(approve ? "gm.approve" : "gm.change"),
    work: async (entered, values) => {
      for (const command of commandsOf(table, check, entered, values, approve)) await table.room.submit(command);
    },
    fields: (f) => {
      const effects = html`${effectsFields(table, f, check)} ${f.tick("standing", "gm.standing", check.standing)} ${placeField(table, check, f)}`;
      return html`${check.parts.map((part) => partNumbers(table, part, f))} ${newOdds(table, check, f)}
      ${isOpposed ? nothing : f.tick("contest", "form.contest", check.contest)} ${folded(table.t("gm.effects"), effects)}`;
    },
  });
}

/** Draw the choice of the scene or situation whose effects apply to a check. Draw nothing if fewer than two scenes and situations are open. @param {Table} table @param {T.Check} check @param {Fields} f */
function placeField(table, { within_id: within = "" }, f) {
  const open = [...table.view.scenes.values(), ...table.view.situations.values()].filter(({ status }) => status === "open");
  return open.length < 2 ? nothing : f.pick("within_id", "gm.check.within", [["", table.t("form.none")], ...named(open)], within);
}

/** Draw the odds of the numbers in the form. Draw nothing if no number and no claimed venture (dice won earlier) has changed, or if a contest lacks an opponent. @param {Table} table @param {T.Check} check @param {Fields} f */
function newOdds(table, { parts, visibility, contest }, f) {
  if (needsOpposition({ contest: f.ticked("contest", contest), parts })) return nothing;
  const changed = parts.map((part) => partIn(table, part, f));
  const numbers = (/** @type {T.Part} */ part) => [...NUMBERS.map((name) => part[name]), ...(part.claims ?? [])].join();
  if (changed.every((part, at) => numbers(part) === numbers(parts[at]))) return nothing;
  return html`<p class="hint">${table.t("gm.check.thought")}</p>
    ${oddsOfParts(table, f.key, changed, visibility !== "public")}`;
}

/** Return a copy of a part (one character's roll) with the values in the form. @param {Table} table @param {T.Part} part @param {Fields} f @returns {T.Part} */
function partIn(table, part, f) {
  const { character_id: id } = part;
  const numbers = NUMBERS.map((name) => [name, f.number(`${name}:${id}`, part[name])]);
  const attribute = f.read(`attribute:${id}`, part.attribute);
  const score = attribute === (part.attribute ?? "") ? undefined : table.view.characters.get(id)?.attributes[attribute];
  return { ...part, ...Object.fromEntries(numbers), ...(score === undefined ? {} : { score }), claims: claimsOf(table, part, f.values) };
}

/** @param {Table} table @param {T.Part} part @param {Fields} f */
function partNumbers(table, part, f) {
  const { character_id: id, attribute = "" } = part;
  const describes = table.nameOfPart(part);
  const attributes = Object.entries(table.view.characters.get(id)?.attributes ?? {});
  const options = attributes.map(([name, score]) => /** @type {const} */ ([name, `${name} ${score}`]));
  return html`<fieldset class="fields numbers">
    <legend>${describes}</legend>
    ${options.length ? f.pick(`attribute:${id}`, "form.attribute", [["", table.t("form.other_score")], ...options], attribute) : nothing}
    ${NUMBERS.map((name) => f.steps(`${name}:${id}`, `form.${name}`, part[name], { describes }))}
    ${claimFields(table, venturesFor(table, part), claimsOf(table, part, f.values), `${id}:`)}
  </fieldset>`;
}

/** Return the ventures that a part may claim. @param {Table} table @param {T.Part} part */
function venturesFor(table, part) {
  const character = table.view.characters.get(part.character_id);
  return character ? unclaimed(table, character, "check", part) : [];
}

/** Return the ids of the ventures that a part claims in the form. Until something was typed, return the ids that the part claims in the check. @param {Table} table @param {T.Part} part @param {Values} values */
function claimsOf(table, part, values) {
  const isTyped = [...values.data.keys()].length > 0;
  return isTyped ? claimsIn(values, venturesFor(table, part), `${part.character_id}:`) : (part.claims ?? []);
}

/**
 * Return the commands for the changes: a command for each changed part. The last command also contains the changes of the whole
 * check, and `approve` if the check is to be approved. If no part has changed, there is a single command without a part.
 * @param {Table} table @param {T.Check} check @param {any} entered @param {Values} values @param {boolean} approve @returns {T.AdjustCheck[]}
 */
function commandsOf(table, check, entered, values, approve) {
  const command = /** @type {const} */ ({ type: "adjust_check", check_id: check.id });
  const parts = check.parts.map((part) => partChanges(table, part, entered, values)).filter((changes) => changes !== null);
  const last = parts.pop();
  return [...parts.map((changes) => ({ ...command, ...changes })), { ...command, ...last, ...checkChanges(check, entered, values), ...(approve && { approve }) }];
}

/** Return the changes of a part as fields of a command. Return null if the part has not changed. @param {Table} table @param {T.Part} part @param {any} entered @param {Values} values */
function partChanges(table, part, entered, values) {
  const { character_id: id } = part;
  const attribute = entered[`attribute:${id}`];
  const isOther = attribute !== undefined && attribute !== part.attribute; // the score of the other attribute replaces the number in the form
  const numbers = NUMBERS.map((name) => [name, entered[`${name}:${id}`]]).filter(
    ([name, value]) => value !== undefined && value !== part[/** @type {"score"} */ (name)] && !(isOther && name === "score"),
  );
  const claims = claimsOf(table, part, values);
  const isClaimed = claims.join() !== (part.claims ?? []).join();
  if (!numbers.length && !isOther && !isClaimed) return null;
  return { character_id: id, ...Object.fromEntries(numbers), ...(isOther && { attribute }), ...(isClaimed && { claims }) };
}

/** Return the changes that concern the whole check, such as its effects, as fields of a command. @param {T.Check} check @param {any} entered @param {Values} values @returns {Partial<T.AdjustCheck>} */
function checkChanges(check, { contest, standing, within_id }, values) {
  const effects = effectsOf(values, check);
  const before = { ...check, or_interference: [...check.or_interference].sort() };
  const now = { contest, standing, within_id, ...effects, or_interference: effects.or_interference.sort() };
  const changed = Object.entries(now).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[/** @type {"contest"} */ (name)]),
  );
  return Object.fromEntries(changed);
}
