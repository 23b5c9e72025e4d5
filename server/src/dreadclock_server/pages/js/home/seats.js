// @ts-check
/** The list of seats whose links this device has stored. */

/** @import { KeptSeat } from "../app/seats.js" @import { Table } from "../app/table.js" */

import { Refused } from "../../client/errors.js";
import { log } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button } from "../app/controls.js";
import { keepToken } from "../app/link.js";
import { forgetSeat, forgetSeats, keptSeats } from "../app/seats.js";
import { keyed } from "../parts/card.js";

const BEYOND = 999_999_999_999; // a seq after every record, so that the server returns no records
const SEVERAL = 2; // from 2 seats on, there is a button to forget all

/** Draw the stored seats, if there are any. @param {Table} table */
export function seats(table) {
  const kept = keptSeats();
  if (!kept.length) return nothing;
  const forget = async () => {
    forgetSeats();
    table.redraw();
  };
  return html`<section class="seats" data-place="tables" aria-labelledby="home-tables">
    <h2 id="home-tables">${table.t("home.tables")}</h2>
    <ul>
      ${keyed(kept.map((seat) => ({ ...seat, id: `${seat.room}:${seat.token}` })), (seat) => row(table, seat))}
    </ul>
    <p class="hint">${table.t("home.tables_hint")}</p>
    ${kept.length < SEVERAL ? nothing : button(table, { key: "home:forget", label: table.t("home.forget_all"), work: forget })}
  </section>`;
}

/**
 * Draw a seat: a button that opens its table, and one that forgets it.
 * @param {Table} table @param {KeptSeat & { id: string }} seat
 */
function row(table, seat) {
  const { room, token, title, role, name, seen } = seat;
  const called = title ?? table.t("home.untitled");
  const when = new Date(seen).toLocaleString(table.words.language, { dateStyle: "medium", timeStyle: "short" });
  const forget = async () => {
    forgetSeat(seat);
    table.redraw();
  };
  return html`<li data-room=${room} data-role=${role ?? ""}>
    <button type="button" class="button sit" data-key=${`home:sit:${room}`} @click=${() => sit(room, token)}>
      <b>${called}</b>
      <span>${role ? html`${name} · ${table.t(`role.${role}`)} · ` : nothing}${table.t("home.seen", { when })}</span>
    </button>
    ${button(table, { key: `home:forget:${seat.seat ?? ""}:${room}`, label: table.t("home.forget"), describes: `${called}, ${name ?? ""}`, work: forget })}
  </li>`;
}

/** Go to a table. The link's token is in session storage, not in the address. @param {string} room @param {string} token */
function sit(room, token) {
  const address = new URL(`r/${room}`, new URL(".", location.href));
  if (!keepToken(room, token)) address.hash = token; // without session storage, the token is in the address, as in a link
  location.assign(address);
}

/** Ask the server about each stored seat, and forget the seats whose link was revoked or whose room was deleted. @param {Table} table */
export async function forgetWhatIsGone(table) {
  for (const seat of keptSeats()) {
    try {
      await log(seat, { public: BEYOND, gm: BEYOND });
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "unauthorised") continue; // keep the seat after any other error, such as an unreachable server
      forgetSeat(seat);
      table.redraw();
    }
  }
}
