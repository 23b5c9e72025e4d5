// @ts-check
/**
 * Asks the other tabs of this browser whether the visitor already has a seat at a table, so that nobody asks for a
 * second seat. The tabs answer with the seat's name only, never with its token.
 */

/** @import { Table } from "./table.js" */

const CHANNEL = "dreadclock:sitting"; // the same name as in opening.js
const WAIT_MS = 400; // how long to wait for another tab, which may be suspended

/** Answer the question of another tab, if this tab has the table open. @param {Table} table @param {MessageEvent} question */
export function answerTab({ over, room, seat }, { data, target }) {
  const { room: sits } = room.link;
  if (!over && seat && data?.asks === sits) /** @type {BroadcastChannel} */ (target).postMessage({ sits, name: seat.name });
}

/**
 * Ask the other tabs for the name of the visitor's seat in a room.
 * @param {string} asks the room's id @returns {Promise<string>} empty if no tab has answered in time
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
