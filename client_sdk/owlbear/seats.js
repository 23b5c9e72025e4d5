// @ts-check
/**
 * What a browser keeps for a table of Owlbear Rodeo's: its seat there.
 *
 * It lies in the browser's own storage. The host's metadata, which all of its players read and write, names the room
 * alone: whoever knows that can knock, and no more.
 */

/** @typedef {{ room: string, token: string }} Seat */

const ROOM = /^[a-z2-7]{26}$/;
const METADATA = "dreadclock/table"; // {room}

/** Return the room that a table of the host's plays in, null if none is named. @param {Record<string, unknown>} metadata */
export function roomIn(metadata) {
  const room = /** @type {any} */ (metadata[METADATA])?.room;
  return typeof room === "string" && ROOM.test(room) ? room : null;
}

/** Return the metadata that name a room. @param {string} room */
export function naming(room) {
  return { [METADATA]: { room } };
}

/** What is kept for one table of the host's. */
export class Kept {
  #name;

  /** @param {string} table its id at the host */
  constructor(table) {
    this.#name = `dreadclock:owlbear:${table}:seat`;
  }

  /** The seat at the table; null if none is stored. @returns {Seat | null} */
  get seat() {
    try {
      const { room, token } = JSON.parse(localStorage.getItem(this.#name) ?? "{}");
      return typeof token === "string" && ROOM.test(room) ? { room, token } : null;
    } catch {
      return null; // there is no storage, or another value is stored there
    }
  }

  set seat(seat) {
    try {
      if (seat) localStorage.setItem(this.#name, JSON.stringify(seat));
      else localStorage.removeItem(this.#name);
    } catch {
      // Without storage, the seat is kept until the popover is closed.
    }
  }
}
