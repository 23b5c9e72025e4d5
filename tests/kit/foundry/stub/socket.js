/** The connection to the stub's host: wishes with replies, and what everybody is told. */

export class Connection {
  #socket;
  #n = 0;
  #waiting = new Map();

  constructor(user, hear) {
    this.#socket = new WebSocket(`ws://${location.host}/socket?user=${user}`);
    this.#socket.onmessage = ({ data }) => this.#take(JSON.parse(data), hear);
  }

  /** Ask for something. Rejects if it is denied. */
  do(op, fields) {
    const n = ++this.#n;
    this.#socket.send(JSON.stringify({ n, op, ...fields }));
    return new Promise((resolve, reject) => this.#waiting.set(n, { resolve, reject }));
  }

  /** Ask another user's client. Rejects if it does not answer in time. */
  async query(to, name, data, timeout = 30_000) {
    const n = this.#n + 1;
    const answered = new Promise((resolve, reject) => {
      this.#waiting.set(`answer ${n}`, { resolve });
      setTimeout(() => reject(new Error("nobody answered")), timeout);
    });
    answered.catch(() => {});
    await this.do("query", { to, name, data });
    return answered;
  }

  #take(frame, hear) {
    const key = frame.type === "reply" ? frame.n : frame.type === "answer" ? `answer ${frame.n}` : null;
    if (key === null) return hear(frame);
    const { resolve, reject } = this.#waiting.get(key) ?? {};
    this.#waiting.delete(key);
    if (frame.error) reject?.(new Error(frame.error));
    else resolve?.(frame.value);
  }
}
