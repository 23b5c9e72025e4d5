// @ts-check
/**
 * Stores the seat of this browser for a room of Owlbear Rodeo.
 *
 * The seat, with its token, is in the browser's storage. The metadata of Owlbear Rodeo's room have only the id of our room,
 * because all its players can read and write them. With this id, people can only knock.
 */

/** @typedef {{ room: string, token: string }} Seat */

const ROOM = /^[a-z2-7]{26}$/;
const METADATA = "dreadclock/table"; // {room}

/** Return the room id in metadata; null without a valid id. @param {Record<string, unknown>} metadata */
export function roomIn(metadata) {
  const room = /** @type {any} */ (metadata[METADATA])?.room;
  return typeof room === "string" && ROOM.test(room) ? room : null;
}

/** Return the metadata with a room id. @param {string} room */
export function naming(room) {
  return { [METADATA]: { room } };
}

/** The stored seat for a room of Owlbear Rodeo. */
export class Kept {
  #name;

  /** @param {string} table the id of Owlbear Rodeo's room */
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
