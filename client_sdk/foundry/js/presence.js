// @ts-check
/** Which users of this world are connected to the table: each client stores room and seat in a flag of its user. */

/** @typedef {{ room: string, seat: string, role: string }} Presence */

import { ID } from "./settings.js";

/** Return the room and seat of a user; undefined if there is none. @param {User | undefined} user @returns {Presence | undefined} */
export const presenceOf = (user) => user?.getFlag(ID, "seat");

/** Return the active users with a seat in a room, the lowest id first. @param {string} room @returns {User[]} */
export function present(room) {
  const here = game.users.filter((user) => user.active && presenceOf(user)?.room === room);
  return here.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const ANSWERED_WITHIN_MS = 10_000; // Foundry never answers a request during which its connection broke

/** The latest change of the flag: the next change waits for it. @type {Promise<unknown>} */
let changed = Promise.resolve();
let latest = 0;

/** Publish the room and seat of this user; null: no seat. @param {Presence | null} now @returns {Promise<unknown>} */
export function appear(now) {
  const mine = ++latest;
  changed = changed.catch(() => {}).then(() => (mine === latest ? answered(change(now)) : undefined));
  return changed;
}

/** Wait for an answer, but not for ever. @param {Promise<unknown>} answer */
async function answered(answer) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  const late = new Promise((done) => (timer = setTimeout(done, ANSWERED_WITHIN_MS)));
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** @param {Presence | null} now */
async function change(now) {
  const before = presenceOf(game.user);
  if (now === null) return before && game.user.unsetFlag(ID, "seat");
  const { room, seat, role } = now;
  if (before?.room === room && before.seat === seat && before.role === role) return;
  await game.user.setFlag(ID, "seat", { room, seat, role });
}
