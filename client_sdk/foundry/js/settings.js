// @ts-check
/**
 * The settings of the module, and who can read them.
 *
 *     links, heard, panel   client: this browser alone; links hold tokens
 *     table, seats          world: all browsers; the table's address and the users' seats, never a token
 *     chat, combat          world: the choices of the gm
 */

/**
 * @import { Link } from "../client/links.js"
 *
 * @typedef {{ server: string, room: string }} Address of the world's table
 * @typedef {{ room: string, seq: number }} Heard how far this user's browser has heard a room
 * @typedef {{ open?: boolean, left?: number, top?: number, width?: number }} Place of the panel
 * @typedef {"none" | "round" | "turn"} Ends which end in a combat also ends a turn of the table
 */

import { parseLink } from "../client/links.js";

export const ID = "dreadclock";

/** Declare all settings. @param {{ onTable: () => void }} changes */
export function registerSettings({ onTable }) {
  const kept = { scope: "client", config: false, type: Object, default: {} };
  for (const name of ["links", "heard", "panel"]) game.settings.register(ID, name, kept);
  game.settings.register(ID, "table", { scope: "world", config: false, type: Object, default: {}, onChange: onTable });
  game.settings.register(ID, "seats", { scope: "world", config: false, type: Object, default: {}, onChange: onTable });
  game.settings.register(ID, "chat", {
    ...{ scope: "world", config: true, type: Boolean, default: true },
    ...{ name: "DREADCLOCK.Setting.Chat", hint: "DREADCLOCK.Setting.ChatHint" },
  });
  game.settings.register(ID, "combat", {
    ...{ scope: "world", config: true, type: String, default: "round" },
    ...{ name: "DREADCLOCK.Setting.Combat", hint: "DREADCLOCK.Setting.CombatHint" },
    choices: {
      none: "DREADCLOCK.Setting.CombatNone",
      round: "DREADCLOCK.Setting.CombatRound",
      turn: "DREADCLOCK.Setting.CombatTurn",
    },
  });
}

/** Whether rolls come to the chat. @returns {boolean} */
export const showsRolls = () => game.settings.get(ID, "chat");

/** @returns {Ends} */
export const endsTurns = () => game.settings.get(ID, "combat");

/** Return the address of the world's table; null before a gm has set it. @returns {Address | null} */
export function worldTable() {
  const { server, room } = game.settings.get(ID, "table");
  return typeof server === "string" && typeof room === "string" ? { server, room } : null;
}

/** Store the address of the world's table. Only a gm may do this. @param {Address} address */
export async function setWorldTable({ server, room }) {
  const now = worldTable();
  if (now?.room !== room) await game.settings.set(ID, "seats", {});
  if (now?.server !== server || now.room !== room) await game.settings.set(ID, "table", { server, room });
}

/** Whose seat is whose, by user. @returns {{ readonly [user: string]: string }} */
export const seats = () => game.settings.get(ID, "seats");

/** Store which seat is a user's. Only a gm may do this. @param {string} user @param {string} seat */
export const setSeat = (user, seat) => game.settings.set(ID, "seats", { ...seats(), [user]: seat });

/** The link that this user has in this browser, if it leads to the world's table. @returns {Link | null} */
export function ownLink() {
  const text = own("links");
  const table = worldTable();
  const link = typeof text === "string" ? readLink(text) : null;
  return table && table.room !== link?.room ? null : link;
}

/** Return the parts of a link; null for another text. @param {string} text @returns {Link | null} */
export function readLink(text) {
  try {
    return parseLink(text);
  } catch {
    return null;
  }
}

/** Keep a link in this browser, for this user alone; null forgets it. @param {Link | null} link */
export const keepLink = (link) => keep("links", link && `${link.server}/r/${link.room}#${link.token}`);

/** @returns {Heard | null} */
export const heard = () => own("heard");

/** @param {Heard} now */
export const setHeard = (now) => keep("heard", now);

/** @returns {Place} */
export const place = () => own("panel") ?? {};

/** @param {Place} change */
export const setPlace = (change) => keep("panel", { ...place(), ...change });

/** Browsers keep client settings for all worlds of a host together, and for all users who log in there. */
const mine = () => `${game.world.id}/${game.userId}`;

/** @param {string} name @returns {any} */
const own = (name) => game.settings.get(ID, name)[mine()] ?? null;

/** @param {string} name @param {unknown} value */
function keep(name, value) {
  const { [mine()]: _, ...others } = game.settings.get(ID, name);
  return game.settings.set(ID, name, value === null ? others : { ...others, [mine()]: value });
}
