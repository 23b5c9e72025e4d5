// @ts-check
/**
 * Tabs of one browser that tell each other who sits at a table: whoever would knock there sits there already.
 *
 * They tell the name alone: a link stays in the tab that was given it.
 */

/** @import { Table } from "./table.js" */

const CHANNEL = "dreadclock:sitting"; // as in opening.js
const WAIT_MS = 400; // for another tab, which may be asleep

/** Answer another tab that asks, as long as the table is open here. @param {Table} table @param {MessageEvent} question */
export function answerTab({ over, room, seat }, { data, target }) {
  const { room: sits } = room.link;
  if (!over && seat && data?.asks === sits) /** @type {BroadcastChannel} */ (target).postMessage({ sits, name: seat.name });
}

/** Ask the other tabs under which name one sits in a room. @param {string} asks the room @returns {Promise<string>} empty if no tab says so */
export async function sitterOf(asks) {
  const channel = new BroadcastChannel(CHANNEL);
  const heard = new Promise((resolve) => {
    channel.onmessage = ({ data }) => data?.sits === asks && resolve(String(data.name ?? ""));
    setTimeout(() => resolve(""), WAIT_MS);
  });
  channel.postMessage({ asks });
  return heard.finally(() => channel.close());
}
