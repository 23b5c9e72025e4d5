// @ts-check
/** Scenes in the gm's hands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { endsAs, openRaces } from "../../client/views.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { lazily, more, onDemand } from "./lazily.js";
import { revealing, sure } from "./presses.js";

const forms = lazily(() => import("./scene_forms.js"));
const complications = lazily(() => import("./complications.js"));
const situations = lazily(() => import("./situation_forms.js"));

/** Draw what the gm does with a scene. @param {Table} table @param {T.Scene} scene */
export function sceneControls(table, scene) {
  if (scene.status !== "open") return nothing;
  const { id, name, visibility, aside } = scene;
  const rest = () => forms(table, (module) => module.restOfScene(table, scene));
  if (aside) return html`${takingUp(table, scene)} ${startSituation(table, scene)} ${more(table, `scene:${id}`, name, rest)}`;
  return html`${takingPoint(table, scene, "travel")} ${takingPoint(table, scene, "rest")}
  ${visibility === "public" ? nothing : revealing(table, scene, name)} ${ending(table, scene)}
  ${startSituation(table, scene)} ${complication(table, scene)} ${more(table, `scene:${id}`, name, rest)}`;
}

/**
 * Draw a button that takes a point off a scene's clock.
 * @param {Table} table @param {T.Scene} scene @param {"travel" | "rest"} type
 */
function takingPoint(table, { id, name }, type) {
  const command = { type, scene_id: id };
  const title = table.t(`gm.${type}.does`);
  return button(table, { key: `scene:${id}:${type}`, label: table.t(`gm.${type}`), describes: name, title, command });
}

/** @param {Table} table @param {T.Scene} scene */
function ending(table, { id, name }) {
  const races = openRaces(table.view, id);
  const expect = Object.fromEntries(races.map((race) => [race.id, endsAs(table.view, race)]));
  const command = /** @type {const} */ ({ type: "end_scene", scene_id: id, ...(races.length && { expect }) });
  const ends = races.map((race) => table.t("gm.scene.end.race", { name: race.name, outcome: table.t(`outcome.${expect[race.id]}`) }));
  const outcomes = new Intl.ListFormat(table.words.language).format(ends);
  const label = table.t("gm.scene.end");
  const yes = ends.length ? table.t("gm.scene.end.yes_race", { outcomes }) : table.t("gm.scene.end.yes");
  return sure(table, { key: `scene:${id}:end`, label, yes, describes: name, command });
}

/** @param {Table} table @param {T.Scene} scene */
function takingUp(table, { id, name }) {
  const command = /** @type {const} */ ({ type: "take_up_scene", scene_id: id });
  return button(table, { key: `scene:${id}:aside`, label: table.t("gm.scene.take_up"), describes: name, command });
}

/** @param {Table} table @param {T.Scene} scene */
function startSituation(table, scene) {
  const { id, name } = scene;
  const demand = { key: `scene:${id}:situation`, label: table.t("gm.situation.start"), about: "situation", describes: name };
  return onDemand(table, demand, (asked) => situations(table, (module) => module.startSituation(table, asked, scene)));
}

/** @param {Table} table @param {T.Scene} scene */
function complication(table, scene) {
  const demand = { key: `scene:${scene.id}:complication`, label: table.t("gm.complication"), does: table.t("gm.complication.does"), describes: scene.name };
  return onDemand(table, demand, (asked) => complications(table, (module) => module.complicating(table, asked, scene)));
}
