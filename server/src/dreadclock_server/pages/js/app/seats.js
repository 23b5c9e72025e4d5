// @ts-check
/**
 * The seats that this device keeps, in the browser's lasting storage, because somebody said so.
 *
 * A kept token is a key that lies about: whoever uses this browser sits there. So a seat is kept without another question
 * only where a room is opened on the device's own first page, by whoever sits before it; never where a link was
 * followed, which is how one looks in on a borrowed phone. There it takes one press.
 */

/**
 * @import { Link } from "../../client/dreadclock.js"
 *
 * @typedef {object} About what is known of a seat once its table was seen
 * @property {string} [title] of the room
 * @property {string} [role]
 * @property {string} [name]
 * @property {string} [seat] its id
 *
 * @typedef {Link & About & { seen: number }} KeptSeat `seen`: when its table was last opened, in milliseconds since 1970
 */

const NAME = "dreadclock:seats";
const MOST = 60;

/** Return the seats that are kept, the one seen last first; none where the browser keeps nothing. @returns {KeptSeat[]} */
export function keptSeats() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? found.filter(isSeat).sort((one, other) => other.seen - one.seen) : [];
  } catch {
    return [];
  }
}

/** Tell whether a seat is kept. @param {Link} link */
export function isKept(link) {
  return keptSeats().some((each) => isSame(each, link));
}

/**
 * Tell whether this browser deletes what a page keeps after seven days without a visit, as Safari and every browser of
 * iOS do, unless the page was added to the home screen.
 */
export function forgetsSeats() {
  return navigator.vendor.startsWith("Apple") && !matchMedia("(display-mode: standalone)").matches;
}

/**
 * Keep a seat, in place of another link to it, and tell whether the browser does. The browser is asked not to delete it
 * when space is short.
 * @param {Link} link @param {About} [about]
 */
export function keepSeat({ server, room, token }, about = {}) {
  const seat = { server, room, token, ...about, seen: Date.now() };
  const others = keptSeats().filter((each) => !isSame(each, seat) && !(each.room === room && each.seat && each.seat === seat.seat));
  navigator.storage?.persist?.().catch(() => {}); // without TLS there is no such storage
  return write([seat, ...others].slice(0, MOST));
}

/** Note what is known of a seat, if it is kept. @param {Link} link @param {About} about */
export function noteSeat(link, about) {
  if (isKept(link)) keepSeat(link, about);
}

/** Forget a seat. @param {Link} link */
export function forgetSeat(link) {
  const seats = keptSeats();
  const others = seats.filter((each) => !isSame(each, link));
  if (others.length < seats.length) write(others);
}

/** Forget all seats. */
export function forgetSeats() {
  write([]);
}

/** @param {KeptSeat[]} seats */
function write(seats) {
  try {
    if (seats.length) localStorage.setItem(NAME, JSON.stringify(seats));
    else localStorage.removeItem(NAME);
    return true;
  } catch {
    return false; // there is no storage, or it is full
  }
}

/** @param {Link} one @param {Link} other */
function isSame(one, other) {
  return one.room === other.room && one.token === other.token;
}

/** @param {any} found */
function isSeat(found) {
  const { server, room, token, seen, title = "", name = "", role = "", seat = "" } = found ?? {};
  return [server, room, token, title, name, role, seat].every((each) => typeof each === "string") && typeof seen === "number";
}
