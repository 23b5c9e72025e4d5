// @ts-check
/** The first page, `/`: open a room, or go to one by its link. It knows of no room. */

/** @import * as T from "../client/dreadclock.types.js" */

import { Refused } from "../client/errors.js";
import { parseLink } from "../client/links.js";
import { html } from "../vendor/lit-html/lit-html.js";
import { field, form } from "./app/controls.js";
import { applyTheme, theme } from "./app/settings.js";
import { keepSeat } from "./app/seats.js";
import { Table } from "./app/table.js";
import { loadWords } from "./app/words.js";
import { inPlay } from "./home/in_play.js";
import { opening } from "./home/opening.js";
import { forgetWhatIsGone, seats } from "./home/seats.js";
import { dial } from "./parts/dial.js";
import { diceRow } from "./parts/die.js";
import { pickers } from "./parts/pickers.js";

const LONGEST_LINK = 2_000; // with the text around it
/** A link to a table or its overlay, with whatever stands around it: quotes, brackets, markdown, a sentence. */
const PASTED =
  /(https?:\/\/(?:\[[\da-fA-F:.]+\]|[^\s"'<>()[\]{}/?#]+)[^\s"'<>()[\]{}?#]*?)\/[ro]\/([a-z2-7]{26})\/?(?:\?[^\s#]*?)?(?:#|%23)([\w-]{22})/;
const PICTURED = { id: "pictured", kind: "free", name: "", size: 8, value: 5, direction: "down", visibility: "public" };

applyTheme(theme());
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const words = await loadWords("table", "home");
root.replaceChildren();
const page = new Table(root, words, home);
page.redraw();
void forgetWhatIsGone(page);

/** Draw the page. @param {Table} table without a room */
function home(table) {
  return html`<header class="top">${pickers(table)}</header>
    <main class="home">
      <div class="welcome">
        <h1>Dreadclock</h1>
        ${picture(table)}
        <p>${table.t("home.what")}</p>
      </div>
      ${seats(table)}
      <section class="card" data-place="open" aria-labelledby="home-open">
        <h2 id="home-open">${table.t("home.open")}</h2>
        <p>${table.t("home.open_hint")}</p>
        ${opening(table)}
      </section>
      ${inPlay(table)}
      <section class="card" data-place="go" aria-labelledby="home-go">
        <h2 id="home-go">${table.t("home.go")}</h2>
        <p>${table.t("home.go_hint")}</p>
        ${going(table)}
      </section>
    </main>`;
}

/** @param {Table} table */
function picture(table) {
  return html`<div class="picture" aria-hidden="true">
    ${diceRow([{ face: 5 }, { face: 2 }, { face: 6, lost: true }, {}], { label: "" })}
    ${dial(table, /** @type {T.Clock} */ (PICTURED))}
  </div>`;
}

// Going to a room

/** @param {Table} table */
function going(table) {
  return form(table, {
    key: "home:go",
    submit: table.t("home.go_send"),
    keep: true,
    fields: html`${field({
      name: "link",
      label: table.t("home.link"),
      required: true,
      length: LONGEST_LINK,
      placeholder: table.t("home.link_example"),
    })}
    ${field({ name: "keep", label: table.t("home.keep"), type: "checkbox" })}`,
    work: async (values) => goTo(table, values.text("link") ?? "", values.ticked("keep")),
  });
}

/**
 * Go to where a link leads, be it another server, whose own pages keep its seats. Throws Refused if it is none.
 * @param {Table} table
 * @param {string} link
 * @param {boolean} keep
 */
function goTo(table, link, keep) {
  try {
    const [, server, room, token] = PASTED.exec(link) ?? Object.values({ link, ...parseLink(link) });
    if (keep && new URL(server).origin === location.origin) keepSeat({ server, room, token });
    location.assign(`${server}/r/${room}#${token}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Refused("", {}, table.t("home.no_link"));
  }
}
