// @ts-check
/** How much of what a room may hold is used up: the gm is told before nothing more is taken. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { roomSize } from "../../client/rest.js";

const ASK_EVERY_MS = 5 * 60_000; // at most: a page is drawn when something happens, and a room grows by nothing else
const NEARLY_FULL = 0.8;
const ALMOST_FULL = 0.9; // players' commands are taken up to fifteen sixteenths

/** Warn of a room that is nearly full, and of one that can hardly hide more; nothing otherwise. @param {Table} table */
export function sizeWarning(table) {
  const asked = /** @type {number | undefined} */ (table.ui.get("size:asked"));
  if (asked === undefined || performance.now() - asked > ASK_EVERY_MS) ask(table);
  const size = /** @type {T.RoomSize | undefined} */ (table.ui.get("size"));
  const share = used(size?.bytes, size?.limit_bytes);
  const hidden = used(size?.hidden_bytes, size?.hidden_limit_bytes);
  return [warning(table, share < ALMOST_FULL ? "nearly" : "almost", share), warning(table, "hidden", hidden)];
}

/** @param {Table} table @param {string} label @param {number} share of the limit that is used up, 1 is all */
function warning(table, label, share) {
  if (share < NEARLY_FULL) return nothing;
  const percent = Math.min(100, Math.floor(share * 100));
  return html`<p class="hint" role="status" data-part="size">${table.t(`gm.size.${label}`, { percent })}</p>`;
}

/** @param {number} [bytes] @param {number | null} [limit] */
const used = (bytes = 0, limit = null) => (limit ? bytes / limit : 0);

/** Ask the server, which may be away: then it is asked again later. @param {Table} table */
async function ask(table) {
  table.ui.set("size:asked", performance.now());
  try {
    table.set("size", await roomSize(table.room.link));
  } catch (error) {
    console.warn(error);
  }
}
