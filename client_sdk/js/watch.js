// @ts-check
/**
 * Notices that a connection may be dead without a close event.
 *
 * After sleep, a change of networks or a dropped NAT entry, a websocket looks open until the browser gives up sending:
 * after 45 s to 10 minutes. Scripts cannot see pings, so the client asks the server for `beat` frames.
 */

/**
 * The source of events about sleep and networks: `window` in browsers. Elsewhere, there is only the clock.
 * @typedef {object} Surroundings
 * @property {EventTarget["addEventListener"]} [addEventListener] for `online` and `offline`
 * @property {EventTarget["removeEventListener"]} [removeEventListener]
 * @property {EventTarget & { visibilityState: string }} [document] for `visibilitychange`
 * @property {{ userAgent?: string }} [navigator] for the name of the browser
 * @property {() => number} [now] the time in ms, which continues while the machine sleeps
 * @property {number} [tickMs] ms between two checks of the clock
 */

const TICK_MS = 5_000;
const LATE_MS = 15_000; // a check of the clock that is this late means that the machine slept, if the page is visible
const SILENT_MS = 10_000; // how long a command waits before its connection is doubtful
const LONGEST_SILENCE_MS = 120_000;
const WITHOUT_BEAT_MS = 45_000; // two beats, which come every 20 s, and some time for the network
const AWAY_MS = 15_000; // how long a page was hidden: browsers may stop hidden pages at any time

/** Return the time in ms. It continues during sleep. It jumps when the clock is set, which only costs an unnecessary check. */
export function timeOf(/** @type {Surroundings} */ { now = Date.now }) {
  return now();
}

/** Tell whether this is Firefox, which delays new websockets by up to a minute after failures. */
export function delaysWebsockets(/** @type {Surroundings} */ { navigator }) {
  return /\bGecko\/\d/.test(navigator?.userAgent ?? ""); // other browsers say "like Gecko"
}

/** Calls `wake` when the connection should be checked, and `tick` regularly while the page is visible. */
export class Watch {
  #surroundings;
  #wake;
  #tick;
  #tickMs;
  #tickedAt;
  /** @type {number | null} */
  #hiddenAt = null;
  #timer;

  /**
   * @param {Surroundings} surroundings
   * @param {(live: { doubtful: boolean, offline?: boolean }) => void} wake `doubtful`: the open connection may be dead
   * @param {() => void} tick
   */
  constructor(surroundings, wake, tick) {
    this.#surroundings = surroundings;
    this.#wake = wake;
    this.#tick = tick;
    this.#tickMs = surroundings.tickMs ?? TICK_MS;
    this.#tickedAt = timeOf(this.#surroundings);
    surroundings.addEventListener?.("online", this.#online);
    surroundings.addEventListener?.("offline", this.#offline);
    surroundings.document?.addEventListener("visibilitychange", this.#seen);
    this.#timer = setInterval(() => this.#look(), this.#tickMs);
  }

  stop() {
    clearInterval(this.#timer);
    this.#surroundings.removeEventListener?.("online", this.#online);
    this.#surroundings.removeEventListener?.("offline", this.#offline);
    this.#surroundings.document?.removeEventListener("visibilitychange", this.#seen);
  }

  get #hidden() {
    return this.#surroundings.document?.visibilityState === "hidden";
  }

  #online = () => this.#wake({ doubtful: true });

  #offline = () => this.#wake({ doubtful: true, offline: true });

  #seen = () => {
    if (this.#hidden) {
      this.#hiddenAt ??= timeOf(this.#surroundings);
      return;
    }
    const awayMs = this.#hiddenAt === null ? 0 : timeOf(this.#surroundings) - this.#hiddenAt;
    this.#hiddenAt = null;
    this.#tickedAt = timeOf(this.#surroundings);
    this.#wake({ doubtful: awayMs > AWAY_MS });
  };

  #look() {
    if (this.#hidden) return; // timers of hidden pages are late for other reasons, too
    const lateMs = timeOf(this.#surroundings) - this.#tickedAt - this.#tickMs;
    this.#tickedAt = timeOf(this.#surroundings);
    if (lateMs > LATE_MS) this.#wake({ doubtful: true });
    else this.#tick();
  }
}

/** Measures silence: while a command waits for its reply, and always on a connection with beats. */
export class Silence {
  /** @type {number | null} */
  #since = null;
  /** When the last frame came, on a connection with beats. @type {number | null} */
  #heardAt = null;
  #limitMs = SILENT_MS;

  /** Expect beats from now on. @param {number} now */
  expectBeats(now) {
    this.#heardAt = now;
  }

  /** @param {number} now */
  asked(now) {
    this.#since ??= now;
  }

  /** @param {number} now @param {number} waiting how many commands wait for a reply */
  heard(now, waiting) {
    this.#since = waiting ? now : null;
    if (this.#heardAt !== null) this.#heardAt = now;
    if (!waiting) this.#limitMs = SILENT_MS;
  }

  end() {
    this.#since = this.#heardAt = null;
  }

  /** Tell whether no beat has come for too long. */
  lacksBeats(/** @type {number} */ now) {
    if (this.#heardAt === null) return false;
    this.#heardAt = Math.min(this.#heardAt, now); // the clock may have been set back
    return now - this.#heardAt >= WITHOUT_BEAT_MS;
  }

  /** Tell whether the silence is too long. If it is, the limit doubles: the server may only be slow. */
  isTooLong(/** @type {number} */ now) {
    if (this.#since === null || now - this.#since < this.#limitMs) return false;
    this.#since = now;
    this.#limitMs = Math.min(2 * this.#limitMs, LONGEST_SILENCE_MS);
    return true;
  }
}
