// @ts-check
/**
 * Tabs of a browser tell each other who sits at a table, so that visitors do not knock at a table at which they already sit.
 *
 * They send only the name. A link stays in its tab.
 */

/** @import { Table } from "./table.js" */

const CHANNEL = "dreadclock:sitting"; // the same name as in opening.js
const WAIT_MS = 400; // how long to wait for another tab, which may be suspended

/** Answer the question of another tab, if the table is open in this tab. @param {Table} table @param {MessageEvent} question */
export function answerTab({ over, room, seat }, { data, target }) {
  const { room: sits } = room.link;
  if (!over && seat && data?.asks === sits) /** @type {BroadcastChannel} */ (target).postMessage({ sits, name: seat.name });
}

/**
 * Ask the other tabs for the name of the visitor's seat in a room.
 * @param {string} asks the room's id @returns {Promise<string>} empty if no tab says so
 */
export async function sitterOf(asks) {
  const channel = new BroadcastChannel(CHANNEL);
  const heard = new Promise((resolve) => {
    channel.onmessage = ({ data }) => data?.sits === asks && resolve(String(data.name ?? ""));
    setTimeout(() => resolve(""), WAIT_MS);
  });
  channel.postMessage({ asks });
  return heard.finally(() => channel.close());
}
