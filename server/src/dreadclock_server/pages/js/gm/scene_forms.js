// @ts-check
/** The forms of scenes. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Demand } from "./lazily.js"
 */

import { MAX_CLOCK, TYPICAL } from "../../client/limits.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { amending, cancelling, openClocks } from "./clock_forms.js";
import { demanded } from "./live.js";

const CLOCK = 10;

/** Draw the form that opens a scene. @param {Table} table @param {Demand} demand */
export function openScene(table, demand) {
  return demanded(table, demand, {
    submit: table.t("gm.open"),
    command: (values) => ({
      type: "open_scene",
      name: values.text("name") ?? "",
      clock: values.number("clock") ?? CLOCK,
      visibility: values.choice("visibility"),
    }),
    fields: (f) =>
      html`<div class="fields">
          ${f.text("name", "gm.name", { required: true })}
          ${f.steps("clock", "gm.scene.clock", CLOCK, { min: 1, max: MAX_CLOCK })} ${f.visibility()}
        </div>
        <p class="hint">${table.t("gm.scene.typical", TYPICAL)}</p>`,
  });
}

/** Draw what is seldom wanted of a scene. @param {Table} table @param {T.Scene} scene */
export function restOfScene(table, scene) {
  const clocks = openClocks(table, scene);
  return html`${amending(table, `scene:${scene.id}`, scene.name, clocks)} ${cancelling(table, "scene", scene)}`;
}
