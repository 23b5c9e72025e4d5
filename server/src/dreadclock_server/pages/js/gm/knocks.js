// @ts-check
/** Who knocks and wants a seat: shown to the gm first of all, with what she can answer. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { SCOPES } from "../../client/limits.js";
import { answerKnock } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { controlsOf } from "../actions/menu.js";
import { card, keyed } from "../parts/card.js";
import { more } from "./lazily.js";
import { demanded } from "../forms/live.js";
import { sure } from "./presses.js";

const SHOWN = 3; // at once: whoever floods a room with knocks is not to push the table off the page
const ROLES = /** @type {const} */ (["player", "spectator", "integration"]);

/** Draw all who knock. @param {Table} table */
export function knocking(table) {
  const rows = table.room.knocks.map((each) => ({ ...each, id: each.knock }));
  const others = rows.slice(SHOWN);
  const [label, yes] = [table.t("gm.knock.none"), table.t("gm.knock.none.yes")];
  /** @param {typeof rows} shown */
  const cards = (shown) => html`<div class="cards">${keyed(shown, (each) => knockCard(table, each))}</div>`;
  return html`<section class="things desk knocks" data-place="knocks" aria-labelledby="section-knocks">
    <h2 id="section-knocks">${table.t("section.knocks", { number: rows.length })}</h2>
    <p class="hint" role="status">${table.t("gm.knock.hint")}</p>
    ${cards(rows.slice(0, SHOWN))}
    ${others.length ? more(table, "knocks", "", () => cards(others), table.t("gm.knock.more", { number: others.length })) : nothing}
    ${others.length ? sure(table, { key: "knocks:away", label, yes, describes: "", work: () => turnAllAway(table) }) : nothing}
  </section>`;
}

/** @param {Table} table */
function turnAllAway(table) {
  return Promise.allSettled(table.room.knocks.map(({ knock }) => answerKnock(table.room.link, knock, { accept: false })));
}

/** @param {Table} table @param {T.WaitingKnock & { id: string }} knock */
function knockCard(table, knock) {
  const { id, name, wants, client, code, resembles } = knock;
  const alike = resembles === "gm" ? "gm.knock.alike.gm" : "gm.knock.alike";
  return card(table, {
    kind: "knock",
    thing: { id },
    name: table.t("gm.knock.of", { name }),
    body: html`<p>${table.t(`gm.knock.wants.${wants}`)} ${client ? table.t("gm.knock.client", { client }) : nothing}</p>
      <p class="code"><span class="unseen">${table.t("gm.knock.code")}</span> <b>${code}</b></p>
      ${resembles ? html`<p class="refusal">${table.t(alike, { name: table.nameOfSeat(resembles) })}</p>` : nothing}
      <div class="controls">${controlsOf(table, "knock", knock, `${name}, ${code}`)}</div>`,
  });
}

/** Draw the form that gives another seat. @param {Table} table @param {Demand} demand @param {T.WaitingKnock} knock */
export function otherwise(table, demand, { knock, name, wants }) {
  return demanded(table, demand, {
    submit: table.t("gm.knock.give"),
    work: (values) => answerKnock(table.room.link, knock, seatIn(values)),
    fields: (f) => otherSeat(table, f, name, wants),
  });
}

/** Draw which other seat it is to be. @param {Table} table @param {Fields} f @param {string} name @param {string} wants */
function otherSeat(table, f, name, wants) {
  const role = f.read("role", wants);
  const seats = [...table.view.seats.values()].filter((each) => each.role === role);
  const options = seats.map((each) => /** @type {const} */ ([each.id, each.name]));
  const isNew = !options.some(([id]) => id === f.read("seat"));
  return html`<div class="fields">
    ${f.among("role", "gm.knock.role", ROLES, (each) => `gm.knock.role.${each}`, wants)}
    ${f.pick("seat", "gm.knock.which", [["", table.t("gm.knock.new")], ...options])}
    ${isNew ? f.text("name", "form.name", { value: name, required: true }) : nothing}
    ${isNew && role === "integration" ? SCOPES.map((each) => f.tick(each, `gm.scope.${each}`)) : nothing}
  </div>`;
}

/** @param {Values} values @returns {T.KnockAnswer} */
function seatIn(values) {
  const role = /** @type {T.KnockAnswer["role"]} */ (values.choice("role"));
  const scopes = SCOPES.filter((each) => role === "integration" && values.ticked(each));
  return { accept: true, role, seat_id: values.text("seat"), name: values.text("name"), scopes };
}
