// @ts-check
/** The forms of scenes. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { MAX_CLOCK, TYPICAL } from "../../client/limits.js";
import { button } from "../app/controls.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { amending, cancelling, moving, openClocks } from "./clock_forms.js";
import { standingEffects } from "./effect_forms.js";
import { demanded, folded, seenAs } from "./live.js";
import { rollsAlong } from "./strip.js";
import { waitsForRoll } from "../parts/countdown.js";

const CLOCK = 10;

/** Draw the form that opens a scene. @param {Table} table @param {Demand} demand */
export function openScene(table, demand) {
  return demanded(table, demand, {
    submit: table.t("gm.open"),
    seen: seenAs,
    command: (values) => ({
      type: "open_scene",
      name: values.text("name") ?? "",
      clock: values.number("clock") ?? CLOCK,
      sixes_add: values.ticked("sixes_add"),
      visibility: values.choice("visibility"),
    }),
    fields: (f) =>
      html`<div class="fields">
          ${f.text("name", "gm.name", { required: true })}
          ${f.steps("clock", "gm.scene.clock", CLOCK, { min: 1, max: MAX_CLOCK })} ${f.visibility()}
          ${f.tick("sixes_add", "gm.scene.sixes")}
        </div>
        <p class="hint">${table.t("gm.scene.typical", TYPICAL)}</p>`,
  });
}

/** Draw how the turn ends for a scene alone, and how it is set aside. @param {Table} table @param {T.Scene} scene */
function turning(table, { id, name }) {
  const [turn, aside] = /** @type {const} */ ([
    { type: "end_turn", scene_id: id },
    { type: "set_scene_aside", scene_id: id },
  ]);
  const bound = [...table.view.countdowns.values()].filter((each) => each.bound_to === "scene" && each.bound_id === id);
  const due = bound.filter((each) => waitsForRoll(table.view, each));
  return html`<p>
    ${button(table, { key: `scene:${id}:turn`, label: table.t("gm.scene.turn"), describes: name, command: turn })}
    <span class="hint" data-part="due">${rollsAlong(table, due)}</span>
    ${button(table, { key: `scene:${id}:aside`, label: table.t("gm.scene.aside"), describes: name, command: aside })}
  </p>`;
}

/** Draw what is seldom wanted of a scene. @param {Table} table @param {T.Scene} scene */
export function restOfScene(table, scene) {
  const clocks = openClocks(table, scene);
  if (scene.aside) return cancelling(table, "scene", scene);
  return html`${turning(table, scene)} ${moving(table, `scene:${scene.id}`, scene.name, clocks.filter((each) => each.kind !== "threat"))}
  ${amending(table, `scene:${scene.id}`, scene.name, clocks)} ${folded(table.t("gm.effects.standing"), standingEffects(table, "scene", scene))} ${cancelling(table, "scene", scene)}`;
}
