// @ts-check
/**
 * Keeps a tab's story over a reload: the sentences, and which rolls were checked.
 *
 * A view has only the latest records, and not the earlier names of things. Without this, a reloaded page would have fewer
 * sentences, with other names, and would show checked rolls as unchecked. A roll's mark says what this page has checked.
 * Only "Verify" checks the whole log again.
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
 * @property {(record: T.EventRecord) => boolean} knows returns whether a record is among the kept sentences
 */

import { keyOf } from "./fresh.js";
import { toldAt, withStorage } from "./link.js";

/** Store the story whenever the page is left or hidden: a hidden page may never be shown again. @param {Table} table */
export function keepOnLeaving(table) {
  addEventListener("pagehide", () => keep(table));
  document.addEventListener("visibilitychange", () => document.hidden && keep(table));
}

/** @param {Table} table */
function keep({ room, story: { told, isWhole }, checked, words, over }) {
  const kept = { of: identity(room, words), positions: room.positions, told, isWhole, checked: checked.kept };
  withStorage((storage) => (over ? storage.removeItem(nameOf(room)) : storage.setItem(nameOf(room), JSON.stringify(kept))));
}

/** Return the kept story, if the room's log continues from it; otherwise null. @param {Room} room @param {Words} words @returns {Kept | null} */
export function recall(room, words) {
  const { of, positions, told, isWhole, checked } = JSON.parse(withStorage((storage) => storage.getItem(nameOf(room))) ?? "{}");
  if (of !== identity(room, words) || !goesOn(room, positions, told)) return null;
  return { told, isWhole, checked, knows: ({ channel, seq }) => seq <= (positions[channel]?.seq ?? 0) };
}

/** Return a key for the sentences: the log, the seat, the role and the language. @param {Room} room @param {Words} words */
function identity({ logId, seat, role }, { language }) {
  return [logId, seat, role, language].join(" ");
}

/**
 * Tell whether no record is missing between the kept sentences and the records of the view, and whether both agree where they overlap.
 * @param {Room} room @param {Positions} positions @param {Told[]} kept
 */
function goesOn({ positions: now, view }, positions, kept) {
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

/** @param {Room} room */
function nameOf({ id, seat }) {
  return `${toldAt(id)}${seat}`; // with the seat, because the frames of a tab share its storage
}
