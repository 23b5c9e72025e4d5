// @ts-check
/** Links to seats: the form that makes a seat with a link, the link that was made last, and the list of all links. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Panel } from "./panel.js"
 * @import { Shown } from "./showing.js"
 */

import { button } from "../app/controls.js";
import { SCOPES } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { invite, revoke, tokens } from "../../client/rest.js";
import { keyed } from "../parts/card.js";
import { panelForm } from "../forms/live.js";
import { sure } from "./presses.js";
import { linkShown, shownLink } from "./showing.js";

const ROLES = ["player", "spectator", "integration"];
const DAY_S = 24 * 3600;
/** @type {Record<string, number | undefined>} */
const LASTING = { always: undefined, day: DAY_S, week: 7 * DAY_S };

/** Draw the form that makes a seat with a link. @param {Table} table @param {Panel} panel */
export function inviting(table, panel) {
  return panelForm(table, panel, {
    submit: table.t("gm.invite.make"),
    work: ({ role, name, lasting, ...entered }) => {
      const scopes = SCOPES.filter((scope) => entered[scope]);
      return makeLink(table, { role, name, scopes, expires_s: LASTING[lasting] });
    },
    fields: (f) =>
      html`<div class="fields">
        ${f.text("name", "form.name", { required: true })}
        ${f.among("role", "gm.invite.role", ROLES, "gm.role")}
        ${f.read("role") === "integration" ? SCOPES.map((scope) => f.tick(scope, `gm.scope.${scope}`)) : nothing}
        ${f.among("lasting", "gm.invite.lasting", Object.keys(LASTING), "gm.lasting")}
      </div>`,
  });
}

/** Make a link to the seat with the id `seat_id`, or to a new seat, and show the link. @param {Table} table @param {T.Invite} invited */
export async function makeLink(table, invited) {
  const grant = await invite(table.room.link, invited);
  table.ui.set("link:for", grant.seat_id);
  if (invited.role === "player") table.ui.set("invited", true);
  table.set("link", await shownLink(table, grant.link));
  requestAnimationFrame(() => requestAnimationFrame(() => goToLink(table))); // after the link is drawn
  if (table.ui.has("tokens")) listAgain(table); // not awaited, so that the form closes without waiting for the list
}

/** Focus the button that copies the new link, and scroll the link to the middle of the page. @param {Table} table */
function goToLink({ root }) {
  const control = /** @type {HTMLElement | null} */ (root.querySelector('[data-key="link:copy"]'));
  control?.focus({ preventScroll: true });
  (control?.closest(".link-made") ?? control)?.scrollIntoView({ block: "center" });
}

/** Draw the link that was made last. The gm hides it with "Done" or Escape. @param {Table} table */
export function linkMade(table) {
  const shown = /** @type {Shown | undefined} */ (table.ui.get("link"));
  if (!shown) return nothing;
  const name = table.nameOfSeat(table.ui.get("link:for"));
  const done = async () => {
    table.setOpen("menu:drawer", false);
    table.set("link", undefined);
  };
  const onEscape = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && done();
  return html`<div class="link-made" role="group" aria-label=${table.t("gm.link.for", { name })} data-part="link" @keydown=${onEscape}>
    <p><b>${table.t("gm.link.for", { name })}</b> ${table.t("gm.link.keep")}</p>
    ${linkShown(table, "link", shown, name)} ${button(table, { key: "link:done", label: table.t("gm.done"), work: done, shortcut: "Escape" })}
  </div>`;
}

/** Draw the list of all links, and the button that fetches it again. The first drawing requests the list. @param {Table} table */
export function allLinks(table) {
  if (!table.ui.has("tokens") && !table.refusal("tokens:list")) queueMicrotask(() => listAgain(table));
  const all = /** @type {T.TokenInfo[]} */ (table.ui.get("tokens") ?? []);
  const label = table.t(all.length ? "gm.tokens.again" : "gm.tokens.list");
  return html`${button(table, { key: "tokens:list", label, work: () => listTokens(table) })}
    <ul class="tokens">
      ${keyed(
        all.map((token) => ({ ...token, id: token.token_id })),
        (token) => tokenRow(table, token),
      )}
    </ul>`;
}

/** Fetch the list, and show an error at the button that fetches it. @param {Table} table */
function listAgain(table) {
  return table.attempt("tokens:list", () => listTokens(table));
}

/** Fetch the list of all links, and show the list. @param {Table} table */
async function listTokens(table) {
  table.set("tokens", await tokens(table.room.link));
}

/** @param {Table} table @param {T.TokenInfo} token */
function tokenRow(table, { token_id: id, seat_id: seat, created_at: created, last_use: used, expires_at: expires, made_by: by }) {
  const name = table.nameOfSeat(seat);
  const work = async () => {
    await revoke(table.room.link, id);
    await listTokens(table);
  };
  const [label, yes] = [table.t("gm.token.revoke"), table.t("gm.token.revoke.yes")];
  return html`<li data-token=${id}>
    <span>
      <b><bdi translate="no">${name}</bdi></b> ${table.t(by === "operator" ? "gm.token.made.operator" : "gm.token.made", { when: moment(table, created) })}
      ${used ? table.t("gm.token.used", { when: moment(table, used) }) : table.t("gm.token.unused")}
      ${expires ? table.t("gm.token.expires", { when: moment(table, expires) }) : nothing}
    </span>
    ${sure(table, { key: `token:${id}:revoke`, label, yes, describes: `${name}, ${id}`, work })}
  </li>`;
}

/** @param {Table} table @param {number} at milliseconds since 1970 */
function moment(table, at) {
  return new Date(at).toLocaleString(table.words.language, { dateStyle: "medium", timeStyle: "short" });
}
