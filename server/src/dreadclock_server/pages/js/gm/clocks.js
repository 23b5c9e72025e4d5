// @ts-check
/** Clocks that stand for themselves, in the gm's hands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { isFull } from "../app/over.js";
import { lazily, more } from "./lazily.js";
import { revealing } from "./presses.js";

const forms = lazily(() => import("./clock_forms.js"));

/** Draw what the gm does with a clock that stands for itself. @param {Table} table @param {T.Clock} clock */
export function clockControls(table, clock) {
  const { id, name, visibility } = clock;
  const key = `clock:${id}`;
  const command = /** @type {const} */ ({ type: "tick_clock", clock_id: id });
  const tick = button(table, { key: `${key}:tick`, label: table.t("gm.tick"), describes: name, kind: "main", command });
  const rest = () => forms(table, (module) => module.restOfClock(table, clock));
  return html`${isFull(clock) ? nothing : tick} ${visibility === "public" ? nothing : revealing(table, clock, name)}
  ${more(table, key, name, rest)}`;
}
