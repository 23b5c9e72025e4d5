// @ts-check
/** The verdict on a roll (its outcome in words, without secrets), and the looks of its landed dice. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { DieFace } from "../parts/die.js"
 * @import { Rolled } from "../parts/rolled.js"
 *
 * The look of a die. `gold`: it decides. `red`: it causes a crisis. `dim`: it does not count. `under`: an earlier die shows
 * the same number. `gone`: it leaves the countdown
 * @typedef {"gold" | "red" | "dim" | "under" | "gone" | ""} Look
 *
 * @typedef {object} Verdict
 * @property {readonly Look[]} looks of the dice, in their order
 * @property {string} word the outcome; empty if the roll has not decided anything
 * @property {string} kind the class of the word: `won`, `lost` or empty
 * @property {string} more a few words below the outcome, such as the sum of a total
 * @property {readonly string[]} [counts] texts to show before `more`, one by one, while a sum counts up
 */

import { isPaid } from "../parts/rolled.js";
import { requiredOf } from "../parts/total.js";

const WON = new Set(["success", "triumph"]);

/** Return the verdict on a landed roll. @param {Table} table @param {T.Event} event @param {Rolled} roll @returns {Verdict} */
export function verdictOn(table, event, roll) {
  switch (event.type) {
    case "check_rolled":
      return ofPart(table, event.check_id, event.part, roll);
    case "total_rolled":
      return { looks: looksOf(roll.dice), ...ofSum(table, event.total_id, event, roll.dice.flatMap(({ face = 0, again }) => (again ? [] : face))) };
    case "luck_pushed":
      return ofPush(table, event.total_id, event.push, roll);
    case "countdown_rolled":
      return ofCountdown(table, event.remaining, roll);
    default:
      return { looks: looksOf(roll.dice), word: "", kind: "", more: roll.came ?? "" };
  }
}

/** Return the looks of dice that decide nothing. @param {readonly DieFace[]} dice @returns {Look[]} */
function looksOf(dice) {
  return dice.map(({ lost, again }) => (lost ? "dim" : again ? "under" : ""));
}

/**
 * Return the looks of the dice of a part (a character's share in a check). The winning side's counting dice with the highest
 * face are gold. None is gold after a fumble, if dice did not decide, or if other parts are not rolled yet.
 * @param {T.Check | undefined} check @param {T.Part} part @param {readonly DieFace[]} dice @returns {Look[]}
 */
export function looksOfPart(check, part, dice) {
  const looks = looksOf(dice);
  const result = check?.result ?? null;
  if (!result && check && check.parts.length > 1) return looks;
  if (result && part.side !== (result.winner ?? "acting")) return looks;
  if (result?.decided_by === "reflex" || result?.decided_by === "deal") return looks;
  const { outcome, highest } = (part.side === "opposing" ? result?.opposing : result?.acting) ?? {};
  if ((outcome ?? part.roll?.outcome) === "fumble") return looks;
  const best = highest ?? Math.max(0, ...dice.map(({ face = 0, lost }) => (lost ? 0 : face)));
  return looks.map((look, place) => (look === "" && dice[place].face === best ? "gold" : look));
}

/**
 * Return the verdict on a check, or the names of characters who have not rolled yet.
 * @param {Table} table @param {string} id of the check @param {T.Part} part @param {Rolled} roll @returns {Verdict}
 */
function ofPart(table, id, part, roll) {
  const check = table.view.checks.get(id);
  const looks = looksOfPart(check, part, roll.dice);
  const { acting, winner, decided_by: by } = check?.result ?? {};
  const awaited = check?.result ? [] : (check?.parts ?? []).filter((part) => !part.roll).map((part) => table.nameOfPart(part));
  if (awaited.length) return { looks, word: "", kind: "", more: table.t("check.awaits", { names: awaited }) };
  const paid = check && isPaid(check) ? table.t("check.paid") : "";
  const outcome = paid ? "success" : (acting?.outcome ?? part.roll?.outcome ?? "fail");
  const [word, kind] = [table.t(`verdict.${outcome}`), WON.has(outcome) ? "won" : "lost"];
  if (!check || !winner) return { looks, word, kind, more: paid || reasonFor(table, outcome, acting?.highest ?? part.roll?.highest) };
  const names = check.parts.filter(({ side }) => side === winner).map((part) => table.nameOfPart(part));
  const ours = (winner === "acting" ? acting : check.result?.opposing)?.outcome ?? outcome;
  const [won, lost] = winner === "acting" ? [acting, check.result?.opposing] : [check.result?.opposing, acting];
  const times = { won: (won?.margin ?? 0) + 1, lost: (lost?.margin ?? 0) + 1, face: won?.highest };
  const how = by === "highest" && lost?.highest ? table.t("verdict.beats", { won: won?.highest, lost: lost?.highest }) : by === "count" ? table.t("verdict.outnumber", times) : table.t(`decided.${by}`);
  const more = [table.t(`verdict.${ours}`), how, paid].filter(Boolean).join(" · ");
  return { looks, word: table.t("verdict.wins", { names }), kind: winner === "acting" ? "won" : "lost", more };
}

/** Return words for the dice that decided a check; empty if the viewer does not know them. @param {Table} table @param {string} outcome @param {number} [highest] the highest counting face */
function reasonFor(table, outcome, highest = 0) {
  const isOpen = outcome === "success" || outcome === "fail";
  return isOpen && !highest ? "" : table.t(isOpen ? "verdict.decides" : `verdict.${outcome}.reason`, { face: highest });
}

/**
 * Return the verdict on the sum of a total. If the viewer does not know the required number, `word` is empty until the gm
 * judges the total. Source: rules.md D10.
 * @param {Table} table @param {string} id of the total @param {{ total: number, enough?: boolean }} sum @param {readonly number[]} numbers the counting dice
 */
function ofSum(table, id, { total, enough }, numbers) {
  const now = table.view.totals.get(id);
  const required = now && requiredOf(table, now);
  const judged = required === undefined ? (enough ?? (now?.total === total ? now.enough : undefined)) : total >= required;
  const say = (/** @type {number} */ sum) => (required === undefined ? table.t("total.sum", { total: sum }) : table.t("verdict.of", { total: sum, required }));
  const counts = numbers.slice(1).map((_, place) => say(numbers.slice(0, place + 1).reduce((sum, number) => sum + number)));
  const [word, kind] = judged === undefined ? ["", ""] : judged ? [table.t("verdict.enough"), "won"] : [table.t("verdict.missed"), "lost"];
  return { word, kind, more: say(total), counts };
}

/**
 * Return the verdict on a push (one more die for a total). `word` is empty without a crisis, unless the total is known to be
 * enough.
 * @param {Table} table @param {string} id of the total @param {T.Push} push @param {Rolled} roll @returns {Verdict}
 */
function ofPush(table, id, push, roll) {
  const { kind, ...sum } = ofSum(table, id, push, push.crisis ? [] : [push.total - push.face, push.face]);
  const before = looksOf(roll.dice.slice(0, -1));
  if (push.crisis) return { looks: [...before, "red"], word: table.t("verdict.crisis"), kind: "lost", more: table.t("verdict.repeats", { face: push.face }) };
  return kind === "won" ? { looks: [...before, "gold"], kind, ...sum } : { looks: [...before, ""], kind: "", ...sum, word: "", more: table.t("verdict.no_crisis", { made: sum.more }) };
}

/**
 * Return the verdict on a countdown's roll: how many dice leave, or that no die is left.
 * @param {Table} table @param {number} remaining how many dice remain @param {Rolled} roll @returns {Verdict}
 */
function ofCountdown(table, remaining, { dice }) {
  const looks = dice.map(({ lost }) => /** @type {Look} */ (lost ? "gone" : ""));
  const lost = looks.filter(Boolean).length;
  if (!remaining) return { looks, word: table.t("verdict.ends"), kind: "lost", more: "" };
  return { looks, word: table.t("verdict.leave", { lost }), kind: "", more: table.t("countdown.left", { pool: remaining }) };
}
