// @ts-check
/** One websocket, whose frames are awaited one by one. */

export const NO_CODE = 1006; // stands for a connection that ended without a word

/** A websocket was closed; `code` is null if this side did it. */
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
    /** When the first frame is there, or none will ever be. @type {Promise<void>} */
    this.heard = new Promise((resolve) => (this.#settle = resolve));
    socket.onmessage = (event) => {
      this.#frames.push(event.data);
      this.#settle();
      this.#wake();
    };
    socket.onclose = (event) => this.#end(new Closed(event.code, event.reason));
    // The close that tells the code follows at once, but Node.js 20 sends none where nobody answers.
    socket.onerror = () => setTimeout(() => this.#end(new Closed(NO_CODE, "")));
  }

  /** @param {string} frame */
  send(frame) {
    this.#socket.send(frame);
  }

  /** Return the next frame. Throws Closed once there is none and will be none. */
  async next() {
    while (!this.#frames.length) {
      if (this.#closed) throw this.#closed;
      await /** @type {Promise<void>} */ (new Promise((resolve) => (this.#wake = resolve)));
    }
    return this.#frames.shift();
  }

  /** Hear no more, while the other side still takes it for open. */
  leave() {
    this.#frames = [];
    this.#end(new Closed(null, "left by this side"));
  }

  /** Close without waiting for the other side, which may be out of reach. @param {string} [why] */
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
 * Wait for a promise, for as long as that.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {number | undefined} ms without an end unless given
 * @param {() => unknown} late makes what is thrown then
 * @returns {Promise<Value>}
 */
export function within(promise, ms, late) {
  if (ms === undefined) return promise;
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(late()), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timeout));
  });
}
