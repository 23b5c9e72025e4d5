// @ts-check
/**
 * Verifies dice: whether every roll follows from its lane.
 *
 * Written from `docs/dice.md`, independently of the Python code. After a wrong roll, the check continues from the last correct keys and tokens.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { View } from "./views.js"
 * @import { Link } from "./ledger.js"
 * @import { Rolled } from "./rolled.js"
 *
 * The code of a problem with a record.
 * @typedef {"unproven" | "lane" | "opening" | "anchor"} FlawOfLane
 * @typedef {FlawOfLane | "slot" | "key" | "token" | "witnesses" | "start" | "faces"} Flaw
 *
 * @typedef {{ count: number, seq: number, value: Uint8Array }} Witness `count`: how many tokens are folded into `value`; `seq`: of
 *   the public record with the last of them
 *
 * @typedef {object} Lane
 * @property {string} label
 * @property {Uint8Array} hash
 * @property {string | null} seat the seat of the lane; null for the lane of a hidden thing
 * @property {string | null} starter the seat whose tokens are no witnesses of this lane; null if the lane has no witnesses, as for things that only the gm sees
 * @property {Link} key
 * @property {Link | null} token null for a lane without tokens
 * @property {number} used
 * @property {Set<string>} heard the seats whose tokens are in its witness, or were shown before the lane was opened
 * @property {Witness[]} witnesses all witnesses that it has had, the latest last
 * @property {Witness} next the witness that the next roll uses
 * @property {Slot | null} slot the slot that was used last
 * @property {boolean} isOpened whether the gm's channel has opened the lane
 *
 * A slot of a lane. `taken`: how many dice were drawn from it. `begun`: the marks of later rolls that may use it.
 * @typedef {{ by: string, at: number, n: number, taken: number, witnesses: number, begun: string[], draws: Draws }} Slot
 *
 * @typedef {object} Judged
 * @property {Flaw | null} flaw
 * @property {boolean} withToken
 * @property {number} witnesses how many tokens of other seats influenced the roll
 */

import {
  Draws, LANE_LENGTH, ZERO, keyBefore, laneOf, ledBack, sameText, seatOf, tokenBefore, value32, valueOf, witnessed,
} from "./ledger.js";
import { LANES_KEPT } from "./limits.js";
import { roomBytes } from "./records.js";
import { Bound, countdownsIn } from "./rolled.js";

const NONE = Object.freeze({ count: 0, seq: 0, value: ZERO });

export class Lanes {
  #room16;
  /** @type {Map<string, Lane>} */
  #lanes = new Map();
  /** @type {Set<string>} */
  #anchors = new Set();
  /** The ids of existing things: no other thing may have one of these. @type {Set<string>} */
  #ids = new Set();
  #bound = new Bound();
  /** The seat and time of the latest command that triggered consequences in public. @type {{ by: string, at: number } | null} */
  #brought = null;
  /** By seat: how many lanes it has opened. @type {Map<string, number>} */
  #opened = new Map();

  /** @param {string} room its id */
  constructor(room) {
    this.#room16 = roomBytes(room);
  }

  /**
   * Start from a view. Trusts the view for the rolls before it.
   * @param {string} room
   * @param {View} view
   */
  static of(room, view) {
    const lanes = new Lanes(room);
    const { countdowns, rolls, checks, sealed, taken } = view.public;
    for (const lane of view.public.lanes.values()) lanes.#recall(lane, view.public);
    lanes.#ids = new Set([countdowns, rolls, checks, sealed].flatMap((things) => [...things.keys()]).concat(taken));
    lanes.#bound.hear([...countdowns.values()]);
    for (const [name, count] of view.public.made) {
      if (name.startsWith("lane/")) lanes.#opened.set(name.slice("lane/".length), count);
    }
    return lanes;
  }

  /** @param {T.Lane} state @param {T.ChannelView} part */
  #recall(state, part) {
    const lane = this.#add(state.label, state.key, state.anchor);
    if (!lane) return;
    if (state.started_by !== undefined) lane.starter = state.started_by;
    for (const [seat, shown] of part.shown) if (shown > state.tokens_before) lane.heard.add(seat);
    lane.used = state.used;
    const latest = { count: state.witnesses, seq: 0, value: valueOf(state.witness) };
    lane.witnesses = state.tokens ? historyOf(state.tokens) : [latest];
    lane.next = { count: state.next_witnesses, seq: 0, value: valueOf(state.next_witness) };
  }

  /** Tell whether a lane is known. @param {string} label */
  has(label) {
    return this.#lanes.has(label);
  }

  /**
   * Note an opened lane, or the lane of a sealed thing.
   * @param {T.EventRecord} record
   * @returns {Flaw | null}
   */
  open({ channel, event, by, at }) {
    if (channel === "public") this.#bound.hear(countdownsIn(event));
    if (channel === "public" && event.type === "consequence_happened") this.#brought = { by, at };
    if (event.type === "sealed_started") return this.#seal(event.thing);
    if (event.type === "seat_removed") {
      for (const lane of this.#lanes.values()) if (lane.seat === event.seat_id) this.#lanes.delete(lane.label);
    }
    if (event.type !== "lane_opened") return null;
    const { label, key, anchor } = event.lane;
    if (channel !== "public") return this.#openHidden(label, key);
    const seat = seatOf(label);
    const next = seat === null ? null : (this.#opened.get(seat) ?? 0);
    if (seat === null || label !== `seat/${seat}/${next}`) return "opening";
    this.#opened.set(seat, Number(next) + 1);
    const used = anchor !== undefined && (this.#anchors.has(anchor) || sameText(ZERO, anchor));
    this.#makeRoom(seat, anchor !== undefined);
    if (!this.#add(label, key, anchor)) return "opening";
    return used ? "anchor" : null;
  }

  /** Close a seat's lanes that it cannot use any more after another lane is opened. */
  #makeRoom(/** @type {string} */ seat, /** @type {boolean} */ withTokens) {
    const mine = [...this.#lanes.values()].filter((lane) => lane.seat === seat);
    const usable = mine.filter((lane) => lane.used < LANE_LENGTH && lane.token);
    const closed = mine.filter((lane) => lane.used >= LANE_LENGTH);
    if (withTokens) closed.push(...usable.slice(0, Math.max(0, usable.length + 1 - LANES_KEPT)));
    for (const { label } of closed) this.#lanes.delete(label);
  }

  /** @param {T.Sealed} thing @returns {Flaw | null} */
  #seal({ kind, id, seat_id, lane: label, key }) {
    if (this.#ids.has(id)) return "opening";
    this.#ids.add(id);
    if (label === undefined && key === undefined) return null;
    const lane = label === `thing/${kind}/${id}` && key !== undefined && this.#add(label, key);
    if (lane) lane.starter = seat_id ?? null;
    return lane ? null : "opening";
  }

  /** Note a lane of the gm's channel. The lane of a sealed thing is already known. */
  #openHidden(/** @type {string} */ label, /** @type {string} */ key) {
    const sealed = this.#lanes.get(label);
    if (sealed && (sealed.isOpened || sealed.key.n !== 0 || !sameText(sealed.key.value, key))) return "opening";
    const lane = sealed ?? (label.startsWith("thing/") && this.#add(label, key));
    if (lane) lane.isOpened = true;
    return lane ? null : "opening";
  }

  /** @param {string} label @param {string} key @param {string} [anchor] @returns {Lane | null} */
  #add(label, key, anchor) {
    const first = value32(key);
    const token = anchor === undefined ? null : value32(anchor);
    if (!first || (anchor !== undefined && !token) || this.#lanes.has(label)) return null;
    if (anchor !== undefined) this.#anchors.add(anchor);
    const seat = seatOf(label);
    /** @type {Lane} */
    const lane = {
      label,
      hash: laneOf(this.#room16, token ?? ZERO, label),
      seat,
      starter: seat,
      key: { n: 0, value: first },
      token: token && { n: 0, value: token },
      used: 0,
      heard: new Set(),
      witnesses: [NONE],
      next: NONE,
      slot: null,
      isOpened: false,
    };
    this.#lanes.set(label, lane);
    return lane;
  }

  /**
   * Check a roll of a record, and count it.
   * @param {T.EventRecord} record
   * @param {Rolled} rolled
   * @returns {Judged}
   */
  roll(record, rolled) {
    const { proof, physical, thing } = rolled;
    if (!proof) return failed("unproven");
    const lane = physical ? undefined : this.#lanes.get(proof.lane);
    const owned = lane && (lane.seat === null ? lane.label === `thing/${thing}` : lane.seat === record.by);
    if (!lane || !owned || (lane.seat === null) !== (record.channel !== "public")) return failed("lane");
    const flaw = proof.key === undefined ? continues(lane, record, proof) : this.#begins(lane, record, proof);
    this.show(record, proof);
    return flaw ? failed(flaw) : drawn(lane, this.#bound.settled(record, rolled), proof, this.#isBrought(record));
  }

  /**
   * Check a roll of a revealed thing. Rolls come in the order of their `n`. The number of tokens in the proof says which witness a roll used.
   * @param {T.EventRecord} record
   * @param {Rolled} rolled
   * @returns {Judged}
   */
  rollRevealed(record, rolled) {
    const { proof, physical, thing } = rolled;
    if (!proof) return failed("unproven");
    const lane = physical ? undefined : this.#lanes.get(proof.lane);
    if (lane?.label !== `thing/${thing}`) return failed("lane");
    if (proof.key !== undefined) lane.next = saidOf(lane, proof) ?? { ...NONE, count: -1 };
    const flaw = proof.key === undefined ? continues(lane, record, proof) : this.#begins(lane, record, proof);
    return flaw ? failed(flaw) : drawn(lane, this.#bound.settled(record, rolled), proof, this.#isBrought(record));
  }

  /** @param {Lane} lane @param {T.EventRecord} record @param {T.RollProof} proof @returns {Flaw | null} */
  #begins(lane, record, proof) {
    const witness = lane.next;
    const isNext = proof.n === lane.used + 1 && proof.n <= LANE_LENGTH;
    lane.slot = null;
    if (proof.n <= LANE_LENGTH) lane.used = Math.max(lane.used, proof.n);
    if (record.event.type !== "revealed") lane.next = witnessAt(lane, record);
    if (!isNext) return "slot";
    const key = ledBack(lane.key, proof.n, proof.key, (n, value) => keyBefore(lane.hash, n, value));
    if (!key) return "key";
    lane.key = key;
    const token = lane.token && ledBack(lane.token, proof.n, proof.token, (n, t) => tokenBefore(this.#room16, n, t));
    if (lane.token ? !token : proof.token !== undefined) return "token";
    lane.token = token || null;
    if (proof.witnesses !== witness.count) return "witnesses";
    if (proof.start !== 0) return "start";
    const draws = new Draws(key.value, token?.value ?? ZERO, witness.value);
    lane.slot = { by: record.by, at: record.at, n: proof.n, taken: 0, witnesses: witness.count, begun: [], draws };
    return null;
  }

  /** Tell whether a record rolls a countdown after its command triggered consequences. @param {T.EventRecord} record */
  #isBrought({ channel, by, at, event }) {
    const isRoll = channel === "public" && event.type === "countdown_rolled";
    return isRoll && this.#brought?.by === by && this.#brought.at === at;
  }

  /** Fold the token of a public roll into the witness of all lanes that have no token of its seat yet. */
  show(/** @type {T.EventRecord} */ { by, seq }, /** @type {T.RollProof} */ proof) {
    const token = proof.token === undefined ? null : value32(proof.token);
    for (const lane of this.#lanes.values()) {
      if (!token || lane.starter === null || lane.starter === by || lane.heard.has(by)) continue;
      lane.heard.add(by);
      const { count, value } = lane.witnesses[lane.witnesses.length - 1];
      lane.witnesses.push({ count: count + 1, seq, value: witnessed(value, token) });
    }
  }
}

/** @param {Lane} lane @param {T.EventRecord} record @param {T.RollProof} proof @returns {Flaw | null} */
function continues({ slot }, { by, at }, { n, start, token, witnesses }) {
  if (!slot || slot.n !== n || slot.by !== by || slot.at !== at || slot.taken !== start) return "start";
  return token === undefined && witnesses === undefined ? null : "token";
}

/**
 * @param {Lane} lane
 * @param {Rolled} rolled
 * @param {T.RollProof} proof
 * @param {boolean} brought whether consequences of the command may have rolled a countdown
 * @returns {Judged}
 */
function drawn({ slot, token }, { faces, begins, follows }, { key }, brought) {
  const goesOn = brought || (follows && slot?.begun.includes(follows));
  if (!slot || (key === undefined && !goesOn)) return failed("start");
  slot.begun = begins;
  slot.taken += faces.length;
  const follow = slot.draws.take(faces.length).every((face, place) => face === faces[place]);
  return { flaw: follow ? null : "faces", withToken: token !== null, witnesses: slot.witnesses };
}

const failed = (/** @type {Flaw} */ flaw) => ({ flaw, withToken: false, witnesses: 0 });

/**
 * Return the witness that a sealed roll used, by the number in its proof; undefined if that is impossible, such as fewer tokens than the roll before.
 * @param {Lane} lane
 * @param {T.RollProof} proof
 */
function saidOf(lane, { witnesses: count }) {
  if (lane.used === 0) return NONE;
  return lane.witnesses.find((witness) => witness.count === count && count >= lane.next.count);
}

/** Return the witness of a lane right after a record. @param {Lane} lane @param {T.EventRecord} record */
function witnessAt({ witnesses }, { channel, seq, after = 0 }) {
  const place = channel === "public" ? seq : after;
  return witnesses.filter((witness) => witness.seq <= place).at(-1) ?? NONE;
}

/** Return the witnesses of a lane after 0, 1, 2, ... tokens. @param {readonly string[]} tokens */
function historyOf(tokens) {
  return tokens.reduce(
    (all, text) => [...all, { count: all.length, seq: 0, value: witnessed(all[all.length - 1].value, valueOf(text)) }],
    /** @type {Witness[]} */ ([NONE]),
  );
}
