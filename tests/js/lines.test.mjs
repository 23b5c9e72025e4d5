/** How records become lines of the log: what is one action, and what its line says. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { actionsOf, lineOf, spoken } from "../../server/src/dreadclock_server/pages/js/app/lines.js";

const LABELS = { "line.rolled": "{number} countdowns were rolled", "line.more": "and {number} more changes", "visibility.gm": "only you" };
const t = (key, fields = {}) => LABELS[key].replace("{number}", fields.number);
let seq = 0;

/** Make what a page was told of a record. */
function told(type, { by = "gm", at = 1, acted_for, channel = "public", note, ...more } = {}) {
  seq += 1;
  return { key: `${channel}-${seq}`, text: `It is ${type}.`, channel, at, record: { by, acted_for, at, channel, seq, event: { type, note } }, ...more };
}

const typesOf = (actions) => actions.map((action) => action.map(({ record }) => record.event.type));
const rolled = (name, came) => ({ roll: { name, dice: [{ face: 4 }], label: "rolled 4", came, kind: "" }, change: `${name}: ${came}` });
const line = (action) => lineOf(action, t);

test("an action is what one sender did for one seat at one time", () => {
  const all = [told("state_gained"), told("state_lost"), told("state_lost", { at: 2 }), told("state_lost", { at: 2, by: "player-1" })];
  const lent = told("state_gained", { at: 2, by: "player-1", acted_for: "player-2" });

  assert.deepEqual(typesOf(actionsOf([...all, lent])), [["state_gained", "state_lost"], ["state_lost"], ["state_lost"], ["state_gained"]]);
});

test("commands of the same time are actions of their own where only a command begins so", () => {
  const all = [told("narrated"), told("narrated"), told("clock_started"), told("check_proposed"), told("clock_ticked")];

  assert.deepEqual(typesOf(actionsOf(all)), [["narrated"], ["narrated"], ["clock_started"], ["check_proposed", "clock_ticked"]]);
});

test("what goes before a roll belongs to it: the threat's tick, a token that is spent, a venture", () => {
  const all = [told("clock_ticked"), told("momentum_spent"), told("venture_paid"), told("check_rolled", rolled("Rook: up", "success")), told("challenge_overcome")];

  const [action, ...others] = actionsOf(all);

  assert.equal(others.length, 0);
  assert.equal(line(action).lead, all[3]);
  assert.equal(line(action).key, all[4].key);
});

test("a line says who, what for, the dice, the outcome, and what changed", () => {
  const action = [told("clock_ticked", { change: "Threat: 13 of 15 left" }), told("check_rolled", rolled("Rook: up the wet steps", "success")), told("challenge_overcome", { change: "The flooded stair: overcome" }), told("check_odds_changed")];

  assert.deepEqual(line(action).changes, ["Threat: 13 of 15 left.", "The flooded stair: overcome."]);
  assert.equal(spoken(line(action), t), "Rook: up the wet steps, rolled 4. Success. Threat: 13 of 15 left. The flooded stair: overcome.");
});

test("a sentence is its own line, and its changes follow", () => {
  const action = [told("clock_ticked", { change: "Doom: 5 of 6" }), told("countdown_rolled", rolled("The tide", "it ends"))];

  assert.equal(spoken(line(action), t), "It is clock_ticked. The tide: it ends.");
});

test("the end of a turn is one line, which names few countdowns and counts many", () => {
  const few = [told("countdown_rolled", rolled("The tide", "1 die leaves")), told("stage_reached", { change: "It is cold." }), told("turn_ended")];
  const many = [...Array(24).keys()].map((number) => told("countdown_rolled", rolled(`C ${number}`, "1 die leaves")));
  const over = told("countdown_expired", { change: "C 3 is over." });

  assert.equal(actionsOf([...many, over, told("turn_ended")]).length, 1);
  assert.equal(spoken(line(few), t), "It is turn_ended. The tide: 1 die leaves. It is cold.");
  assert.equal(spoken(line([...many, over, told("turn_ended")]), t), "It is turn_ended. 24 countdowns were rolled. C 3 is over.");
});

test("of many changes the first are named, and the others counted; one more is named, too", () => {
  const changed = (count) => line([told("clock_ticked"), ...[...Array(count).keys()].map((number) => told("state_gained", { change: `S ${number}` }))]).changes;

  assert.deepEqual(changed(4), ["S 0.", "S 1.", "S 2.", "S 3."]);
  assert.deepEqual(changed(5), ["S 0.", "S 1.", "S 2.", "and 2 more changes."]);
});

test("the note of a roll is told; a sentence has it already", () => {
  assert.deepEqual(line([told("check_rolled", { ...rolled("Rook", "fail"), note: "For luck" })]).changes, ["“For luck”."]);
  assert.deepEqual(line([told("narrated", { note: "For luck" })]).changes, []);
});

test("each viewer's line is made of the records that this viewer has", () => {
  const hidden = told("countdown_rolled", { channel: "gm", ...rolled("Fuse", "1 die leaves") });
  const sealed = told("sealed_changed", { roll: { name: "Fuse", dice: [{ hidden: true }], label: "nobody sees it", kind: "sealed" } });
  const end = told("turn_ended");

  const [gms, everyones] = [[hidden, sealed, end], [sealed, end]].map((action) => spoken(line(action), t));

  assert.equal(gms, "It is turn_ended. Fuse: 1 die leaves.");
  assert.equal(everyones, "It is turn_ended.");
  assert.equal(spoken(line([sealed]), t), "It is sealed_changed.");
  assert.ok(line([hidden]).isSecret && !line([hidden, sealed]).isSecret);
  assert.equal(spoken(line([hidden]), t), "Fuse, rolled 4. 1 die leaves. only you.");
});
