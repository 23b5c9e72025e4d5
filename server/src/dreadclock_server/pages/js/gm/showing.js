// @ts-check
/** A link for somebody else. Beside it are a choice of addresses that other devices can reach, a button that copies the link, and a QR code. */

/**
 * @import { Table } from "../app/table.js"
 *
 * @typedef {object} Shown
 * @property {string} link the link, with the chosen address
 * @property {readonly string[]} bases the known addresses of this server for other devices, such as `http://192.168.1.20:8000`
 * @property {boolean} isLocal whether the link can only be opened on this computer
 * @property {string} [start] the command that starts the server so that other devices reach it
 * @property {(label: string) => unknown} [qr] draws the QR code of the link
 * @property {string} [typed] a typed host name that is not among the allowed hosts of the server
 */

import { button, lazily, refusal } from "../app/controls.js";
import { addresses, qrOf } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { folded } from "../forms/live.js";
import { copying, isCopied } from "./presses.js";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PLACE = /\/(?:r|recap)\/[a-z2-7]{26}#/; // in a link, everything before this match is the address of the server
const HOST = /^[\w.-]+$|^\[[\da-f:.]+\]$/; // has no %, because some browsers turn a typed space into %20
const BASE = "link:base"; // a key in `ui`; its value is the address that was chosen last
const MARGIN = 4; // white squares around a QR code, for scanners

const labels = lazily((table) => table.words.learn("other_address").then(() => true));

/** Return what `linkShown` draws. If only this computer can open the link, use the address that was chosen last, or the first known address. @param {Table} table @param {string} link @returns {Promise<Shown>} */
export async function shownLink(table, link) {
  if (!isLocal(link)) return withQr(table, { link, bases: [], isLocal: false });
  const { addresses: bases, start } = await addresses(table.room.link);
  const chosen = bases.find((base) => base === table.ui.get(BASE)) ?? bases[0];
  return chosen ? withQr(table, { link: rebased(link, chosen), bases, isLocal: false }) : { link, bases, isLocal: true, start };
}

/** Request the QR code of a link from the server, and add the QR code to `shown`. @param {Table} table @param {Shown} shown @returns {Promise<Shown>} */
async function withQr(table, shown) {
  const { qr } = await qrOf(table.room.link, shown.link);
  return { ...shown, qr: (label) => qr && qrCode(qr, label) };
}

/** Tell whether a link can only be opened on this computer. @param {string} link */
function isLocal(link) {
  return LOOPBACK.test(new URL(link).hostname);
}

/** Return a link with another address. @param {string} link @param {string} base */
function rebased(link, base) {
  return base + link.slice(link.search(PLACE));
}

/**
 * Draw a link and its controls. Once the link is copied, it is hidden, so that nobody can read it on a shared screen.
 * @param {Table} table
 * @param {string} key the key of `shown` in `ui`, and the name of the link's field
 * @param {Shown} shown
 * @param {string} name the name of the person or device that gets the link
 */
export function linkShown(table, key, shown, name) {
  const { link, qr } = shown;
  const isHidden = isCopied(table, key, link);
  const show = { key: `${key}:show`, label: table.t("gm.link.show"), describes: name, work: async () => table.set(`${key}:copied`, undefined) };
  const selectAll = (/** @type {Event} */ { currentTarget }) => /** @type {HTMLInputElement} */ (currentTarget).select();
  return html`${shown.isLocal ? onlyHere(table, shown.start ?? "dreadclock serve --lan") : nothing} ${shown.bases.length > 1 ? baseChoice(table, key, shown) : nothing}
    <div class="fields">
      ${isHidden
        ? html`<p class="hint">${table.t("gm.link.hidden")}</p>`
        : html`<label class="field">
            <span class="name">${table.t("gm.link.address")}</span>
            <input type="text" readonly name=${key} .value=${link} @focus=${selectAll} />
          </label>`}
      ${copying(table, key, link, name)} ${isHidden ? button(table, show) : nothing}
    </div>
    ${qr && !isHidden ? qr(table.t("gm.qr", { name })) : nothing} ${isLocal(table.room.link.server) ? labels(table, () => otherAddress(table, key, shown)) : nothing}`;
}

/** @param {Table} table @param {string} key @param {Shown} shown */
function baseChoice(table, key, shown) {
  const choose = (/** @type {Event} */ { currentTarget }) => {
    const base = /** @type {HTMLSelectElement} */ (currentTarget).value;
    table.ui.set(BASE, base);
    const work = async () => table.set(key, await withQr(table, { ...shown, link: rebased(shown.link, base) }));
    void table.attempt(`${key}:base`, work);
  };
  return html`<label class="field choice">
    <span class="name">${table.t("gm.link.base")}</span>
    <select name="base" @change=${choose}>
      ${shown.bases.map((base) => html`<option value=${base} ?selected=${shown.link === rebased(shown.link, base)}>${base}</option>`)}
    </select>
    <span class="hint">${table.t("gm.link.base.hint")}</span>
  </label>`;
}

/** Draw the warning that other devices cannot open a link, with the command that starts the server for them. @param {Table} table @param {string} start */
function onlyHere(table, start) {
  return html`<div class="only-here" role="note" data-part="only-here">
    <p><b>${table.t("gm.link.local")}</b> ${table.t("gm.link.local.why")}</p>
    ${folded(
      table.t("gm.link.local.how"),
      html`<p>${table.t("gm.link.local.start")}</p>
        <pre><code>${start}</code></pre>
        ${copying(table, "link:start", start, table.t("gm.link.local.how"), "plain")}
        <p>${table.t("gm.link.local.then")}</p>`,
    )}
  </div>`;
}

/**
 * Draw a field for another address of the server, such as the address of a tunnel or of the computer that runs WSL2. If the typed
 * host is not among the known addresses, draw the setting that makes the server allow this host.
 * @param {Table} table @param {string} key @param {Shown} shown
 */
function otherAddress(table, key, shown) {
  const place = `${key}:other`;
  const type = (/** @type {Event} */ { currentTarget }) => {
    const base = baseOf(/** @type {HTMLInputElement} */ (currentTarget).value, table.room.link.server);
    if (!base) return table.refuse(place, table.t("gm.link.other.wrong"));
    const typed = shown.bases.includes(base) ? undefined : new URL(base).hostname.replace(/^\[|\]$/g, "");
    table.refuse(place, "");
    const next = withQr(table, { ...shown, isLocal: false, typed, link: rebased(shown.link, base) });
    next.then((now) => table.set(key, now), () => table.refuse(place, table.t("control.lost")));
  };
  const field = html`<label class="field">
    <input name="other" autocapitalize="off" spellcheck="false" placeholder="192.168.1.20" @change=${type} />
    <span class="hint">${table.t("gm.link.other.hint")}</span>
  </label>`;
  return html`${folded(table.t("gm.link.other"), field)} ${refusal(table, place)}
    ${shown.typed
      ? html`<div role="status" data-part="allowed-hosts">
          <p>${table.t("gm.link.other.allow", { name: shown.typed })}</p>
          <pre><code>${`export DREADCLOCK_ALLOWED_HOSTS=${shown.typed}`}</code></pre>
        </div>`
      : nothing}`;
}

/**
 * Make an address for links from a typed host or URL. A host without a port gets the port of the server. Return null if the
 * text is neither a host nor a URL, or has a user, a query or a fragment.
 * @param {string} typed @param {string} server the address of the server for this page
 */
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

/** Draw a QR code. @param {readonly string[]} rows the rows of modules, as strings of `0` (light) and `1` (dark) @param {string} label */
function qrCode(rows, label) {
  const size = rows.length + 2 * MARGIN;
  const dark = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index + MARGIN} ${y + MARGIN}h${run.length}v1h-${run.length}z`),
  );
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${label} shape-rendering="crispEdges">
    <rect width=${size} height=${size} fill="#fff" />
    <path d=${dark.join("")} fill="#000" />
  </svg>`;
}
