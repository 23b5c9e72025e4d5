// @ts-check
/** Rolls of one's own seat on another device: said once, quietly, with a button that trusts that device. */

/** @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";

const SEEN = "dreadclock:elsewhere"; // anchors of devices that were pointed out on this device
const MOST = 60;

/** Point out another device, unless that was done before. @param {Table} table @param {string} anchor of its tokens @param {string} told what it rolled */
export async function note(table, anchor, told) {
  /** @type {Map<string, string>} */ const devices = table.ui.get("elsewhere:devices") ?? new Map();
  if (seen().includes(anchor) || devices.has(anchor)) return;
  table.ui.set("elsewhere:devices", devices.set(anchor, told));
  await table.words.learn("alarms");
  table.set("elsewhere", () => draw(table, devices));
}

/** @param {Table} table @param {Map<string, string>} devices */
function draw(table, devices) {
  const [[anchor, told] = []] = devices;
  if (!anchor || table.over) return "";
  const done = () => {
    keepSeen(anchor);
    devices.delete(anchor);
    table.redraw();
  };
  const trust = () => table.room.trust(anchor).then(done);
  return html`<div class="elsewhere" role="status" data-place="elsewhere">
    <p>${table.t("elsewhere", { told })}</p>
    <button type="button" class="button" @click=${trust}>${table.t("elsewhere.trust")}</button>
    <button type="button" class="button plain" @click=${done}>${table.t("alarm.seen")}</button>
  </div>`;
}

/** @returns {string[]} */
function seen() {
  try {
    const anchors = JSON.parse(localStorage.getItem(SEEN) ?? "[]");
    return Array.isArray(anchors) ? anchors : [];
  } catch {
    return [];
  }
}

/** @param {string} anchor */
function keepSeen(anchor) {
  try {
    localStorage.setItem(SEEN, JSON.stringify([...seen(), anchor].slice(-MOST)));
  } catch {
    // Where the browser keeps nothing, it is pointed out again after a reload.
  }
}
