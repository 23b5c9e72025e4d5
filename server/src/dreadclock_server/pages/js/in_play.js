// @ts-check
/** The page of a demo room, where a script plays a story. `/in-play/ROOM#GM.PLAYER.SPECTATOR` has the tokens of three seats. */

/**
 * @typedef {{ state: "playing" | "paused" | "over" | "stopped", caption?: string, fast: boolean, after?: number, about?: string, ends_at?: number }} State
 * @typedef {{ server: string, room: string, tokens: string[] }} Seats
 */

import { Refused } from "../client/errors.js";
import { call } from "../client/rest.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { button } from "./app/controls.js";
import { applyTheme, theme, withStorage } from "./app/settings.js";
import { Table } from "./app/table.js";
import { loadWords } from "./app/words.js";
import { haveSeen, pointAt } from "./in_play/pointing.js";

const LATEST = "dreadclock:in-play"; // storage key of the room's id: with it, the first page links back here
const PLACE = /^(.*)\/in-play\/([a-z2-7]{26})\/?$/;
const TOKENS = /^[A-Za-z0-9_-]{16,80}(?:\.[A-Za-z0-9_-]{16,80}){2}$/;
const ROLES = /** @type {const} */ (["gm", "player", "spectator"]);
const ASK_EVERY_MS = 1_000;
const NEXT_IS_THERE_MS = 200; // the time until the server has the next step's caption
const LOOK_AGAIN_MS = 50; // how often to look whether the seats show an event
const HELD_AT_MOST_MS = 4_000; // the longest wait for the seats: one may be reconnecting, or showing the past

applyTheme(theme());
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const seats = seatsOfPage();
const words = await loadWords("table", "in_play");
/** @type {State} */ let now = { state: "playing", fast: false };
/** The state whose caption is shown. A new caption waits until all seats show its event. @type {State} */ let said = now;
let heldSince = 0; // when the latest caption began to wait, as `performance.now()`; 0 if none waits
let taken = false; // whether the visitor has taken over the story
let lost = false; // whether the server does not answer
root.replaceChildren();
const page = new Table(root, words, draw);
page.redraw();
if (seats) void watch(seats);

/** Return the server, room and tokens of this page; null without a room or tokens. Move the tokens from the address to the tab's storage. @returns {Seats | null} */
function seatsOfPage() {
  const parts = PLACE.exec(location.pathname);
  if (!parts) return null;
  const [, path, room] = parts;
  const given = location.hash.slice(1);
  const name = `dreadclock:in-play:${room}`;
  if (TOKENS.test(given)) {
    withStorage((storage) => storage.setItem(name, given));
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  const tokens = TOKENS.test(given) ? given : withStorage((storage) => storage.getItem(name));
  return tokens ? { server: location.origin + path, room, tokens: tokens.split(".") } : null;
}

/** While the page is visible, tell the server every second that somebody watches. @param {Seats} seats */
async function watch(seats) {
  while (now.state !== "stopped") {
    if (document.visibilityState === "visible") await act(seats, "watch").catch(missed);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}

/** Note a failed request. If the tokens are not valid any more, the story has stopped. @param {unknown} error */
function missed(error) {
  lost = !(error instanceof Refused) || error.code === "unavailable";
  if (error instanceof Refused && error.code === "unauthorised") now = { state: "stopped", fast: false };
  noteLatest();
  page.redraw();
}

/** While the story goes on, store its room for the first page. Then remove it. */
function noteLatest() {
  const goesOn = seats && (now.state === "playing" || now.state === "paused");
  withStorage((storage) => (goesOn ? storage.setItem(LATEST, seats.room) : storage.removeItem(LATEST)));
}

/**
 * Send a request about the story to the server, and show the answer.
 * @param {Seats} seats @param {string} wish `watch`, `next`, `pause`, `go_on`, `faster`, `slower` or `take_over`
 */
async function act(seats, wish) {
  const { server, room, tokens } = seats;
  const answer = await call("POST", `${server}/api/rooms/${room}/in-play`, { token: tokens[0], body: { act: wish } });
  if (now.state === "stopped") return; // this is the answer to a request from before the stop
  now = answer;
  lost = false;
  noteLatest();
  if (!heldSince) hold();
  page.redraw();
  if (wish === "next") setTimeout(() => act(seats, "watch").catch(missed), NEXT_IS_THERE_MS);
}

/** Show the latest caption when all seats show its event, or after HELD_AT_MOST_MS. */
function hold() {
  if (now.caption === said.caption && now.after === said.after) return;
  heldSince ||= performance.now();
  if (!haveSeen(root, now.after ?? 0) && performance.now() - heldSince < HELD_AT_MOST_MS) return void setTimeout(hold, LOOK_AGAIN_MS);
  say();
}

/** Show the latest caption, and highlight in the seats what it is about. */
function say() {
  heldSince = 0;
  said = now;
  pointAt(root, now.about);
  page.redraw();
}

/** Show the latest caption if it still waits, or else go to the next step. @param {Seats} seats */
async function next(seats) {
  if (heldSince) say();
  else await act(seats, "next");
}

/** @param {Table} table */
function draw(table) {
  if (!seats) return html`<main class="notice"><h1>Dreadclock</h1><p>${table.t("in_play.no_link")}</p></main>`;
  return html`<main class="in-play">
    <section class="telling" aria-labelledby="telling" data-state=${now.state} aria-busy=${heldSince ? "true" : "false"}>
      <h1 id="telling">${table.t("in_play.title")}</h1>
      <p class="caption" role="status">${caption(table)}</p>
      <div class="presses">${now.state === "stopped" ? home(table, seats) : presses(table, seats)}</div>
    </section>
    ${chooser(table)}
    <div class="frames">${ROLES.map((role, index) => frame(table, seats, role, seats.tokens[index]))}</div>
  </main>`;
}

/** @param {Table} table */
function caption(table) {
  const when = now.ends_at && new Date(now.ends_at).toLocaleString(table.words.language, { dateStyle: "medium", timeStyle: "short" });
  const ends = when ? ` ${table.t("in_play.ends", { when })}` : "";
  if (taken) return table.t("in_play.taken") + ends;
  if (now.state === "stopped") return table.t("in_play.stopped") + ends;
  return lost ? table.t("over.unreachable") : (said.caption ?? table.t("in_play.begins"));
}

/** Draw the controls of the story. @param {Table} table @param {Seats} seats */
function presses(table, seats) {
  const press = (/** @type {string} */ wish, /** @type {string} */ kind = "plain") =>
    button(table, { key: `in-play:${wish}`, label: table.t(`in_play.act.${wish}`), kind, work: () => (wish === "next" ? next(seats) : act(seats, wish)) });
  const plays = now.state !== "over";
  return html`${plays ? nothing : home(table, seats)} ${plays ? press(now.state === "paused" ? "go_on" : "pause") : nothing}
  ${plays ? press("next", "main") : nothing} ${plays ? press(now.fast ? "slower" : "faster") : nothing}
  ${button(table, {
    key: "in-play:take_over",
    label: table.t("in_play.act.take_over"),
    title: table.t("in_play.take_over_hint"),
    work: async () => {
      await act(seats, "take_over");
      taken = true;
      table.redraw();
    },
  })}`;
}

/** Draw the link to the first page, which offers another story. @param {Table} table @param {Seats} seats */
function home(table, { server }) {
  return html`<a class="button" href=${`${server}/`}>${table.t("in_play.home")}</a>`;
}

/** Draw buttons for choosing a seat, on screens that show only one. @param {Table} table */
function chooser(table) {
  return html`<div class="seats" role="group" aria-label=${table.t("in_play.seats")}>
    ${ROLES.map(
      (role) => html`<button type="button" class="button" aria-pressed=${shown(table) === role ? "true" : "false"}
        @click=${() => table.set("shown", role)}>${table.t(`in_play.seat.${role}`)}</button>`,
    )}
  </div>`;
}

/** Return the role whose seat a small screen shows. @param {Table} table */
function shown(table) {
  return table.ui.get("shown") ?? "gm";
}

/** Draw the page of a seat in a frame. @param {Table} table @param {Seats} seats @param {string} role @param {string} token */
function frame(table, { server, room }, role, token) {
  const [name, link] = [table.t(`in_play.seat.${role}`), `${server}/r/${room}#${token}`];
  return html`<section class=${shown(table) === role ? "shown" : ""} aria-label=${name}>
    <header>
      <h2>${name}</h2>
      <a href=${link} target="_blank" rel="noopener" aria-label=${`${table.t("in_play.alone")}: ${name}`}
        >${table.t("in_play.alone")}</a
      >
    </header>
    <iframe name=${`in-play-${role}`} title=${name} src=${link}></iframe>
  </section>`;
}
