/** A client that does what it is told: one JSON object a line in, with an `id`, and its answer out. */

import { createInterface } from "node:readline";

import { ConnectionEnded, Refused, connect } from "../../client_sdk/js/dreadclock.js";
import * as rest from "../../client_sdk/js/rest.js";

const TICK_MS = 20;

const heard = { alarms: [], changes: 0, ended: null, here: [], replaced: [], records: [], sockets: 0 };
const sight = Object.assign(new EventTarget(), { visibilityState: "visible" });
const surroundings = Object.assign(new EventTarget(), {
  document: sight,
  now: () => clockMs, // which moves when told to
  tickMs: TICK_MS,
});
let clockMs = 0;
let room;

const options = {
  backoff: { firstMs: 10, longestMs: 200 },
  onAlarm: (violation) => heard.alarms.push(violation.message),
  onEnd: ({ code, reason }) => (heard.ended = { code, reason }),
  onChange: ({ here }, outputs) => {
    outputs.forEach(hear);
    heard.changes += 1;
    if (JSON.stringify(here) !== JSON.stringify(heard.here.at(-1))) heard.here.push(here);
  },
  surroundings,
  WebSocket: class extends WebSocket {
    constructor(address) {
      super(address);
      heard.sockets += 1;
    }
  },
};

function see(visibilityState) {
  sight.visibilityState = visibilityState;
  sight.dispatchEvent(new Event("visibilitychange"));
}

function hear(output) {
  if (output.type === "happened") heard.records.push([output.record.channel, output.record.seq]);
  if (output.type === "view_replaced") heard.replaced.push(output.reason);
}

const orders = {
  connect: async ({ link, ...more }) => {
    room = await connect(link, { ...options, ...more });
    return orders.look();
  },
  submit: async ({ command }) => {
    const { n, positions, records, complete } = await room.submit(command);
    return { n, positions, complete, events: records.map(({ event }) => event) };
  },
  until: async ({ seqs, here = 0 }) => {
    const heardAll = () => Object.entries(seqs).every(([channel, seq]) => room.positions[channel].seq >= seq);
    await room.waitFor(() => room.connected && heardAll() && Object.keys(room.here).length >= here, 20_000);
    return orders.look();
  },
  lost: async () => room.waitFor(() => !room.connected, 20_000),
  online: async () => void surroundings.dispatchEvent(new Event("online")),
  hide: async () => see("hidden"),
  show: async () => see("visible"),
  sleep: async ({ ms }) => (clockMs += ms),
  wake: async () => room.wake(),
  ticks: async () => {
    for (let left = 3; left > 0; left--) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  },
  never: async () => room.waitFor(() => false, 20_000),
  late: async () => room.waitFor(() => false, 1),
  look: async () => {
    const { view, positions, seat, role, session, logId, connected, here } = room;
    return { view, positions, seat, role, session, log_id: logId, connected, here, heard };
  },
  countdowns: async () => [...room.view.countdowns.keys()],
  close: async () => room.close(),
  rest: async ({ call, given }) => rest[call](...given),
  given_up: async ({ afterMs, given }) => rest.odds(...given, { signal: AbortSignal.timeout(afterMs) }),
};

async function answer({ id, do: what, ...fields }) {
  try {
    return { id, ok: (await orders[what](fields)) ?? null };
  } catch (error) {
    if (error instanceof Refused) {
      return { id, refused: { code: error.code, sentence: error.sentence, details: error.details } };
    }
    if (error instanceof ConnectionEnded) return { id, ended: { code: error.code, reason: error.reason } };
    return { id, failed: `${error.name}: ${error.message}` };
  }
}

const lines = createInterface({ input: process.stdin });
lines.on("line", async (line) => console.log(JSON.stringify(await answer(JSON.parse(line)))));
lines.on("close", () => room?.close());
