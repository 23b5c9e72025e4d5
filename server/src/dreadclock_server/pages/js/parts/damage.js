// @ts-check
/** The field that names the scene of a damage roll: in some scenes, each 6 adds a die. Source: rules.md C27. */

/** @import { Table } from "../app/table.js" @import { Values } from "../app/controls.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { choice } from "../app/controls.js";

/** Return the public open scenes, and those in which sixes add dice. @param {Table} table */
function openScenes(table) {
  const open = [...table.view.public.scenes.values()].filter(({ status }) => status === "open");
  return { open, adding: open.filter((scene) => scene.sixes_add) };
}

/**
 * Draw the choice of the scene in which damage is rolled. With a single open scene, draw only a sentence that sixes add
 * dice. Draw nothing if sixes add dice in no open scene.
 * @param {Table} table @param {string} [value] the scene that was chosen before
 */
export function placeField(table, value = "") {
  const { open, adding } = openScenes(table);
  if (!adding.length) return nothing;
  if (open.length === 1) return html`<p class="hint" data-part="sixes">${table.t("damage.here", { name: open[0].name })}</p>`;
  const elsewhere = /** @type {const} */ (["", table.t("damage.elsewhere")]);
  const options = [elsewhere, ...adding.map(({ id, name }) => /** @type {const} */ ([id, table.t("damage.in", { name })]))];
  return choice({ name: "within", label: table.t("damage.where"), options, value: adding.some(({ id }) => id === value) ? value : "" });
}

/**
 * Return the id of the scene in which damage is rolled: the only open scene, or the scene chosen in `placeField`. Return
 * undefined if the roll is not damage, if "elsewhere" was chosen, or if sixes add dice in no open scene.
 * @param {Table} table @param {Values} values
 */
export function placeIn(table, values) {
  const { open, adding } = openScenes(table);
  if (values.text("purpose") !== "damage" || !adding.length) return undefined;
  return open.length === 1 ? open[0].id : values.text("within");
}
