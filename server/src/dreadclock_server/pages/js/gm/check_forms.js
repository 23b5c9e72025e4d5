// @ts-check
/** The forms of checks: proposed, opposed, helped. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "./fields.js"
 * @import { Demand } from "./lazily.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { oddsOfParts } from "./chances.js";
import { effortField, effortOf } from "./efforts.js";
import { partFields, partIn, partOf } from "./joining.js";
import { demanded } from "./live.js";
import { freeFor } from "./party.js";

/** Draw the form that proposes a check for any character. @param {Table} table @param {Demand} demand */
export function proposeCheck(table, demand) {
  return demanded(table, demand, {
    submit: table.t("gm.check.set"),
    command: (values) => ({
      type: "propose_check",
      ...partOf(table, values),
      purpose: values.text("purpose"),
      contest: values.ticked("contest"),
      effort: effortOf(values.text("effort")),
      visibility: values.choice("visibility"),
    }),
    fields: (f) => proposalFields(table, f),
  });
}

/** @param {Table} table @param {Fields} f */
function proposalFields(table, f) {
  const free = freeFor(table);
  const part = partIn(f, free, "acting");
  const hidden = f.read("visibility", "public") !== "public";
  return html`${f.sentence("purpose", "gm.purpose", { example: "gm.purpose.example" })} ${partFields(table, f, free)}
    ${part ? oddsOfParts(table, f.key, [part], hidden) : nothing}
    <div class="fields">${effortField(table, f)} ${f.visibility()} ${f.tick("contest", "gm.contest")}</div>`;
}

/** Oppose a check by a name and a score, with no sheet. @param {T.Check} check @param {Values} values @returns {T.OpposeCheck} */
function opponentOf({ id }, values) {
  return {
    type: "oppose_check",
    check_id: id,
    name: values.text("opponent"),
    score: values.number("score") ?? 0,
    bonus: values.number("bonus"),
    penalty: values.number("penalty"),
  };
}

/**
 * Draw the form that adds dice to a check.
 * @param {Table} table @param {Demand} demand @param {T.Check} check @param {"oppose" | "help" | "help_against"} how
 */
export function joining(table, demand, check, how) {
  const side = how === "help" ? "acting" : "opposing";
  const free = freeFor(table, check);
  return demanded(table, demand, {
    submit: demand.label,
    command: (values) => {
      if (how === "oppose" && values.text("opponent")) return opponentOf(check, values);
      const part = { check_id: check.id, ...partOf(table, values) };
      return how === "oppose" ? { type: "oppose_check", ...part } : { type: "help_check", side, ...part };
    },
    fields: (f) => {
      const part = partIn(f, free, side);
      return html`${how === "oppose" ? f.text("opponent", "gm.check.opponent") : nothing} ${partFields(table, f, free)}
      ${part ? oddsOfParts(table, f.key, [...check.parts, part], check.visibility !== "public") : nothing}`;
    },
  });
}
