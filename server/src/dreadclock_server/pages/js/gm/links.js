// @ts-check
/** Links: made for new seats and old ones, shown once to be passed on, listed and withdrawn. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Demand } from "./lazily.js"
 * @import { Shown } from "./showing.js"
 */

import { button } from "../app/controls.js";
import { SCOPES } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { invite, revoke, tokens } from "../../client/rest.js";
import { keyed } from "../parts/card.js";
import { demanded } from "../forms/live.js";
import { sure } from "./presses.js";
import { linkShown, shownLink } from "./showing.js";

const ROLES = ["player", "spectator", "integration"];
const DAY_S = 24 * 3600;
/** @type {Record<string, number | undefined>} */
const LASTING = { always: undefined, day: DAY_S, week: 7 * DAY_S };

/** Draw the form that invites somebody. @param {Table} table @param {Demand} demand */
export function inviting(table, demand) {
  return demanded(table, demand, {
    submit: table.t("gm.invite.make"),
    work: (values) => makeLink(table, invitationOf(values)),
    fields: (f) =>
      html`<div class="fields">
        ${f.text("name", "form.name", { required: true })}
        ${f.among("role", "gm.invite.role", ROLES, (each) => `gm.role.${each}`)}
        ${f.read("role") === "integration" ? SCOPES.map((each) => f.tick(each, `gm.scope.${each}`)) : nothing}
        ${f.among("lasting", "gm.invite.lasting", Object.keys(LASTING), (each) => `gm.lasting.${each}`)}
      </div>`,
  });
}

/** @param {Values} values @returns {T.Invite} */
function invitationOf(values) {
  const role = /** @type {T.Role} */ (values.choice("role"));
  const scopes = SCOPES.filter((each) => role === "integration" && values.ticked(each));
  return { role, name: values.text("name"), scopes, expires_s: LASTING[values.text("lasting") ?? "always"] };
}

/** Make a link and show it. @param {Table} table @param {T.Invite} invited */
export async function makeLink(table, invited) {
  const grant = await invite(table.room.link, invited);
  table.ui.set("link:for", grant.seat_id);
  if (invited.role === "player") table.ui.set("invited", true);
  table.set("link", await shownLink(table, grant.link));
  soonGoTo(table, "link:copy");
  if (table.ui.has("tokens")) listAgain(table); // the form need not wait for it
}

/** Go to a button with the picture after the next. @param {Table} table @param {string} key */
function soonGoTo(table, key) {
  const go = () => {
    const control = /** @type {HTMLElement | null} */ (table.root.querySelector(`[data-key="${key}"]`));
    control?.focus({ preventScroll: true });
    (control?.closest(".link-made") ?? control)?.scrollIntoView({ block: "center" });
  };
  requestAnimationFrame(() => requestAnimationFrame(go));
}

/** Draw the link that was made last, until the gm is done with it. @param {Table} table */
export function linkMade(table) {
  const shown = /** @type {Shown | undefined} */ (table.ui.get("link"));
  if (!shown) return nothing;
  const name = table.nameOfSeat(table.ui.get("link:for"));
  const done = async () => {
    table.ui.set("open:menu:drawer", false);
    table.set("link", undefined);
  };
  const onEscape = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && done();
  return html`<div class="link-made" role="group" aria-label=${table.t("gm.link.for", { name })} data-part="link" @keydown=${onEscape}>
    <p><b>${table.t("gm.link.for", { name })}</b> ${table.t("gm.link.keep")}</p>
    ${linkShown(table, "link", shown, name)} ${button(table, { key: "link:done", label: table.t("gm.done"), work: done, shortcut: "Escape" })}
  </div>`;
}

/** Draw the list of all links; it is asked for when it is drawn first. @param {Table} table */
export function allLinks(table) {
  if (!table.ui.has("tokens") && !table.refusal("tokens:list")) queueMicrotask(() => listAgain(table));
  const known = /** @type {T.TokenInfo[]} */ (table.ui.get("tokens") ?? []);
  const label = table.t(known.length ? "gm.tokens.again" : "gm.tokens.list");
  return html`${button(table, { key: "tokens:list", label, work: () => listTokens(table) })}
    <ul class="tokens">
      ${keyed(
        known.map((token) => ({ ...token, id: token.token_id })),
        (token) => tokenRow(table, token),
      )}
    </ul>`;
}

/** List the links on behalf of the button that does so. @param {Table} table */
function listAgain(table) {
  return table.attempt("tokens:list", () => listTokens(table));
}

/** @param {Table} table */
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
