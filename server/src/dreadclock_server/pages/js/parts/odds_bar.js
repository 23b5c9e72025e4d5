// @ts-check
/** Draws odds as a bar, with numbers beside it. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { OUTCOMES } from "../../client/limits.js";
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { fraction } from "../app/words.js";
import { isolated } from "../../client/messages.js";


/**
 * Return the names of a side's characters; empty if there is no other side, because then the odds need no names.
 * @param {Table} table @param {readonly { side: T.Side, name?: string, character_id: string }[]} parts @param {T.Side} [of]
 */
export function whose(table, parts, of = "acting") {
  const names = parts.filter(({ side }) => side === of).map((part) => table.nameOfPart(part));
  return names.length < parts.length ? new Intl.ListFormat(table.words.language).format(names.map(isolated)) : "";
}

/**
 * Draw the odds of a check.
 * @param {Table} table @param {T.CheckOdds | undefined} odds @param {string} [names] whose odds these are
 */
export function checkOdds(table, odds, names) {
  if (!odds) return nothing;
  const shares = OUTCOMES.map((outcome) => ({ kind: outcome, odds: odds[outcome], name: table.t(`outcome.${outcome}`) }));
  return html`<div class="odds" data-part="odds">
    ${bar(shares)}
    <ul>
      ${names ? html`<li translate="no"><b>${names}:</b></li>` : nothing}
      ${shares.map(({ kind, name, odds: share }) => html`<li class=${kind}><span class="key"></span>${name} <span translate="no">${table.words.percent(share)}</span></li>`)}
      ${odds.wins ? html`<li translate="no">${table.t("odds.wins", { chance: table.words.percent(odds.wins) })}</li>` : nothing}
      ${odds.succeeds ? html`<li translate="no"><b>${table.t("odds.succeeds", { chance: table.words.percent(odds.succeeds) })}</b></li>` : nothing}
    </ul>
  </div>`;
}

/** Draw the shares of a whole as a bar. @param {readonly { kind: string, odds: string }[]} shares */
export function bar(shares) {
  let from = 0;
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    ${shares.map(({ kind, odds }) => {
      const width = 100 * fraction(odds);
      const drawn = svg`<rect class=${kind} x=${from} y="0" width=${width} height="6" />`;
      from += width;
      return drawn;
    })}
  </svg>`;
}

/** Draw words for a chance; nothing if it is not known. @param {Table} table @param {string} key @param {string | undefined} odds */
export function chance(table, key, odds) {
  return odds ? html`<span class="chance" translate="no" data-part=${key}>${table.t(key, { chance: table.words.percent(odds) })}</span>` : nothing;
}
