// @ts-check
/** A note about rolls of the viewer's seat on another device. It is shown once for each device, with a button to trust the device. */

/** @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";

const SEEN = "dreadclock:elsewhere"; // anchors of the devices about which this device has shown a note
const MOST = 60;

/**
 * Show a note about another device, unless it was shown before.
 * @param {Table} table @param {string} anchor the anchor of its tokens @param {string} sentence the sentence about its roll
 */
export async function note(table, anchor, sentence) {
  /** @type {Map<string, string>} */ const devices = table.ui.get("elsewhere:devices") ?? new Map();
  if (seen().includes(anchor) || devices.has(anchor)) return;
  table.ui.set("elsewhere:devices", devices.set(anchor, sentence));
  await table.words.learn("alarms");
  table.set("elsewhere", () => draw(table, devices));
}

/** @param {Table} table @param {Map<string, string>} devices */
function draw(table, devices) {
  const [[anchor, sentence] = []] = devices;
  if (!anchor || table.over) return "";
  const done = () => {
    keepSeen(anchor);
    devices.delete(anchor);
    table.redraw();
  };
  const trust = () => table.room.trust(anchor).then(done);
  return html`<div class="elsewhere" role="status" data-place="elsewhere">
    <p>${table.t("elsewhere", { told: sentence })}</p>
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
    // Without storage, the note is shown again after a reload.
  }
}
