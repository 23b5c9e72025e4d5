// @ts-check
/** Clocks that stand for themselves, in the gm's hands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { canTick, tickOf } from "../app/ticks.js";
import { lazily, more } from "./lazily.js";
import { revealing } from "./presses.js";

const forms = lazily(() => import("./clock_forms.js"));

/** Draw what the gm does with a clock that stands for itself. @param {Table} table @param {T.Clock} clock */
export function clockControls(table, clock) {
  const { id, name, visibility } = clock;
  const key = `clock:${id}`;
  const on = { key: `${key}:tick`, label: table.t("gm.tick"), describes: name, kind: "main", ...tickOf(clock) };
  const back = { key: `${key}:untick`, label: "−1", describes: table.t("gm.untick", { name }), ...tickOf(clock, true) };
  const rest = () => forms(table, (module) => module.restOfClock(table, clock));
  return html`${canTick(table, clock) ? button(table, on) : nothing} ${canTick(table, clock, true) ? button(table, back) : nothing}
  ${visibility === "public" ? nothing : revealing(table, clock, name)}
  ${more(table, key, name, rest)}`;
}
