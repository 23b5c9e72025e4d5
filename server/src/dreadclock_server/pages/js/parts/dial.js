// @ts-check
/** Draws dials of clocks and scenes. On a scene's dial, a stud (a dot) stands for each challenge. Also draws sealed (hidden) things. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { guard } from "../../vendor/lit-html/directives/guard.js";
import { isFull } from "../app/over.js";
import { asTicked } from "../app/presses.js";
import { diceRow } from "./die.js";
import { arc, isLow, place, segments } from "./ring.js";

const SMALL = { radius: 41, width: 13, gap: 4.5 };
const STUD = 3.1;
/**
 * The rings of a scene's dial and of a small dial: the radius, the width, and the width while the clock is in its last quarter.
 * A dial is 100 units wide.
 * @type {{ [ring: string]: [number, number, number] }}
 */
const RINGS = { scene: [39, 3.4, 3.4], threat: [48.1, 1.4, 2.8], small_scene: [35, 11, 11], small_threat: [47, 4, 7] };
/** The radius for studs, between the rings. */
const STUDS = 44;

/**
 * Draw the ring of a clock. Segments for points that are left (or filled, if it counts up) are `on`; the others are `gone`.
 * @param {T.Clock} clock @param {number} radius @param {number} width @param {number} [gap]
 */
function ring(clock, radius, width, gap) {
  const all = segments(radius, clock, gap);
  const tracks = all.length > 1 ? all : [{ from: 0, to: 1 }];
  return svg`<g class="ring" stroke-width=${width}>
    <path class="track" d=${tracks.map(({ from, to }) => arc(radius, from, to)).join("")} />
    ${all.map(({ from, to, on }) => svg`<path class=${on ? "on" : "on gone"} d=${arc(radius, from, to)} />`)}
  </g>`;
}

/**
 * Draw a clock as a small dial with its number.
 * @param {Table} table
 * @param {T.Clock} clock
 */
export function dial(table, clock) {
  const shown = asTicked(table, clock);
  const unsettled = shown !== clock; // the server has not yet answered a tick
  return guard([clock, shown.value, unsettled], () => {
    const { kind, value, size, direction, visibility } = shown;
    const said = table.t(`dial.${direction}`, { value, size });
    return html`<svg
      class=${`dial small ${kind === "threat" ? kind : ""} ${visibility} ${isFull(shown) ? "full" : ""} ${unsettled ? "unsettled" : ""}`}
      viewBox="0 0 100 100"
      translate="no"
      role="img"
      aria-label=${unsettled ? `${said}, ${table.t("dial.unsettled")}` : said}
    >
      <circle class="hub" cx="50" cy="50" r="34" />
      ${ring(shown, SMALL.radius, SMALL.width, SMALL.gap)}
      <text class="value" font-size="30" x="50" y="52" text-anchor="middle" dominant-baseline="middle">${value}</text>
    </svg>`;
  });
}

/**
 * Draw a ring of a scene's dial. Its tooltip says how many points are left, and what takes points away.
 * @param {Table} table @param {T.Clock} clock @param {"scene" | "threat"} kind @param {boolean} small @param {((kind: "scene" | "threat") => void) | undefined} pressed called when the ring is pressed
 */
function sceneRing(table, clock, kind, small, pressed) {
  const [radius, width, low] = RINGS[small ? `small_${kind}` : kind];
  const nears = kind === "threat" && isLow(clock);
  return svg`<g class=${`${kind} ${nears ? "low" : ""}`} data-clock=${clock.id} @click=${() => pressed?.(kind)}>
    <title>${said(table, kind, clock)}. ${table.t(`ring.${kind}.does`)}</title>
    <circle class="reach" cx="50" cy="50" r=${radius} />
    ${ring(clock, radius, nears ? low : width, small ? SMALL.gap / 2 : undefined)}
  </g>`;
}

/**
 * Return words for the points left on the clock of a scene, or on its second clock, the threat.
 * @param {Table} table @param {"scene" | "threat"} kind @param {T.Clock} clock @returns {string}
 */
export function said(table, kind, { value, size }) {
  return table.t(`ring.${kind}`, { value, size });
}

/**
 * @typedef {object} Stud a challenge on a scene's dial
 * @property {T.Challenge} challenge @property {T.Clock | undefined} clock @property {number} turn its place on the ring, in turns clockwise from the top
 */

/**
 * Draw a challenge as a stud. An open challenge with a clock of several points gets a small ring.
 * @param {Pick<Stud, "challenge" | "clock">} stud
 */
export function stud({ challenge, clock }) {
  const isRing = challenge.status === "open" && clock && clock.size > 1;
  return svg`<g class=${`stud ${challenge.status} ${clock?.visibility ?? ""}`}>
    <circle class="hub" cx="50" cy="50" r=${STUD} />
    ${isRing ? ring(clock, STUD - 0.6, 1.2) : nothing}
  </g>`;
}

/**
 * Draw the rings and studs of a scene's dial.
 * @param {Table} table
 * @param {{ label: string, points: T.Clock | undefined, threat: T.Clock | undefined, small?: boolean, studs?: readonly Stud[],
 *   arcs?: readonly { from: number, to: number }[], pressed?: (kind: "scene" | "threat") => void }} given `label`: the dial in words,
 *   for screen readers; `arcs`: an arc for each situation; `pressed`: called when a ring is pressed
 */
export function rings(table, { label, points, threat, small = false, studs = [], arcs = [], pressed }) {
  return html`<svg class=${`dial ${small ? "small" : ""} rings`} viewBox="0 0 100 100" translate="no" role="img" aria-label=${label}>
    <circle class="hub" cx="50" cy="50" r="35.5" />
    ${points ? sceneRing(table, points, "scene", small, pressed) : nothing} ${threat ? sceneRing(table, threat, "threat", small, pressed) : nothing}
    ${arcs.map(({ from, to }) => svg`<path class="group" d=${arc(STUDS, from, to)} />`)}
    ${studs.map((item) => {
      const [x, y] = place(STUDS, item.turn);
      return svg`<g transform=${`translate(${(x - 50).toFixed(2)} ${(y - 50).toFixed(2)})`}><title>${item.challenge.name}</title>${stud(item)}</g>`;
    })}
  </svg>`;
}

/**
 * Draw a sealed thing: a hatched ring for a clock, scene or situation, otherwise a die without a face.
 * @param {Table} table @param {T.Sealed} sealed
 */
export function closed(table, { kind }) {
  const label = table.t("sealed.inside");
  if (!["clock", "scene", "situation"].includes(kind)) return diceRow([{ hidden: true }], label);
  return html`<svg class="dial small" viewBox="0 0 100 100" role="img" aria-label=${label}>
    <circle class="hatched" cx="50" cy="50" r=${SMALL.radius} stroke-width=${SMALL.width} />
  </svg>`;
}
