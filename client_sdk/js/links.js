// @ts-check
/** Links: `http://host:port/r/ROOM#TOKEN` opens a seat at a table. The part after the `#` never leaves the browser. */

/**
 * @typedef {object} Link a room on a server, and the token that opens a seat in it
 * @property {string} server an http or https address without query and fragment
 * @property {string} room its id
 * @property {string} token
 */

const LINK = /^(https?:\/\/[^/?#\s]+)((?:\/[^?#\s]*)?)\/r\/([a-z2-7]{26})\/?#([A-Za-z0-9_-]{1,80})$/;

/**
 * Return the parts of a link. Throws TypeError for a malformed link. The message does not show the token.
 * @param {string} link
 * @returns {Link}
 */
export function parseLink(link) {
  const parts = LINK.exec(link.trim());
  if (!parts) throw new TypeError("a link to a room looks like http://host:port/r/ROOM#TOKEN");
  const [, host, path, room, token] = parts;
  return { server: host + path.replace(/\/+$/, ""), room, token };
}

/** Return the address of a room's websocket, without the token. @param {Link} link */
export function websocketOf({ server, room }) {
  return `${server.replace(/^http/, "ws").replace(/\/+$/, "")}/ws/${room}`;
}
