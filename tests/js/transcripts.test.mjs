/** The JavaScript client against the transcripts that clients in every language are held to. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { Protocol, ProtocolViolation, Refused, isForGood } from "../../client_sdk/js/dreadclock.js";

const FOLDER = new URL("../golden/transcripts/", import.meta.url);

const read = (name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
const json = (value) => JSON.parse(JSON.stringify(value));

// Views and outputs as transcripts write them; `kit/transcripts.py` says how.

function writtenView(view) {
  const parts = Object.entries(view.channels).map(([channel, part]) => {
    const fields = Object.entries(part).map(([name, value]) => [name, value instanceof Map ? [...value] : value]);
    return [channel, { ...Object.fromEntries(fields), recent: part.recent.map(({ seq }) => seq) }];
  });
  return json(Object.fromEntries(parts));
}

function changedBy(before, changes) {
  if (!Object.keys(changes).every((channel) => channel in before)) return changes;
  const after = { ...before };
  for (const [channel, fields] of Object.entries(changes)) {
    after[channel] = { ...before[channel] };
    for (const [name, change] of Object.entries(fields)) after[channel][name] = applied(before[channel][name], change);
  }
  return after;
}

function applied(known, change) {
  if (!change?.put || !change?.gone) return change;
  const things = new Map((known ?? []).filter(([key]) => !change.gone.includes(key)));
  for (const [key, thing] of change.put) things.set(key, thing);
  return [...things];
}

function writtenOutput(output) {
  if (output.type === "happened") return { type: "happened", channel: output.record.channel, seq: output.record.seq };
  if (output.type === "stalled") return { type: "stalled", refused: writtenRefusal(output.refusal) };
  if (output.type === "view_replaced") return output;
  const { ticket, outcome } = output;
  if (outcome instanceof Refused) return { type: "answered", n: ticket.n, refused: writtenRefusal(outcome) };
  const { positions, records, complete } = outcome;
  const done = { positions, records: records.map(({ channel, seq }) => [channel, seq]), complete };
  return { type: "answered", n: ticket.n, done };
}

function writtenRefusal({ code, details, sentence }) {
  assert.ok(sentence);
  return { code, details };
}

// Going through a transcript

class Run {
  state = "apart";
  positions = null;
  view = {};

  constructor({ room, token, client }) {
    this.client = new Protocol(room, token, client);
  }

  take(step) {
    assert.deepEqual(json(this.done(step).map(writtenOutput)), step.outputs ?? []);
    assert.deepEqual(
      this.client.framesToSend().map((frame) => JSON.parse(frame)),
      step.sends ?? [],
    );
    this.state = step.state ?? this.state;
    assert.equal(this.client.state, this.state);
    this.positions = step.positions ?? this.positions;
    if (step.view) this.view = changedBy(this.view, step.view);
    if (!this.positions) return;
    assert.deepEqual(this.client.mirror.positions, this.positions);
    assert.deepEqual(writtenView(this.client.mirror.view), this.view);
  }

  done(step) {
    switch (step.do) {
      case "connect":
        this.client.connect();
        return [];
      case "closed":
        assert.equal(isForGood(step.code), step.for_good);
        this.client.disconnect();
        return [];
      case "submit":
        if (step.full) assert.throws(() => this.client.submit(step.command), /64 commands/);
        else this.client.submit(step.command);
        return [];
      case "resend":
        this.client.resend();
        return [];
      case "give_up":
        return this.client.giveUp();
      case "receive":
        return this.receive(step.frame.join("\n"), step.violation);
    }
    throw new Error(`there is no step ${step.do}`);
  }

  receive(frame, isViolation) {
    if (!isViolation) return this.client.receive(frame);
    assert.throws(() => this.client.receive(frame), ProtocolViolation);
    return [];
  }
}

for (const name of readdirSync(FOLDER).filter((each) => each.endsWith(".json"))) {
  test(`the client makes of everything what the transcript ${name} says`, () => {
    const transcript = read(name);
    const run = new Run(transcript);

    transcript.steps.forEach((step, place) => {
      try {
        run.take(step);
      } catch (error) {
        error.message = `step ${place + 1} (${step.do}): ${error.message}`;
        throw error;
      }
    });

    const parts = Object.entries(run.client.mirror.view.channels);
    assert.deepEqual(
      json(Object.fromEntries(parts.map(([channel, { recent }]) => [channel, recent]))),
      transcript.recent,
    );
  });
}
