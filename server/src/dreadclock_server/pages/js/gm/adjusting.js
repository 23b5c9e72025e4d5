// @ts-check
/** Changing a check before it is rolled, and approving it: the odds move as the numbers do. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { needsOpposition } from "../parts/check.js";
import { oddsOfParts } from "../forms/odds.js";
import { unclaimed } from "../app/checks.js";
import { claimFields, claimsIn } from "../parts/ventures.js";
import { deedsOf, fumbleDeeds, lines, openFields, openIn } from "./effect_forms.js";
import { demanded, folded } from "../forms/live.js";

const NUMBERS = /** @type {const} */ (["score", "bonus", "penalty"]);

/** Draw the form that changes a check; one that waits for the gm it approves as well. @param {Table} table @param {Demand} demand @param {T.Check} check */
export function adjusting(table, demand, check) {
  const approve = check.status === "proposed";
  return demanded(table, demand, { ...changing(table, check, approve), submit: table.t(approve ? "gm.approve" : "gm.change") });
}

/** @param {Table} table @param {T.Check} check @param {boolean} approve */
function changing(table, check, approve) {
  return {
    work: (/** @type {Values} */ values) => sendAll(table, commandsOf(table, check, values, approve)),
    fields: (/** @type {Fields} */ f) => fields(table, check, f),
  };
}

/** @param {Table} table @param {readonly T.Command[]} commands */
async function sendAll(table, commands) {
  for (const command of commands) await table.room.submit(command);
}

/** @param {Table} table @param {T.Check} check @param {Fields} f */
function fields(table, check, f) {
  const { parts, contest, stunts, fumble_effects: effects, or_interference: marks, fumble_does: does, standing } = check;
  const choices = html`${lines(table, "stunts", f, stunts)} ${lines(table, "fumble_effects", f, effects)}
  ${openFields(table, f, effects, marks)} ${fumbleDeeds(table, f, effects, does)} ${f.tick("standing", "gm.standing", standing)} ${place(table, check, f)}`;
  return html`${parts.map((part) => partNumbers(table, part, f))} ${thought(table, check, f)}
  ${isOpposed(check) ? nothing : f.tick("contest", "form.contest", contest)} ${folded(table.t("gm.effects"), choices)}`;
}

/** Draw the choice of where a check is made, as far as that is open: effects may stand there. @param {Table} table @param {T.Check} check @param {Fields} f */
function place(table, { within_id: within = "" }, f) {
  const open = [...table.view.scenes.values(), ...table.view.situations.values()].filter((each) => each.status === "open");
  const options = open.map((each) => /** @type {const} */ ([each.id, each.name]));
  if (options.length < 2) return nothing;
  return f.pick("within", "gm.check.within", [["", table.t("form.none")], ...options], within);
}

/** @param {T.Check} check */
function isOpposed({ parts }) {
  return parts.some((part) => part.side === "opposing");
}

/**
 * Draw the odds of the numbers that stand in the form, if they are not the check's.
 * @param {Table} table @param {T.Check} check @param {Fields} f
 */
function thought(table, { parts, visibility, contest }, f) {
  if (needsOpposition({ contest: f.ticked("contest", contest), parts })) return nothing;
  const changed = parts.map((part) => thoughtOf(table, part, f));
  const counts = (/** @type {T.Part} */ part) => [...NUMBERS.map((name) => part[name]), ...(part.claims ?? [])].join();
  const moved = changed.some((part, at) => counts(part) !== counts(parts[at]));
  if (!moved) return nothing;
  return html`<p class="hint">${table.t("gm.check.thought")}</p>
    ${oddsOfParts(table, f.key, changed, visibility !== "public")}`;
}

/** @param {Table} table @param {T.Part} part @param {Fields} f @returns {T.Part} */
function thoughtOf(table, part, f) {
  const { character_id: id } = part;
  const numbers = NUMBERS.map((name) => [name, f.number(`${name}:${id}`, part[name])]);
  const attribute = f.read(`attribute:${id}`, part.attribute);
  const own = attribute === (part.attribute ?? "") ? undefined : table.view.characters.get(id)?.attributes[attribute];
  return { ...part, ...Object.fromEntries(numbers), ...(own === undefined ? {} : { score: own }), claims: claimsOf(table, part, f.values) };
}

/** @param {Table} table @param {T.Part} part @param {Fields} f */
function partNumbers(table, part, f) {
  const { character_id: id } = part;
  const describes = table.nameOfPart(part);
  return html`<fieldset class="fields numbers">
    <legend>${describes}</legend>
    ${attributes(table, part, f)}
    ${NUMBERS.map((name) => f.steps(`${name}:${id}`, `form.${name}`, part[name], { describes }))}
    ${claimFields(table, readyFor(table, part), claimsOf(table, part, f.values), `${id}:`)}
  </fieldset>`;
}

/** Draw the choice of another attribute. @param {Table} table @param {T.Part} part @param {Fields} f */
function attributes(table, { character_id: id, attribute = "" }, f) {
  const known = Object.entries(table.view.characters.get(id)?.attributes ?? {});
  if (!known.length) return nothing;
  const options = known.map(([name, score]) => /** @type {const} */ ([name, `${name} ${score}`]));
  return f.pick(`attribute:${id}`, "form.attribute", [["", table.t("form.other_score")], ...options], attribute);
}

/** Return the ventures that a part may claim. @param {Table} table @param {T.Part} part */
function readyFor(table, part) {
  const character = table.view.characters.get(part.character_id);
  return character ? unclaimed(table, character, "check", part) : [];
}

/** Return what a part claims as the form stands. @param {Table} table @param {T.Part} part @param {Values} values */
function claimsOf(table, part, values) {
  const typed = [...values.data.keys()].length > 0;
  return typed ? claimsIn(values, readyFor(table, part), `${part.character_id}:`) : (part.claims ?? []);
}

/**
 * Make the commands that say what was changed, one for each part; the last one approves.
 * @param {Table} table @param {T.Check} check @param {Values} values @param {boolean} approve @returns {T.AdjustCheck[]}
 */
function commandsOf(table, check, values, approve) {
  const whole = { ...general(check, values), ...(approve ? { approve } : {}) };
  const changed = check.parts.flatMap((part) => changesOf(table, check, part, values));
  const last = changed.pop() ?? { type: /** @type {const} */ ("adjust_check"), check_id: check.id };
  return [...changed, { ...last, ...whole }];
}

/** @param {Table} table @param {T.Check} check @param {T.Part} part @param {Values} values @returns {T.AdjustCheck[]} */
function changesOf(table, check, part, values) {
  const { character_id: id } = part;
  const numbers = NUMBERS.map((name) => /** @type {const} */ ([name, values.number(`${name}:${id}`)]));
  const changes = numbers.filter(([name, value]) => value !== undefined && value !== part[name]);
  const attribute = values.text(`attribute:${id}`);
  const other = attribute !== undefined && attribute !== part.attribute;
  const numbered = Object.fromEntries(other ? changes.filter(([name]) => name !== "score") : changes);
  const claims = claimsOf(table, part, values);
  const claimed = claims.join() !== (part.claims ?? []).join();
  if (!changes.length && !other && !claimed) return [];
  return [
    {
      type: "adjust_check",
      check_id: check.id,
      character_id: id,
      ...numbered,
      ...(other ? { attribute } : {}),
      ...(claimed ? { claims } : {}),
    },
  ];
}

/** @param {T.Check} check @param {Values} values */
function general(check, values) {
  const { contest, stunts, fumble_effects: effects, or_interference: marks, standing } = check;
  const wanted = {
    marks: openIn(values),
    standing: values.ticked("standing"),
    contest: values.ticked("contest"),
    stunts: values.lines("stunts"),
    effects: values.lines("fumble_effects"),
  };
  return {
    ...(!isOpposed(check) && wanted.contest !== contest ? { contest: wanted.contest } : {}),
    ...(wanted.stunts.join("\n") !== stunts.join("\n") ? { stunts: wanted.stunts } : {}),
    ...(wanted.effects.join("\n") !== effects.join("\n") ? { fumble_effects: wanted.effects } : {}),
    ...([...wanted.marks].sort().join("\n") !== [...marks].sort().join("\n") ? { or_interference: wanted.marks } : {}),
    ...deedsOf(values, check.fumble_does),
    ...(values.text("within") && values.text("within") !== check.within_id ? { within_id: values.text("within") } : {}),
    ...(wanted.standing !== standing ? { standing: wanted.standing } : {}),
  };
}
