// @ts-check
/** The first page, `/`. Here a visitor opens a room, or goes to a room by its link. The page is not connected to a room. */

import { Refused } from "../client/errors.js";
import { parseLink } from "../client/links.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { field, form, lazily, soon } from "./app/controls.js";
import { applyTheme, dress, theme } from "./app/settings.js";
import { Table } from "./app/table.js";
import { loadWords } from "./app/words.js";
import { inPlay } from "./home/in_play.js";
import { opening } from "./home/opening.js";
import { forgetWhatIsGone, seats } from "./home/seats.js";
import { pickers } from "./parts/pickers.js";

const LONGEST_LINK = 2_000; // characters, including the text around the link
/** Finds the link of a room or of its overlay in a pasted text, also inside quotes, brackets or markdown. */
const PASTED =
  /(https?:\/\/(?:\[[\da-fA-F:.]+\]|[^\s"'<>()[\]{}/?#]+)[^\s"'<>()[\]{}?#]*?)\/[ro]\/([a-z2-7]{26})\/?(?:\?[^\s#]*?)?(?:#|%23)([\w-]{22}(?=[_-]*(?![\w-])))/;
/**
 * For each button of the page: the key of its label, and the function that draws its form.
 * @type {Record<string, [label: string, draw: (table: Table) => unknown]>}
 */
const WAYS = { open: ["home.open", opening], go: ["home.go", going] };

const dice = lazily(async (table) => {
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  const [module] = await Promise.all([import("./home/practice.js"), dress("throws")]);
  module.rollByKey(table);
  return module;
});

applyTheme(theme());
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const words = await loadWords("table", "home");
root.replaceChildren();
const page = new Table(root, words, home);
page.redraw();
void forgetWhatIsGone(page);

/** @param {Table} table a table without a room */
function home(table) {
  return html`<header class="top">${pickers(table)}</header>
    <main class="home">
      <div class="welcome">
        <h1>Dreadclock</h1>
        <p>${table.t("home.what")}</p>
        ${ways(table)} ${inPlay(table)}
      </div>
      <section class="practice" data-place="practice" aria-label=${table.t("home.practice")}>${dice(table, ({ practice }) => practice(table))}</section>
      ${seats(table)}
    </main>`;
}

/** Draw the buttons, and below them the form of the chosen button. @param {Table} table */
function ways(table) {
  const chosen = table.ui.get("way") ?? "";
  const [label, draw] = WAYS[chosen || "open"];
  return html`<div class="ways">${Object.keys(WAYS).map((way) => wayTo(table, way, chosen))}</div>
    ${chosen ? html`<section data-place=${chosen} aria-label=${table.t(label)}>${draw(table)}</section>` : nothing}`;
}

/**
 * Draw a button of `WAYS`. A press opens or closes its form.
 * @param {Table} table @param {string} way @param {string} chosen the button whose form is open; empty if none is
 */
function wayTo(table, way, chosen) {
  const isChosen = way === chosen;
  const choose = () => {
    table.set("way", isChosen ? "" : way);
    soon(() => /** @type {HTMLElement | null} */ (table.root.querySelector("form input"))?.focus());
  };
  const kind = way === "open" && !chosen ? "main" : ""; // when a form is open, its submit button is the main button
  return html`<button type="button" class=${`button ${kind}`} data-key=${`home:${way}`} aria-expanded=${String(isChosen)} @click=${choose}>
    ${table.t(WAYS[way][0])}
  </button>`;
}

// Going to a table by its link

/** Draw the form for a link. @param {Table} table */
function going(table) {
  return form(table, {
    key: "home:go",
    submit: table.t("home.go_send"),
    keep: true,
    fields: field({
      name: "link",
      label: table.t("home.link"),
      required: true,
      length: LONGEST_LINK,
      placeholder: table.t("home.link_example"),
      hint: table.t("home.go_hint"),
    }),
    work: async (values) => goTo(table, values.text("link") ?? ""),
  });
}

/**
 * Follow a link in a text. The link may lead to another server. Throws Refused if the text has no link.
 * @param {Table} table
 * @param {string} link
 */
function goTo(table, link) {
  try {
    const [, server, room, token] = PASTED.exec(link) ?? Object.values({ link, ...parseLink(link) });
    location.assign(`${server}/r/${room}#${token}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Refused("", {}, table.t("home.no_link"));
  }
}
