// @ts-check
/**
 * Hints about running countdowns whose character is dead or retired, or whose scene or situation is over. Such countdowns are
 * not cancelled automatically. The hint asks the gm whether to cancel or keep them.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button } from "../app/controls.js";
import { store, stored } from "../app/settings.js";
import { called, keyed } from "../parts/card.js";

const STORED = "dreadclock:outliving"; // key of the hidden hints in local storage
const MOST_STORED = 200;

/**
 * A thing that is over, and its running countdowns.
 * @typedef {{ id: string, name: string, kind: "character" | "scene" | "situation", countdowns: T.Countdown[] }} Ended
 */

/** Draw a hint for each thing that is over and has running countdowns, except for hints that the gm has hidden. @param {Table} table */
export function outliving(table) {
  const hidden = hiddenHints(table);
  const things = endedThings(table).filter((thing) => !hidden.includes(keyOf(table, thing)));
  return things.length ? html`<div data-part="outliving" role="status">${keyed(things, (thing) => hint(table, thing))}</div>` : nothing;
}

/** @param {Table} table @param {Ended} thing */
function hint(table, thing) {
  const { id, name, kind, countdowns } = thing;
  const keep = { key: `outliving:${id}:keep`, label: table.t("gm.outliving.keep"), describes: name, title: table.t("gm.outliving.keep.does") };
  const [label, title] = [table.t("gm.outliving.cancel"), table.t("gm.outliving.cancel.does")];
  /** @param {T.Countdown} countdown */
  const cancel = (countdown) =>
    button(table, {
      key: `outliving:${countdown.id}:cancel`,
      label,
      title,
      describes: countdown.name,
      command: { type: "cancel_countdown", countdown_id: countdown.id },
    });
  return html`<p class="hint">
    ${table.t(`gm.outliving.${kind}`, { name })} ${countdowns.map((countdown) => html`<span>${called(countdown.name)} ${cancel(countdown)}</span> `)}
    ${button(table, { ...keep, work: async () => hide(table, thing) })}
  </p>`;
}

/** Return the things that are over and have running countdowns. @param {Table} table @returns {Ended[]} */
function endedThings({ view }) {
  const things = /** @type {Map<string, Ended>} */ (new Map());
  /** Add a countdown to the thing that it belongs to. @param {Ended["kind"]} kind @param {string} id @param {string | undefined} name @param {T.Countdown} countdown */
  const add = (kind, id, name = id, countdown) => {
    const thing = things.get(id) ?? { kind, id, name, countdowns: [] };
    things.set(id, thing);
    thing.countdowns.push(countdown);
  };
  for (const countdown of view.countdowns.values()) {
    if (countdown.status !== "running") continue;
    const { about, bound_to: bound, bound_id: boundId = "" } = countdown;
    const character = view.characters.get(about ?? "");
    if (about && (!character || character.status === "dead" || character.status === "retired")) add("character", about, character?.name, countdown);
    const place = bound === "scene" ? view.scenes.get(boundId) : view.situations.get(boundId);
    const goesOn = place?.status === "open" || place?.status === "prepared";
    if ((bound === "scene" || bound === "rounds") && !goesOn) add(bound === "scene" ? "scene" : "situation", boundId, place?.name, countdown);
  }
  return [...things.values()];
}

/** Return the key of a hint. The key lists the ids of the countdowns, so a hidden hint is shown again when there are other countdowns. @param {Table} table @param {Ended} thing */
const keyOf = ({ room }, { id, countdowns }) => [room.logId, id, ...countdowns.map((countdown) => countdown.id)].join(" ");

/** Return the keys of the hints that were hidden in this browser. @param {Table} table @returns {string[]} */
function hiddenHints({ ui }) {
  if (!ui.has(STORED)) ui.set(STORED, [stored(STORED) ?? []].flat().map(String));
  return ui.get(STORED);
}

/** Hide a hint in this browser. @param {Table} table @param {Ended} thing */
function hide(table, thing) {
  const hidden = [...hiddenHints(table), keyOf(table, thing)].slice(-MOST_STORED);
  table.set(STORED, hidden);
  store(STORED, hidden); // without storage, the hint is hidden until the page is reloaded
}
