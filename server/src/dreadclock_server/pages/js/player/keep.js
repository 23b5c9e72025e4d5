// @ts-check
/** Said once, to who has not chosen: the seat can be kept on this device. The menu offers it ever after. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { withStorage } from "../app/link.js";
import { isKept } from "../app/seats.js";
import { turnKeeping } from "../parts/keeping.js";

/** Draw the offer; none within another page, which keeps the seat then. @param {Table} table */
export function keepOffer(table) {
  const { link } = table.room;
  const name = `dreadclock:chosen/${link.room}`;
  const chosen = table.ui.has(name) || withStorage((storage) => storage.getItem(name));
  if (chosen || table.over || table.ui.get("knocked") || self !== top || isKept(link)) return nothing;
  const choose = (/** @type {boolean} */ keeps) => {
    withStorage((storage) => storage.setItem(name, "yes"));
    table.ui.set(name, true);
    if (keeps) turnKeeping(table);
    table.redraw();
  };
  const no = table.t("my.keep.no");
  return html`<div class="keep-offer" role="group" aria-label=${table.t("my.keep")} data-place="keep-offer">
    <p>${table.t("my.keep")}</p>
    <button type="button" class="button" data-key="keep:yes" title=${table.t("keep.does")} @click=${() => choose(true)}>${table.t("keep")}</button>
    <button type="button" class="button" data-key="keep:no" aria-label=${no} title=${no} @click=${() => choose(false)}>×</button>
  </div>`;
}
