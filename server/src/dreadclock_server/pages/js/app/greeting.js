// @ts-check
/** Connects to a room early, and loads the modules of the role, while the rest of the page is still loading. */

/** @import { Link, Options } from "../../client/dreadclock.js" @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof greet>} Greeting */

import { connect } from "../../client/dreadclock.js";
import { ASSETS, dress, language } from "./settings.js";
import { loadWords } from "./words.js";

// the message if the labels cannot be loaded
const SPEECHLESS = "The server cannot be reached. Reload the page to try again.";
const SPEECHLESS_DE = "Der Server ist nicht zu erreichen. Lade die Seite neu, um es noch einmal zu versuchen.";

const PAGES = {
  gm: () => import("../gm/page.js"),
  player: () => import("../player/page.js"),
};

/**
 * Start to connect to a room, if the link has a token. Return promises of the labels, of the room and of the role's page.
 * The page sets the callbacks in `ears` once it can draw. Until then, violations of the protocol are collected in `alarms`.
 * @param {Link | null} link
 */
export function greet(link) {
  const words = loadWords("table").catch(() => null);
  /** The violations before the page set its callbacks. @type {Error[]} */ const alarms = [];
  /** @type {Options} */ const ears = { onAlarm: (violation) => alarms.push(violation) };
  if (!link?.token) return { words, room: null, role: undefined, ears, alarms };
  const room = connect(link, {
    onChange: (...args) => ears.onChange?.(...args),
    onEnd: (over) => ears.onEnd?.(over),
    onAlarm: (violation) => ears.onAlarm?.(violation),
    client: { name: "dreadclock-page" },
    knocks: true, // only a gm gets knocks (requests for seats)
  });
  const role = room.then((connected) => roleOf(connected.role, words));
  for (const promise of [room, role]) promise.catch(() => {}); // avoids an "unhandled rejection": later code awaits the promise and handles its error
  return { words, room, role, ears, alarms };
}

/** Return a sentence that the server cannot be reached, for use without labels. */
export function speechless() {
  return language() === "de" ? SPEECHLESS_DE : SPEECHLESS;
}

/**
 * Load the modules and labels of a role, and return its page.
 * @param {string} role @param {Words | null | Promise<Words | null>} words @returns {Promise<import("./table.js").Role>}
 */
export async function roleOf(role, words) {
  preload(role);
  if (role !== "gm" && role !== "player") return (await import("../parts/spectator.js")).spectator;
  const learned = Promise.resolve(words).then((spoken) => spoken?.learn(role));
  const [{ page }] = await Promise.all([PAGES[role](), learned, dress(role)]);
  return page;
}

/** Request all modules of a role's page at once, if the HTML document lists these modules. @param {string} role */
function preload(role) {
  const named = document.querySelector(`meta[name="modules-${role}"]`)?.getAttribute("content") ?? "";
  for (const address of named.split(" ").filter(Boolean)) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = ASSETS + address;
    document.head.append(link);
  }
}
