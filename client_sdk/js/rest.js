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

import { ConnectionEnded, ProtocolViolation, Refused } from "./errors.js";
import { parseLink } from "./links.js";

export * from "./room_calls.js";

// What servers say of tokens and keys; here, of those that no server could have given out.
const WRONG_TOKEN = "There is no such room, or the token does not open it.";
const WRONG_KEY = "This server opens rooms with its operator's key only, and the key is missing or wrong.";
const ANSWER_WITHIN_MS = 15_000;
const SAYABLE = /^[\x20-\x7e]+$/; // what a header may hold
const PATIENT_FOR_MS = 30_000; // with a server that asks for it: for one call, in all
const PATIENT_TIMES = 10;

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

/** Return how the addresses of a server begin. @param {string} server */
export function addressOf(server) {
  return server.replace(/\/+$/, "");
}

/**
 * Make a call about the room of a link, and return its answer.
 * @param {string} method
 * @param {string | Link} link
 * @param {string} path what follows the room's id
 * @param {unknown} [body]
 */
export function callRoom(method, link, path, body) {
  const { server, room, token } = typeof link === "string" ? parseLink(link) : link;
  return call(method, `${addressOf(server)}/api/rooms/${room}${path}`, { token, body });
}

/**
 * @typedef {{ token?: string | null, unfit?: string, body?: unknown, signal?: AbortSignal, read?: (text: string) => unknown }} More
 *
 * Make a call, again if the server asks for it, and return its answer.
 * @param {string} method
 * @param {string} address
 * @param {More} more
 * @returns {Promise<any>} what `read` makes of it; undefined where it is empty
 */
export async function call(method, address, more) {
  let leftMs = PATIENT_FOR_MS;
  for (let times = 0; ; times++) {
    try {
      return await callOnce(method, address, more);
    } catch (error) {
      const retryMs = error instanceof Refused && error.code === "rate_limited" ? error.details.retry_ms : null;
      if (typeof retryMs !== "number" || times >= PATIENT_TIMES || (leftMs -= retryMs) < 0) throw error;
      await pause(retryMs, more.signal);
    }
  }
}

/** @param {string} method @param {string} address @param {More} more @returns {Promise<any>} */
async function callOnce(method, address, { token, unfit = WRONG_TOKEN, body, signal, read = parsed }) {
  if (token && !SAYABLE.test(token)) throw new Refused("unauthorised", {}, unfit);
  const { status, statusText, ok, text } = await answerOf(address, signal, {
    method,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    // What is null was left out.
    body: body === undefined ? undefined : JSON.stringify(body, (_, value) => (value === null ? undefined : value)),
  });
  if (ok && text === "") return undefined;
  const said = ok ? read(text) : parsed(text);
  if (ok && said !== undefined) return said;
  const sentence = said?.detail ?? said?.sentence;
  if (!ok && typeof said?.code === "string" && typeof sentence === "string") {
    throw new Refused(said.code, said.details ?? {}, sentence);
  }
  throw new ProtocolViolation(`${address} answered ${status} ${statusText}`.trim());
}

/**
 * Fetch an answer to its end. Rejects with ConnectionEnded if it does not come, or with what `signal` was aborted with.
 * @param {string} address
 * @param {AbortSignal | undefined} signal
 * @param {RequestInit} request
 */
async function answerOf(address, signal, request) {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timeout = setTimeout(abort, ANSWER_WITHIN_MS);
  signal?.addEventListener("abort", abort);
  try {
    const answer = await fetch(address, { ...request, cache: "no-store", signal: stop.signal });
    return { status: answer.status, statusText: answer.statusText, ok: answer.ok, text: await answer.text() };
  } catch {
    signal?.throwIfAborted();
    throw new ConnectionEnded(null, `${new URL(address).origin} cannot be reached`);
  } finally {
    clearTimeout(timeout);
    signal?.removeEventListener("abort", abort);
  }
}

/** Read JSON; undefined if it is none. @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Wait. Rejects with what `signal` is aborted with. @param {number} ms @param {AbortSignal} [signal] */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timeout);
      reject(signal?.reason);
    };
    const timeout = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve(undefined);
    }, ms);
    signal?.addEventListener("abort", stop);
  });
}
