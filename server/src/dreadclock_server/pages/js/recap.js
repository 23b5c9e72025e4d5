// @ts-check
/** The page `/recap/ROOM#SECRET` shows a recap, the summary of a session. SECRET is a seat's token, or belongs to a shared link. */

/** @import { Link } from "../client/dreadclock.js" */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { button, lazily } from "./app/controls.js";
import { followPastedLinks, heldToken, keepToken, takenFragment } from "./app/link.js";
import { ASSETS, applyTheme, theme } from "./app/settings.js";
import { Table } from "./app/table.js";
import { loadWords } from "./app/words.js";
import { saveAs } from "./evening/saving.js";

const PLACE = /^(.*)\/recap\/([a-z2-7]{26})\/?$/;
const PATIENT_FOR_MS = 150_000; // the longest wait: the server may first make recaps for others
/** For each HTTP status, the label that says why there is no recap; 0: no answer. @type {Record<number, string>} */
const WHY = { 0: "over.unreachable", 401: "recap.unauthorised", 422: "recap.too_long", 429: "recap.busy" };
const sharing = lazily(async (table) => {
  const [module] = await Promise.all([import("./recap/sharing.js"), table.words.learn("gm"), table.words.learn("gm_forms")]);
  return module;
});

applyTheme(theme());
const link = linkOfPage();
followPastedLinks();
const words = await loadWords("table", "recap");
const page = new Table(/** @type {HTMLElement} */ (document.getElementById("root")), words, draw);
/** @type {Document | null} */ let shownPage = null;
let role = "";
let why = link?.token ? "" : "recap.no_link";
page.root.replaceChildren();
page.redraw();
if (link?.token) await ask(link);

/**
 * Return the page's room and secret; null if the address has no room. Move the secret from the address to the state of the
 * history entry, which a reload keeps. Without a secret, use a token that is stored for the room.
 * @returns {Link | null}
 */
function linkOfPage() {
  const parts = PLACE.exec(location.pathname);
  if (!parts) return null;
  const [, path, room] = parts;
  const given = takenFragment();
  if (given) history.replaceState({ secret: given }, "");
  return { server: location.origin + path, room, token: given || history.state?.secret || heldToken(room) };
}

/** Fetch and show the recap, or the reason why there is none. @param {Link} link */
async function ask(link) {
  why = "";
  page.redraw();
  const answer = await fetched(link);
  why = answer.status === 200 && answer.response ? "" : (WHY[answer.status] ?? "recap.failed");
  if (!why) show(link, answer.response, answer.getResponseHeader("Dreadclock-Role") ?? "");
  page.redraw();
}

/**
 * Fetch the recap as a document. The browser does not run scripts in a document that XMLHttpRequest has parsed.
 * @param {Link} link
 * @returns {Promise<XMLHttpRequest>}
 */
function fetched({ server, room, token }) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
  const request = new XMLHttpRequest();
  request.open("GET", `${server}/api/rooms/${room}/recap?${new URLSearchParams({ lang: words.language, zone, style: "none" })}`);
  request.setRequestHeader("Authorization", `Bearer ${token}`);
  request.responseType = "document";
  request.timeout = PATIENT_FOR_MS;
  return new Promise((resolve) => {
    request.onloadend = () => resolve(request);
    request.send();
  });
}

/**
 * Show the fetched recap.
 * @param {Link} link @param {Document} fetchedPage @param {string} ofRole the role of the reader's seat; empty for a shared link
 */
function show(link, fetchedPage, ofRole) {
  shownPage = fetchedPage;
  role = ofRole;
  document.title = fetchedPage.title;
  const parts = [...fetchedPage.querySelectorAll("body > header, body > main")].map((part) => document.importNode(part, true));
  document.getElementById("evening")?.replaceChildren(...parts);
  if (!role) return;
  keepToken(link.room, link.token); // for the link back to the table
  page.room = /** @type {any} */ ({ link, connected: true });
}

/** Draw a bar for the recap, or the request's state. @param {Table} table */
function draw(table) {
  if (shownPage) return bar(table, shownPage);
  return html`<main class="notice">
    <h1>${table.t("recap.title")}</h1>
    <p role="status">${table.t(why || "recap.working")}</p>
    ${why && why !== "recap.no_link" && link
      ? button(table, { key: "recap:again", label: table.t("recap.again"), work: () => ask(link) })
      : nothing}
  </main>`;
}

/** Draw the bar. The link to the table is for readers with a seat. Only the gm can share. @param {Table} table @param {Document} page */
function bar(table, page) {
  const open = table.ui.get("sharing") ?? false;
  const share = html`<button type="button" class="button" data-key="recap:share" aria-expanded=${String(open)}
    @click=${() => table.set("sharing", !open)}>${table.t("recap.share")}</button>`;
  return html`<nav class="recap-bar" aria-label=${table.t("recap.title")}>
    <div class="presses">
      ${role ? html`<a class="back" href=${`../r/${link?.room}`}>${table.t("recap.back")}</a>` : nothing}
      ${button(table, { key: "recap:keep", label: table.t("recap.keep"), kind: "main", work: () => keep(page) })}
      ${role === "gm" ? share : nothing}
    </div>
    ${role === "gm" ? html`<p class="hint">${table.t("recap.keep.gm")}</p>` : nothing}
    ${open ? sharing(table, (module) => module.sharing(table)) : nothing}
  </nav>`;
}

/** Save the recap with its style sheet. The recap's security policy allows the sheet by its hash. @param {Document} page */
async function keep(page) {
  const answer = await fetch(`${ASSETS}recap/evening.css`);
  if (!answer.ok) throw new Error(`the style is missing (${answer.status})`);
  const style = `<style>\n${await answer.text()}</style></head>`;
  saveAs(page.title, "html", `<!doctype html>\n${page.documentElement.outerHTML.replace("</head>", () => style)}\n`);
}
