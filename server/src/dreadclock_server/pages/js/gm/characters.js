// @ts-check
/** Characters in the gm's hands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { lazily, onDemand } from "./lazily.js";
import { describing, judgingSheet } from "./desk.js";

const conditions = lazily(() => import("../parts/conditions.js"));
const effects = lazily(() => import("./effect_forms.js"));
const forms = lazily(() => import("./character_forms.js"));

/** Draw what the gm does with a character. @param {Table} table @param {T.Character} character */
export function characterControls(table, character) {
  const { id, name, crises } = character;
  const untold = crises.filter((each) => each.description === undefined && each.total_id !== undefined);
  const demand = { key: `character:${id}:update`, label: table.t("gm.character.update"), describes: name };
  const lasting = { key: `character:${id}:lasting`, label: table.t("character.lasting"), describes: name };
  const standing = { key: `character:${id}:effects`, label: table.t("gm.effects.standing"), describes: name };
  return html`${judgingSheet(table, character, "character")}
  ${untold.map((each) => describing(table, each.total_id ?? "", name, false))}
  ${onDemand(table, lasting, () => conditions(table, (module) => module.conditionsOf(table, character, true)))}
  ${onDemand(table, standing, () => effects(table, (module) => module.standingEffects(table, "character", character)))}
  ${onDemand(table, demand, (asked) => forms(table, (module) => module.updateCharacter(table, asked, character)))}`;
}
