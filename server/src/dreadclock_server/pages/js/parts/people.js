// @ts-check
/** Who sits at the table, and who is here. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";

/** Draw the seats; a filled mark and a word say who is here. @param {Table} table */
export function people(table) {
  const { view, room } = table;
  return html`<ul class="people" aria-label=${table.t("people")}>
    ${[...view.seats.values()].map((seat) => person(table, seat, (room.here[seat.id] ?? 0) > 0))}
  </ul>`;
}

/** @param {Table} table @param {T.Seat} seat @param {boolean} here */
function person(table, seat, here) {
  const own = seat.id === table.room.seat;
  const role = table.t(`role.${seat.role}`);
  const isNamedSo = table.nameOfSeat(seat.id).toLowerCase() === role.toLowerCase(); // as the gm is until she says otherwise
  return html`<li data-seat=${seat.id} class=${here ? "here" : "away"}>
    <span class="mark" title=${table.t(here ? "here" : "away")} aria-hidden="true">${here ? "●" : "○"}</span>
    <span class="name">${table.nameOfSeat(seat.id)}</span>
    ${isNamedSo ? nothing : html`<span class="role">${role}</span>`}${own ? html` <b>${table.t("you")}</b>` : nothing}
    ${seat.lent_to ? html`<span class="lent">${table.t("lent_to", { name: table.nameOfSeat(seat.lent_to) })}</span>` : nothing}
    <span class="unseen">${table.t(here ? "here" : "away")}</span>
  </li>`;
}
