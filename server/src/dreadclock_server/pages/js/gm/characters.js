// @ts-check
/** Characters in the gm's hands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily, onDemand } from "./lazily.js";
import { describing } from "./desk.js";

const conditions = lazily(() => import("../parts/conditions.js"));
const effects = lazily(() => import("./effect_forms.js"));
const forms = lazily(() => import("./character_forms.js"));

/** Draw what the gm does with a character. @param {Table} table @param {T.Character} character */
export function characterControls(table, character) {
  const { id, name, crises, proposed, newcomer, approved_level: approvedLevel } = character;
  const untold = crises.filter((each) => each.description === undefined && each.total_id !== undefined);
  const demand = { key: `character:${id}:update`, label: table.t("gm.character.update"), describes: name };
  const lasting = { key: `character:${id}:lasting`, label: table.t("character.lasting"), describes: name };
  const standing = { key: `character:${id}:effects`, label: table.t("gm.effects.standing"), describes: name };
  const asked = proposed !== undefined || approvedLevel !== undefined;
  return html`${asked || newcomer ? judging(table, character, true, "main") : nothing}
  ${asked ? judging(table, character, false, "plain") : nothing}
  ${untold.map((each) => describing(table, each.total_id ?? "", name, false))}
  ${onDemand(table, lasting, () => conditions(table, (module) => module.conditionsOf(table, character, true)))}
  ${onDemand(table, standing, () => effects(table, (module) => module.standingEffects(table, "character", character)))}
  ${onDemand(table, demand, (asked) => forms(table, (module) => module.updateCharacter(table, asked, character)))}`;
}

/**
 * Draw the button that approves what waits on a sheet, or refuses it.
 * @param {Table} table @param {T.Character} character @param {boolean} approve @param {"main" | "plain"} kind
 */
function judging(table, { id, name, level, attributes, specials, reflex, proposed }, approve, kind) {
  const expect = proposed ?? { level, attributes, specials, reflex };
  const command = /** @type {const} */ ({ type: "approve_sheet", character_id: id, approve, expect });
  const label = table.t(approve ? "gm.sheet.approve" : "gm.sheet.refuse");
  return button(table, { key: `character:${id}:${approve ? "approve" : "refuse"}`, label, describes: name, kind, command });
}
