// @ts-check
/** Draws the seats, marked as connected or not, and a switch that stores the viewer's seat on this device. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { forgetSeat, isKept, keepSeat } from "../app/seats.js";
import { edgeOf } from "./rolled.js";

/** Draw the seats. A filled mark and a word show who is connected. @param {Table} table */
export function people(table) {
  const { view, room } = table;
  return html`<ul class="people" translate="no" aria-label=${table.t("people")}>
    ${[...view.seats.values()].map((seat) => person(table, seat, (room.here[seat.id] ?? 0) > 0))}
  </ul>`;
}

/** @param {Table} table @param {T.Seat} seat @param {boolean} here whether it is connected */
function person(table, seat, here) {
  const own = seat.id === table.room.seat;
  const role = table.t(`role.${seat.role}`);
  const isNamedSo = table.nameOfSeat(seat.id).toLowerCase() === role.toLowerCase(); // as for a gm who chose no name
  return html`<li data-seat=${seat.id} class=${here ? "here" : "away"}>
    <span class="mark" title=${table.t(here ? "here" : "away")} aria-hidden="true">${here ? "●" : "○"}</span>
    <bdi class="name" .style=${edgeOf(table, seat.id)}>${table.nameOfSeat(seat.id)}</bdi>
    ${isNamedSo ? nothing : html`<span class="role">${role}</span>`}${own ? html` <b>${table.t("you")}</b>` : nothing}
    ${seat.lent_to ? html`<span class="lent">${table.t("lent_to", { name: table.nameOfSeat(seat.lent_to) })}</span>` : nothing}
    <span class="unseen">${table.t(here ? "here" : "away")}</span>
  </li>`;
}

/** Draw the switch that keeps the viewer's seat on this device. @param {Table} table */
export function keeping(table) {
  if (table.over || table.ui.get("knocked")) return nothing; // knocked: the page that embeds this page keeps the seat
  const kept = isKept(table.room.link);
  return html`<button
      type="button"
      class="button keep"
      data-key="seat:keep"
      aria-pressed=${kept ? "true" : "false"}
      title=${table.t(kept ? "keep.kept" : "keep.does")}
      @click=${() => turnKeeping(table)}
    >
      ${kept ? "★" : "☆"} ${table.t("keep")}
    </button>
    ${table.ui.get("keep:fails") ? html`<p class="refusal" role="alert">${table.t("keep.fails")}</p>` : nothing}`;
}

/** Keep the viewer's seat, or forget a kept one. @param {Table} table */
export function turnKeeping(table) {
  const { link } = table.room;
  const kept = isKept(link);
  if (kept) forgetSeat(link);
  table.set("keep:fails", !kept && !keepSeat(link, aboutSeat(table)));
}

/** Return the data to store with a kept seat. @param {Table} table @returns {import("../app/seats.js").About} */
export function aboutSeat({ view, room }) {
  const { seat, role } = room;
  return { title: view.title, role, seat, name: view.seats.get(seat)?.name };
}
