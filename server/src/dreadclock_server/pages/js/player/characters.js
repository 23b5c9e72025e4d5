// @ts-check
/** The controls of the viewer's characters. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily } from "../app/controls.js";
import { formsIn } from "../forms/loading.js";
import { note } from "./waiting.js";
import { isAble } from "./mine.js";
import { fold } from "./phone.js";
import { deed, panelOf, proposeCheck, proposeTotal, rollFor } from "./ways.js";

const sheets = formsIn(() => import("../forms/sheet.js"));
const conditions = lazily(() => import("../parts/conditions.js"));
const choices = lazily(() => import("./checks.js"));

/**
 * Draw the viewer's controls for a character; nothing for other people's characters, and for characters out of play.
 * @param {Table} table
 * @param {T.Character} character
 */
export function characterControls(table, character) {
  if (!table.owns(character) || character.status !== "in_play") return nothing;
  const withoutCard = character.choices.filter((choice) => !table.view.checks.has(choice.check_id));
  return html`${withoutCard.map((choice) => choices(table, (module) => module.choosing(table, choice.check_id, character, choice)))}
  ${
    isAble(character)
      ? html`${proposeCheck(table, character)} ${proposeTotal(table, character)}`
      : note(table.t("my.crisis_first"))
  }
  ${fold(table, `deeds:${character.id}`, table.t("my.deeds"), rarer(table, character))}`;
}

/**
 * Draw the less frequent controls: plain dice, lasting conditions, and the form that changes the sheet.
 * @param {Table} table @param {T.Character} character
 */
function rarer(table, character) {
  const label = table.t("my.sheet");
  const sheet = (/** @type {string} */ place) => sheets(table, (module) => module.updateCharacter(table, panelOf(character, place, label), character));
  const lasting = () => conditions(table, (module) => module.conditionsOf(table, character));
  return html`<div class="controls">
    ${isAble(character) ? rollFor(table, character) : nothing}
    ${deed(table, character, "lasting", table.t("character.lasting"), lasting)} ${deed(table, character, "sheet", label, sheet)}
  </div>`;
}
