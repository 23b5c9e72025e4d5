// @ts-check
/**
 * REST: opening rooms, exact odds, logs, and the calls of `room_calls.js`.
 *
 *     const { gm } = await openRoom("https://tables.example", { title: "The Sunken Chapel" });
 *     const { link } = await invite(gm.link, { role: "player", name: "Ines" });
 *
 * Every call rejects with Refused if the server says no, with ConnectionEnded if it does not answer, and with
 * ProtocolViolation if its answer makes no sense. A server that is called too often is called again after the time that
 * it names, for half a minute.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Link } from "./links.js"
 *
 * @typedef {string | number | boolean} Parameter
 */

import { addressOf, call, callRoom } from "./calling.js";
import { parseLink } from "./links.js";

export { addressOf, call, callRoom };
export * from "./room_calls.js";

// What servers say of a key; here, of a key that no server could have given out.
const WRONG_KEY = "This server opens rooms with its operator's key only, and the key is missing or wrong.";

/**
 * Open a room, and return its id and its gm's seat, token and link.
 *
 * Away from the loopback a server asks for its operator's key.
 * @param {string} server its address, and the path that it lives under if it has one
 * @param {{ title: string, policy?: T.PolicyGiven | null, operatorKey?: string | null }} room
 * @returns {Promise<T.RoomOpening>}
 */
export function openRoom(server, { title, policy = null, operatorKey = null }) {
  return call("POST", `${addressOf(server)}/api/rooms`, { token: operatorKey, unfit: WRONG_KEY, body: { title, policy } });
}

/**
 * Draw a link as a QR code: rows of `0` (light) and `1` (dark), without the light margin of four around them.
 * @param {string | Link} link the gm's
 * @param {string} drawn
 * @returns {Promise<T.QrCode>}
 */
export function qrOf(link, drawn) {
  return callRoom("POST", link, "/qr", { link: drawn });
}

/**
 * Return the texts of a room's records, after the numbers given for its channels; a gm gets those of both channels.
 * @param {string | Link} link
 * @param {{ [channel in T.Channel]?: number }} [after]
 * @param {number} [limit] of each channel only the first so many
 * @returns {Promise<string[]>}
 */
export async function log(link, after = {}, limit) {
  const { server, room, token } = typeof link === "string" ? parseLink(link) : link;
  const numbers = Object.entries(limit ? { ...after, limit } : after).map(([name, number]) => [name, String(number)]);
  const address = `${addressOf(server)}/api/rooms/${room}/log?${new URLSearchParams(numbers)}`;
  const lines = await call("GET", address, { token, read: (text) => text.split("\n").filter(Boolean) });
  return lines ?? [];
}

/**
 * Return exact odds.
 *
 * Rejects with what `signal` was aborted with.
 * @param {string} server
 * @param {string} path `check`, `contest`, `countdown`, `push`, `race`, `table` or `total`
 * @param {{ [name: string]: Parameter | readonly Parameter[] | null | undefined }} [params] several of a name as a list
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export async function odds(server, path, params = {}, { signal } = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const each of [value ?? []].flat()) query.append(name, String(each));
  }
  return call("GET", `${addressOf(server)}/api/odds/${path}?${query}`, { signal });
}
