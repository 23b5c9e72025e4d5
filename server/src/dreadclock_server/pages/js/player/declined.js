// @ts-check
/** Shows a proposal of the viewer that the gm declined, with the gm's note, until the viewer dismisses it. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyOf } from "../app/fresh.js";
import { nameOf } from "./waiting.js";

const SEEN = "declined:seen";

/**
 * Draw a declined proposal. Draw nothing if it is not the viewer's, if the gm did not withdraw it, or if the viewer has
 * dismissed it.
 * @param {Table} table @param {T.EventRecord} record the record of the withdrawal
 */
export function declined(table, record) {
  const { event, by } = record;
  const { check_id: check, total_id: total, note } = /** @type {any} */ (event);
  const thing = proposed(table, check ?? total);
  if (!thing || table.ui.get(SEEN) === keyOf(record) || table.view.seats.get(by)?.role !== "gm") return nothing;
  return html`<div class="call declined" role="status" data-part="declined">
    <p class="calls">${table.t("my.declined", { name: nameOf(table, thing) })}</p>
    ${note ? html`<p>${note}</p>` : nothing}
    <button type="button" class="button" data-key="declined:seen" @click=${() => table.set(SEEN, keyOf(record))}>${table.t("my.declined.seen")}</button>
  </div>`;
}

/**
 * Return the viewer's proposal with an id; undefined if the recent records do not have it.
 * @param {Table} table @param {string} id @returns {T.Check | T.Total | undefined}
 */
function proposed(table, id) {
  const things = table.sentences.flatMap(({ record: { event, by } }) => {
    const thing = event.type === "check_proposed" ? event.check : event.type === "total_proposed" ? event.total : undefined;
    return thing?.id === id && by === table.room.seat ? [thing] : [];
  });
  return things.at(-1);
}
