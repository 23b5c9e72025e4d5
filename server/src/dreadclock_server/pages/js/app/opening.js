// @ts-check
/** Opening a table in an element of a page, and drawing it there until the page is left. */

/**
 * @import { Link } from "../../client/dreadclock.js"
 * @import { Role, Table as TableOfPage } from "./table.js"
 * @import { Words } from "./words.js"
 *
 * @typedef {object} Opening
 * @property {() => void} [unauthorised] called if the link opens nothing
 * @property {boolean} [knocked] whether people come to this page by knocking, and it keeps their seats
 */

import { ConnectionEnded, ProtocolViolation, connect } from "../../client/dreadclock.js";
import { keepOnLeaving, recall } from "./kept.js";
import { listenForKeys } from "./keys.js";
import { forgetToken, keepToken } from "./link.js";
import { forgetSeat, noteSeat } from "./seats.js";
import { dress, language } from "./settings.js";
import { Table } from "./table.js";
import { loadWords } from "./words.js";
import { CLOSE } from "../../client/limits.js";
import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { frame } from "../parts/frame.js";
import { aboutSeat } from "../parts/keeping.js";
import { spectator } from "../parts/spectator.js";

const ROLES = {
  gm: () => import("../gm/page.js"),
  player: () => import("../player/page.js"),
};
const FOR_GOOD = new Map([
  [CLOSE.UNAUTHORISED, "over.unauthorised"],
  [CLOSE.REVOKED, "over.revoked"],
  [CLOSE.ROOM_DELETED, "over.deleted"],
]);

// no words came: these need none
const SPEECHLESS = "The server cannot be reached. Reload the page to try again.";
const SPEECHLESS_DE = "Der Server ist nicht zu erreichen. Lade die Seite neu, um es noch einmal zu versuchen.";

/**
 * Open a room and draw it; what went wrong is said in its place.
 * @param {HTMLElement} root
 * @param {Link | null} link without a token it is said that there is none
 * @param {Opening} [opening]
 */
export async function openTable(root, link, { unauthorised = () => {}, knocked = false } = {}) {
  /** @type {TableOfPage | null} */ let table = null;
  const greeting = link?.token ? greet(link, () => table) : null; // under way while the words come
  const words = await loadWords("table").catch(() => null);
  if (!words) return notice(root, null, language() === "de" ? SPEECHLESS_DE : SPEECHLESS);
  if (!link) return notice(root, null, words.t("over.no_token"), words.t("over.paste"));
  if (!greeting) return ask(root, link, words);
  notice(root, null, words.t("connecting"));
  table = new Table(root, words, frame);
  table.ui.set("knocked", knocked);
  try {
    const room = await greeting;
    table.role = await roleOf(room.role, words);
    table.begin(room, recall(room, words));
    keepOnLeaving(table);
    listenForKeys(table);
    noteSeat(link, aboutSeat(table));
    light(table).catch(() => {});
    if (room.over instanceof ConnectionEnded) end(table, room.over);
  } catch (error) {
    console.warn(error);
    if (error instanceof ConnectionEnded && error.code === CLOSE.UNAUTHORISED) unauthorised();
    forgetIfGone(link, error);
    notice(root, words.t("over.again"), ...reasons(error, words));
  }
}

/** Bring the stage for what happens from now on; without it all is seen at once. @param {TableOfPage} table */
async function light(table) {
  const [{ setStage }] = await Promise.all([import("../moments/page.js"), table.words.learn("moments"), dress("moments")]);
  setStage(table);
}

/**
 * Let whoever has no link ask for a seat, and open the room with it.
 * @param {HTMLElement} root
 * @param {Link} link
 * @param {Words} words
 */
async function ask(root, link, words) {
  try {
    const [{ asking }] = await Promise.all([import("../knock.js"), words.learn("knock"), dress("knock")]);
    asking(root, words, link, (token) => {
      keepToken(link.room, token);
      void openTable(root, { ...link, token }, { unauthorised: () => forgetToken(link.room) });
    });
  } catch (error) {
    console.warn(error);
    notice(root, words.t("over.again"), words.t("over.unreachable"));
  }
}

/** Forget a kept seat that opens nothing any more. @param {Link} link @param {unknown} error */
function forgetIfGone(link, error) {
  if (error instanceof ConnectionEnded && FOR_GOOD.has(error.code ?? 0)) forgetSeat(link);
}

/** Say in sentences why there is no table to show. @param {unknown} error @param {Words} words */
function reasons(error, words) {
  if (error instanceof ProtocolViolation) return [words.t("alarm", { what: error.message })];
  const known = error instanceof ConnectionEnded && FOR_GOOD.get(error.code ?? 0);
  return known ? [words.t(known), words.t("over.paste")] : [words.t("over.unreachable")];
}

/** @param {Link} link @param {() => TableOfPage | null} table as soon as there is one */
function greet(link, table) {
  const greeting = connect(link, {
    onChange: (room, outputs) => table()?.hear(room, outputs),
    onEnd: (over) => end(table(), over),
    onAlarm: (violation) => alarm(table(), violation),
    client: { name: "dreadclock-page" },
    knocks: true, // of which only a gm hears
  });
  greeting.catch(() => {}); // whoever waits for it hears of it
  return greeting;
}

/** Load what only one role sees. @param {string} role @param {Words} words @returns {Promise<Role>} */
export async function roleOf(role, words) {
  if (role !== "gm" && role !== "player") return spectator;
  const [{ page }] = await Promise.all([ROLES[role](), words.learn(role), dress(role)]);
  return page;
}

/** @param {TableOfPage | null} table @param {Error} violation */
function alarm(table, violation) {
  console.warn(violation);
  if (!table) return;
  table.warn(table.t("alarm", { what: violation.message }));
}

/** @param {TableOfPage | null} table @param {ConnectionEnded} over */
function end(table, over) {
  if (!table?.room) return;
  forgetIfGone(table.room.link, over);
  table.over = table.t(FOR_GOOD.get(over.code ?? 0) ?? "over.ended");
  table.redraw();
}

/**
 * Show sentences instead of a table.
 * @param {HTMLElement} root
 * @param {string | null} again a button to try once more
 * @param {...string} sentences
 */
function notice(root, again, ...sentences) {
  render(
    html`<main class="notice">
      <h1>Dreadclock</h1>
      ${sentences.map((sentence) => html`<p role="status">${sentence}</p>`)}
      ${again ? html`<p><button class="button" @click=${() => location.reload()}>${again}</button></p>` : nothing}
    </main>`,
    root,
  );
}
