// @ts-check
/** The gm's page: toolbar, hints, knocks (requests for a seat), inbox, and the things on the table. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Role, Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { GMS, GOES_ON } from "../actions/gm.js";
import { controlsOf, faceOf, listenForMenus, pressed } from "../actions/menu.js";
import { characters, checks, clocks, countdowns, nameOf, rolls, scenes, totals } from "../parts/board.js";
import { spectator } from "../parts/spectator.js";
import { checkWaits, inbox, totalWaits, waiting } from "./inbox.js";
import { lazily } from "./panel.js";
import { closing } from "./people.js";
import { revealing } from "./presses.js";
import { isFresh } from "./fresh.js";
import { toolbar } from "./toolbar.js";
import { button, lazily as later } from "../app/controls.js";
import { wasRolled } from "../parts/countdown.js";

listenForMenus();
const first = later(async (table) => (await Promise.all([import("./beginning.js"), table.words.learn("gm_beginning")]))[0]);
const check = lazily(() => import("./checks.js"));
const knocks = lazily(() => import("./knocks.js"));
const size = lazily(() => import("./room_size.js"));
const outlived = lazily(() => import("./outliving.js"));
const efforts = lazily(() => import("./scene_forms.js"));

/** The tables for which turning.js was requested: its listeners must not be added twice. @type {WeakSet<Table>} */ const turned = new WeakSet();

/** @type {Role} */
export const page = {
  layout,
  hasTools: (table) => !table.over && !table.view.closed,
  pressed,
  waits: (table) => (table.view.closed ? 0 : waiting(table).length + table.room.knocks.length),
  actions: GMS,
  controls: {
    ...Object.fromEntries(Object.keys(GOES_ON).map((kind) => [kind, (table, thing) => thingControls(table, kind, thing)])),
    effort: (table, thing) => efforts(table, (module) => module.ruling(table, thing)),
    part: (table, which) => check(table, (module) => module.partControls(table, which)),
    consequence: consequenceControls,
    roll: (table, roll) => (roll.visibility === "public" ? nothing : revealing(table, "roll", roll, roll.name ?? table.t("kind.roll"))),
  },
};

/** Draw the controls of a thing, or nothing if the thing is over. @param {Table} table @param {string} kind @param {any} thing */
function thingControls(table, kind, thing) {
  if (!GOES_ON[kind](table, thing)) return nothing;
  const rolled = kind === "countdown" && thing.status === "running" && wasRolled(table.view, thing);
  return html`${rolled ? html`<p class="hint">${table.t("gm.rolled_this_turn")}</p>` : nothing} ${(kind === "situation" ? faceOf : controlsOf)(table, kind, thing, nameOf(table, kind, thing))}`;
}

/** Tell whether the public log has grown since the page was opened. @param {Table} table */
function hasGrown({ room, ui }) {
  const seq = room.positions.public?.seq;
  if (!ui.has("size:from")) ui.set("size:from", seq);
  return ui.get("size:from") !== seq;
}

/** Tell whether a running countdown belongs to a character, scene or situation, which may end before the countdown does. @param {Table} table */
function mayOutlive({ view }) {
  return [...view.countdowns.values()].some(({ status, about, bound_id: id }) => status === "running" && (about || id));
}

/** @param {Table} table */
function layout(table) {
  if (table.over) return spectator.layout(table);
  if (table.view.closed) return html`${closing(table)} ${spectator.layout(table)}`;
  if (!turned.has(table)) void import("./turning.js").then(({ turnDials }) => turnDials(table), () => turned.delete(table));
  turned.add(table);
  const isBegun = table.view.countdowns.size + table.view.scenes.size > 0; // if so, beginnings are in the last column
  const begins = isFresh(table) ? first(table, (module) => module.beginning(table, isBegun)) : nothing;
  return html`${toolbar(table)} ${hasGrown(table) ? size(table, (module) => module.sizeWarning(table)) : nothing}
    ${mayOutlive(table) ? outlived(table, (module) => module.outliving(table)) : nothing}
    ${isBegun ? nothing : begins}
    <div class="columns">
      <div class="column now">
        ${table.room.knocks.length ? knocks(table, (module) => module.knocking(table)) : nothing} ${inbox(table)}
      </div>
      <div class="column stage">${scenes(table)} ${countdowns(table)} ${clocks(table)}</div>
      <div class="column rest">
        ${checks(table, { only: (check) => !checkWaits(table, check) })} ${totals(table, { only: (total) => !totalWaits(table, total) })}
        ${characters(table)} ${isFresh(table) && table.view.characters.size ? first(table, (module) => module.firstRoll(table)) : nothing} ${rolls(table)}
        ${isBegun ? begins : nothing}
      </div>
    </div>`;
}

/** Draw the button that removes a consequence (a trigger with effects). @param {Table} table @param {T.Consequence} consequence */
function consequenceControls(table, { id }) {
  const command = /** @type {const} */ ({ type: "detach_consequence", consequence_id: id });
  return button(table, { key: `consequence:${id}:detach`, label: table.t("gm.follows.detach"), describes: id, command });
}
