// @ts-check
/** What happened, as sentences: read aloud as it happens. */

/** @import { Table, Told } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { guard } from "../../vendor/lit-html/directives/guard.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";

const SHOWN = 60;
const clocks = /** @type {Map<string, Intl.DateTimeFormat>} */ (new Map());

/** Draw the latest sentences, newest last, as a log that is read aloud. @param {Table} table */
export function chronicle(table) {
  return html`<section class="chronicle" aria-labelledby="chronicle">
    <h2 id="chronicle">${table.t("chronicle")}</h2>
    <div class="told" role="log" aria-live="polite" aria-labelledby="chronicle" tabindex="0">
      ${table.beganAt > 1 ? html`<p class="hint">${table.t("chronicle.earlier")}</p>` : nothing}
      <ol>
        ${repeat(
          table.told.slice(-SHOWN),
          (each) => each.key,
          (each) => guard([each], () => line(table, each)),
        )}
      </ol>
    </div>
  </section>`;
}

/** @param {Table} table @param {Told} told */
function line(table, { key, channel, at, text }) {
  const time = new Date(at);
  return html`<li class=${channel} data-record=${key}>
    <time datetime=${time.toISOString()}>${clock(table.words.language).format(time)}</time> ${text}
  </li>`;
}

/** @param {string} language */
function clock(language) {
  const known = clocks.get(language) ?? new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  clocks.set(language, known);
  return known;
}
