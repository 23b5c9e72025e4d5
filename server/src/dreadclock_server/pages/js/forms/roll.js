// @ts-check
/** The form that rolls dice, for damage or for anything else. A damage roll may use dice won by earlier checks, and add dice for sixes. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Panel } from "../gm/panel.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { unclaimed } from "../app/checks.js";
import { placeField, placeIn } from "../parts/damage.js";
import { claimFields, claimsIn } from "../parts/ventures.js";
import { panelForm, seenAs } from "./live.js";

/**
 * Draw the form. A player's form stays open with its values after a roll.
 * @param {Table} table @param {Panel} panel for a player, `characters` contains the character that rolls, or is empty
 * @param {unknown} faces the field for the faces of physical dice, if physical dice are allowed
 */
export function rollDice(table, panel, faces) {
  const { isGm } = table;
  const characterOf = (/** @type {string} */ id) => (isGm ? table.view.characters.get(id) : panel.characters?.[0]);
  return panelForm(table, panel, {
    submit: table.t(isGm ? "gm.roll" : "my.roll_plainly"),
    keep: !isGm,
    seen: seenAs,
    command: ({ character_id, visibility = "public", ...entered }, values) => {
      const character = characterOf(character_id);
      return {
        type: "roll_dice",
        ...entered,
        visibility,
        character_id: character?.id,
        claims: claimsIn(values, character?.bonuses ?? []),
        within_id: visibility === "public" ? placeIn(table, values) : undefined,
        faces: values.faces("faces"),
      };
    },
    fields: (f) => {
      const character = characterOf(f.read("character_id"));
      const ready = character ? unclaimed(table, character, "damage") : [];
      const usual = !isGm && ready.length ? "damage" : "other";
      const hasPlace = isGm ? f.read("purpose") === "damage" && seenAs(f) === "public" : character;
      return html`<div class="fields">
        ${f.steps("pool", "form.dice", isGm ? 2 : 1, { min: 1 })} ${f.text("name", "form.roll.name")}
        ${isGm ? f.character("character_id", "form.character", "form.none") : nothing}
        ${isGm || character ? f.among("purpose", "form.roll.purpose", ["other", "damage"], "form.roll.purpose", usual) : nothing}
        ${hasPlace ? placeField(table, f.read("within")) : nothing} ${claimFields(table, ready, claimsIn(f.values, ready))}
        ${character ? f.tick("action", "action") : nothing} ${isGm ? f.visibility() : nothing} ${faces}
      </div>`;
    },
  });
}
