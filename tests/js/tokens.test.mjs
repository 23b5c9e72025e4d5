/** Where tokens are kept: by tabs with locks, by tabs without, and where nothing can be kept. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Tokens } from "../../client_sdk/js/tokens.js";

const OF = { room: "aaaqeayeaudaocajbifqydiob4", logId: "00".repeat(16), seat: "player-1" };

class Store {
  things = new Map();
  getItem(key) {
    return this.things.get(key) ?? null;
  }
  setItem(key, value) {
    this.things.set(key, value);
  }
  get secrets() {
    return [...this.things.values()].flatMap((text) => JSON.parse(text).secrets.map(({ secret }) => secret));
  }
}

class Locks {
  held = new Set();
  async request(name, { ifAvailable }, callback) {
    assert.ok(ifAvailable);
    if (this.held.has(name)) return callback(null);
    this.held.add(name);
    try {
      return await callback({ name, mode: "exclusive" });
    } finally {
      this.held.delete(name);
    }
  }
}

/** A tab: it leaves with the event that browsers send, and is gone with its locks. */
class Tab extends EventTarget {
  constructor(browser, of = OF) {
    super();
    this.tokens = new Tokens(of, { ...browser, page: this });
  }
  async anchor() {
    return (await this.tokens.mine()).anchor;
  }
  async leave() {
    this.dispatchEvent(new Event("pagehide"));
    await new Promise((resolve) => setImmediate(resolve)); // a lock is free again a moment after
  }
}

const browsers = {
  "with locks": () => ({ store: new Store(), locks: new Locks() }),
  "without locks": () => ({ store: new Store(), locks: null }),
};

for (const [kind, open] of Object.entries(browsers)) {
  test(`a tab that is loaded again goes on with its tokens, ${kind}`, async () => {
    const browser = open();
    const tab = new Tab(browser);
    const hand = await tab.tokens.mine();
    assert.equal(await tab.anchor(), hand.anchor);
    await tab.leave();

    const again = await new Tab(browser).tokens.mine();

    assert.equal(again.anchor, hand.anchor);
    assert.equal(again.token(7), hand.token(7));
    assert.equal(again.token(0), hand.anchor);
  });

  test(`no two tabs use the same tokens, and each knows the other's, ${kind}`, async () => {
    const browser = open();
    const [one, two] = [new Tab(browser), new Tab(browser)];
    const anchors = [await one.anchor(), await two.anchor()];

    assert.notEqual(anchors[0], anchors[1]);
    assert.deepEqual([one, two].map(({ tokens }) => anchors.map((each) => tokens.isElsewhere(each))), [
      [false, true],
      [true, false],
    ]);
    await one.leave();
    await two.leave();
    const later = [new Tab(browser), new Tab(browser)];
    assert.deepEqual(new Set([await later[0].anchor(), await later[1].anchor()]), new Set(anchors));
  });

  test(`tokens of another seat or another log are others, ${kind}`, async () => {
    const browser = open();
    const anchors = [];
    for (const of of [OF, { ...OF, seat: "gm" }, { ...OF, logId: "11".repeat(16) }]) {
      const tab = new Tab(browser, of);
      anchors.push(await tab.anchor());
      await tab.leave();
    }

    assert.equal(new Set(anchors).size, 3);
  });

  test(`tokens that are given up are never taken up again, ${kind}`, async () => {
    const browser = open();
    const tab = new Tab(browser);
    const spent = await tab.anchor();
    const next = (await tab.tokens.others()).anchor;
    assert.equal(await tab.anchor(), next);
    await tab.leave();

    const again = new Tab(browser);
    assert.equal(await again.anchor(), next);
    assert.notEqual(next, spent);
    assert.equal(browser.store.secrets.length, kind === "with locks" ? 1 : 0);
    assert.equal(again.tokens.isElsewhere(spent), true);
  });
}

test("a trusted device's tokens count as one's own in every tab, and only for that seat", async () => {
  const browser = browsers["with locks"]();
  const tab = new Tab(browser);
  assert.equal(tab.tokens.isHere("of my phone"), false);

  tab.tokens.trust("of my phone");

  for (const each of [tab, new Tab(browser)]) assert.equal(each.tokens.isElsewhere("of my phone"), true);
  assert.equal(new Tab(browser, { ...OF, seat: "gm" }).tokens.isHere("of my phone"), false);
});

test("a page that is shown again after it was left takes up what is free", async () => {
  const browser = browsers["without locks"]();
  const tab = new Tab(browser);
  const anchor = await tab.anchor();
  await tab.leave();
  const other = new Tab(browser);
  assert.equal(await other.anchor(), anchor);

  assert.notEqual(await tab.anchor(), anchor);
  assert.equal(tab.tokens.isElsewhere(anchor), true);
});

test("a tab that dies without a word leaves its tokens to the next, if there are locks", async () => {
  const browser = browsers["with locks"]();
  const anchor = await new Tab(browser).anchor();
  const reborn = { store: browser.store, locks: new Locks() };

  assert.equal(await new Tab(reborn).anchor(), anchor);
});

const throwing = (name) => () => {
  throw new DOMException("no", name);
};

const broken = {
  "no store": null,
  "a store that is full": { getItem: () => null, setItem: throwing("QuotaExceededError") },
  "a store that may not be used": { getItem: throwing("SecurityError"), setItem: throwing("SecurityError") },
};

for (const [kind, store] of Object.entries(broken)) {
  test(`with ${kind}, tokens last as long as the tab`, async () => {
    const tab = new Tab({ store, locks: null });
    const anchor = await tab.anchor();

    assert.equal(await tab.anchor(), anchor);
    assert.notEqual(await new Tab({ store, locks: null }).anchor(), anchor);
    assert.notEqual((await tab.tokens.others()).anchor, anchor);
  });
}

test("what is kept under the key, but is not what was put there, is passed over in silence", async () => {
  const entries = '{"secrets":[null,{"anchor":"a","secret":"b"}],"anchors":3}';
  for (const text of ["{", "null", "7", '{"secrets":{}}', entries]) {
    const browser = browsers["with locks"]();
    await new Tab(browser).anchor();
    const [key] = browser.store.things.keys();
    browser.store.setItem(key, text);
    const tab = new Tab({ ...browser, locks: new Locks() });

    assert.match(await tab.anchor(), /^[A-Za-z0-9_-]{43}$/, text);
    assert.equal(JSON.parse(browser.store.getItem(key)).secrets.at(-1).anchor, await tab.anchor());
  }
});

test("no error and no description of tokens shows a secret", async () => {
  const browser = browsers["with locks"]();
  const { tokens } = new Tab(browser);
  const hand = await tokens.mine();
  const [secret] = browser.store.secrets;
  assert.equal(hand.token(1024), secret);
  const { inspect } = await import("node:util");
  for (const shown of [inspect(tokens, { depth: 9, showHidden: true }), JSON.stringify({ tokens, hand }), `${hand}`]) {
    assert.ok(!shown.includes(secret));
  }
  assert.throws(() => hand.token(1025), (error) => !`${error.stack}`.includes(secret));
});
