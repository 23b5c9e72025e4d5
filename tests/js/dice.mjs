/**
 * Verifies logs, and makes some of nothing but lanes and rolls: `node dice.mjs verify FILE`, `node dice.mjs make FILE`.
 *
 * The file is JSON: `room`, `log_id`, `texts` and maybe known `heads`; for what is to be made it holds `rolls`, `seed`
 * and `wrong` instead, and gets `texts`, and in `planted` the seqs of the rolls with a wrong face.
 * `tests/kit/rolled_logs.py` makes the like.
 */

import { readFileSync, writeFileSync } from "node:fs";

import * as ledger from "../../client_sdk/js/ledger.js";
import { roomBytes } from "../../client_sdk/js/records.js";
import { verifyLog } from "../../client_sdk/js/verify.js";

const LARGEST = 60; // dice of a roll
const NEW_LANE_EVERY = 150; // rolls, on average

/** Draws numbers below a limit from a seed (mulberry32). */
function chance(seed) {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

class KeyChain {
  values = [];
  constructor(lane, last) {
    for (let n = ledger.LANE_LENGTH, key = last; n >= 0; n--) {
      this.values[n] = key;
      if (n) key = ledger.keyBefore(lane, n, key);
    }
  }
}

class Writer {
  texts = [];
  planted = [];
  #room16;
  #below;
  #opened = new Map();
  #lanes = new Map();
  #rolls = 0;

  constructor({ room, rolls, seed, wrong = 0, seats }) {
    this.#room16 = roomBytes(room);
    this.#below = chance(seed);
    for (const seat of seats) {
      this.#say(seat, { seat: { id: seat, name: seat, role: "player" }, type: "seat_joined" });
      this.#lanes.set(seat, []);
      this.#open(seat, false);
    }
    const bad = new Set();
    while (bad.size < wrong) bad.add(this.#below(rolls));
    while (this.#rolls < rolls) this.#useSlot(seats[this.#below(seats.length)], bad);
  }

  /** Write a record; the fields of what it tells come in the order of the alphabet. */
  #say(by, event) {
    const seq = this.texts.length + 1;
    this.texts.push(JSON.stringify({ at: 1_700_000_000_000 + seq, by, channel: "public", event, seq, v: 1 }));
  }

  #bytes() {
    return Uint8Array.from({ length: 32 }, () => this.#below(256));
  }

  #open(seat, withTokens) {
    const number = this.#opened.get(seat) ?? 0;
    this.#opened.set(seat, number + 1);
    const tokens = withTokens ? new ledger.TokenChain(this.#room16, this.#bytes()) : null;
    const label = `seat/${seat}/${number}`;
    const hash = ledger.laneOf(this.#room16, tokens?.anchor ?? ledger.ZERO, label);
    const keys = new KeyChain(hash, this.#bytes()).values;
    const nothing = { count: 0, value: ledger.ZERO };
    const lane = { label, seat, keys, tokens, used: 0, heard: new Set(), witness: nothing, atLastRoll: nothing };
    this.#lanes.set(seat, [...this.#lanes.get(seat).filter((each) => !each.tokens === withTokens), lane]);
    const anchor = tokens ? { anchor: ledger.text32(tokens.anchor) } : {};
    const told = { ...anchor, key: ledger.text32(keys[0]), label, seat_id: seat };
    this.#say(seat, { lane: told, type: "lane_opened" });
  }

  #useSlot(seat, bad) {
    const lanes = this.#lanes.get(seat);
    if (lanes.length < 2 || this.#below(NEW_LANE_EVERY) === 0) this.#open(seat, this.#below(10) > 0);
    const among = this.#lanes.get(seat);
    const lane = among[this.#below(among.length)];
    if (lane.used === ledger.LANE_LENGTH) return this.#open(seat, lane.tokens !== null);
    lane.used += 1;
    const key = lane.keys[lane.used];
    const token = lane.tokens?.value(lane.used);
    const draws = new ledger.Draws(key, token ?? ledger.ZERO, lane.atLastRoll.value);
    const shown = token ? { token: ledger.text32(token) } : {};
    const proof = { key: ledger.text32(key), lane: lane.label, n: lane.used, start: 0, ...shown };
    this.#roll(lane, draws.take(1 + this.#below(LARGEST)), { ...proof, witnesses: lane.atLastRoll.count }, bad);
    lane.atLastRoll = lane.witness;
    if (token) this.#witness(seat, token);
  }

  #roll(lane, faces, proof, bad) {
    if (bad.has(this.#rolls)) {
      this.planted.push(this.texts.length + 1);
      const place = this.#below(faces.length);
      faces[place] = (faces[place] % 6) + 1;
    }
    this.#rolls += 1;
    const roll = { faces, id: `roll-${this.#rolls}`, proof, seat_id: lane.seat };
    this.#say(lane.seat, { roll, type: "dice_rolled" });
  }

  #witness(seat, token) {
    for (const lane of [...this.#lanes.values()].flat()) {
      if (lane.seat === seat || lane.heard.has(seat)) continue;
      lane.heard.add(seat);
      const { count, value } = lane.witness;
      lane.witness = { count: count + 1, value: ledger.witnessed(value, token) };
    }
  }
}

const [what, file] = process.argv.slice(2);
const given = JSON.parse(readFileSync(file, "utf8"));
if (what === "make") {
  const { texts, planted } = new Writer(given);
  writeFileSync(file, JSON.stringify({ ...given, texts, planted }));
} else {
  const began = performance.now();
  const { room, log_id: logId, texts: lines, heads: known } = given;
  const { heads, rolls, flaws } = await verifyLog({ room, logId, lines, heads: known });
  const ms = performance.now() - began;
  console.log(JSON.stringify({ heads, rolls, flaws, ms }));
}
