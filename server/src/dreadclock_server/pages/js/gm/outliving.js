// @ts-check
/** Running countdowns whose character is dead or retired, or whose scene or situation has ended: nothing ends them by itself. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button } from "../app/controls.js";
import { called, keyed } from "../parts/card.js";

const NAME = "dreadclock:outliving";
const MOST_KEPT = 200; // lines that are hidden in this browser
/** @typedef {{ id: string, name: string | undefined, kind: "character" | "scene" | "situation", countdowns: T.Countdown[] }} Ended */

/** Draw a line for each thing that is over and has running countdowns, unless the gm hid it here. @param {Table} table */
export function outliving(table) {
  const hidden = hiddenLines(table);
  const lines = ended(table).filter((each) => !hidden.includes(lineOf(table, each)));
  return lines.length ? html`<div data-part="outliving" role="status">${keyed(lines, (each) => line(table, each))}</div>` : nothing;
}

/** @param {Table} table @param {Ended} one */
function line(table, one) {
  const name = one.name ?? one.id;
  const keep = { key: `outliving:${one.id}:keep`, label: table.t("gm.outliving.keep"), describes: name, title: table.t("gm.outliving.keep.does") };
  return html`<p class="hint">
    ${table.t(`gm.outliving.${one.kind}`, { name })}
    ${one.countdowns.map((each) => html`<span>${called(each.name)} ${cancel(table, each)}</span> `)}
    ${button(table, { ...keep, work: async () => hide(table, one) })}
  </p>`;
}

/** @param {Table} table @param {T.Countdown} countdown */
function cancel(table, { id, name }) {
  const label = table.t("gm.outliving.cancel");
  const title = table.t("gm.outliving.cancel.does");
  return button(table, { key: `outliving:${id}:cancel`, label, title, describes: name, command: { type: "cancel_countdown", countdown_id: id } });
}

/** Return what is over and still has running countdowns. @param {Table} table @returns {Ended[]} */
function ended({ view }) {
  const found = /** @type {Map<string, Ended>} */ (new Map());
  /** @param {Ended["kind"]} kind @param {string} id @param {string | undefined} name @param {T.Countdown} countdown */
  const add = (kind, id, name, countdown) => {
    const one = found.get(id) ?? { kind, id, name, countdowns: [] };
    found.set(id, one);
    one.countdowns.push(countdown);
  };
  for (const countdown of view.countdowns.values()) {
    if (countdown.status !== "running") continue;
    const { about, bound_to: bound, bound_id: to = "" } = countdown;
    const who = view.characters.get(about ?? "");
    if (about && (!who || who.status === "dead" || who.status === "retired")) add("character", about, who?.name, countdown);
    const where = bound === "scene" ? view.scenes.get(to) : view.situations.get(to);
    const goes = where?.status === "open" || where?.status === "prepared";
    if ((bound === "scene" || bound === "rounds") && !goes) add(bound === "scene" ? "scene" : "situation", to, where?.name, countdown);
  }
  return [...found.values()];
}

// Lines that the gm hid: on this device, until others countdowns run on

/** @param {Table} table @param {Ended} one */
const lineOf = ({ room }, { id, countdowns }) => [room.logId, id, ...countdowns.map((each) => each.id)].join(" ");

/** @param {Table} table @returns {string[]} */
function hiddenLines({ ui }) {
  if (!ui.has(NAME)) ui.set(NAME, stored());
  return ui.get(NAME);
}

/** @returns {string[]} */
function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}

/** @param {Table} table @param {Ended} one */
function hide(table, one) {
  const hidden = [...hiddenLines(table), lineOf(table, one)].slice(-MOST_KEPT);
  table.set(NAME, hidden);
  try {
    localStorage.setItem(NAME, JSON.stringify(hidden));
  } catch {
    // this browser keeps nothing: it is hidden until the page is reloaded
  }
}
