// @ts-check
/** A websocket whose frames are read one by one. */

export const NO_CODE = 1006; // close code of a connection that ended without a close frame

/** A websocket was closed. `code`: null if this side closed it. */
export class Closed extends Error {
  /** @param {number | null} code @param {string} reason */
  constructor(code, reason) {
    super(reason);
    this.code = code;
    this.reason = reason;
  }
}

export class Line {
  #socket;
  /** @type {unknown[]} */
  #frames = [];
  /** @type {Closed | null} */
  #closed = null;
  #wake = () => {};
  #settle = () => {};

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.#socket = socket;
    /** @type {Promise<void>} */
    this.opened = new Promise((resolve, reject) => {
      socket.onopen = () => resolve();
      this.#wake = () => this.#closed && reject(this.#closed);
    });
    /** Resolves when the first frame has arrived, or the websocket has ended. @type {Promise<void>} */
    this.heard = new Promise((resolve) => (this.#settle = resolve));
    socket.onmessage = (event) => {
      this.#frames.push(event.data);
      this.#settle();
      this.#wake();
    };
    socket.onclose = (event) => this.#end(new Closed(event.code, event.reason));
    // Usually a close event with the code follows at once. Node.js 20 sends none if the server does not answer.
    socket.onerror = () => setTimeout(() => this.#end(new Closed(NO_CODE, "")));
  }

  /** @param {string} frame */
  send(frame) {
    this.#socket.send(frame);
  }

  /** Return the next frame. Throws Closed after the last frame. */
  async next() {
    while (!this.#frames.length) {
      if (this.#closed) throw this.#closed;
      await /** @type {Promise<void>} */ (new Promise((resolve) => (this.#wake = resolve)));
    }
    return this.#frames.shift();
  }

  /** Ignore further frames, without closing the websocket. */
  leave() {
    this.#frames = [];
    this.#end(new Closed(null, "left by this side"));
  }

  /** Close without waiting for the other side, which may be unreachable. @param {string} [why] */
  close(why = "closed by this side") {
    this.#end(new Closed(null, why));
    this.#socket.close();
  }

  /** @param {Closed} closed */
  #end(closed) {
    this.#closed ??= closed;
    this.#socket.onmessage = null;
    this.#settle();
    this.#wake();
  }
}

/**
 * Wait for a promise, at most `ms`.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {number | undefined} ms by default no limit
 * @param {() => unknown} late makes the error for a timeout
 * @returns {Promise<Value>}
 */
export function within(promise, ms, late) {
  if (ms === undefined) return promise;
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(late()), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timeout));
  });
}
