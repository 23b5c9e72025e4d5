// @ts-check
/** Warnings when a room comes near its limit of stored bytes. For a room at its limit, the server refuses further commands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { roomSize } from "../../client/rest.js";

const ASK_EVERY_MS = 5 * 60_000; // the shortest time between two requests. No timer is needed: a room only grows by events, and each event draws the page
const NEARLY_FULL = 0.8;
const ALMOST_FULL = 0.9; // above this, the warning is more urgent. From 15/16 on, the server refuses players' commands

/** Draw a warning if the room is nearly full, and a warning if the space for hidden events is nearly full. @param {Table} table */
export function sizeWarning(table) {
  const asked = /** @type {number | undefined} */ (table.ui.get("size:asked"));
  if (asked === undefined || performance.now() - asked > ASK_EVERY_MS) ask(table);
  const size = /** @type {T.RoomSize | undefined} */ (table.ui.get("size"));
  const share = used(size?.bytes, size?.limit_bytes);
  const hidden = used(size?.hidden_bytes, size?.hidden_limit_bytes);
  return [warning(table, share < ALMOST_FULL ? "nearly" : "almost", share), warning(table, "hidden", hidden)];
}

/** Draw a warning. Draw nothing if the used part is below NEARLY_FULL. @param {Table} table @param {string} label @param {number} share the used part of the limit, from 0 to 1 */
function warning(table, label, share) {
  if (share < NEARLY_FULL) return nothing;
  const percent = Math.min(100, Math.floor(share * 100));
  return html`<p class="hint" role="status" data-part="size">${table.t(`gm.size.${label}`, { percent })}</p>`;
}

/** Return the used part of a limit, from 0 to 1, or 0 without a limit. @param {number} [bytes] @param {number | null} [limit] */
const used = (bytes = 0, limit = null) => (limit ? bytes / limit : 0);

/** Request the room's size from the server. After a failed request, the next request also waits for ASK_EVERY_MS. @param {Table} table */
async function ask(table) {
  table.ui.set("size:asked", performance.now());
  try {
    table.set("size", await roomSize(table.room.link));
  } catch (error) {
    console.warn(error);
  }
}
