// @ts-check
/** An address that is typed in for a link, and the setting that it needs; loaded when a link is shown. */

/** @import { Table } from "../app/table.js" @import { Shown } from "./showing.js" */

import { refusal } from "../app/controls.js";
import { folded } from "../forms/live.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";

const HOST = /^[\w.-]+$|^\[[\da-f:.]+\]$/; // some browsers write a space as %20

/**
 * Draw the field for an address that the server does not know of, such as that of a tunnel or of the machine around WSL2,
 * and the setting that it needs.
 * @param {Table} table @param {string} key @param {Shown} shown
 * @param {(shown: Shown, base: string) => Promise<Shown>} move lets the link begin with another address
 */
export function otherAddress(table, key, shown, move) {
  const place = `${key}:other`;
  const type = (/** @type {Event} */ { currentTarget }) => {
    const base = baseOf(/** @type {HTMLInputElement} */ (currentTarget).value, table.room.link.server);
    if (!base) return table.refuse(place, table.t("gm.link.other.wrong"));
    const typed = shown.bases.includes(base) ? undefined : new URL(base).hostname.replace(/^\[|\]$/g, "");
    table.refuse(place, "");
    const next = move({ ...shown, isLocal: false, typed }, base);
    next.then((now) => table.set(key, now), () => table.refuse(place, table.t("control.lost")));
  };
  const line = `export DREADCLOCK_ALLOWED_HOSTS=${shown.typed}`;
  const field = html`<label class="field">
    <input name="other" autocapitalize="off" spellcheck="false" placeholder="192.168.1.20" @change=${type} />
    <span class="hint">${table.t("gm.link.other.hint")}</span>
  </label>`;
  return html`${folded(table.t("gm.link.other"), field)} ${refusal(table, place)}
    ${shown.typed
      ? html`<div role="status" data-part="allowed-hosts">
          <p>${table.t("gm.link.other.allow", { name: shown.typed })}</p>
          <pre><code>${line}</code></pre>
        </div>`
      : nothing}`;
}

/** Return how links begin at an address that was typed in; null if it is none. @param {string} typed @param {string} server */
function baseOf(typed, server) {
  const here = new URL(server);
  const text = typed.trim();
  const isWhole = /^https?:\/\//.test(text);
  try {
    const url = new URL(isWhole ? text : `${here.protocol}//${text}`);
    if (!isWhole && !/:\d+$/.test(text)) url.port = here.port;
    const isPlain = HOST.test(url.hostname) && !url.username && !url.search && !url.hash;
    return isPlain ? (url.origin + url.pathname).replace(/\/+$/, "") : null;
  } catch {
    return null;
  }
}
