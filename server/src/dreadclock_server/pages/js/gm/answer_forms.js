// @ts-check
/** The gm's forms that decline a player's request, and propose or change the cost that replaces a failure. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "../forms/fields.js"
 * @import { Panel } from "./panel.js"
 *
 * @typedef {{ check_id: string, character_id: string }} Failure identifies the failed roll of a character
 */

import { MAX_CLOCK } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { panelForm } from "../forms/live.js";

/**
 * Draw the form that declines a player's request. The gm can add a note.
 * @param {Table} table @param {Panel} panel @param {(note: string | undefined) => T.Command} command
 */
export function declining(table, panel, command) {
  return panelForm(table, panel, {
    submit: table.t("gm.decline.send"),
    command: ({ note }) => command(note),
    fields: (f) => f.sentence("note", "gm.decline.word"),
  });
}

/**
 * Draw the form that answers a player's proposed cost with other terms.
 * @param {Table} table @param {Panel} panel @param {Failure} failure
 */
export function countering(table, panel, failure) {
  return panelForm(table, panel, {
    submit: table.t("gm.cost.say"),
    command: ({ terms, state, track, by }) => {
      const pays = [...(state ? [{ state, by: 0 }] : []), ...(track && by ? [{ track, by }] : [])];
      return { type: "answer_cost", ...failure, answer: "counter", terms, pays };
    },
    fields: (f) =>
      html`${f.sentence("terms", "gm.cost.terms", { required: true })} ${f.text("state", "gm.cost.state")}
      ${trackFields(table, failure, f)}`,
  });
}

/** Draw the choice of a track (a value on the sheet) that changes as payment, and by how much. Draw nothing if the character has no tracks. @param {Table} table @param {Failure} failure @param {Fields} f */
function trackFields(table, { character_id: id }, f) {
  const tracks = Object.keys(table.view.characters.get(id)?.tracks ?? {});
  if (!tracks.length) return nothing;
  const options = tracks.map((track) => /** @type {const} */ ([track, track]));
  return html`${f.pick("track", "gm.cost.track", [["", table.t("form.none")], ...options])}
  ${f.steps("by", "gm.cost.by", -1, { min: -MAX_CLOCK, max: MAX_CLOCK })}`;
}

/** Draw the form that proposes what the character pays instead of failing. @param {Table} table @param {Panel} panel @param {Failure} failure */
export function proposing(table, panel, failure) {
  return panelForm(table, panel, {
    command: (entered) => ({ type: "propose_cost", ...failure, ...entered }),
    fields: (f) => f.sentence("cost", "gm.cost.what", { required: true }),
  });
}
