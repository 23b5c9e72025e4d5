// @ts-check
/** The whole overlay: panels at the left and right, and at the bottom the latest roll, or the next rolls. */

/**
 * @import { Panel } from "./options.js"
 * @import { Watched } from "./watched.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { PANELS, coming } from "./panels.js";

/** @type {ReadonlySet<Panel>} */
const AT_THE_RIGHT = new Set(/** @type {const} */ (["countdowns", "characters", "log"]));
/** By kind: an overlay shows rolls, or news of this kind, only if it has one of these panels. @type {{ [kind: string]: readonly Panel[] }} */
const SHOWN_WITH = {
  roll: ["rolls"],
  crisis: ["crises"],
  expired: ["crises", "countdowns"],
  stage: ["countdowns"],
  full: ["clocks", "scenes"],
  seal: ["rolls", "countdowns", "clocks", "scenes", "checks"],
  won: ["scenes", "rolls", "checks"],
  lost: ["scenes", "rolls", "checks"],
  told: ["scenes", "log"],
};

/**
 * Tell whether an overlay with these panels shows rolls, or news of a kind.
 * @param {readonly Panel[]} show @param {string} kind `roll`, or a kind of news
 */
export function tells(show, kind) {
  return SHOWN_WITH[kind].some((panel) => show.includes(panel));
}

/** Draw an overlay. @param {Watched} table @param {readonly Panel[]} show */
export function picture(table, show) {
  if (table.over) return overLine(table.over);
  document.title = `${table.view.title} · Dreadclock`;
  const sides = show.filter((panel) => panel in PANELS);
  return html`<div class="screen" data-overlay=${table.room.connected ? "open" : "away"}>
    <h1 class="unseen">${table.view.title}</h1>
    ${rail(table, "left", sides.filter((panel) => !AT_THE_RIGHT.has(panel)))}
    ${rail(table, "right", sides.filter((panel) => AT_THE_RIGHT.has(panel)))}
    <div class="moments">${table.arena.element} ${show.includes("rolls") && !table.moments.length ? coming(table, show) : nothing}</div>
    ${connection(table)}
  </div>`;
}

/** Draw panels below each other at a side. @param {Watched} table @param {string} side @param {readonly Panel[]} panels */
function rail(table, side, panels) {
  return panels.length ? html`<div class=${`rail ${side}`}>${panels.map((panel) => PANELS[panel](table))}</div>` : nothing;
}

/** Draw a small line of text in place of a table. @param {string} sentence */
export function overLine(sentence) {
  return html`<div class="screen" data-overlay="over"><p class="line" role="status">${sentence}</p></div>`;
}

/** Draw a sign while the connection is being restored, else nothing. @param {Watched} table */
function connection(table) {
  if (table.room.connected) return nothing;
  return html`<svg class="away" viewBox="0 0 24 24" role="img" aria-label=${table.t("reconnecting")}>
    <path d="M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5" />
  </svg>`;
}
