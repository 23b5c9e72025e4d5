// @ts-check
/** The forms that propose a check, or add a character who opposes or helps. A player can only choose own characters. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Values } from "../app/controls.js"
 * @import { Fields } from "./fields.js"
 * @import { Panel } from "../gm/panel.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { awaiting, needsOpposition } from "../parts/check.js";
import { freeFor } from "../app/party.js";
import { oddsOfParts } from "./odds.js";
import { effortField, effortOf, partFields, partIn, partOf } from "./part.js";
import { panelForm, seenAs } from "./live.js";

/** Draw the form that proposes a check. @param {Table} table @param {Panel} panel */
export function proposeCheck(table, panel) {
  const free = panel.characters ?? freeFor(table);
  return panelForm(table, panel, {
    submit: table.t(table.isGm ? "gm.check.set" : "my.propose"),
    again: "check",
    seen: seenAs,
    command: ({ purpose, contest, effort, visibility, ...part }, values) =>
      ({ type: "propose_check", ...partOf(free, part, values), purpose, contest, effort: effortOf(effort), visibility }),
    fields: (f) => {
      const part = partIn(f, free, "acting");
      const effort = effortField(table, f, panel.challenge);
      const rarer = html`${panel.challenge ? nothing : effort} ${f.tick("contest", "form.contest")}`;
      return html`${panel.challenge ? html`<div class="fields">${effort}</div>` : nothing}
      ${f.sentence("purpose", "form.purpose", { example: "form.purpose.example" })} ${partFields(table, f, free, rarer)}
      ${part ? chances(table, f, [part], seenAs(f) !== "public", f.ticked("contest")) : nothing} ${table.isGm ? f.visibility() : nothing}`;
    },
  });
}

/**
 * Draw the odds of a check with these parts, each the roll of one character. For a contest without an opponent, draw a hint instead.
 * @param {Table} table @param {Fields} f @param {readonly T.Part[]} parts @param {boolean} hidden @param {boolean} contest
 * @param {T.Side} [side] the side whose odds are drawn
 */
function chances(table, f, parts, hidden, contest, side) {
  return needsOpposition({ contest, parts }) ? awaiting(table) : oddsOfParts(table, f.key, parts, hidden, side);
}

/**
 * Tell whether the opponent in a form has no sheet. This is so if a name or dice were entered for an opponent, or if no character
 * is free to oppose.
 * @param {Values} values @param {readonly T.Character[]} free
 */
function isNamed(values, free) {
  return values.text("opponent") !== undefined || values.text("opponent_score") !== undefined || !free.length;
}

/** Draw the fields of an opponent without a sheet. The number of dice has no default, and the name is optional. @param {Fields} f @param {boolean} named */
function opponentFields(f, named) {
  return html`<div class="fields">
    ${f.steps("opponent_score", "gm.check.opponent_dice", undefined, { required: named })} ${f.text("opponent", "gm.check.opponent")}
    ${named ? html`${f.steps("bonus", "form.bonus", 0)} ${f.steps("penalty", "form.penalty", 0)}` : nothing}
  </div>`;
}

/** Return the part of an opponent without a sheet, with the values that the odds depend on. Return null if no dice were entered. @param {Fields} f @returns {T.Part | null} */
function opponentIn(f) {
  const score = f.values.number("opponent_score");
  if (score === undefined) return null;
  const [bonus, penalty] = [f.number("bonus", 0), f.number("penalty", 0)];
  return { character_id: "", name: f.read("opponent"), side: "opposing", score, bonus, penalty, claim: false, claims: [] };
}

/**
 * Draw the form with which a character opposes or helps. Only the gm can enter an opponent without a sheet.
 * @param {Table} table @param {Panel} panel the form's panel, whose key ends in `oppose`, `help` or `help_against`, with or without `:send` @param {T.Check} check
 */
export function joining(table, panel, check) {
  const how = panel.key.replace(/:send$/, "").split(":").at(-1);
  const side = how === "help" ? "acting" : "opposing";
  const free = panel.characters ?? freeFor(table, check);
  const nameless = table.isGm && how === "oppose";
  return panelForm(table, panel, {
    submit: table.t(`form.${how}.send`),
    command: (entered, values) => {
      if (nameless && isNamed(values, free)) {
        const { opponent: name = table.t("gm.check.foe"), opponent_score: score, bonus, penalty } = entered;
        return { type: "oppose_check", check_id: check.id, name, score, bonus, penalty };
      }
      const part = { check_id: check.id, ...partOf(free, entered, values) };
      return how === "oppose" ? { type: "oppose_check", ...part } : { type: "help_check", side, ...part };
    },
    fields: (f) => {
      const named = nameless && isNamed(f.values, free);
      const part = named ? opponentIn(f) : partIn(f, free, side);
      const who = named ? undefined : free.find(({ id }) => id === part?.character_id);
      const shows = who?.visibility === "gm" && check.visibility === "public";
      return html`${nameless ? opponentFields(f, named) : nothing} ${named ? nothing : partFields(table, f, free)}
      ${shows ? html`<p class="hint">${table.t("gm.check.shows", { name: who.name })}</p>` : nothing}
      ${part ? html`<p class="hint">${table.t("form.with_dice")}</p> ${chances(table, f, [...check.parts, part], check.visibility !== "public", check.contest, table.isGm ? "acting" : side)}` : nothing}`;
    },
  });
}
