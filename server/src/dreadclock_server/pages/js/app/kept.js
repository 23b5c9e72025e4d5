// @ts-check
/**
 * Stores the sentences that a tab shows, and which rolls the tab has checked, so that both are the same after a reload.
 *
 * The server's view has only the latest records, and only the current names of things. From this view alone, a reloaded page
 * would write fewer sentences, all with the current names, and would mark checked rolls as unchecked.
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Room } from "../../client/dreadclock.js"
 * @import { Positions } from "../../client/protocol.js"
 * @import { KeptChecks } from "./fresh.js"
 * @import { Sentence } from "./story.js"
 * @import { Table } from "./table.js"
 * @import { Words } from "./words.js"
 *
 * @typedef {object} Kept
 * @property {Sentence[]} sentences
 * @property {boolean} isWhole
 * @property {KeptChecks} checked
 * @property {(record: T.EventRecord) => boolean} knows tells whether the stored sentences already include a record
 */

import { keyOf } from "./fresh.js";
import { toldAt } from "./link.js";
import { withStorage } from "./settings.js";

/** Store the sentences and checked rolls whenever the page is left or hidden: a hidden page may never be shown again. @param {Table} table */
export function keepOnLeaving(table) {
  addEventListener("pagehide", () => keep(table));
  document.addEventListener("visibilitychange", () => document.hidden && keep(table));
}

/** Store the sentences and checked rolls; delete them if the connection is over for good. @param {Table} table */
function keep({ room, story: { sentences, isWhole }, checked, words, over }) {
  const kept = { of: identity(room, words), positions: room.positions, told: sentences, isWhole, checked: checked.kept };
  withStorage((storage) => (over ? storage.removeItem(nameOf(room)) : storage.setItem(nameOf(room), JSON.stringify(kept))));
}

/** Return what this tab has stored; null if nothing, or if the room's log does not continue from it. @param {Room} room @param {Words} words @returns {Kept | null} */
export function recall(room, words) {
  const { of, positions, told: sentences, isWhole, checked } = JSON.parse(withStorage((storage) => storage.getItem(nameOf(room))) ?? "{}");
  if (of !== identity(room, words) || !continues(room, positions, sentences)) return null;
  return { sentences, isWhole, checked, knows: ({ channel, seq }) => seq <= (positions[channel]?.seq ?? 0) };
}

/** Return a key for the sentences: the log, the seat, the role and the language. @param {Room} room @param {Words} words */
function identity({ logId, seat, role }, { language }) {
  return [logId, seat, role, language].join(" ");
}

/**
 * Tell whether the log continues from the stored sentences: no record is missing between the stored sentences and the
 * records of the view, and records that are in both are equal.
 * @param {Room} room @param {Positions} positions @param {Sentence[]} kept
 */
function continues({ positions: now, view }, positions, kept) {
  const texts = new Map(kept.map(({ key, record }) => [key, JSON.stringify(record)]));
  const channels = /** @type {T.Channel[]} */ (Object.keys(view.channels));
  return channels.every((channel) => {
    const [was, is] = [positions[channel], now[channel]].map((head) => head ?? { seq: 0, hash: "" });
    const recent = view.channels[channel]?.recent ?? [];
    if (was.seq > is.seq || (was.seq === is.seq && was.hash !== is.hash)) return false;
    if (was.seq < is.seq && (recent[0]?.seq ?? 1) > was.seq + 1) return false;
    return recent.every((record) => (texts.get(keyOf(record)) ?? JSON.stringify(record)) === JSON.stringify(record));
  });
}

/** Return the storage key. @param {Room} room */
function nameOf({ id, seat }) {
  return `${toldAt(id)}${seat}`; // with the seat, because the frames of a tab share its storage
}
