/** When a countdown is due: the vectors that Python's client is held to, and rolls that a server leaves out. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { isLeftOut, isRolled } from "../../client_sdk/js/asked_rolls.js";
import { nowOf, rollState, rollStateIn } from "../../client_sdk/js/due.js";

const VECTORS = JSON.parse(readFileSync(new URL("../golden/due-vectors.json", import.meta.url), "utf8"));

test("a countdown is rolled or due as the vectors say", () => {
  assert.ok(VECTORS.length > 100);
  for (const { given, gives } of VECTORS) {
    const { goes_on: goesOn, turn, period, at_turn_end: atTurnEnd, ...countdown } = given;
    assert.equal(rollState(countdown, { goesOn, turn, period }, atTurnEnd), gives, JSON.stringify(given));
  }
});

const fuse = (bound, more = {}) => ({
  id: "fuse",
  status: "running",
  rolled_turn: 0,
  rolled_period: 0,
  ...bound,
  ...more,
});
const vault = { id: "vault", status: "open", aside: false, turn: 4 };
const fight = { id: "fight", status: "open", scene_id: "vault", round: 6 };

/** A view with one countdown. */
function view(countdown, { scene = {}, situation = {} } = {}) {
  const things = {
    countdowns: new Map([["fuse", countdown]]),
    scenes: new Map([["vault", { ...vault, ...scene }]]),
    situations: new Map([["fight", { ...fight, ...situation }]]),
  };
  return { turn: 3, ...things, public: things };
}

const BOUND = {
  turn: { bound_to: "turn" },
  scene: { bound_to: "scene", bound_id: "vault" },
  rounds: { bound_to: "rounds", bound_id: "fight" },
};
const TURN = { command: { type: "end_turn" }, event: { type: "turn_ended", turn: 3 }, rolled: { rolled_turn: 3 } };
const ENDS = {
  turn: { bound: BOUND.turn, ...TURN },
  "scene, whole turn": { bound: BOUND.scene, ...TURN },
  "scene, its turn": {
    bound: BOUND.scene,
    command: { type: "end_turn", scene_id: "vault" },
    event: { type: "scene_turn_ended", scene_id: "vault", turn: 4 },
    rolled: { rolled_turn: 3, rolled_period: 4 },
  },
  rounds: {
    bound: BOUND.rounds,
    command: { type: "end_round", situation_id: "fight" },
    event: { type: "round_ended", situation_id: "fight", round: 7 },
    rolled: { rolled_turn: 3, rolled_period: 7 },
  },
};

for (const [name, { bound, command, event, rolled }] of Object.entries(ENDS)) {
  const before = view(fuse(bound));
  const roll = { event: { type: "countdown_rolled", countdown_id: "fuse", faces: [1] } };

  test(`a roll that an end leaves out is noticed: ${name}`, () => {
    assert.equal(isLeftOut(command, [{ event }], before, before), true);
    assert.equal(isLeftOut(command, [roll, { event }], before, view(fuse(bound, rolled))), false);
    assert.equal(isLeftOut(command, [], before, before), false);
  });

  test(`what is not due any more is no alarm: ${name}`, () => {
    for (const after of [fuse(bound, rolled), fuse(bound, { status: "stabilized" })]) {
      assert.equal(isLeftOut(command, [{ event }], before, view(after)), false);
      assert.equal(isLeftOut(command, [{ event }], view(after), before), false);
    }
    const aside = view(fuse(bound), { scene: { aside: true } });
    assert.equal(isLeftOut(command, [{ event }], aside, aside), bound.bound_to === "turn");
  });
}

test("the last round of a situation may leave a roll out, too", () => {
  const { bound, command, event } = ENDS.rounds;
  const after = view(fuse(bound), { situation: { status: "lost" } });
  assert.equal(isLeftOut(command, [{ event }], view(fuse(bound)), after), true);
});

test("where a countdown stands is read from the view", () => {
  assert.deepEqual(nowOf(view(fuse(BOUND.rounds)), BOUND.rounds), { goesOn: true, turn: 3, period: 7 });
  assert.deepEqual(nowOf(view(fuse(BOUND.scene)), BOUND.scene), { goesOn: true, turn: 3, period: 4 });
  const over = view(fuse(BOUND.rounds), { situation: { status: "won" } });
  assert.equal(rollStateIn(over, fuse(BOUND.rounds)), "free");
  assert.equal(rollStateIn(view(fuse(BOUND.scene)), fuse(BOUND.scene), true), "due");
});

test("a check of 0 dice is rolled without a die, and nothing else is", () => {
  const part = { character_id: "ada", roll: { faces: [], physical: false } };
  const check = { type: "roll_check", check_id: "fall" };
  assert.equal(isRolled(check, { event: { type: "check_rolled", check_id: "fall", part } }), true);
  const rolled = { type: "countdown_rolled", countdown_id: "fuse", faces: [], physical: false };
  assert.equal(isRolled({ type: "roll_countdown", countdown_id: "fuse" }, { event: rolled }), false);
});
