// @ts-check
/** A link as it is shown to be passed on: with an address that other devices reach, to be copied, and as a QR code. */

/**
 * @import { Table } from "../app/table.js"
 *
 * @typedef {object} Shown
 * @property {string} link as it stands now
 * @property {readonly string[]} bases how it may begin for other devices to reach the server
 * @property {boolean} isLocal whether it opens on this machine only
 * @property {string} [start] the command that starts the server for other devices
 * @property {(label: string) => unknown} [qr] draws its QR code
 * @property {string} [typed] a host that was typed in, to which the server does not answer yet
 */

import { button, lazily } from "../app/controls.js";
import { addresses, qrOf } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { folded } from "../forms/live.js";
import { copying, isCopied } from "./presses.js";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PLACE = /\/(?:r|recap)\/[a-z2-7]{26}#/;
const BASE = "link:base"; // the address that was chosen last

const another = lazily(async (table) => {
  const [module] = await Promise.all([import("./other_address.js"), table.words.learn("other_address")]);
  return module;
});

/** Return a link as it is to be shown. @param {Table} table @param {string} link @returns {Promise<Shown>} */
export async function shownLink(table, link) {
  if (!isLocal(link)) return drawn(table, { link, bases: [], isLocal: false });
  const { addresses: bases, start } = await addresses(table.room.link);
  const chosen = bases.find((each) => each === table.ui.get(BASE)) ?? bases[0];
  return chosen ? drawn(table, { link: rebased(link, chosen), bases, isLocal: false }) : { link, bases, isLocal: true, start };
}

/** @param {Table} table @param {Shown} shown @returns {Promise<Shown>} */
async function drawn(table, shown) {
  const [{ qr }, { qrCode }] = await Promise.all([qrOf(table.room.link, shown.link), import("./qr.js")]);
  return { ...shown, qr: (label) => qr && qrCode(qr, label) };
}

/** @param {string} link */
function isLocal(link) {
  return LOOPBACK.test(new URL(link).hostname);
}

/** Let a link begin with another address. @param {string} link @param {string} base */
function rebased(link, base) {
  return base + link.slice(link.search(PLACE));
}

/**
 * Draw a link with all that passes it on. Once it was copied, nobody who looks at this screen can read it.
 * @param {Table} table
 * @param {string} key under which the page keeps what is shown, and the name of its field
 * @param {Shown} shown
 * @param {string} name whose link it is
 */
export function linkShown(table, key, shown, name) {
  const { link, qr } = shown;
  const isHidden = isCopied(table, key, link);
  const show = { key: `${key}:show`, label: table.t("gm.link.show"), describes: name, work: async () => table.set(`${key}:copied`, undefined) };
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
    ${qr && !isHidden ? qr(table.t("gm.qr", { name })) : nothing} ${isLocal(table.room.link.server) ? another(table, ({ otherAddress }) => otherAddress(table, key, shown, (next, base) => drawn(table, { ...next, link: rebased(next.link, base) }))) : nothing}`;
}

/** @param {Table} table @param {string} key @param {Shown} shown */
function baseChoice(table, key, shown) {
  const choose = (/** @type {Event} */ { currentTarget }) => {
    const base = /** @type {HTMLSelectElement} */ (currentTarget).value;
    table.ui.set(BASE, base);
    const work = async () => table.set(key, await drawn(table, { ...shown, link: rebased(shown.link, base) }));
    void table.attempt(`${key}:base`, work);
  };
  return html`<label class="field choice">
    <span class="name">${table.t("gm.link.base")}</span>
    <select name="base" @change=${choose}>
      ${shown.bases.map((each) => html`<option value=${each} ?selected=${shown.link === rebased(shown.link, each)}>${each}</option>`)}
    </select>
    <span class="hint">${table.t("gm.link.base.hint")}</span>
  </label>`;
}

/** Say that other devices cannot follow a link, and what to do. @param {Table} table @param {string} start */
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

/** @param {Event} event */
function selectAll({ currentTarget }) {
  /** @type {HTMLInputElement} */ (currentTarget).select();
}
