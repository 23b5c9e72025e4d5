// @ts-check
/**
 * Verifies a whole log: the hash chain of each channel, every lane, and every roll. Loaded on request.
 *
 *     const lines = await log(room.link);
 *     const { rolls, flaws } = await verifyLog({ room: room.id, logId: room.logId, lines, heads: room.positions });
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Flaw, Judged } from "./lanes.js"
 * @import { Rolled } from "./rolled.js"
 *
 * The result for a roll. `proven`: it follows from a token of its seat, or was fixed in public before. `no_token`: the server
 * alone has chosen the dice. `uncommitted`: it was not fixed in public before. `hidden`: any number of rolls of a thing that
 * is still sealed.
 * @typedef {"proven" | "no_token" | "physical" | "hidden" | "uncommitted"} Standing
 *
 * @typedef {object} RollFound
 * @property {T.Channel} channel
 * @property {number} seq
 * @property {Standing | null} standing null if the roll is wrong
 * @property {number} witnesses how many tokens of other seats influenced it
 * @property {string} [lane] the label of its lane
 * @property {number} [n]
 *
 * @typedef {Broken | Flaw} LogFlaw
 * @typedef {"record" | "order" | "head" | "continued"} Broken `record`: a line is no record. `order`: a number is missing or
 *   repeated. `head`: the log does not lead to a given head. `continued`: a room took over things after it was opened
 * @typedef {{ channel: T.Channel | null, seq: number, flaw: LogFlaw, sentence: string }} FlawFound
 * @typedef {{ [channel in T.Channel]?: T.Head }} Heads
 * @typedef {{ heads: Heads, rolls: RollFound[], flaws: FlawFound[] }} Verified
 */

import { Lanes } from "./lanes.js";
import { advance, inOrder, openingHead, recordOf } from "./records.js";
import { isByHand, rolledIn, rolledInSecret } from "./rolled.js";
import { SENTENCES } from "./arrivals.js";

const AT_ONCE_MS = 12; // how many ms to work before the page gets a turn

/** The types of the events that may come before `room_continued`. @type {ReadonlySet<string>} */
const OPENINGS = new Set(["room_opened", "seat_joined", "lane_opened", "sealed_started"]);

/** @type {{ readonly [flaw in Broken]: string }} */
const BROKEN = {
  record: "This line is no record of the log.",
  order: "A record is missing before this one, or it is here twice.",
  head: "The log does not lead to the head that is known at this number.",
  continued: "A room can take over what another one held only when it is opened.",
};

/**
 * Verify the records of a log from its beginning. The page stays responsive meanwhile.
 *
 * `lines`: the texts of the records, each channel in its order. `heads`: heads to which the log must lead.
 * @param {{ room: string, logId: string, lines: readonly string[], heads?: Heads }} given
 * @returns {Promise<Verified>}
 */
export async function verifyLog({ room, logId, lines, heads = {} }) {
  const log = new Log(room, logId, heads);
  await inPieces(lines, (line) => log.read(line));
  await inPieces(inOrder(log.records), (record) => log.verify(record));
  log.compare();
  log.countSealed();
  return { heads: log.heads, rolls: log.rolls, flaws: log.flaws };
}

/**
 * Call `work` with each item. Let the page do other things in between.
 * @template Item @param {readonly Item[]} items @param {(item: Item) => void} work
 */
async function inPieces(items, work) {
  let began = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - began < AT_ONCE_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    began = performance.now();
  }
}

class Log {
  /** @type {Heads} */
  heads = {};
  /** @type {RollFound[]} */
  rolls = [];
  /** @type {FlawFound[]} */
  flaws = [];
  #room;
  #logId;
  #given;
  /** The channels that do not lead to their given heads: each is reported once. @type {Set<T.Channel>} */
  #apart = new Set();
  /** @type {T.EventRecord[]} */
  records = [];
  #public; // the lanes that the public channel shows
  #secret; // the lanes that the gm's channel shows
  /** By lane: the record that started a thing that is still sealed. @type {Map<string, T.EventRecord>} */
  #sealed = new Map();
  /** The channels whose opening is over. @type {Set<T.Channel>} */
  #begun = new Set();

  /** @param {string} room @param {string} logId @param {Heads} given */
  constructor(room, logId, given) {
    this.#room = room;
    this.#logId = logId;
    this.#given = given;
    this.#public = new Lanes(room);
    this.#secret = new Lanes(room);
  }

  /** Read the text of a record, and continue its channel's hash chain. @param {string} line */
  read(line) {
    const record = recordOf(line);
    if (!record) return this.#broken("record", null, this.records.length + 1);
    const { channel, seq } = record;
    const before = this.heads[channel] ?? openingHead(this.#room, this.#logId, channel);
    if (seq !== before.seq + 1) this.#broken("order", channel, seq);
    const head = advance(before, line);
    this.heads[channel] = head;
    this.records.push(record);
    const given = this.#given[channel];
    if (given?.seq === head.seq && given.hash !== head.hash) this.#differs(channel);
  }

  /** Report the channels that end before their given heads. */
  compare() {
    for (const channel of /** @type {T.Channel[]} */ (Object.keys(this.#given))) {
      const given = /** @type {T.Head} */ (this.#given[channel]);
      if ((this.heads[channel]?.seq ?? 0) < given.seq) this.#differs(channel);
    }
  }

  /** @param {T.Channel} channel */
  #differs(channel) {
    if (!this.#apart.has(channel)) this.#broken("head", channel, this.#given[channel]?.seq ?? 0);
    this.#apart.add(channel);
  }

  /** @param {Broken} flaw @param {T.Channel | null} channel @param {number} seq */
  #broken(flaw, channel, seq) {
    this.flaws.push({ channel, seq, flaw, sentence: BROKEN[flaw] });
  }

  /** Check the lanes and rolls of a record. @param {T.EventRecord} record */
  verify(record) {
    const { channel, event } = record;
    const lanes = channel === "public" ? this.#public : this.#secret;
    this.#note(record, lanes.open(record));
    if (channel === "public") this.#witness(record);
    if (event.type === "room_continued" && this.#begun.has(channel)) this.#broken("continued", channel, record.seq);
    if (!OPENINGS.has(event.type)) this.#begun.add(channel);
    if (event.type === "sealed_started" && event.thing.lane) this.#sealed.set(event.thing.lane, record);
    if (event.type === "revealed") this.#reveal(record, event);
    const rolled = rolledIn(event);
    if (!rolled) return;
    const judged = isByHand(rolled) ? null : lanes.roll(record, rolled);
    const standing = channel === "public" ? judged?.withToken : this.#sealed.has(`thing/${rolled.thing}`);
    this.#add(record, rolled, judged, standing ? "proven" : channel === "public" ? "no_token" : "uncommitted");
  }

  /** Fold the tokens of public rolls into the gm's lanes. @param {T.EventRecord} record */
  #witness(record) {
    const proof = rolledIn(record.event)?.proof;
    if (record.event.type === "sealed_started") this.#secret.open(record);
    if (proof) this.#secret.show(record, proof);
  }

  /**
   * Check the rolls of a revealed thing with the public lanes. With the gm's channel, they were checked before.
   * @param {T.EventRecord} record
   * @param {T.Revealed} event
   */
  #reveal(record, { kind, id, things }) {
    for (const rolled of rolledInSecret(things)) {
      const committed = this.#sealed.has(`thing/${rolled.thing}`);
      const isJudged = (committed || !rolled.proof) && !isByHand(rolled);
      const judged = isJudged ? this.#public.rollRevealed(record, rolled) : null;
      if (this.heads.gm) this.#note(record, judged?.flaw ?? null);
      else this.#add(record, rolled, judged, committed ? "proven" : "uncommitted");
    }
    this.#sealed.delete(`thing/${kind}/${id}`);
  }

  /** Add the things that are still sealed, if the log lacks the gm's channel. */
  countSealed() {
    if (this.heads.gm) return;
    for (const [lane, { channel, seq }] of this.#sealed) {
      this.rolls.push({ channel, seq, standing: "hidden", witnesses: 0, lane });
    }
    this.rolls.sort((a, b) => a.seq - b.seq);
  }

  /** @param {T.EventRecord} record @param {Rolled} rolled @param {Judged | null} judged @param {Standing} standing */
  #add(record, { physical, proof }, judged, standing) {
    const { channel, seq } = record;
    const { flaw = null, witnesses = proof?.witnesses ?? 0 } = judged ?? {};
    const fits = physical ? "physical" : standing;
    this.rolls.push({ channel, seq, standing: flaw ? null : fits, witnesses, lane: proof?.lane, n: proof?.n });
    this.#note(record, flaw);
  }

  /** @param {T.EventRecord} record @param {Flaw | null} flaw */
  #note({ channel, seq }, flaw) {
    if (flaw) this.flaws.push({ channel, seq, flaw, sentence: SENTENCES[flaw] });
  }
}
