// @ts-check
/** The gm's controls for sharing a recap of the evening: make links to it, list them, and revoke them. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { recaps, shareRecap, withdrawRecap } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, refusal } from "../app/controls.js";
import { sure } from "../gm/presses.js";
import { linkShown, shownLink } from "../gm/showing.js";

const LIST = "recaps:list";

/** Draw the controls. @param {Table} table */
export function sharing(table) {
  const shown = table.ui.get("link");
  const shared = /** @type {T.SharedRecap[] | undefined} */ (table.ui.get("recaps"));
  if (!shared && !table.busy(LIST) && !table.refusal(LIST)) queueMicrotask(() => table.attempt(LIST, () => list(table)));
  return html`<div class="sharing" role="group" aria-label=${table.t("recap.share")} data-place="sharing">
    <p>${table.t("recap.share.who")}</p>
    ${button(table, { key: "recap:make", label: table.t("recap.share.make"), kind: "main", work: () => make(table) })}
    ${shown ? linkShown(table, "link", shown, table.t("recap.title")) : nothing} ${refusal(table, LIST)}
    ${shared?.length ? html`<h2>${table.t("recap.shared")}</h2><ul class="shared">${shared.map((recap) => row(table, recap))}</ul>` : nothing}
  </div>`;
}

/** Make a link, and show it. @param {Table} table */
async function make(table) {
  const { link, recap_id: id } = await shareRecap(table.room.link);
  table.ui.set("link:id", id);
  table.set("link", await shownLink(table, link));
  await list(table);
}

/** Fetch the list of shared links. @param {Table} table */
async function list(table) {
  table.set("recaps", await recaps(table.room.link));
}

/** Draw a shared link with a button that revokes it. @param {Table} table @param {T.SharedRecap} shared */
function row(table, { recap_id: id, created_at: at, seq }) {
  const when = new Date(at).toLocaleString(table.words.language, { dateStyle: "medium", timeStyle: "short" });
  const made = table.t("recap.shared.made", { when, seq });
  const work = async () => {
    await withdrawRecap(table.room.link, id);
    if (table.ui.get("link:id") === id) table.ui.delete("link");
    await list(table);
  };
  const [label, yes] = [table.t("recap.withdraw"), table.t("recap.withdraw.yes")];
  return html`<li><span>${made}</span> ${sure(table, { key: `recap:${id}:withdraw`, label, yes, describes: made, work })}</li>`;
}
