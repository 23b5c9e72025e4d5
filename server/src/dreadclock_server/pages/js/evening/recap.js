// @ts-check
/** The way to the recap, which opens beside the table. */

/** @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";

/** Draw the button that opens the recap. @param {Table} table @param {string} place where on the page it stands @param {string} [kind] */
export function recapButton(table, place, kind) {
  const [label, title] = [table.t("evening.recap"), table.t("evening.recap.does")];
  return button(table, { key: `${place}:recap`, label, title, kind, work: () => openRecap(table) });
}

/** The token goes along as in every link, and the page takes it out of its address. @param {Table} table */
async function openRecap({ room }) {
  const { server, room: id, token } = room.link;
  open(`${server}/recap/${id}#${token}`, "_blank", "noopener");
}
