// @ts-check
/** All clocks and countdowns at one glance, in one line on top of a phone's page; each leads to its card. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { countdownIsOver } from "../app/over.js";
import { keyed } from "../parts/card.js";
import { dial } from "../parts/dial.js";
import { goTo } from "./go.js";

/** Draw the line. @param {Table} table */
export function glance(table) {
  const countdowns = [...table.view.countdowns.values()].filter((each) => !countdownIsOver(each));
  const chips = [
    ...countdowns.map((each) => ({ id: `countdown:${each.id}`, draw: () => ofCountdown(table, each) })),
    ...[...table.view.clocks.values()].flatMap((each) => ofClock(table, each)),
  ];
  if (!chips.length) return nothing;
  return html`<nav class="glance" data-place="glance" aria-label=${table.t("my.glance")}>
    <ul>
      ${keyed(chips, ({ id, draw }) => html`<li data-glance=${id}>${draw()}</li>`)}
    </ul>
  </nav>`;
}

/** @param {Table} table @param {T.Countdown} countdown */
function ofCountdown(table, { id, name, pool, speed }) {
  const left = html`<span class=${`left ${speed} ${pool === 1 ? "last" : ""}`} aria-hidden="true">${pool}</span>
    <span class="unseen">${table.t("countdown.left", { pool })}</span>`;
  return chip(`countdown:${id}`, name, left);
}

/** Draw a clock that moves: one that stands for itself, or whose scene goes on. @param {Table} table @param {T.Clock} clock */
function ofClock(table, clock) {
  const { id, kind, of = "", name } = clock;
  if (kind === "free") return [{ id: `clock:${id}`, draw: () => chip(`clock:${id}`, name, dial(table, clock)) }];
  const { scenes, situations } = table.view;
  const place = scenes.get(of) ?? situations.get(of);
  if (place?.status !== "open" || ("aside" in place && place.aside)) return [];
  const called = kind === "threat" ? table.t("scene.threat") : place.name;
  const thing = `${scenes.has(of) ? "scene" : "situation"}:${of}`;
  return [{ id: `clock:${id}`, draw: () => chip(thing, called, dial(table, clock)) }];
}

/** @param {string} thing whose card it leads to @param {string} name @param {unknown} picture */
function chip(thing, name, picture) {
  return html`<button type="button" class="button" title=${name} @click=${() => goTo(`[data-thing="${thing}"]`)}>
    ${picture} <span class="name">${name}</span>
  </button>`;
}
