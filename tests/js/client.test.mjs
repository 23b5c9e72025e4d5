/** What the transcripts do not reach: hashes, links, and views as callers read them. */

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";

import {
  Mirror,
  Protocol,
  View,
  fold,
  advance,
  openingHead,
  parseLink,
  sha256,
} from "../../client_sdk/js/dreadclock.js";
import { read, parse } from "../../client_sdk/js/records.js";
import { MODELS } from "../../client_sdk/js/shapes.js";
import { websocketOf } from "../../client_sdk/js/dreadclock.js";

const ROOM = "abcdefghijklmnopqrstuvwxya";
const LOG = "000102030405060708090a0b0c0d0e0f";
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

// Hashes

test("SHA-256 of every length up to three blocks, and of a long text, is that of Node.js", () => {
  for (const length of [...Array(193).keys(), 1 << 20]) {
    const bytes = randomBytes(length);
    assert.equal(Buffer.from(sha256(bytes)).toString("hex"), hash(bytes), `${length} bytes`);
  }
});

test("SHA-256 of the text of the standard is the one of the standard", () => {
  const digest = Buffer.from(sha256(new TextEncoder().encode("abc"))).toString("hex");
  assert.equal(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("heads are worked out from the protocol's two formulas", () => {
  const base32 = "abcdefghijklmnopqrstuvwxyz234567";
  const bits = [...ROOM].map((letter) => base32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const room16 = Buffer.from(
    bits
      .slice(0, 128)
      .match(/.{8}/g)
      .map((byte) => parseInt(byte, 2)),
  );
  const opening = Buffer.concat([Buffer.from("log1/open\0"), room16, Buffer.from(LOG, "hex"), Buffer.from("gm")]);
  const text = '{"name":"Die Bombe 💣"}';
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(text));
  const link = [Buffer.from("log1/record\0"), Buffer.from(hash(opening), "hex"), length, Buffer.from(text)];

  const head = openingHead(ROOM, LOG, "gm");

  assert.deepEqual(head, { seq: 0, hash: hash(opening) });
  assert.deepEqual(advance(head, text), { seq: 1, hash: hash(Buffer.concat(link)) });
});

// Links

test("a link has a server, a room and a token, and a server may live under a path", () => {
  const link = parseLink(` https://example.org/tables/r/${ROOM}/#to_ken-1\n`);

  assert.deepEqual(link, { server: "https://example.org/tables", room: ROOM, token: "to_ken-1" });
  assert.equal(websocketOf(link), `wss://example.org/tables/ws/${ROOM}`);
  assert.equal(websocketOf(parseLink(`http://[::1]:7717/r/${ROOM}#t`)), `ws://[::1]:7717/ws/${ROOM}`);
});

test("what is no link is told so, without its token", () => {
  const others = ["", "http://a", `http://a/r/${ROOM}`, `http://a/r/short#t`, `ftp://a/r/${ROOM}#t`, `/r/${ROOM}#t`];
  for (const link of [...others, `http://a/r/${ROOM}?q=1#t`, `http://a/r/${ROOM}#secret!`]) {
    assert.throws(() => parseLink(link), { name: "TypeError", message: /^(?!.*secret)a link to a room looks like/ });
  }
});

// Views

const channel = (fields) => read(MODELS.ChannelView, parse(JSON.stringify(fields)), "a view");
const countdown = (id, started) => ({ id, name: "C", pool: 2, speed: "slow", started });

test("a view merges its channels, and countdowns stand in the order they were started", () => {
  const view = new View({
    public: channel({ title: "T", countdowns: { late: countdown("late", 9), 7: countdown("7", 2) } }),
    gm: channel({ countdowns: { "gm-plot": countdown("gm-plot", 4) } }),
  });

  assert.deepEqual([...view.countdowns.keys()], ["7", "gm-plot", "late"]);
  assert.deepEqual([view.title, view.turn, view.policy.check_approval, view.closed], ["T", 1, "gm", false]);
});

test("who sees the inside of sealed things is shown no stubs", () => {
  const sealed = { gas: { kind: "countdown", id: "gas", name: "Gas" } };
  const secrets = { leap: { total_id: "leap", required: 9, odds: { mean: "7/2" } } };
  const everyone = new View({ public: channel({ sealed }) });
  const gm = new View({ public: channel({ sealed }), gm: channel({ secrets }) });

  assert.deepEqual([[...everyone.sealed.keys()], [...everyone.secrets.keys()]], [["gas"], []]);
  assert.deepEqual([[...gm.sealed.keys()], [...gm.secrets.keys()]], [[], ["leap"]]);
});

test("a lane of 1024 rolls is forgotten when its seat opens the next one, and no other", () => {
  const lane = (label, used, seat_id = "gm") => ({ label, used, seat_id, key: "K" });
  const known = [lane("a", 1024), lane("b", 1023), lane("c", 1024, "player-1")];
  const view = new View({ public: channel({ lanes: Object.fromEntries(known.map((each) => [each.label, each])) }) });

  const { lanes } = fold(view, {
    channel: "public",
    seq: 1,
    event: { type: "lane_opened", lane: lane("d", 0) },
  }).public;

  assert.deepEqual([...lanes.keys()], ["b", "c", "d"]);
});

test("a view and its positions are of the same channels", () => {
  const view = new View({ public: channel({}) });

  assert.throws(() => new Mirror({ ...{ gm: openingHead(ROOM, LOG, "gm") } }, view), /not of the same channels/);
});

test("a client has nothing to show before it is welcomed", () => {
  const protocol = new Protocol(ROOM, "token");

  assert.throws(() => protocol.mirror, /not welcomed/);
  assert.throws(() => protocol.welcome, /not welcomed/);
  protocol.connect();
  assert.throws(() => protocol.connect(), /has not been given up/);
});
