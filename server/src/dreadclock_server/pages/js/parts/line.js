// @ts-check
/** Writes the log's sentence about a record, and draws the log's lines. A line sums up an action. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { View } from "../../client/views.js"
 * @import { Line } from "../app/lines.js"
 * @import { Table, Sentence } from "../app/table.js"
 * @import { Rolled } from "./rolled.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyOf } from "../app/fresh.js";
import { isFull } from "../app/over.js";
import { called, sentence, titled, visibility } from "./card.js";
import { diceRow, labelOf, ownDice } from "./die.js";
import { edgeOf, rolledIn, winnerOf } from "./rolled.js";

const MOST_DICE = 12;
/**
 * By event type: the kind of the changed thing, and the label of the change. The event's outcome is added to a label that
 * ends in a dot.
 * @type {{ [type: string]: [kind: string, words: string] }}
 */
const CHANGED = {
  challenge_overcome: ["challenge", "challenge.overcome"],
  situation_won: ["situation", "situation.won"],
  situation_failed: ["situation", "situation.failed"],
  race_ended: ["situation", "outcome."],
  scene_ended: ["scene", "scene."],
  countdown_stabilized: ["countdown", "countdown.stabilized"],
  countdown_resumed: ["countdown", "countdown.running"],
  character_died: ["character", "character.dead"],
  character_retired: ["character", "character.retired"],
  character_left: ["character", "character.left"],
  momentum_gained: ["character", "momentum"],
  interference_gained: ["character", "interference"],
};
/** Events whose whole sentence is short enough for a line. */
const BRIEF = new Set([
  "countdown_started", "countdown_replenished", "countdown_expired", "countdown_repeated", "stage_reached", "revealed",
  "crisis_suffered", "crisis_due", "state_gained", "state_lost", "track_moved", "effects_offered",
  "effect_happened", "venture_earned", "consequence_told",
]);

/**
 * Return the sentence about a record, its roll, and a few words for its change.
 * @param {Table} table @param {T.EventRecord} record @param {View} view after the record @param {View | null} [before] before it @returns {Sentence}
 */
export function sentenceOf(table, record, view, before) {
  const { event, channel, at } = record;
  const seen = /** @type {Table} */ (Object.create(table, { view: { value: view } }));
  const text = table.words.narrator.told(record, view, before);
  const roll = isThere(view, event) ? (rolledIn(seen, event) ?? undefined) : undefined;
  return { key: keyOf(record), text, channel, at, record, roll, change: changeIn(seen, event, roll, channel, text) };
}

/** Tell whether a view has all things that a roll's event names. @param {View} view @param {any} event */
function isThere({ countdowns, checks, totals, characters }, { countdown_id, check_id, total_id, roll }) {
  /** @type {[ReadonlyMap<string, unknown>, string | undefined][]} */
  const named = [[countdowns, countdown_id], [checks, check_id], [totals, total_id], [characters, roll?.character_id]];
  return named.every(([things, id]) => id === undefined || things.has(id));
}

/**
 * Return in a few words what an event changed, or its whole sentence if this is short or the changed thing is gone. Undefined or
 * empty if lines do not mention the event.
 * @param {Table} table @param {any} event @param {Rolled | undefined} roll @param {T.Channel} channel @param {string} text
 */
function changeIn(table, event, roll, channel, text) {
  const change = changed(table, event, roll) ?? (BRIEF.has(event.type) || CHANGED[event.type] ? text : undefined);
  // A whole sentence already says that only the gm sees it.
  return change && change !== text && channel === "gm" ? `(${table.t("visibility.gm")}) ${change}` : change;
}

/**
 * Return a few words for a change; undefined or empty if there are none.
 * @param {Table} table @param {any} event @param {Rolled | undefined} roll @returns {string | undefined}
 */
function changed(table, event, roll) {
  const { clocks, checks } = table.view;
  const [kind, words = ""] = CHANGED[event.type] ?? [];
  const thing = kind && /** @type {any} */ (table.view)[`${kind}s`].get(event[`${kind}_id`]);
  if (thing) return titled(thing.name, table.t(words.endsWith(".") ? words + event.outcome : words));
  if (roll && roll.kind !== "sealed") return roll.came && titled(roll.name, roll.came);
  const check = event.type === "check_resolved" && checks.get(event.check_id);
  if (check) return winnerOf(table, check) || (check.parts.length > 1 ? table.t("check.together", { outcome: table.t(`outcome.${event.result.acting.outcome}`) }) : "");
  const clock = event.type === "clock_ticked" && clocks.get(event.clock_id);
  // The end of a situation or challenge has an event of its own.
  if (!clock || (isFull(clock) && clock.kind !== "free" && clock.kind !== "threat")) return undefined;
  const name = clock.kind === "threat" ? table.t("scene.threat") : clock.name;
  return titled(name, table.t(`dial.${clock.direction}`, { value: event.value, size: clock.size }));
}

/** Draw a line. @param {Table} table @param {Line} line */
export function drawLine(table, { lead, roll, outcome, changes, isSecret }) {
  const drawn = roll ? drawRoll(table, roll, outcome, isSecret) : sentence(table, lead);
  return html`${lead.back && roll ? html`<s>${drawn}</s>` : drawn} ${changes.map((change) => html`<span class="change">${change}</span> `)}`;
}

/**
 * Draw the roll of a line.
 * @param {Table} table @param {Rolled} roll @param {string} outcome in words
 * @param {boolean} isSecret whether only the gm sees it
 */
function drawRoll(table, { name, seat, dice, label, physical, kind = "" }, outcome, isSecret) {
  const left = dice.length - MOST_DICE;
  const shown = dice.slice(0, MOST_DICE).map((die) => ({ ...die, mark: undefined }));
  return html`<span class="name" .style=${edgeOf(table, seat)}>${called(name)}</span> ${visibility(table, isSecret ? "gm" : "")}
    ${diceRow(shown, labelOf(table, { label, physical }), physical ? ownDice(table.t("physical")) : nothing)}
    ${left > 0 ? html`<span aria-hidden="true">+${left}</span>` : nothing} ${outcome ? html`<b class=${`outcome ${kind}`}>${outcome}</b>` : nothing}`;
}
