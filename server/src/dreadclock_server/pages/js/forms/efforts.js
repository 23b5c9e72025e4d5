// @ts-check
/** The choice of the challenge that a roll is an effort against. */

/** @import { Table } from "../app/table.js" @import { Fields } from "./fields.js" */

import { nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { goesOn } from "../app/over.js";

/** Draw the choice of a challenge, if there is one. @param {Table} table @param {Fields} f @param {string} [meant] the id of the initial challenge */
export function effortField(table, f, meant) {
  const open = [...table.view.challenges.values()].filter((each) => goesOn(table, each));
  if (!open.length) return nothing;
  const options = open.map((each) => /** @type {const} */ ([each.id, each.name]));
  return keyed(meant, f.pick("effort", "form.effort", [["", table.t("form.none")], ...options], meant, { hint: "form.effort.hint" }));
}

/** @param {string | undefined} challenge */
export function effortOf(challenge) {
  return challenge ? { challenge_id: challenge } : undefined;
}
