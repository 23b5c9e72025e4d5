// @ts-check
/** The page of a spectator: the whole table without controls. On a big screen, `screen.js` draws it. */

/** @import { Role, Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily } from "../app/controls.js";
import { dress } from "../app/settings.js";
import { characters, checks, clocks, countdowns, rolls, scenes, sealed, totals } from "./board.js";

const ACROSS = matchMedia("(min-width: 1600px) and (min-height: 880px) and (min-aspect-ratio: 4/3)");
const across = lazily(async (table) => {
  const [module] = await Promise.all([import("./screen.js"), table.words.learn("moments"), dress("panels"), dress("spectator")]);
  return module;
});

/** @type {Role} */
export const spectator = {
  layout: (/** @type {Table} */ table) => {
    ACROSS.onchange = () => table.redraw();
    const [arena, isAcross] = [arenaOf(table), ACROSS.matches && !isEmpty(table)];
    table.ui.set("across", isAcross);
    return isAcross ? across(table, ({ screen }) => screen(table, arena)) : html`${arena} ${board(table)}`;
  },
};

/** Return the element where dice are thrown (the same in both layouts); nothing for other roles. @param {Table} table */
function arenaOf(table) {
  if (table.room.role !== "spectator") return nothing;
  if (!table.ui.has("arena")) table.ui.set("arena", Object.assign(document.createElement("div"), { className: "arena-place" }));
  table.ui.get("arena").dataset.empty = table.t("table.arena");
  return table.ui.get("arena");
}

/** Draw the whole table as cards. @param {Table} table */
export function board(table) {
  return html`
    ${isEmpty(table) ? html`<p class="empty">${table.t("table.empty")}</p>` : nothing}
    <div class="columns board">
      <div class="column">
        <div class="group acts">${scenes(table)} ${clocks(table)}</div>
        <div class="group sheets">${characters(table)}</div>
      </div>
      <div class="column">
        <div class="group lasts">${countdowns(table)} ${sealed(table)}</div>
        <div class="group rolls">${checks(table)} ${totals(table)} ${rolls(table)}</div>
      </div>
    </div>
  `;
}

/** Tell whether the table has nothing to show. @param {Table} table */
function isEmpty({ view }) {
  const { scenes, clocks, characters, countdowns, sealed, checks, totals, rolls } = view;
  return [scenes, clocks, characters, countdowns, sealed, checks, totals, rolls].every((things) => things.size === 0);
}
