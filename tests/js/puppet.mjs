/** A client that does what it is told: one JSON object a line in, with an `id`, and its answer out. */

import { createInterface } from "node:readline";

import { ConnectionEnded, Refused, connect } from "../../client_sdk/js/dreadclock.js";
import { knock } from "../../client_sdk/js/knocking.js";
import * as rest from "../../client_sdk/js/rest.js";
import { verifyLog } from "../../client_sdk/js/verify.js";

const TICK_MS = 20;

const nothing = () => ({ alarms: [], changes: 0, doubts: 0, ended: null, here: [], late: [], replaced: [], records: [], sockets: 0, told: [] });
let heard = nothing();
const sight = Object.assign(new EventTarget(), { visibilityState: "visible" });
const surroundings = Object.assign(new EventTarget(), {
  document: sight,
  now: () => clockMs, // which moves when told to
  navigator: { userAgent: "" },
  tickMs: TICK_MS,
});
let clockMs = 0;
const rooms = {}; // by tab
let knocker = null;
const kept = new Map();
const held = new Set();

/** What a browser keeps for all its tabs, and the locks that they hold. */
const browser = {
  store: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
  locks: {
    request: async (name, { ifAvailable }, callback) => {
      if (!ifAvailable) throw new Error("nobody should wait for a lock");
      if (held.has(name)) return callback(null);
      held.add(name);
      try {
        return await callback({ name });
      } finally {
        held.delete(name);
      }
    },
  },
};

const { fetch } = globalThis;

/** What a room is opened with. `heard`: where it notes what it hears, also once it is closed and others are opened. */
const options = (heard) => ({
  backoff: { firstMs: 10, longestMs: 200 },
  onAlarm: (violation) => heard.alarms.push(violation.message),
  onEnd: ({ code, reason }) => (heard.ended = { code, reason }),
  onChange: ({ here, doubtful }, outputs) => {
    outputs.forEach((output) => hear(heard, output));
    heard.changes += 1;
    if (doubtful) heard.doubts += 1;
    if (JSON.stringify(here) !== JSON.stringify(heard.here.at(-1))) heard.here.push(here);
  },
  surroundings,
  WebSocket: class extends WebSocket {
    constructor(address) {
      super(address);
      heard.sockets += 1;
    }
  },
});

function see(visibilityState) {
  sight.visibilityState = visibilityState;
  sight.dispatchEvent(new Event("visibilitychange"));
}

function hear(heard, output) {
  if (output.type === "happened") {
    heard.records.push([output.record.channel, output.record.seq]);
    if (output.late) heard.late.push([output.record.channel, output.record.seq]);
  }
  if (!["happened", "answered"].includes(output.type)) heard.told.push(output.type);
  if (output.type === "view_replaced") heard.replaced.push(output.reason);
}

const orders = {
  connect: async ({ link, tab = "one", keeps = false, ...more }) => {
    rooms[tab] = await connect(link, { ...options(heard), ...(keeps && browser), ...more });
    return orders.look({}, rooms[tab]);
  },
  submit: async ({ command }, room) => {
    const { n, positions, records, complete } = await room.submit(command);
    return { n, positions, complete, events: records.map(({ event }) => event) };
  },
  until: async ({ seqs, here = 0 }, room) => {
    const heardAll = () => Object.entries(seqs).every(([channel, seq]) => room.positions[channel].seq >= seq);
    await room.waitFor(() => room.connected && room.complete && heardAll() && Object.keys(room.here).length >= here, 20_000);
    return orders.look({}, room);
  },
  lost: async (_, room) => room.waitFor(() => !room.connected, 20_000),
  online: async () => void surroundings.dispatchEvent(new Event("online")),
  offline: async (_, room) => {
    surroundings.dispatchEvent(new Event("offline"));
    return orders.look({}, room); // at once: another connection may open before the next order comes
  },
  firefox: async () => void (surroundings.navigator.userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"),
  hide: async () => see("hidden"),
  show: async () => see("visible"),
  sleep: async ({ ms }) => (clockMs += ms),
  wake: async (_, room) => room.wake(),
  ticks: async () => {
    for (let left = 3; left > 0; left--) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  },
  never: async (_, room) => room.waitFor(() => false, 20_000),
  late: async (_, room) => room.waitFor(() => false, 1),
  look: async (_, room) => {
    const { view, positions, seat, role, session, logId, connected, doubtful, obstacle, here, forked, unchecked } = room;
    const alarms = room.alarms.map(({ flaw, record }) => [flaw, record?.seq ?? null]);
    return { view, positions, seat, role, session, log_id: logId, connected, doubtful, obstacle, here, heard, alarms, forked, unchecked: unchecked?.sentence ?? null };
  },
  alarmed: async ({ times }, room) => {
    await room.waitFor(() => room.alarms.length >= times, 20_000);
    return room.alarms;
  },
  forked: async (_, room) => {
    await room.waitFor(() => room.forked, 20_000);
    return room.forked;
  },
  unchecked: async (_, room) => {
    await room.waitFor(() => room.unchecked, 20_000);
  },
  noted: async ({ seq }, room) => {
    const isNoted = () => JSON.parse(browser.store.getItem(`dreadclock.head/${room.id}`)).seq === seq;
    while (!isNoted()) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  },
  no_fetch: async () => {
    globalThis.fetch = () => Promise.reject(new TypeError("fetch failed"));
  },
  used: async ({ lane, n }, room) => {
    await room.waitFor((view) => view.public.lanes.get(lane)?.used >= n, 20_000);
  },
  has: async ({ thing }, room) => {
    await room.waitFor((view) => view.characters.has(thing) || view.countdowns.has(thing), 20_000);
  },
  verify: async ({ heads }, room) => {
    const lines = await rest.log(room.link);
    return verifyLog({ room: room.id, logId: room.logId, lines, heads: heads ?? room.positions });
  },
  kept: async () => [...kept],
  keep: async ({ key, value }) => void kept.set(key, value),
  countdowns: async (_, room) => [...room.view.countdowns.keys()],
  knock: async ({ given }) => {
    knocker = await knock(...given);
    return { code: knocker.code, leftMs: knocker.leftMs };
  },
  seated: async ({ withinMs = 20_000 }) => knocker.seated({ signal: AbortSignal.timeout(withinMs) }),
  withdraw: async () => knocker.withdraw(),
  knocks: async ({ number }, room) => {
    await room.waitFor(() => room.knocks.length === number, 20_000);
    return room.knocks;
  },
  close: async (_, room) => room.close(),
  reset: async () => {
    closeAll();
    heard = nothing();
    clockMs = 0;
    kept.clear();
    sight.visibilityState = "visible";
    surroundings.navigator.userAgent = "";
    globalThis.fetch = fetch;
  },
  rest: async ({ call, given }) => rest[call](...given),
  given_up: async ({ afterMs, given }) => rest.odds(...given, { signal: AbortSignal.timeout(afterMs) }),
};

function closeAll() {
  for (const [tab, room] of Object.entries(rooms)) {
    room.close();
    delete rooms[tab];
  }
}

async function answer({ id, do: what, tab, ...fields }) {
  try {
    return { id, ok: (await orders[what]({ ...fields, tab }, rooms[tab ?? "one"])) ?? null };
  } catch (error) {
    if (error instanceof Refused) {
      return { id, refused: { code: error.code, sentence: error.sentence, details: error.details } };
    }
    if (error instanceof ConnectionEnded) return { id, ended: { code: error.code, reason: error.reason }, obstacle: error.obstacle, retryMs: error.retryMs };
    return { id, failed: `${error.name}: ${error.message}` };
  }
}

const lines = createInterface({ input: process.stdin });
lines.on("line", async (line) => console.log(JSON.stringify(await answer(JSON.parse(line)))));
lines.on("close", closeAll);
