// @ts-check
/** A proposal of the viewer that the gm declined, with the gm's note, until the viewer has dismissed it. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyOf } from "../app/fresh.js";
import { nameOfCheck } from "../parts/check.js";
import { nameOfTotal } from "../parts/total.js";

const SEEN = "declined:seen";

/** Draw the declined proposal. @param {Table} table @param {T.EventRecord} record the record of the withdrawal */
export function declined(table, record) {
  const { event, by } = record;
  const { check_id: check, total_id: total, note } = /** @type {any} */ (event);
  const thing = proposed(table, check ?? total);
  if (!thing || table.ui.get(SEEN) === keyOf(record) || table.view.seats.get(by)?.role !== "gm") return nothing;
  const name = "parts" in thing ? nameOfCheck(table, thing) : nameOfTotal(table, thing);
  return html`<div class="call declined" role="status" data-part="declined">
    <p class="calls">${table.t("my.declined", { name })}</p>
    ${note ? html`<p>${note}</p>` : nothing}
    <button type="button" class="button" data-key="declined:seen" @click=${() => table.set(SEEN, keyOf(record))}>${table.t("my.declined.seen")}</button>
  </div>`;
}

/**
 * Return the viewer's proposal with this id, if the recent records still have it.
 * @param {Table} table @param {string} id @returns {T.Check | T.Total | undefined}
 */
function proposed(table, id) {
  const things = table.told.flatMap(({ record: { event, by } }) => {
    const thing = event.type === "check_proposed" ? event.check : event.type === "total_proposed" ? event.total : undefined;
    return thing?.id === id && by === table.room.seat ? [thing] : [];
  });
  return things.at(-1);
}
