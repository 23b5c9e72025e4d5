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
import { demanded, seenAs } from "../forms/live.js";
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
          ${f.text("name", "form.name", { required: true })}
          ${f.steps("clock", "gm.scene.clock", CLOCK, { min: 1, max: MAX_CLOCK })} ${f.visibility()}
          ${f.tick("sixes_add", "gm.scene.sixes")}
        </div>
        <p class="hint">${table.t("gm.scene.typical", TYPICAL)}</p>`,
  });
}

/** Draw what ends the turn for a scene alone, and what that rolls. @param {Table} table @param {T.Scene} scene */
export function turning(table, { id, name }) {
  const bound = [...table.view.countdowns.values()].filter((each) => each.bound_to === "scene" && each.bound_id === id);
  const due = bound.filter((each) => waitsForRoll(table.view, each));
  const command = /** @type {const} */ ({ type: "end_turn", scene_id: id });
  return html`${button(table, { key: `scene:${id}:turn`, label: table.t("gm.scene.turn"), describes: name, command })}
    <span class="hint" data-part="due">${rollsAlong(table, due)}</span>`;
}
