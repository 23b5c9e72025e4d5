// @ts-check
/**
 * The seats that this device keeps in the browser's local storage.
 *
 * Everybody who uses this browser can use a kept seat. So the page keeps a seat by itself only if the visitor opens a new
 * room on the first page. A visitor who followed a link, for example on a borrowed phone, has to press a button to keep the
 * seat.
 */

/**
 * @import { Link } from "../../client/dreadclock.js"
 *
 * @typedef {object} About data about a seat, from its table
 * @property {string} [title] the title of the room
 * @property {string} [role]
 * @property {string} [name]
 * @property {string} [seat] the id of the seat
 *
 * @typedef {Link & About & { seen: number }} KeptSeat `seen`: when its table was last opened, in milliseconds since 1970
 */

import { store, stored } from "./settings.js";

const NAME = "dreadclock:seats";
const MOST = 60;

/** Return the kept seats, the most recently used first; none if the browser has no storage. @returns {KeptSeat[]} */
export function keptSeats() {
  const seats = stored(NAME);
  return Array.isArray(seats) ? seats.filter(isSeat).sort((a, b) => b.seen - a.seen) : [];
}

/** Tell whether a seat is kept. @param {Link} link */
export function isKept(link) {
  return keptSeats().some((seat) => isSame(seat, link));
}

/**
 * Tell whether this browser deletes stored data after seven days without a visit. Safari and all browsers on iOS do, unless
 * the page was added to the home screen.
 */
export function forgetsSeats() {
  return navigator.vendor.startsWith("Apple") && !matchMedia("(display-mode: standalone)").matches;
}

/**
 * Keep a seat. Another kept link to the same seat is replaced. Return whether the browser stored the seat. Also ask the
 * browser not to delete its storage when disk space is low.
 * @param {Link} link @param {About} [about]
 */
export function keepSeat({ server, room, token }, about = {}) {
  const seat = { server, room, token, ...about, seen: Date.now() };
  const others = keptSeats().filter((kept) => !isSame(kept, seat) && !(kept.room === room && kept.seat && kept.seat === seat.seat));
  navigator.storage?.persist?.().catch(() => {}); // not available without TLS
  return store(NAME, [seat, ...others].slice(0, MOST));
}

/** For a kept seat, store new data and the time of this use. @param {Link} link @param {About} about */
export function noteSeat(link, about) {
  if (isKept(link)) keepSeat(link, about);
}

/** Forget a seat. @param {Link} link */
export function forgetSeat(link) {
  const seats = keptSeats();
  const others = seats.filter((seat) => !isSame(seat, link));
  if (others.length < seats.length) store(NAME, others.length ? others : null);
}

/** Forget all seats. */
export function forgetSeats() {
  store(NAME, null);
}

/** Tell whether two links have the same room and token. @param {Link} seat @param {Link} other */
function isSame(seat, other) {
  return seat.room === other.room && seat.token === other.token;
}

/** Tell whether a stored value has the form of a kept seat. @param {any} value */
function isSeat(value) {
  const { server, room, token, seen, title = "", name = "", role = "", seat = "" } = value ?? {};
  return [server, room, token, title, name, role, seat].every((field) => typeof field === "string") && typeof seen === "number";
}
