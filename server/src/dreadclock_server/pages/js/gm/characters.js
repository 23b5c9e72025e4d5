// @ts-check
/** Characters in the gm's hands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { lazily, onDemand } from "./lazily.js";
import { describing } from "./desk.js";

const forms = lazily(() => import("./character_forms.js"));

/** Draw what the gm does with a character. @param {Table} table @param {T.Character} character */
export function characterControls(table, character) {
  const { id, name, crises } = character;
  const untold = crises.filter((each) => each.description === undefined);
  const demand = { key: `character:${id}:update`, label: table.t("gm.character.update"), describes: name };
  return html`${untold.map((each) => describing(table, each.total_id, name, false))}
  ${onDemand(table, demand, (asked) => forms(table, (module) => module.updateCharacter(table, asked, character)))}`;
}
