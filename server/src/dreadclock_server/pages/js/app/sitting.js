// @ts-check
/**
 * Tabs of one browser that tell each other who sits at a table: whoever would knock there sits there already.
 *
 * A tab's token stays with it until somebody asks in another tab, by a press, to sit there, too.
 */

/**
 * @import { Table } from "./table.js"
 *
 * @typedef {{ name: string, role: string }} Sitter
 */

const CHANNEL = "dreadclock:sitting"; // as in opening.js
const WAIT_MS = 400; // for another tab, which may be asleep

/** Answer another tab that asks, as long as the table is open here. @param {Table} table @param {MessageEvent} question */
export function answerTab({ over, room, seat }, { data: { asks, wants }, target }) {
  const { room: id, token } = room.link;
  if (over || !seat || (asks ?? wants) !== id) return;
  const sits = { room: id, name: seat.name, role: room.role };
  /** @type {BroadcastChannel} */ (target).postMessage(wants ? { ...sits, token } : sits);
}

/** Ask the other tabs who sits in a room; null if nobody says so. @param {string} room @returns {Promise<Sitter | null>} */
export function sitterOf(room) {
  return told(room, { asks: room });
}

/** Ask for the token with which another tab sits in a room. @param {string} room @returns {Promise<string>} empty if none has one any more */
export async function tokenOfSitter(room) {
  return (await told(room, { wants: room }))?.token ?? "";
}

/** @param {string} room @param {{ asks: string } | { wants: string }} question @returns {Promise<any>} */
async function told(room, question) {
  const channel = new BroadcastChannel(CHANNEL);
  const heard = new Promise((resolve) => {
    channel.onmessage = ({ data }) => data.room === room && ("wants" in question) === "token" in data && resolve(data);
    setTimeout(() => resolve(null), WAIT_MS);
  });
  channel.postMessage(question);
  return heard.finally(() => channel.close());
}
