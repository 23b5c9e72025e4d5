// @ts-check
/** Opens a table in an element of a page, and draws it there until the page is left. */

/**
 * @import { Link } from "../../client/dreadclock.js"
 * @import { Greeting } from "./greeting.js"
 * @import { Role, Table as TableOfPage } from "./table.js"
 * @import { Words } from "./words.js"
 *
 * @typedef {object} Opening
 * @property {Greeting} [greeting] if the page has already started to connect
 * @property {() => void} [unauthorised] called if the link is not valid
 * @property {boolean} [knocked] whether another page embeds this table: people ask for seats (knock) on that page, and it keeps the links
 */

import { ConnectionEnded, ProtocolViolation } from "../../client/dreadclock.js";
import { soon, whatIsLoading } from "./controls.js";
import { greet, speechless } from "./greeting.js";
import { keepOnLeaving, recall } from "./kept.js";
import { listenForKeys } from "./keys.js";
import { forgetToken, keepToken } from "./link.js";
import { forgetSeat, noteSeat } from "./seats.js";
import { dress } from "./settings.js";
import { Table } from "./table.js";
import { CLOSE } from "../../client/limits.js";
import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { StagePlaceholder } from "../moments/coming.js";
import { frame } from "../parts/frame.js";
import { sentenceOf } from "../parts/line.js";
import { aboutSeat } from "../parts/people.js";
import "../parts/board.js"; // every role needs this module, so the page loads it at once

/** The labels for close codes after which a token is not valid any more. */
const FOR_GOOD = new Map([
  [CLOSE.UNAUTHORISED, "over.unauthorised"],
  [CLOSE.REVOKED, "over.revoked"],
  [CLOSE.ROOM_DELETED, "over.deleted"],
]);

/**
 * Open a room and draw it, or show why this failed.
 * @param {HTMLElement} root
 * @param {Link | null} link null: say that the address has no link; a link without a token: let the visitor ask for a seat
 * @param {Opening} [opening]
 */
export async function openTable(root, link, { greeting = greet(link), unauthorised = () => {}, knocked = false } = {}) {
  const words = await greeting.words;
  if (!words) return notice(root, null, speechless());
  if (!link) return notice(root, null, words.t("over.no_token"), words.t("over.paste"));
  if (!greeting.room) return ask(root, link, words);
  notice(root, null, words.t("connecting"));
  const table = new Table(root, words, frame);
  table.story.sentenceOf = sentenceOf;
  Object.assign(greeting.ears, ears(table));
  for (const violation of greeting.alarms) alarm(table, violation);
  table.ui.set("knocked", knocked);
  try {
    const room = await greeting.room;
    table.role = /** @type {Role} */ (await greeting.role);
    table.begin(room, recall(room, words));
    keepOnLeaving(table);
    listenForKeys(table);
    noteSeat(link, aboutSeat(table));
    const placeholder = new StagePlaceholder(table);
    table.stage = placeholder;
    new BroadcastChannel("dreadclock:sitting").onmessage = async (question) => (await import("./sitting.js")).answerTab(table, question);
    if (room.over instanceof ConnectionEnded) end(table, room.over);
    await complete(root);
    table.role.opened?.();
    if (room.role === "spectator") soon(() => setTimeout(() => placeholder.load())); // the latest roll, once the table is painted
  } catch (error) {
    console.warn(error);
    const opensNothing = error instanceof ConnectionEnded && FOR_GOOD.has(error.code ?? 0);
    if (opensNothing) {
      unauthorised();
      forgetSeat(link);
      if (!knocked) return ask(root, link, words, true);
    }
    notice(root, words.t("over.again"), ...reasons(error, words));
    if (error instanceof ConnectionEnded && error.retryMs) retry(root, error.retryMs, () => openTable(root, link, { unauthorised, knocked }));
  }
}

/**
 * Keep showing the current content of an element until the modules that draw the table are loaded. Otherwise the page would
 * jump at each module.
 * @param {HTMLElement} root
 */
async function complete(root) {
  const shown = [...root.children];
  root.before(...shown);
  root.style.display = "none";
  do await new Promise((resolve) => soon(() => resolve(null)));
  while (await whatIsLoading());
  for (const element of shown) element.remove();
  root.style.display = "";
}

/** Do something later, unless the page shows something else by then. @param {HTMLElement} root @param {number} ms @param {() => void} work */
function retry(root, ms, work) {
  const shown = root.firstElementChild;
  setTimeout(() => root.firstElementChild === shown && work(), ms);
}

/**
 * Let a visitor without a valid link ask for a seat, and open the room with that seat.
 * @param {HTMLElement} root
 * @param {Link} link
 * @param {Words} words
 * @param {boolean} [opensNothing] whether a link was tried and refused; the server does not say why
 */
async function ask(root, link, words, opensNothing = false) {
  try {
    const [{ asking }] = await Promise.all([import("../knock.js"), words.learn("knock"), dress("home"), dress("knock")]);
    asking(root, words, link, opensNothing, (token) => {
      keepToken(link.room, token);
      void openTable(root, { ...link, token }, { unauthorised: () => forgetToken(link.room) });
    });
  } catch (error) {
    console.warn(error);
    notice(root, words.t("over.again"), words.t("over.unreachable"));
  }
}

/** Return sentences about why no table can be shown. @param {unknown} error @param {Words} words */
function reasons(error, words) {
  if (error instanceof ProtocolViolation) return [words.t("alarm", { what: error.message })];
  const key = error instanceof ConnectionEnded && FOR_GOOD.get(error.code ?? 0);
  if (key) return [words.t(key), words.t("over.paste")];
  const { obstacle = "unreachable" } = error instanceof ConnectionEnded ? error : {};
  return [words.t(`over.${obstacle}`)];
}

/** Return the callbacks that pass a room's events to a table. @param {TableOfPage} table @returns {Greeting["ears"]} */
function ears(table) {
  return {
    onChange: (room, outputs) => table.hear(room, outputs),
    onEnd: (over) => end(table, over),
    onAlarm: (violation) => alarm(table, violation),
  };
}

/** Show a violation of the protocol as an alarm. @param {TableOfPage} table @param {Error} violation */
function alarm(table, violation) {
  console.warn(violation);
  table.warn(table.t("alarm", { what: violation.message }));
}

/** Show that the connection is over for good. @param {TableOfPage} table @param {ConnectionEnded} over */
function end(table, over) {
  if (!table.room) return;
  const why = FOR_GOOD.get(over.code ?? 0);
  if (why) forgetSeat(table.room.link); // its token is not valid any more
  table.over = table.t(why ?? "over.ended");
  table.redraw();
}

/**
 * Show sentences instead of a table.
 * @param {HTMLElement} root
 * @param {string | null} again the label of a button to try again; null: no button
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
