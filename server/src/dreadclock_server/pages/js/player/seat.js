// @ts-check
/** The controls of the viewer's seat: rename it, lend it to an integration (a bot), leave it. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, closeDisclosure, field, form } from "../app/controls.js";

const SURE = "seat:sure";

/** Draw the controls of the viewer's seat. @param {Table} table @param {T.Seat} seat @param {string} place */
export function seatForm(table, seat, place) {
  return html`${form(table, {
    key: "seat:rename",
    submit: table.t("my.rename_seat"),
    inline: true,
    keep: true,
    fields: field({ name: "name", label: table.t("my.seat_name"), value: seat.name, required: true }),
    command: (values) => ({ type: "rename_seat", seat_id: seat.id, name: values.text("name") ?? "" }),
    done: () => closeDisclosure(table, place),
  })}
  ${seat.role === "player" ? lending(table, seat) : nothing} ${leaving(table)}`;
}

/**
 * If the seat is lent to an integration, draw the integration's name and a button that takes the seat back. Otherwise draw a
 * button for each integration to which the seat can be lent.
 * @param {Table} table @param {T.Seat} seat
 */
function lending(table, { lent_to }) {
  if (lent_to) {
    const command = /** @type {const} */ ({ type: "take_back_seat" });
    return html`<p>${table.t("my.lent", { name: table.nameOfSeat(lent_to) })}</p>
      <p>${button(table, { key: "seat:take_back", label: table.t("my.take_back"), command })}</p>`;
  }
  const able = [...table.view.seats.values()].filter(({ scopes }) => scopes.includes("act_for"));
  return able.map(({ id, name }) => {
    const command = /** @type {const} */ ({ type: "lend_seat", to: id });
    return html`<p>${button(table, { key: `seat:lend:${id}`, label: table.t("my.lend", { name }), command })}</p>`;
  });
}

/** Draw the button that leaves the seat. After a press on it, draw a question to confirm. @param {Table} table */
function leaving(table) {
  const isAsked = table.ui.get(SURE) ?? false;
  const stay = (/** @type {Event} */ { currentTarget }) => {
    /** @type {HTMLElement | null | undefined} */ (/** @type {Element} */ (currentTarget).closest(".sure")?.querySelector("button"))?.focus();
    table.set(SURE, false);
  };
  return html`<div class="sure">
    <p><button type="button" class="button" data-key="seat:leave:ask" aria-expanded=${String(isAsked)} @click=${() => table.set(SURE, !isAsked)}>${table.t("my.leave")}</button></p>
    ${isAsked
      ? html`<p>${table.t("my.leave_sure")}</p>
          <div class="controls" role="group" aria-label=${table.t("my.leave")}>
            ${button(table, { key: "seat:leave", label: table.t("my.leave_yes"), kind: "risk", command: { type: "leave_seat" } })}
            <button type="button" class="button" data-key="seat:stay" @click=${stay}>${table.t("my.stay")}</button>
          </div>`
      : nothing}
  </div>`;
}
