// @ts-check
/** The switch that keeps one's seat on this device. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { forgetSeat, isKept, keepSeat } from "../app/seats.js";

/** Draw the switch. @param {Table} table */
export function keeping(table) {
  if (table.over || table.ui.get("knocked")) return nothing; // the page that it is a part of keeps it then
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

/** Keep the seat, or forget it. @param {Table} table */
export function turnKeeping(table) {
  const { link } = table.room;
  const kept = isKept(link);
  if (kept) forgetSeat(link);
  table.set("keep:fails", !kept && !keepSeat(link, aboutSeat(table)));
}

/** Return what a kept seat is shown with. @param {Table} table @returns {import("../app/seats.js").About} */
export function aboutSeat({ view, room }) {
  const { seat, role } = room;
  return { title: view.title, role, seat, name: view.seats.get(seat)?.name };
}
