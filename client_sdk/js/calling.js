// @ts-check
/** Makes REST calls: sends the request, reads the answer or refusal, and retries if the server is called too often. */

/** @import { Link } from "./links.js" */

import { ConnectionEnded, ProtocolViolation, Refused } from "./errors.js";
import { parseLink } from "./links.js";

// The server's sentence for a wrong token. Used here for a text that can be no token.
const WRONG_TOKEN = "There is no such room, or the token does not open it.";
const ANSWER_WITHIN_MS = 15_000;
const SAYABLE = /^[\x20-\x7e]+$/; // the characters that a header may have
const PATIENT_FOR_MS = 30_000; // the longest total delay of a call that the server asks for
const PATIENT_TIMES = 10;

/** Return the beginning of a server's addresses. @param {string} server */
export function addressOf(server) {
  return server.replace(/\/+$/, "");
}

/**
 * Make a call about the room of a link, and return its answer.
 * @param {string} method
 * @param {string | Link} link
 * @param {string} path the path after the room's id
 * @param {unknown} [body]
 */
export function callRoom(method, link, path, body) {
  const { server, room, token } = typeof link === "string" ? parseLink(link) : link;
  return call(method, `${addressOf(server)}/api/rooms/${room}${path}`, { token, body });
}

/**
 * @typedef {{ token?: string | null, unfit?: string, body?: unknown, signal?: AbortSignal, read?: (text: string) => unknown }} More
 *
 * Make a call and return its answer. Retries if the server asks for it.
 * @param {string} method
 * @param {string} address
 * @param {More} more
 * @returns {Promise<any>} the result of `read`; undefined for an empty answer
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
    // Fields that are null are left out.
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
 * Fetch a complete answer. Rejects with ConnectionEnded if there is none, or with the reason of `signal`.
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

/** Return the value of a JSON text; undefined if it is no JSON. @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Wait. Rejects with the reason of `signal` if that is aborted. @param {number} ms @param {AbortSignal} [signal] */
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
