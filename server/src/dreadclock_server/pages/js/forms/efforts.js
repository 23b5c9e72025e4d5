// @ts-check
/** The choice of a challenge. The roll is then an effort against the challenge. */

/** @import { Table } from "../app/table.js" @import { Fields } from "./fields.js" */

import { nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { goesOn } from "../app/over.js";
import { named } from "./fields.js";

/** Draw the choice of an open challenge; nothing without open challenges. @param {Table} table @param {Fields} f @param {string} [meant] the id of the initial challenge */
export function effortField(table, f, meant) {
  const open = [...table.view.challenges.values()].filter((challenge) => goesOn(table, challenge));
  if (!open.length) return nothing;
  return keyed(meant, f.pick("effort", "form.effort", [["", table.t("form.none")], ...named(open)], meant, { hint: "form.effort.hint" }));
}

/** Return the effort of a command. @param {string | undefined} challenge the id of the chosen challenge */
export function effortOf(challenge) {
  return challenge ? { challenge_id: challenge } : undefined;
}
