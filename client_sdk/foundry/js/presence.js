// @ts-check
/** Who of this world's users is at the table: each says so in a flag of their own, by room and seat. */

/** @typedef {{ room: string, seat: string, role: string }} Presence */

import { ID } from "./settings.js";

/** Return where a user last sat. @param {User | undefined} user @returns {Presence | undefined} */
export const presenceOf = (user) => user?.getFlag(ID, "seat");

/** Return the users who are here and sit at this table, the lowest id first. @param {string} room @returns {User[]} */
export function present(room) {
  const here = game.users.filter((user) => user.active && presenceOf(user)?.room === room);
  return here.sort((one, other) => (one.id < other.id ? -1 : 1));
}

const ANSWERED_WITHIN_MS = 10_000; // what Foundry was asked while its connection broke it never answers

/** @type {Promise<unknown>} the change before: a flag is the old one until Foundry has taken the new one */
let changed = Promise.resolve();
let latest = 0;

/** Say where this user sits now; nowhere without a place. @param {Presence | null} now @returns {Promise<unknown>} */
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
