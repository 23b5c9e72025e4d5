// @ts-check
/** The stage of a table's page: a layer over it that takes no presses; loaded once the table is there; what dice decide is held back while they tumble. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Moment } from "./stage.js"
 */

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { sound } from "../app/settings.js";
import { plates } from "./drawing.js";
import { Stage } from "./stage.js";
import { View } from "../../client/views.js";

const AT_A_SEAT = { most: 2, stays: 2_600 };
const FROM_AFAR = { most: 2, stays: 4_500 };
const OWN_PRESS_MS = 200; // a press that is older than a moment by less than this may have brought it about
const PRESSES = new Set(["Enter", " ", "Escape"]);

/** Give a table its stage. @param {Table} table */
export function setStage(table) {
  const watches = table.room.role === "spectator";
  const layer = document.createElement("div");
  layer.className = `layer ${watches ? "afar" : ""}`;
  layer.setAttribute("aria-hidden", "true"); // the log is read aloud
  document.body.append(layer);
  let planned = false;
  const draw = () => {
    if (planned) return;
    planned = true;
    requestAnimationFrame(() => {
      planned = false;
      render(picture(table, stage.moments), layer);
    });
  };
  const stage = new Stage(table, { ...(watches ? FROM_AFAR : AT_A_SEAT), draw, heard: listen });
  table.stage = stage;
  addEventListener("pointerdown", () => pressed(stage), { capture: true });
  addEventListener("keydown", ({ key }) => PRESSES.has(key) && pressed(stage), { capture: true });
}

/** Make way for whoever does something. @param {Stage} stage */
function pressed(stage) {
  const oldest = stage.moments[0];
  if (oldest && performance.now() - oldest.begun > OWN_PRESS_MS) stage.clear();
}

/** @param {Table} table @param {readonly Moment[]} moments */
function picture(table, moments) {
  const isDark = moments.some(({ landed, news }) => landed && news.some(({ kind }) => kind === "crisis"));
  return html`${isDark ? html`<div class="dusk"></div>` : nothing}
    <div class="moments">${plates(table, moments)}</div>`;
}

/** Let a moment be heard and felt, if that was chosen. @param {Moment} moment */
function listen(moment) {
  const chosen = sound();
  if (chosen !== "off") void import("./sound.js").then(({ sounded }) => sounded(moment, chosen), () => {});
}

/**
 * One thing that a roll changed: as it was, undefined if there was none, and as it is.
 * @typedef {{ channel: T.Channel, field: Field, id: string, before: any, after: any }} Held
 * @typedef {typeof FIELDS[number]} Field
 */


const FIELDS = /** @type {const} */ ([
  "characters", "countdowns", "clocks", "scenes", "situations", "challenges", "efforts", "sealed", "rolls", "checks", "totals",
  "consequences",
]);
const BOUNDED = new Set(["rolls", "checks", "totals"]); // of these old ones leave by themselves

/** Name what differs between two views. @param {View} before @param {View} after @returns {Held[]} */
export function changed(before, after) {
  const channels = /** @type {T.Channel[]} */ (Object.keys(after.channels));
  return channels.flatMap((channel) => FIELDS.flatMap((field) => changedIn(before, after, channel, field)));
}

/** @param {View} before @param {View} after @param {T.Channel} channel @param {Field} field @returns {Held[]} */
function changedIn(before, after, channel, field) {
  const [was, is] = [thingsOf(before, channel, field), thingsOf(after, channel, field)];
  if (was === is) return [];
  const ids = BOUNDED.has(field) ? [...is.keys()] : [...new Set([...was.keys(), ...is.keys()])];
  return ids.flatMap((id) =>
    was.get(id) === is.get(id) ? [] : [{ channel, field, id, before: was.get(id), after: is.get(id) }],
  );
}

/** @param {View} view @param {T.Channel} channel @param {Field} field @returns {ReadonlyMap<string, any>} */
function thingsOf(view, channel, field) {
  return view.channels[channel]?.[field] ?? new Map();
}

/** Tell whether a view goes on with what is held: then it is to be seen at once. @param {View} view @param {readonly Held[]} held */
export function isOvertaken(view, held) {
  return held.some(({ channel, field, id, after }) => thingsOf(view, channel, field).get(id) !== after);
}

/** Return a view in which all that is held is as it was. @param {View} view @param {readonly Held[]} held */
export function heldBack(view, held) {
  const channels = /** @type {{ [channel: string]: any }} */ ({ ...view.channels });
  for (const { channel, field, id, before } of held) {
    const part = channels[channel];
    const things = new Map(part[field]);
    if (before === undefined) things.delete(id);
    else things.set(id, before);
    channels[channel] = { ...part, [field]: things };
  }
  return new View(channels);
}
