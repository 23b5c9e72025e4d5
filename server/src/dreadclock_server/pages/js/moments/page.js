// @ts-check
/** The stage of a table's page: a layer over it that takes no presses; loaded once the table is there. */

/** @import { Table } from "../app/table.js" @import { Moment } from "./stage.js" */

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { sound } from "../app/settings.js";
import { fit, plates } from "./drawing.js";
import { Stage } from "./stage.js";

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
      fit(/** @type {HTMLElement} */ (layer.querySelector(".moments")));
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
