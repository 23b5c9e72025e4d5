/** What a server may write into a log to choose among dice: each is found on arrival and in the whole log. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Verifier } from "../../client_sdk/js/arrivals.js";
import { View } from "../../client_sdk/js/dreadclock.js";
import * as ledger from "../../client_sdk/js/ledger.js";
import { parse, read, readRecord, roomBytes } from "../../client_sdk/js/records.js";
import { MODELS } from "../../client_sdk/js/shapes.js";
import { verifyLog } from "../../client_sdk/js/verify.js";

const ROOM = "aaaqeayeaudaocajbifqydiob4";
const LOG = "000102030405060708090a0b0c0d0e0f";
const ROOM16 = roomBytes(ROOM);
const bytes = (of) => new Uint8Array(32).fill(of);
const { text32 } = ledger;

/** All keys of a lane, or all tokens of a seat, from the last one. */
function chain(before, last) {
  const values = [];
  for (let n = ledger.LANE_LENGTH, value = last; n >= 0; n--) {
    values[n] = value;
    if (n) value = before(n, value);
  }
  return values;
}

class Lane {
  used = 0;
  constructor(label, tokens) {
    this.label = label;
    this.tokens = tokens;
    const hash = ledger.laneOf(ROOM16, tokens ? tokens[0] : ledger.ZERO, label);
    this.keys = chain((n, key) => ledger.keyBefore(hash, n, key), bytes(label.length));
  }

  get opened() {
    const anchor = this.tokens ? { anchor: text32(this.tokens[0]) } : {};
    return { label: this.label, key: text32(this.keys[0]), ...anchor };
  }

  /** Return what takes faces from the next slot, with their proofs. */
  slot(shown = []) {
    const n = ++this.used;
    const token = this.tokens?.[n];
    const witness = shown.reduce(ledger.witnessed, ledger.ZERO);
    const draws = new ledger.Draws(this.keys[n], token ?? ledger.ZERO, witness);
    const shows = token ? { token: text32(token) } : {};
    const first = { key: text32(this.keys[n]), witnesses: shown.length, ...shows };
    let start = 0;
    return (count) => {
      const proof = { lane: this.label, n, start, ...(start ? {} : first) };
      start += count;
      return { faces: draws.take(count), proof };
    };
  }
}

class Made {
  texts = [];
  lane = new Lane("seat/gm/0", null);
  #seqs = { public: 0, gm: 0 };

  constructor() {
    this.say({ type: "seat_joined", seat: { id: "gm", name: "Gm", role: "gm" } });
    this.say({ type: "lane_opened", lane: { ...this.lane.opened, seat_id: "gm" } });
  }

  say(event, { by = "gm", channel = "public" } = {}) {
    const after = channel === "gm" ? { after: this.#seqs.public } : {};
    const seq = ++this.#seqs[channel];
    this.texts.push(JSON.stringify({ v: 1, channel, seq, at: 5_000, by, event, ...after }));
    return this;
  }

  seal(lane) {
    return this.say({ type: "sealed_started", thing: sealed(lane) });
  }

  async whole() {
    const { flaws } = await verifyLog({ room: ROOM, logId: LOG, lines: this.texts });
    return flaws.map(({ channel, seq, flaw }) => [channel, seq, flaw]);
  }

  /** List the alarms of a client that was shown this view before the first record. */
  arriving(shown = {}) {
    const view = new View({ public: read(MODELS.ChannelView, parse(JSON.stringify(shown)), "a view") });
    const verifier = new Verifier(ROOM, view);
    const alarms = this.texts.flatMap((text) => verifier.check(readRecord(text)));
    return alarms.map(({ record: { channel, seq }, flaw }) => [channel, seq, flaw]);
  }

  async found() {
    const whole = await this.whole();
    assert.deepEqual(this.arriving(), [...new Map(whole.map((each) => [String(each), each])).values()]);
    return whole.map(([, seq, flaw]) => [seq, flaw]);
  }
}

const sealed = ({ label, opened }) => {
  const [, kind, id] = label.split("/");
  return { kind, id, name: id, seat_id: "gm", lane: label, key: opened.key };
};
const countdown = (id, bound_to) => ({ id, name: id, pool: 4, speed: "slow", started: 1, bound_to });
const started = (id, bound_to) => ({ type: "countdown_started", countdown: countdown(id, bound_to) });
const ticked = (countdown_id, { faces, proof }) => {
  return { type: "countdown_rolled", countdown_id, faces, removed: 0, remaining: 4, turn: 1, proof };
};
const diced = (id, { faces, proof }) => ({ type: "dice_rolled", roll: { id, seat_id: "gm", faces, proof } });
const partOf = ({ faces, proof }) => {
  const roll = { pool: 3, removed: 0, faces, remaining: [], outcome: "success", margin: 0, proof };
  return { character_id: "ada", score: 3, roll };
};
const side = { outcome: "success", margin: 0, highest: 3 };
const resultOf = ({ faces, proof }) => ({ acting: side, deals: faces, proof });
const checked = (check_id, rolled) => ({ type: "check_rolled", check_id, part: partOf(rolled) });
const resolved = (check_id, rolled) => ({ type: "check_resolved", check_id, result: resultOf(rolled) });
const checkOf = (id, parts, dealt) => ({ id, seat_id: "gm", parts: parts.map(partOf), result: resultOf(dealt) });
const revealed = (kind, id, things) => ({ type: "revealed", kind, id, things });
const hiddenRolls = (id, rolls) => {
  const hidden_rolls = rolls.map((rolled) => ({ ...rolled, removed: 0 }));
  return revealed("countdown", id, { countdowns: [{ ...countdown(id, "turn"), hidden_rolls }] });
};

test("the deals of a check and what the end of a turn rolls go on with a slot", async () => {
  const made = new Made();
  const [check, turn] = [made.lane.slot(), made.lane.slot()];
  made.say(checked("jump", check(3))).say(resolved("jump", check(2)));
  made.say(started("fire", "turn")).say(started("flood", "turn"));
  made.say(ticked("fire", turn(4))).say(ticked("flood", turn(4)));

  assert.deepEqual(await made.found(), []);
});

/** By what it is: two rolls of one slot of which the later may not be there. */
const BURNT = {
  "two plain rolls": (take) => [diced("roll-1", take(2)), diced("roll-2", take(2))],
  "a check after a plain roll": (take) => [diced("roll-1", take(2)), checked("jump", take(2))],
  "two parts of a check": (take) => [checked("jump", take(2)), checked("jump", take(2))],
  "deals of another check": (take) => [checked("jump", take(2)), resolved("climb", take(2))],
  "deals after a plain roll": (take) => [diced("roll-1", take(2)), resolved("jump", take(2))],
  "a countdown that is not bound to the turn": (take) => [ticked("fire", take(2)), ticked("slow", take(2))],
  "a countdown after one that is not bound": (take) => [ticked("slow", take(2)), ticked("fire", take(2))],
  "a countdown after a plain roll": (take) => [diced("roll-1", take(2)), ticked("fire", take(2))],
  "a countdown that nobody knows": (take) => [ticked("fire", take(2)), ticked("ghost", take(2))],
  "a plain roll after a countdown": (take) => [ticked("fire", take(2)), diced("roll-1", take(2))],
};

for (const [what, rolls] of Object.entries(BURNT)) {
  test(`no dice are burnt by another roll of the slot: ${what}`, async () => {
    const made = new Made().say(started("fire", "turn")).say(started("slow", "nothing"));
    for (const event of rolls(made.lane.slot())) made.say(event);

    assert.deepEqual(await made.found(), [[6, "start"]]);
  });
}

test("what a countdown is bound to is taken from the view that a client was shown", () => {
  const made = new Made();
  const take = made.lane.slot();
  made.say(ticked("fire", take(2))).say(ticked("flood", take(2)));
  const view = (bound_to) => ({ countdowns: { fire: countdown("fire", "turn"), flood: countdown("flood", bound_to) } });

  assert.deepEqual(made.arriving(view("turn")), []);
  assert.deepEqual(made.arriving(view("nothing")), [["public", 4, "start"]]);
});

test("each roll of a hidden countdown has a slot of its own", async () => {
  const lane = new Lane("thing/countdown/gas", null);
  const made = new Made().seal(lane);
  const take = lane.slot();
  made.say(hiddenRolls("gas", [take(3), take(3)]));

  assert.deepEqual(await made.found(), [[4, "start"]]);
});

test("the rolls of a countdown that is bound to the turn share no slot in the gm's channel", async () => {
  const lane = new Lane("thing/countdown/gas", null);
  const made = new Made().seal(lane).say({ type: "lane_opened", lane: lane.opened }, { channel: "gm" });
  const take = lane.slot();
  made.say(started("gas", "turn"), { channel: "gm" });
  for (let n = 0; n < 2; n++) made.say(ticked("gas", take(3)), { channel: "gm" });

  assert.deepEqual(await made.whole(), [["gm", 4, "start"]]);
});

test("only the deals of a hidden check go on with its roll", async () => {
  const found = [];
  for (const parts of [1, 2]) {
    const lane = new Lane("thing/check/jump", null);
    const made = new Made().seal(lane);
    const take = lane.slot();
    const rolls = Array.from({ length: parts }, () => take(3));
    made.say(revealed("check", "jump", { checks: [checkOf("jump", rolls, take(2))] }));
    found.push(await made.found());
  }

  assert.deepEqual(found[0], []);
  assert.deepEqual(found[1][0], [4, "start"]);
});

test("nothing sealed takes the place of another thing", async () => {
  const [lane, roll] = [new Lane("thing/countdown/gas", null), new Lane("thing/roll/gas", null)];
  const bare = { kind: "countdown", id: "gas", name: "Gas" };

  assert.deepEqual(await new Made().seal(lane).seal(lane).found(), [[4, "opening"]]);
  assert.deepEqual(await new Made().seal(lane).seal(roll).found(), [[4, "opening"]]);
  const again = new Made().seal(lane).say({ type: "sealed_started", thing: bare });
  assert.deepEqual(await again.found(), [[4, "opening"]]);
  assert.deepEqual(new Made().seal(lane).arriving({ taken: ["gas"] }), [["public", 3, "opening"]]);
  assert.deepEqual(new Made().seal(lane).arriving({ sealed: { gas: bare } }), [["public", 3, "opening"]]);
});

test("the lane of a hidden thing is opened once", async () => {
  const open = (made, lane) => made.say({ type: "lane_opened", lane: lane.opened }, { channel: "gm" });
  const lane = new Lane("thing/countdown/gas", null);

  assert.deepEqual(await open(new Made().seal(lane), lane).whole(), []);
  assert.deepEqual(await open(open(new Made().seal(lane), lane), lane).whole(), [["gm", 2, "opening"]]);
  assert.deepEqual(await open(open(new Made(), lane), lane).whole(), [["gm", 2, "opening"]]);
});

const origin = { room: ROOM, log_id: LOG, seq: 9, hash: "0".repeat(64) };
const continued = { type: "room_continued", origin, turn: 1, carried: {} };

test("a room that goes on from another one reveals no roll without its proof", async () => {
  const lane = new Lane("thing/countdown/gas", null);
  const rolled = { faces: [6, 6, 6] };
  const made = new Made().seal(lane).say(continued).say(hiddenRolls("gas", [rolled]));
  const unsealed = new Made().say(continued).say(hiddenRolls("gas", [rolled]));
  const byHand = new Made().seal(lane).say(continued).say(hiddenRolls("gas", [{ ...rolled, physical: true }]));

  assert.deepEqual(await made.found(), [[5, "unproven"]]);
  assert.deepEqual(await unsealed.found(), [[4, "unproven"]]);
  assert.deepEqual(await byHand.found(), []);
});

test("a room goes on from another one only when it is opened", async () => {
  const late = new Made().say({ type: "turn_ended", turn: 1 }).say(continued);

  assert.deepEqual(await new Made().say(continued).say(continued, { channel: "gm" }).whole(), []);
  assert.deepEqual(await new Made().say(continued).say(continued).whole(), [["public", 4, "continued"]]);
  assert.deepEqual(await late.whole(), [["public", 4, "continued"]]);
});

test("the rolls that come to light never count fewer witnesses than the one before", async () => {
  const found = [];
  for (const last of [1, 0]) {
    const tokens = chain((n, token) => ledger.tokenBefore(ROOM16, n, token), bytes(7));
    const [lane, ann] = [new Lane("thing/countdown/gas", null), new Lane("seat/ann/0", tokens)];
    const made = new Made().seal(lane);
    made.say({ type: "seat_joined", seat: { id: "ann", name: "Ann", role: "player" } });
    made.say({ type: "lane_opened", lane: { ...ann.opened, seat_id: "ann" } });
    made.say(diced("roll-1", ann.slot()(2)), { by: "ann" });
    const shown = [tokens[1]];
    const rolls = [lane.slot()(3), lane.slot(shown)(3), lane.slot(shown.slice(0, last))(3)];
    found.push(await made.say(hiddenRolls("gas", rolls)).found());
  }

  assert.deepEqual(found, [[], [[7, "witnesses"]]]);
});
