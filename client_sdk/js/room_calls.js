// @ts-check
// Written by scripts/generate_js_types.py: change wire/calls.py, not this file.

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Link } from "./links.js"
 */

import { callRoom } from "./calling.js";

/**
 * Make a token for a new or an existing seat. Only a gm may.
 * @param {string | Link} link
 * @param {T.Invite} body
 * @returns {Promise<T.Grant>}
 */
export function invite(link, body) {
  return callRoom("POST", link, `/invites`, body);
}

/**
 * List the room's tokens, never their secrets. Only a gm may.
 * @param {string | Link} link
 * @returns {Promise<T.TokenInfo[]>}
 */
export function tokens(link) {
  return callRoom("GET", link, `/tokens`);
}

/**
 * Return the size of the room's log, and its limit. Only a gm may.
 * @param {string | Link} link
 * @returns {Promise<T.RoomSize>}
 */
export function roomSize(link) {
  return callRoom("GET", link, `/size`);
}

/**
 * List addresses at which other devices reach the server. Only a gm may.
 * @param {string | Link} link
 * @returns {Promise<T.Addresses>}
 */
export function addresses(link) {
  return callRoom("GET", link, `/addresses`);
}

/**
 * List commands that the caller may undo, newest first.
 * @param {string | Link} link
 * @returns {Promise<T.Undoable[]>}
 */
export function undoable(link) {
  return callRoom("GET", link, `/undoable`);
}

/**
 * Revoke a token and close its connections. Only a gm may.
 * @param {string | Link} link
 * @param {string} tokenId
 * @returns {Promise<void>}
 */
export function revoke(link, tokenId) {
  return callRoom("DELETE", link, `/tokens/${encodeURIComponent(tokenId)}`);
}

/**
 * Make a link to a recap of what was public so far. Only a gm may.
 * @param {string | Link} link
 * @returns {Promise<T.RecapGrant>}
 */
export function shareRecap(link) {
  return callRoom("POST", link, `/recaps`);
}

/**
 * List the links to recaps. Only a gm may.
 * @param {string | Link} link
 * @returns {Promise<T.SharedRecap[]>}
 */
export function recaps(link) {
  return callRoom("GET", link, `/recaps`);
}

/**
 * Revoke a link to a recap. Only a gm may.
 * @param {string | Link} link
 * @param {string} recapId
 * @returns {Promise<void>}
 */
export function withdrawRecap(link, recapId) {
  return callRoom("DELETE", link, `/recaps/${encodeURIComponent(recapId)}`);
}

/**
 * List the knocks that wait for an answer. Only a gm may.
 * @param {string | Link} link
 * @returns {Promise<T.WaitingKnock[]>}
 */
export function knocks(link) {
  return callRoom("GET", link, `/knocks`);
}

/**
 * Accept or turn away a knock. Only a gm may.
 * @param {string | Link} link
 * @param {string} knock
 * @param {T.KnockAnswer} body
 * @returns {Promise<T.KnockState>}
 */
export function answerKnock(link, knock, body) {
  return callRoom("POST", link, `/knocks/${encodeURIComponent(knock)}/answer`, body);
}

/**
 * Delete the room; `confirm` must be its title. Only a gm may.
 * @param {string | Link} link
 * @param {string} confirm
 * @returns {Promise<void>}
 */
export function deleteRoom(link, confirm) {
  return callRoom("DELETE", link, `?confirm=${encodeURIComponent(confirm)}`);
}
