// @ts-check
/** The way to the recap, which opens beside the table. */

/** @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";

/** What a gm says to end the evening, in any language: the page that says it has it from its labels. */
const SAID = ["The evening is over.", "Der Abend ist zu Ende."];

/** Return the gm's word that ended the evening, if nothing happened since. @param {Table} table */
export function endOf({ told, view }) {
  const last = told.findLast(({ record }) => !record.event.type.startsWith("seat_"));
  const { event, by } = last?.record ?? {};
  const ends = event?.type === "narrated" && SAID.includes(event.text) && view.seats.get(by ?? "")?.role === "gm";
  return ends && !last?.back ? last : undefined;
}

/** Draw the button that opens the recap. @param {Table} table @param {string} place where on the page it stands */
export function recapButton(table, place) {
  const [label, title] = [table.t("evening.recap"), table.t("evening.recap.does")];
  return button(table, { key: `${place}:recap`, label, title, work: () => openRecap(table) });
}

/** The token goes along as in every link, and the page takes it out of its address. @param {Table} table */
async function openRecap({ room }) {
  const { server, room: id, token } = room.link;
  open(`${server}/recap/${id}#${token}`, "_blank", "noopener");
}
