// @ts-check
/** Clocks as dials: a ring of segments, of which as many are filled as the clock shows. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, svg } from "../../vendor/lit-html/lit-html.js";
import { asTicked } from "../app/presses.js";
import { guard } from "../../vendor/lit-html/directives/guard.js";

const MOST_SEGMENTS = 24; // beyond it, one arc says it better
const RADIUS = 15.9155; // a circumference of 100

/**
 * Draw a clock's dial with its numbers.
 * @param {Table} table
 * @param {T.Clock} clock
 */
export function dial(table, clock) {
  const shown = asTicked(table, clock);
  return guard([clock, shown.value, shown === clock], () => drawn(table, shown, shown !== clock));
}

/** @param {Table} table @param {T.Clock} clock @param {boolean} unsettled whether the server has not answered yet */
function drawn(table, clock, unsettled) {
  const { value, size, direction } = clock;
  const full = direction === "down" ? value === 0 : value === size;
  const said = table.t(`dial.${direction}`, { value, size });
  const label = unsettled ? `${said}, ${table.t("dial.unsettled")}` : said;
  const ring = size <= MOST_SEGMENTS ? segments(value, size) : arc(value, size);
  return html`<svg class=${`dial ${clock.kind} ${full ? "full" : ""} ${unsettled ? "unsettled" : ""}`} viewBox="0 0 42 42" translate="no" role="img" aria-label=${label}>
    <circle class="hub" cx="21" cy="21" r="18.5" />
    <g fill="none" stroke-width="6" transform="rotate(-90 21 21)">${ring}</g>
    <text class="value" font-size="11.5" x="21" y="22" text-anchor="middle" dominant-baseline="middle">${value}</text>
    <text class="size" font-size="5.5" x="21" y="29.5" text-anchor="middle" dominant-baseline="middle">/ ${size}</text>
  </svg>`;
}

/** @param {number} value @param {number} size */
function segments(value, size) {
  const whole = 100 / size;
  const gap = size === 1 ? 0 : Math.min(2, whole / 4);
  return Array.from({ length: size }, (_, place) => {
    const dashes = `${whole - gap} ${100 - whole + gap}`;
    return svg`<circle class=${place < value ? "on" : "off"} cx="21" cy="21" r=${RADIUS}
      stroke-dasharray=${dashes} stroke-dashoffset=${-place * whole} />`;
  });
}

/** @param {number} value @param {number} size */
function arc(value, size) {
  const part = (100 * value) / size;
  return svg`<circle class="off" cx="21" cy="21" r=${RADIUS} />
    <circle class="on" cx="21" cy="21" r=${RADIUS} stroke-dasharray=${`${part} ${100 - part}`} />`;
}
