// @ts-check
/** Knocks: requests for a seat from people without a link. The gm's page shows them above the inbox, with buttons for the answers. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Panel } from "./panel.js"
 */

import { SCOPES } from "../../client/limits.js";
import { answerKnock } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { controlsOf } from "../actions/menu.js";
import { card, keyed } from "../parts/card.js";
import { more } from "./panel.js";
import { named } from "../forms/fields.js";
import { panelForm } from "../forms/live.js";
import { sure } from "./presses.js";

const SHOWN = 3; // further knocks are folded, so that many knocks cannot push the table off the page
const ROLES = /** @type {const} */ (["player", "spectator", "integration"]);

/** Draw the section of the knocks. The first SHOWN knocks are visible, the others are folded. @param {Table} table */
export function knocking(table) {
  const rows = table.room.knocks.map((knock) => ({ ...knock, id: knock.knock }));
  const others = rows.slice(SHOWN);
  const refuseAll = () => Promise.allSettled(rows.map(({ knock }) => answerKnock(table.room.link, knock, { accept: false })));
  const [label, yes] = [table.t("gm.knock.none"), table.t("gm.knock.none.yes")];
  /** @param {typeof rows} shown */
  const cards = (shown) => html`<div class="cards">${keyed(shown, (knock) => knockCard(table, knock))}</div>`;
  return html`<section class="things desk knocks" data-place="knocks" aria-labelledby="section-knocks">
    <h2 id="section-knocks">${table.t("section.knocks", { number: rows.length })}</h2>
    <p class="hint" role="status">${table.t("gm.knock.hint")}</p>
    ${cards(rows.slice(0, SHOWN))}
    ${others.length ? more(table, "knocks", "", () => cards(others), table.t("gm.knock.more", { number: others.length })) : nothing}
    ${others.length ? sure(table, { key: "knocks:away", label, yes, work: refuseAll }) : nothing}
  </section>`;
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

/** Draw the form that accepts a knock. The gm chooses the role, an existing or a new seat, and a new seat's name and rights. @param {Table} table @param {Panel} panel @param {T.WaitingKnock} knock */
export function otherwise(table, panel, { knock, name, wants }) {
  return panelForm(table, panel, {
    submit: table.t("gm.knock.give"),
    work: ({ role, seat: seat_id, name, ...entered }) => {
      const scopes = SCOPES.filter((scope) => entered[scope]);
      return answerKnock(table.room.link, knock, { accept: true, role, seat_id, name, scopes });
    },
    fields: (f) => {
      const role = f.read("role", wants);
      const seats = [...table.view.seats.values()].filter((seat) => seat.role === role);
      const isNew = !seats.some(({ id }) => id === f.read("seat"));
      return html`<div class="fields">
        ${f.among("role", "gm.knock.role", ROLES, "gm.knock.role", wants)}
        ${f.pick("seat", "gm.knock.which", [["", table.t("gm.knock.new")], ...named(seats)])}
        ${isNew ? f.text("name", "form.name", { value: name, required: true }) : nothing}
        ${isNew && role === "integration" ? SCOPES.map((scope) => f.tick(scope, `gm.scope.${scope}`)) : nothing}
      </div>`;
    },
  });
}
