// @ts-check
/**
 * What a tab keeps of a table over a reload: the sentences as they were told, and which rolls it has checked.
 *
 * A view holds only the latest records, and no longer knows how things were called at their time. So without this, a page
 * would begin with fewer sentences, in other words, and call rolls unchecked that it had checked. As before a reload, a
 * mark says what this page has seen: only "Verify" goes through the log anew.
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Room } from "../../client/dreadclock.js"
 * @import { Positions } from "../../client/protocol.js"
 * @import { KeptChecks } from "./fresh.js"
 * @import { Told } from "./story.js"
 * @import { Table } from "./table.js"
 * @import { Words } from "./words.js"
 *
 * @typedef {object} Kept
 * @property {Told[]} told
 * @property {boolean} isWhole
 * @property {KeptChecks} checked
 * @property {(record: T.EventRecord) => boolean} knows tells whether a record is among what was told
 */

import { keyOf } from "./fresh.js";
import { toldAt, withStorage } from "./link.js";

/** Keep it whenever the page is left, or put away and perhaps never shown again. @param {Table} table */
export function keepOnLeaving(table) {
  addEventListener("pagehide", () => keep(table));
  document.addEventListener("visibilitychange", () => document.hidden && keep(table));
}

/** @param {Table} table */
function keep({ room, story: { told, isWhole }, checked, words, over }) {
  const kept = { of: identity(room, words), positions: room.positions, told, isWhole, checked: checked.kept };
  withStorage((storage) => (over ? storage.removeItem(nameOf(room)) : storage.setItem(nameOf(room), JSON.stringify(kept))));
}

/** Return what was kept, if the room's log goes on from there. @param {Room} room @param {Words} words @returns {Kept | null} */
export function recall(room, words) {
  const { of, positions, told, isWhole, checked } = JSON.parse(withStorage((storage) => storage.getItem(nameOf(room))) ?? "{}");
  if (of !== identity(room, words) || !goesOn(room, positions, told)) return null;
  return { told, isWhole, checked, knows: ({ channel, seq }) => seq <= (positions[channel]?.seq ?? 0) };
}

/** Say whose sentences they are, of which log, and in which language. @param {Room} room @param {Words} words */
function identity({ logId, seat, role }, { language }) {
  return [logId, seat, role, language].join(" ");
}

/**
 * Tell whether nothing is missing between what was kept and what the view remembers, and both agree where both tell.
 * @param {Room} room @param {Positions} positions @param {Told[]} told
 */
function goesOn({ positions: now, view }, positions, told) {
  const known = new Map(told.map(({ key, record }) => [key, JSON.stringify(record)]));
  const channels = /** @type {T.Channel[]} */ (Object.keys(view.channels));
  return channels.every((channel) => {
    const [was, is] = [positions[channel], now[channel]].map((head) => head ?? { seq: 0, hash: "" });
    const recent = view.channels[channel]?.recent ?? [];
    if (was.seq > is.seq || (was.seq === is.seq && was.hash !== is.hash)) return false;
    if (was.seq < is.seq && (recent[0]?.seq ?? 1) > was.seq + 1) return false;
    return recent.every((each) => (known.get(keyOf(each)) ?? JSON.stringify(each)) === JSON.stringify(each));
  });
}

/** @param {Room} room */
function nameOf({ id, seat }) {
  return `${toldAt(id)}${seat}`; // the frames of one tab share its storage
}
