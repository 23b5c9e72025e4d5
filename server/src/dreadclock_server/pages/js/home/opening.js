// @ts-check
/** The form that opens a room. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Values } from "../app/controls.js" */

import { Refused } from "../../client/errors.js";
import { PHYSICAL_DICE } from "../../client/limits.js";
import { openRoom } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { choice, disclosure, field, form } from "../app/controls.js";
import { forgetsSeats, keepSeat } from "../app/seats.js";

const APPROVALS = /** @type {const} */ (["gm", "open"]); // the default first
const KEY_ASKED = "key:asked"; // whether the server has asked for its operator's key

/** Draw the form. @param {Table} table */
export function opening(table) {
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
    ${operatorsKey(table)}
    ${field({ name: "keep", label: table.t("home.keep"), type: "checkbox", checked: true, hint: table.t("home.keep_hint") })}
    ${forgetsSeats() ? html`<p class="hint" data-part="forgets">${table.t("home.forgets")}</p>` : nothing}
    ${disclosure(table, { key: "home:policy", label: table.t("home.policy"), content: () => policy(table) })}`,
    work: (values) => openFor(table, values),
  });
}

/** Draw the field for the operator's key, once the server has asked for it. @param {Table} table */
export function operatorsKey(table) {
  const hint = table.t("home.key_hint");
  return table.ui.get(KEY_ASKED) ? field({ name: "key", label: table.t("home.key"), type: "password", required: true, hint }) : nothing;
}

/** Draw the fields for the house rules. @param {Table} table */
function policy(table) {
  const dice = PHYSICAL_DICE.map((option) => /** @type {const} */ ([option, table.t(`home.dice.${option}`)]));
  const approvals = APPROVALS.map((option) => /** @type {const} */ ([option, table.t(`home.approval.${option}`)]));
  return html`${choice({ name: "physical_dice", label: table.t("home.dice"), options: dice })}
    ${choice({ name: "check_approval", label: table.t("home.approval"), options: approvals })}
    ${field({ name: "player_countdowns", label: table.t("home.player_countdowns"), type: "checkbox", checked: true })}
    <p class="hint">${table.t("home.policy_hint")}</p>`;
}

/**
 * Open a room and go to it, or throw the error to show.
 * @param {Table} table
 * @param {Values} values
 */
async function openFor(table, values) {
  const here = new URL(".", location.href);
  const title = values.text("title") ?? "";
  try {
    const { room_id: room, gm } = await openRoom(here.origin + here.pathname, {
      title,
      policy: policyOf(values),
      operatorKey: values.text("key"),
    });
    const link = { server: here.href.replace(/\/$/, ""), room, token: gm.token };
    if (values.ticked("keep")) keepSeat(link, { title, role: "gm", seat: gm.seat_id });
    location.assign(new URL(`r/${room}#${gm.token}`, here)); // relative to the address of this page, which may have a path prefix
  } catch (error) {
    throw refused(table, error);
  }
}

/** Return the chosen house rules, or undefined for the defaults. @param {Values} values @returns {T.PolicyGiven | undefined} */
function policyOf(values) {
  if (!values.text("physical_dice")) return undefined; // the house rules were not opened, so the form lacks these fields
  return {
    physical_dice: values.choice("physical_dice"),
    check_approval: values.choice("check_approval"),
    player_countdowns: values.ticked("player_countdowns"),
  };
}

/**
 * Return the error to show for a room that could not be opened. If the server requires its operator's key, `operatorsKey`
 * draws the field for the key from now on.
 * @param {Table} table
 * @param {unknown} error
 */
export function refused(table, error) {
  if (!(error instanceof Refused) || error.code !== "unauthorised") return error;
  const asked = table.ui.get(KEY_ASKED);
  table.ui.set(KEY_ASKED, true);
  return new Refused("", {}, table.t(asked ? "home.key_wrong" : "home.key_needed"));
}
