// @ts-check
/**
 * Noticing that a connection may have died without a word.
 *
 * After sleep, a change of networks or a NAT entry that was dropped, a websocket looks open until the browser gives up
 * sending: after 45 s to 10 minutes. Scripts see no pings, so the server is asked for `beat` frames.
 */

/**
 * What tells of sleep and networks: `window` in browsers, and nothing but the clock elsewhere.
 * @typedef {object} Surroundings
 * @property {EventTarget["addEventListener"]} [addEventListener] for `online` and `offline`
 * @property {EventTarget["removeEventListener"]} [removeEventListener]
 * @property {EventTarget & { visibilityState: string }} [document] for `visibilitychange`
 * @property {{ userAgent?: string }} [navigator] which browser this is
 * @property {() => number} [now] in ms, and going on while the machine sleeps
 * @property {number} [tickMs] between two looks at the clock
 */

const TICK_MS = 5_000;
const LATE_MS = 15_000; // of a look at the clock: nothing but sleep makes it that late in a page that is seen
const SILENT_MS = 10_000; // that a command has to wait before its connection is doubted
const LONGEST_SILENCE_MS = 120_000;
const WITHOUT_BEAT_MS = 45_000; // two beats, which come every 20 s, and some time on the way
const AWAY_MS = 15_000; // that a page was out of sight: browsers stop such a page when they like

/** Return the time in ms. It goes on in sleep, and jumps when the clock is set: that costs a needless look. */
export function timeOf(/** @type {Surroundings} */ { now = Date.now }) {
  return now();
}

/** Tell whether this is Firefox, which delays new websockets by up to a minute after failures. */
export function delaysWebsockets(/** @type {Surroundings} */ { navigator }) {
  return /\bGecko\/\d/.test(navigator?.userAgent ?? ""); // others say "like Gecko"
}

/** Says when to look whether a connection lives, and calls `tick` now and then while somebody could see the page. */
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
   * @param {(live: { doubtful: boolean, offline?: boolean }) => void} wake `doubtful`: what is open may be dead
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
    if (this.#hidden) return; // its timers are late for other reasons, too
    const lateMs = timeOf(this.#surroundings) - this.#tickedAt - this.#tickMs;
    this.#tickedAt = timeOf(this.#surroundings);
    if (lateMs > LATE_MS) this.#wake({ doubtful: true });
    else this.#tick();
  }
}

/** How long nothing was heard: while a command waits for its reply, and at all on a connection with beats. */
export class Silence {
  /** @type {number | null} */
  #since = null;
  /** When the last frame came, where beats are due. @type {number | null} */
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

  /** Tell whether beats stayed out for too long. */
  lacksBeats(/** @type {number} */ now) {
    if (this.#heardAt === null) return false;
    this.#heardAt = Math.min(this.#heardAt, now); // the clock may have been set back
    return now - this.#heardAt >= WITHOUT_BEAT_MS;
  }

  /** Tell whether it is too long. From then on it may be twice as long: the server may just take its time. */
  isTooLong(/** @type {number} */ now) {
    if (this.#since === null || now - this.#since < this.#limitMs) return false;
    this.#since = now;
    this.#limitMs = Math.min(2 * this.#limitMs, LONGEST_SILENCE_MS);
    return true;
  }
}
