/** The bytes of the dice and the log against the vectors that come with `docs/dice.md`. */

import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Verifier } from "../../client_sdk/js/arrivals.js";
import { View, advance, fold, openingHead } from "../../client_sdk/js/dreadclock.js";
import { sixWords } from "../../client_sdk/js/fingerprint.js";
import * as ledger from "../../client_sdk/js/ledger.js";
import { parse, read, readRecord, roomBytes } from "../../client_sdk/js/records.js";
import { MODELS } from "../../client_sdk/js/shapes.js";
import { verifyLog } from "../../client_sdk/js/verify.js";

const { vectors } = JSON.parse(readFileSync(new URL("../../docs/dice-vectors.json", import.meta.url), "utf8"));

// The points of the list in dice.md; 0 is a lane that does not fit.
const FLAWS = ["opening", "lane", "slot", "key", "token", "witnesses", "faces", "start"];

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (values) => Buffer.from(values).toString("hex");
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const points = (text) => [...text].map((letter) => letter.codePointAt(0));
  const before = (one, other) => {
    const [mine, theirs] = [points(one), points(other)];
    const place = mine.findIndex((point, i) => point !== theirs[i]);
    return place < 0 ? -1 : mine[place] - (theirs[place] ?? -1);
  };
  const fields = Object.keys(value).sort(before);
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
};

const valueOr0 = (given) => (given ? bytes(given) : ledger.ZERO);
const witnessOf = (tokens) => tokens.reduce((w, token) => ledger.witnessed(w, bytes(token)), ledger.ZERO);
const back = (before, n, value) => {
  for (let at = n; at > 0; at--) value = before(at, value);
  return value;
};
const valuesAt = (values, of) => Object.fromEntries(Object.keys(values).map((n) => [n, hex(of(Number(n)))]));
const drawsOf = ({ key, token, witnesses }) =>
  new ledger.Draws(bytes(key), valueOr0(token), witnessOf(witnesses));

/** What follows from what is given, by kind; the second argument says what is asked for. */
const kinds = {
  value: ({ bytes: given }) => {
    const text = ledger.text32(bytes(given));
    assert.equal(hex(ledger.value32(text)), given);
    return { text };
  },
  room: ({ room }) => ({ bytes: hex(roomBytes(room)) }),
  canonical: ({ value }) => ({ text: canonical(value), bytes: hex(new TextEncoder().encode(canonical(value))) }),
  opening_head: ({ room, log_id, channel }) => ({ head: openingHead(room, log_id, channel).hash }),
  heads: ({ room, log_id, channel, texts }) => {
    let head = openingHead(room, log_id, channel);
    return { heads: texts.map((text) => (head = advance(head, text)).hash) };
  },
  six_words: ({ head }) => ({ words: sixWords(head) }),
  tokens: ({ room, last }, { values }) => {
    const chain = new ledger.TokenChain(roomBytes(room), bytes(last));
    return { values: valuesAt(values, (n) => chain.value(n)) };
  },
  lane: ({ room, label, anchor }) => ({ lane: hex(ledger.laneOf(roomBytes(room), valueOr0(anchor), label)) }),
  keys: ({ lane, last }, { values }) => {
    const from = (n) => {
      let key = bytes(last);
      for (let at = ledger.LANE_LENGTH; at > n; at--) key = ledger.keyBefore(bytes(lane), at, key);
      return key;
    };
    return { values: valuesAt(values, from) };
  },
  witness: ({ tokens }) => ({ witness: hex(witnessOf(tokens)) }),
  roll: (given) => {
    const { room, label, n, key, token, witnesses, count } = given;
    const room16 = roomBytes(room);
    const anchor = token ? back((at, t) => ledger.tokenBefore(room16, at, t), n, bytes(token)) : ledger.ZERO;
    const lane = ledger.laneOf(room16, anchor, label);
    return {
      ...(token && { anchor: hex(anchor) }),
      lane: hex(lane),
      first_key: hex(back((at, k) => ledger.keyBefore(lane, at, k), n, bytes(key))),
      witness: hex(witnessOf(witnesses)),
      faces: drawsOf(given).take(count),
    };
  },
  draws: (given) => {
    const draws = drawsOf(given);
    let start = 0;
    const rolls = given.counts.map((count) => {
      const roll = { start, faces: draws.take(count) };
      start += count;
      return roll;
    });
    return { rolls };
  },
  server_key: ({ secret, lane }) => {
    const seed = Buffer.concat([Buffer.from("dice1/seed\0"), bytes(lane)]);
    return { key: hex(ledger.hmac(bytes(secret), seed)) };
  },
};

test("everything that the vectors hold follows from what they give", () => {
  const plain = vectors.filter(({ kind }) => !kind.endsWith("log"));
  for (const { kind, prose, given, gives } of plain) {
    const follows = kinds[kind](given, gives);
    for (const [name, value] of Object.entries(follows)) assert.deepEqual(value, gives[name], `${prose} ${name}`);
    assert.ok(Object.keys(follows).length > 0);
  }
  assert.ok(plain.length >= 20);
});

const logs = vectors.filter(({ kind }) => kind === "log");

async function verified({ room, log_id: logId, texts }) {
  return verifyLog({ room, logId, lines: texts });
}

/** Take in records as a client does that was shown a view before the record `from`; return what it gives alarm for. */
function alarmed({ room, texts }, from) {
  let view = new View({ public: read(MODELS.ChannelView, parse("{}"), "a view") });
  let verifier = null;
  return texts.flatMap((text, place) => {
    if (place + 1 === from) verifier = new Verifier(room, view);
    const record = readRecord(text);
    view = fold(view, record);
    return (verifier?.check(record) ?? []).map(({ record: { seq }, flaw, sentence }) => [seq, flaw, sentence]);
  });
}

/** List where clients can come in: the records of one command, which have one time, are never torn apart. */
function entrances(texts, until = texts.length) {
  const times = texts.map((text) => JSON.parse(text).at);
  return times.flatMap((at, place) => (place < until && at !== times[place - 1] ? [place + 1] : []));
}

for (const { prose, given } of logs) {
  test(`no record of a log that fits gives alarm, whenever a client came: ${prose}`, () => {
    assert.ok(entrances(given.texts).length > 10);
    for (const from of entrances(given.texts)) assert.deepEqual(alarmed(given, from), [], `from ${from}`);
  });
}

for (const { prose, given, gives } of logs) {
  test(`a log fits, and its rolls are those that it names: ${prose}`, async () => {
    const { heads, rolls, flaws } = await verified(given);

    assert.deepEqual(flaws, []);
    assert.equal(heads.public.hash, gives.head);
    assert.deepEqual(sixWords(heads.public.hash), gives.words);
    const dice = rolls.filter(({ standing }) => standing !== "physical");
    assert.deepEqual(
      dice.map(({ seq, lane, n }) => [seq, lane, n]),
      gives.rolls.map(({ seq, lane, n }) => [seq, lane, n]),
    );
    dice.forEach(({ witnesses }, place) => assert.equal(witnesses, gives.rolls[place].witnesses ?? witnesses));
  });
}

for (const { prose, given, gives } of vectors.filter(({ kind }) => kind === "broken_log")) {
  test(`a log does not fit: ${prose}`, async () => {
    const whole = logs.find(({ name }) => name === given.of).given;
    const texts = whole.texts.map((text, place) => given.instead[place + 1] ?? text);

    const { heads, flaws } = await verified({ ...whole, texts });

    assert.equal(heads.public.hash, gives.head);
    assert.deepEqual([flaws[0].channel, flaws[0].seq, flaws[0].flaw], ["public", gives.seq, FLAWS[gives.rule]]);
    assert.match(flaws[0].sentence, /^[A-Z].*\.$/);
  });

  test(`alarm is given at once, whenever a client came: ${prose}`, () => {
    const whole = logs.find(({ name }) => name === given.of).given;
    const texts = whole.texts.map((text, place) => given.instead[place + 1] ?? text);

    for (const from of entrances(whole.texts, gives.seq)) {
      const [[seq, flaw, sentence]] = alarmed({ ...whole, texts }, from);
      assert.deepEqual([seq, flaw], [gives.seq, FLAWS[gives.rule]], `from ${from}`);
      assert.match(sentence, /^[A-Z].*\.$/);
    }
  });
}

test("an HMAC of any key up to a block and any message is that of Node.js", () => {
  const lengths = [0, 1, 31, 32, 64].flatMap((length) => [0, 55, 56, 200].map((more) => [length, more]));
  for (const [key, message] of lengths) {
    const [k, m] = [randomBytes(key), randomBytes(message)];
    assert.equal(hex(ledger.hmac(k, m)), createHmac("sha256", k).update(m).digest("hex"), `${key} and ${message} bytes`);
  }
});

test("every token of a chain leads to the one before it", () => {
  const room16 = Uint8Array.from(randomBytes(16));
  const chain = new ledger.TokenChain(room16, Uint8Array.from(randomBytes(32)));

  for (let n = 1; n <= ledger.LANE_LENGTH; n++) {
    assert.equal(hex(ledger.tokenBefore(room16, n, chain.value(n))), hex(chain.value(n - 1)), `token ${n}`);
  }
  assert.equal(chain.anchor, chain.value(0));
  assert.throws(() => chain.value(1025), RangeError);
});

test("what is no value of 32 bytes is none", () => {
  const right = ledger.text32(Uint8Array.from(randomBytes(32)));
  for (const wrong of ["", right.slice(1), `${right}A`, `${right}=`, right.replace(/.$/, "B"), ` ${right.slice(1)}`]) {
    assert.equal(ledger.value32(wrong), null, wrong);
  }
});
