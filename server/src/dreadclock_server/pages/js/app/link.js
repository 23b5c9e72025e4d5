// @ts-check
/** Finds the token of this page: in the address, in this tab's storage, or among the seats that this device keeps. */

/** @import { Link } from "../../client/dreadclock.js" */

import { keptSeats } from "./seats.js";
import { withStorage } from "./settings.js";

const TOKEN = /^#([\w-]{22}(?=[_-]*(?![\w-]))|[\w-]{16,})/; // other fragments are shorter; after a token, a bracket or the end of _italics_ may follow, no letter
const PLACE = /^(.*)\/([ro])\/([^/]+)\/?$/; // also matches a mistyped room: the server answers as for an unknown room

/**
 * Return the room of this page, and the token; null if the address has no room.
 *
 * A token in the fragment is moved from the address and its history entry to the tab's session storage. Without storage,
 * the token is lost at a reload.
 * @returns {Link | null}
 */
export function linkOfPage() {
  if (/%23[A-Za-z0-9_-]{16}/.test(location.pathname)) {
    history.replaceState(history.state, "", location.pathname.replace("%23", "#")); // some programs escape the #
  }
  const parts = PLACE.exec(location.pathname);
  if (!parts) return null;
  const [, path, kind, room] = parts;
  const isOverlay = kind === "o"; // an overlay is shown in streams, so it must not use a kept gm's seat
  return { server: location.origin + path, room, token: takenToken(room) || (isOverlay ? "" : keptToken(room)) };
}

/** Keep a token for this tab, and delete the log's sentences that were kept for another token. Return whether the browser stored it. @param {string} room @param {string} token */
export function keepToken(room, token) {
  if (tokenOfTab(room) !== token) forgetTold(room);
  return withStorage((storage) => (storage.setItem(nameOf(room), token), true)) ?? false;
}

/** Delete the token of a room and its stored sentences, because the token is not valid any more. @param {string} room */
export function forgetToken(room) {
  withStorage((storage) => storage.removeItem(nameOf(room)));
  forgetTold(room);
}

/** Return the prefix of the storage keys for a room's kept sentences. @param {string} room */
export function toldAt(room) {
  return `dreadclock:told/${room}/`;
}

/** Delete the kept sentences of a room: the seat of another link may not be allowed to read them. @param {string} room */
function forgetTold(room) {
  withStorage((storage) => {
    for (const name of Object.keys(storage)) if (name.startsWith(toldAt(room))) storage.removeItem(name);
  });
}

/** Reload the page when another link to it is pasted into the address bar. */
export function followPastedLinks() {
  addEventListener("hashchange", () => TOKEN.test(location.hash) && location.reload());
}

/** Return the token in the fragment, and remove it from the address and its history entry. Return "" without a token. The token may be invalid. */
export function takenFragment() {
  const token = TOKEN.exec(location.hash)?.[1] ?? "";
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

/** Return the token for a room: this tab's, or that of a seat that this device keeps. @param {string} room */
export function heldToken(room) {
  return tokenOfTab(room) || keptToken(room);
}

/** Return the token in the address, and store it for this tab. Without one, return the tab's. @param {string} room */
function takenToken(room) {
  const token = takenFragment();
  if (token) keepToken(room, token);
  return token || tokenOfTab(room);
}

/** Return the stored token of this tab; "" without one. @param {string} room */
function tokenOfTab(room) {
  return withStorage((storage) => storage.getItem(nameOf(room))) || "";
}

/**
 * Return the token of the seat that this device keeps in a room; "" without one. Of several seats, take the most
 * recently used.
 * @param {string} room
 */
function keptToken(room) {
  return keptSeats().find((seat) => seat.room === room)?.token ?? "";
}

/** Return the storage key of a room's token. @param {string} room */
function nameOf(room) {
  // Includes the frame's name, because the frames of a tab (as on the page of a demo room) share its storage.
  return `dreadclock:${room}${window.name.startsWith("in-play-") ? `:${window.name}` : ""}`;
}
