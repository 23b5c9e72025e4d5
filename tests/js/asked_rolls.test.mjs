/** Whether a plain roll is the one that was asked for, with the dice that sixes add to damage. Ruling C27. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { isAbout, isMisplaced } from "../../client_sdk/js/asked_rolls.js";

const ASKED = { type: "roll_dice", pool: 2, purpose: "damage", within_id: "pit" };
const ROLL = { id: "roll-1", purpose: "damage", visibility: "public", paid: 0, within_id: "pit", added: 2, faces: [6, 3, 6, 1] };
const isWanted = (roll, asked = ASKED) => isAbout(asked, { type: "dice_rolled", roll: { ...ROLL, ...roll } });
const sixes = (count) => Array(count).fill(6);

test("dice that sixes add are part of the roll", () => {
  assert.ok(isWanted({}));
  assert.ok(isWanted({ faces: [5, 3], added: undefined }));
  assert.ok(isWanted({ faces: [6, 3], added: undefined }), "where sixes add no dice");
  assert.ok(isWanted({ paid: 1, faces: [6, 3, 6, 1, 1] }), "one of them is a venture's");
  assert.ok(isWanted({}, { ...ASKED, within_id: undefined }), "in the usual place");
});

test("a roll stops at 200 dice", () => {
  assert.ok(isWanted({ faces: sixes(200), added: 140 }, { ...ASKED, pool: 60 }));
  assert.ok(!isWanted({ faces: sixes(201), added: 141 }, { ...ASKED, pool: 60 }));
});

test("other dice than sixes add, or another place, are another roll", () => {
  for (const roll of [{ added: 1 }, { added: 3 }, { added: undefined }, { faces: [6, 3, 1, 1] }, { within_id: "attic" }, { within_id: undefined }])
    assert.ok(!isWanted(roll), JSON.stringify(roll));
});

test("a place that the server chose is another roll, unless it is the only open scene", () => {
  const view = (...open) => ({
    public: { scenes: new Map(open.map((id) => [id, { id, status: "open" }])), situations: new Map([["duel", { scene_id: "pit" }]]) },
  });
  const rolled = (within_id) => ({ type: "dice_rolled", roll: { ...ROLL, within_id } });
  const asked = { ...ASKED, within_id: undefined };
  assert.ok(isMisplaced(asked, rolled("pit"), [view("pit", "attic"), view()]));
  assert.ok(!isMisplaced(asked, rolled("pit"), [view("pit", "attic"), view("pit")]), "it may be the only one since then");
  assert.ok(!isMisplaced(asked, rolled("duel"), [view("pit")]), "a situation in it");
  assert.ok(!isMisplaced(asked, rolled(undefined), [view("pit", "attic")]));
  assert.ok(!isMisplaced(ASKED, rolled("pit"), [view("pit", "attic")]), "it was named");
});
