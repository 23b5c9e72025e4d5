// @ts-check
/** A note that another device rolled for the viewer's seat, with a button to trust that device. Each device has one note. */

/** @import { Table } from "../app/table.js" */

import { html } from "../../vendor/lit-html/lit-html.js";
import { store, stored } from "../app/settings.js";

const SEEN = "dreadclock:elsewhere"; // storage key: the anchors (hashes) of devices with dismissed notes
const MOST = 60; // how many anchors are stored

/**
 * Show a note about another device, unless it has or had one.
 * @param {Table} table @param {string} anchor a hash that identifies the device's dice @param {string} sentence about the device's roll
 */
export async function note(table, anchor, sentence) {
  /** @type {Map<string, string>} */ const devices = table.ui.get("elsewhere:devices") ?? new Map();
  if (seen().includes(anchor) || devices.has(anchor)) return;
  table.ui.set("elsewhere:devices", devices.set(anchor, sentence));
  await table.words.learn("alarms");
  table.set("elsewhere", () => draw(table, devices));
}

/** Draw the note about the first device in the list. @param {Table} table @param {Map<string, string>} devices */
function draw(table, devices) {
  const [[anchor, sentence] = []] = devices;
  if (!anchor || table.over) return "";
  const done = () => {
    store(SEEN, [...seen(), anchor].slice(-MOST)); // without storage, the note is shown again after a reload
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

/** Return the stored anchors of the devices whose notes were dismissed. @returns {string[]} */
function seen() {
  const anchors = stored(SEEN);
  return Array.isArray(anchors) ? anchors : [];
}
