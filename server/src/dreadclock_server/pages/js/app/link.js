// @ts-check
/** The token of a link: taken out of the address, and kept for this tab; or that of a seat which this device keeps. */

/** @import { Link } from "../../client/dreadclock.js" */

import { keptSeats } from "./seats.js";

const TOKEN = /^#([A-Za-z0-9_-]{16,})/; // longer than the id of any place on a page; quotes and the like may follow
const TOKEN_LENGTH = 22;
const PLACE = /^(.*)\/([ro])\/([^/]+)\/?$/; // a mistyped room is asked for, too: it is answered like an unknown one

/**
 * Say which room this page is about, and with which token; null if the address names no room.
 *
 * A token in the fragment goes into the tab's session storage and out of the address and its history entry. Where
 * there is no storage, it is used all the same, and a reload asks for the link again.
 * @returns {Link | null}
 */
export function linkOfPage() {
  if (/%23[A-Za-z0-9_-]{16}/.test(location.pathname)) {
    history.replaceState(history.state, "", location.pathname.replace("%23", "#")); // some programs escape the #
  }
  const parts = PLACE.exec(location.pathname);
  if (!parts) return null;
  const [, path, kind, room] = parts;
  const isOverlay = kind === "o"; // which shows a stream what its seat sees: never that of a kept gm
  return { server: location.origin + path, room, token: takenToken(room) || (isOverlay ? "" : keptToken(room)) };
}

/** Keep a token for this tab, as if it had come by a link, and tell whether the browser does. @param {string} room @param {string} token */
export function keepToken(room, token) {
  if (tokenOfTab(room) !== token) forgetTold(room);
  return withStorage((storage) => (storage.setItem(nameOf(room), token), true)) ?? false;
}

/** Forget the token of a room, which opens nothing any more. @param {string} room */
export function forgetToken(room) {
  withStorage((storage) => storage.removeItem(nameOf(room)));
  forgetTold(room);
}

/** Return how the names begin under which a tab keeps what seats were told in a room. @param {string} room */
export function toldAt(room) {
  return `dreadclock:told/${room}/`;
}

/** Forget what seats were told in a room: whoever comes with another link may not read it. @param {string} room */
function forgetTold(room) {
  withStorage((storage) => {
    for (const name of Object.keys(storage)) if (name.startsWith(toldAt(room))) storage.removeItem(name);
  });
}

/** Start afresh when another link to this page is pasted into the address. */
export function followPastedLinks() {
  addEventListener("hashchange", () => TOKEN.test(location.hash) && location.reload());
}

/** Take a token, be it a wrong one, out of the address and its history entry; empty if there is none in it. */
export function takenFragment() {
  const token = TOKEN.exec(location.hash)?.[1].slice(0, TOKEN_LENGTH) ?? "";
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

/** Return the token that opens a room here: this tab's, or that of a seat which this device keeps. @param {string} room */
export function heldToken(room) {
  return tokenOfTab(room) || keptToken(room);
}

/** @param {string} room */
function takenToken(room) {
  const token = takenFragment();
  if (token) keepToken(room, token);
  return token || tokenOfTab(room);
}

/** @param {string} room */
function tokenOfTab(room) {
  return withStorage((storage) => storage.getItem(nameOf(room))) || "";
}

/** Return the token of the seat in a room that this device keeps and saw last. @param {string} room */
function keptToken(room) {
  return keptSeats().find((each) => each.room === room)?.token ?? "";
}

/** @param {string} room */
function nameOf(room) {
  // The frames of one tab, such as those of a table in play, share its storage.
  return `dreadclock:${room}${window.name.startsWith("in-play-") ? `:${window.name}` : ""}`;
}

/**
 * Use what this tab keeps.
 * @template Value
 * @param {(storage: Storage) => Value} use
 * @returns {Value | null} null where the browser keeps nothing
 */
export function withStorage(use) {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
