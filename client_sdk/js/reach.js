// @ts-check
/** Asks a server by HTTP whether it answers, and why its websocket does not open. Loaded some time after the page. */

/**
 * Why a websocket does not open. `unreachable`: the server does not answer. `blocked`: plain requests are answered, but a
 * proxy or similar stops websockets. `limit`: the server has too many connections. `blocked_or_limit`: one of these two; a
 * page of another origin cannot tell which.
 * @typedef {"unreachable" | "blocked" | "limit" | "blocked_or_limit"} Obstacle
 * @typedef {{ obstacle: Obstacle, retryMs?: number }} Diagnosis `retryMs`: when to try again, where waiting may help
 */

const ANSWER_WITHIN_MS = 10_000;
const DIAGNOSE_WITHIN_MS = 3_000;
const RETRY_MS = 10_000; // used if Retry-After cannot be read
const UPGRADE_REQUIRED = 426;
const QUIETLY = /** @type {const} */ ({ cache: "no-store", credentials: "omit" });

/**
 * Tell whether the server of a websocket answers a plain request.
 * @param {string} websocket its address
 * @param {AbortController} [stop]
 * @param {number} [withinMs]
 */
export async function answers(websocket, stop = new AbortController(), withinMs = ANSWER_WITHIN_MS) {
  const timeout = setTimeout(() => stop.abort(), withinMs);
  const address = websocket.replace(/^ws/, "http").replace(/ws\/[^/]*$/, "healthz");
  try {
    const { ok, type } = await fetch(address, { ...QUIETLY, mode: "no-cors", signal: stop.signal });
    return ok || type === "opaque"; // of an answer from another origin, nothing else can be read
  } catch {
    return false;
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * Find out why a websocket does not open. The server answers a plain GET at its address with 426, or with the status and
 * the Retry-After with which it turns websockets away; pages of other origins cannot read either.
 * @param {string} websocket its address
 * @returns {Promise<Diagnosis>}
 */
export async function diagnose(websocket) {
  if (!(await answers(websocket, undefined, DIAGNOSE_WITHIN_MS))) return { obstacle: "unreachable" };
  const answer = await statusOf(websocket.replace(/^ws/, "http"));
  if (answer?.status === UPGRADE_REQUIRED) return { obstacle: "blocked" };
  const isLimit = answer?.status === 429 || (answer?.status === 503 && answer.retryMs);
  return { obstacle: isLimit ? "limit" : "blocked_or_limit", retryMs: answer?.retryMs || RETRY_MS };
}

/** @param {string} address */
async function statusOf(address) {
  try {
    const { status, headers } = await fetch(address, { ...QUIETLY, signal: AbortSignal.timeout(DIAGNOSE_WITHIN_MS) });
    return { status, retryMs: 1000 * Number(headers.get("Retry-After")) };
  } catch {
    return null;
  }
}
