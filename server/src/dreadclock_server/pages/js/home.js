// @ts-check
/** The first page, `/`: open a room, or go to one by its link. It knows of no room. */

/** @import * as T from "../client/dreadclock.types.js" @import { Values } from "./app/controls.js" */

import { ConnectionEnded, Refused } from "../client/errors.js";
import { parseLink } from "../client/links.js";
import { openRoom } from "../client/rest.js";
import { PHYSICAL_DICE } from "../client/limits.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { choice, disclosure, field, form } from "./app/controls.js";
import { applyTheme, theme } from "./app/settings.js";
import { Table } from "./app/table.js";
import { loadWords } from "./app/words.js";
import { inPlay } from "./home/in_play.js";
import { dial } from "./parts/dial.js";
import { diceRow } from "./parts/die.js";
import { pickers } from "./parts/pickers.js";

const APPROVALS = /** @type {const} */ (["gm", "open"]); // the usual one first
const LONGEST_LINK = 600;
const KEY_ASKED = "key:asked";
const PICTURED = { id: "pictured", kind: "free", name: "", size: 8, value: 5, direction: "down", visibility: "public" };

applyTheme(theme());
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const words = await loadWords("table", "home");
root.replaceChildren();
new Table(root, words, home).redraw();

/** Draw the page. @param {Table} table without a room */
function home(table) {
  return html`<header class="top">${pickers(table)}</header>
    <main class="home">
      <div class="welcome">
        <h1>Dreadclock</h1>
        ${picture(table)}
        <p>${table.t("home.what")}</p>
      </div>
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

// Opening a room

/** @param {Table} table */
function opening(table) {
  return form(table, {
    key: "home:open",
    submit: table.t("home.open_send"),
    keep: true,
    fields: html`${field({
      name: "title",
      label: table.t("home.title"),
      required: true,
      placeholder: table.t("home.title_example"),
    })}
    ${table.ui.get(KEY_ASKED) ? operatorsKey(table) : nothing}
    ${disclosure(table, { key: "home:policy", label: table.t("home.policy"), content: () => policy(table) })}`,
    work: (values) => openFor(table, values),
  });
}

/** @param {Table} table */
function operatorsKey(table) {
  const hint = table.t("home.key_hint");
  return field({ name: "key", label: table.t("home.key"), type: "password", required: true, hint });
}

/** @param {Table} table */
function policy(table) {
  const dice = PHYSICAL_DICE.map((each) => /** @type {const} */ ([each, table.t(`home.dice.${each}`)]));
  const approvals = APPROVALS.map((each) => /** @type {const} */ ([each, table.t(`home.approval.${each}`)]));
  return html`${choice({ name: "physical_dice", label: table.t("home.dice"), options: dice })}
    ${choice({ name: "check_approval", label: table.t("home.approval"), options: approvals })}
    ${field({ name: "player_countdowns", label: table.t("home.player_countdowns"), type: "checkbox", checked: true })}
    <p class="hint">${table.t("home.policy_hint")}</p>`;
}

/**
 * Open a room and go to it. Throws Refused with a sentence for this page.
 * @param {Table} table
 * @param {Values} values
 */
async function openFor(table, values) {
  const here = new URL(".", location.href);
  try {
    const { room_id: room, gm } = await openRoom(here.origin + here.pathname, {
      title: values.text("title") ?? "",
      policy: policyOf(values),
      operatorKey: values.text("key"),
    });
    location.assign(new URL(`r/${room}#${gm.token}`, here)); // by the way that this page was reached
  } catch (error) {
    throw refused(table, error);
  }
}

/** @param {Values} values @returns {T.PolicyGiven | undefined} */
function policyOf(values) {
  if (!values.text("physical_dice")) return undefined; // the house rules were not looked at
  return {
    physical_dice: values.choice("physical_dice"),
    check_approval: values.choice("check_approval"),
    player_countdowns: values.ticked("player_countdowns"),
  };
}

/**
 * Say what went wrong; a server that asks for its operator's key is given a field for it.
 * @param {Table} table
 * @param {unknown} error
 */
function refused(table, error) {
  if (error instanceof ConnectionEnded) return new Refused("", {}, table.t("over.unreachable"));
  if (!(error instanceof Refused) || error.code !== "unauthorised") return error;
  const asked = table.ui.get(KEY_ASKED);
  table.ui.set(KEY_ASKED, true);
  return new Refused("", {}, table.t(asked ? "home.key_wrong" : "home.key_needed"));
}

// Going to a room

/** @param {Table} table */
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
    }),
    work: async (values) => goTo(table, values.text("link") ?? ""),
  });
}

/**
 * Go to where a link leads, be it another server. Throws Refused if it is none.
 * @param {Table} table
 * @param {string} link
 */
function goTo(table, link) {
  try {
    const { server, room, token } = parseLink(link);
    location.assign(`${server}/r/${room}#${token}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Refused("", {}, table.t("home.no_link"));
  }
}
