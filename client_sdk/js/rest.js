// @ts-check
/**
 * REST: opening rooms, exact odds, logs, and the calls of `room_calls.js`.
 *
 *     const { gm } = await openRoom("https://tables.example", { title: "The Sunken Chapel" });
 *     const { link } = await invite(gm.link, { role: "player", name: "Ines" });
 *
 * Every call rejects with Refused if the server refuses it, with ConnectionEnded if the server does not answer, and with
 * ProtocolViolation for a malformed answer. If the server is called too often, the call is retried after the time that the
 * server asks for, for at most half a minute.
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

// The server's sentence for a wrong key. Used here for a text that can be no key.
const WRONG_KEY = "This server opens rooms with its operator's key only, and the key is missing or wrong.";

/**
 * Open a room, and return its id and its gm's seat, token and link.
 *
 * A server that others can reach requires its operator's key.
 * @param {string} server the server's address, with its path prefix if it has one
 * @param {{ title: string, policy?: T.PolicyGiven | null, operatorKey?: string | null }} room
 * @returns {Promise<T.RoomOpening>}
 */
export function openRoom(server, { title, policy = null, operatorKey = null }) {
  return call("POST", `${addressOf(server)}/api/rooms`, { token: operatorKey, unfit: WRONG_KEY, body: { title, policy } });
}

/**
 * Return a link as a QR code: rows of `0` (light) and `1` (dark), without the light margin of four modules.
 * @param {string | Link} link the gm's link
 * @param {string} drawn
 * @returns {Promise<T.QrCode>}
 */
export function qrOf(link, drawn) {
  return callRoom("POST", link, "/qr", { link: drawn });
}

/**
 * Return the texts of a room's records, after the given number of each channel. A gm gets the records of both channels.
 * @param {string | Link} link
 * @param {{ [channel in T.Channel]?: number }} [after]
 * @param {number} [limit] the most records of each channel
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
 * Also rejects with the reason of `signal`.
 * @param {string} server
 * @param {string} path `check`, `contest`, `countdown`, `push`, `race`, `table` or `total`
 * @param {{ [name: string]: Parameter | readonly Parameter[] | null | undefined }} [params] a list for several values of the same name
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export async function odds(server, path, params = {}, { signal } = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of [value ?? []].flat()) query.append(name, String(item));
  }
  return call("GET", `${addressOf(server)}/api/odds/${path}?${query}`, { signal });
}
