/**
 * A world in this browser: `/game?user=ID`, with `lang=de` in German, with `dice=1` and something like Dice So Nice, with
 * `v=14` and a server that tells who asks.
 */

import { ApplicationV2, DialogV2, HandlebarsApplicationMixin, renderTemplate } from "./applications.js";
import { ChatMessage, Collection, Combat, Roll, User } from "./documents.js";
import { Settings } from "./settings.js";
import { Connection } from "./socket.js";

const asked = new URLSearchParams(location.search);
const hooks = new Map();

globalThis.Hooks = {
  on: (name, listener) => (hooks.set(name, [...(hooks.get(name) ?? []), listener]), listener),
  off: (name, listener) => void hooks.set(name, (hooks.get(name) ?? []).filter((each) => each !== listener)),
  once: (name, listener) => Hooks.on(name, listener),
  callAll: (name, ...args) => (hooks.get(name) ?? []).forEach((listener) => listener(...args)),
};
globalThis.CONFIG = { queries: {}, sounds: { dice: "sounds/dice.wav" } };
globalThis.foundry = { applications: { api: { ApplicationV2, DialogV2, HandlebarsApplicationMixin }, handlebars: { renderTemplate } } };
Object.assign(globalThis, { ChatMessage, Combat, Roll });
globalThis.ui = { notifications: { info: (text) => notify("info", text), warn: (text) => notify("warn", text) } };

/** Show a notice, as markup: a module may not rely on that it is not. */
function notify(kind, text) {
  const item = document.createElement("li");
  item.className = kind;
  item.innerHTML = text;
  document.getElementById("notifications").append(item);
}

const settings = new Settings();
globalThis.game = {
  userId: asked.get("user"),
  world: { id: "stub" },
  modules: new Map([["dreadclock", { id: "dreadclock" }]]),
  users: new Collection(),
  messages: new Collection(),
  combats: new Collection(),
  keybindings: {
    register(_, __, { editable = [], onDown }) {
      addEventListener("keydown", (event) => {
        const held = ["Shift", "Alt", "Control"].filter((each) => event[`${each === "Control" ? "ctrl" : each.toLowerCase()}Key`]);
        if (editable.some(({ key, modifiers = [] }) => key === event.code && String([...modifiers].sort()) === String(held.sort()))) onDown(event);
      });
    },
  },
  socket: {
    on: (name, listener) => Hooks.on(`socket ${name}`, listener),
    emit: (name, data) => void game.connection.do("emit", { name, data }),
  },
  settings,
  i18n: await words(asked.get("lang") ?? "en"),
  get user() {
    return game.users.get(game.userId);
  },
};
Handlebars.registerHelper("localize", (key, { hash }) => game.i18n.format(key, hash));

game.connection = new Connection(game.userId, (frame) => HEARD[frame.type](frame));

const HEARD = {
  async world({ world, active }) {
    for (const user of Object.values(world.users)) game.users.set(user._id, new User(user));
    for (const message of Object.values(world.messages)) show(new ChatMessage(message));
    for (const combat of Object.values(world.combats)) game.combats.set(combat._id, new Combat(combat));
    settings.world = world.settings;
    HEARD.active({ active });
    await begin();
  },
  active({ active }) {
    for (const user of game.users.values()) {
      const before = user.active;
      user.active = active.includes(user.id);
      if (user.active !== before) Hooks.callAll("userConnected", user, user.active);
    }
  },
  setting({ asked: { key, value } }) {
    settings.changed(key, value);
  },
  flags({ asked: { id, flags } }) {
    game.users.get(id).flags = flags;
  },
  message({ value }) {
    const message = new ChatMessage(value);
    show(message);
    Hooks.callAll("createChatMessage", message, {}, value.author);
  },
  unwrite({ value }) {
    game.messages.delete(value);
    document.querySelector(`[data-message-id="${value}"]`)?.remove();
  },
  combat({ by, asked: { id, changes, options }, value }) {
    if (!game.combats.has(id)) return game.combats.set(id, new Combat(value));
    const combat = game.combats.get(id);
    const differs = JSON.stringify([combat.round, combat.turn, combat.flags]) !== JSON.stringify([value.round, value.turn, value.flags]);
    Object.assign(combat, structuredClone(value));
    if (differs) Hooks.callAll("updateCombat", combat, changes, options, by);
  },
  emit({ name, data }) {
    Hooks.callAll(`socket ${name}`, data);
  },
  async query({ of, n, name, data }) {
    const value = (await CONFIG.queries[name]?.(data, attested(of))) ?? null;
    await game.connection.do("answer", { to: of, of: n, value });
  },
};

/** What a query's handler is told beside its data; Foundry 13 leaves out who asked. */
function attested(user) {
  return asked.get("v") === "14" ? { timeout: 30_000, user: game.users.get(user) } : { timeout: 30_000 };
}

/** Load the module as Foundry does: its styles, its scripts, then the hooks. */
async function begin() {
  const manifest = await (await fetch("/modules/dreadclock/module.json")).json();
  for (const path of manifest.styles) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/modules/dreadclock/${path}` }));
  }
  if (asked.get("dice")) showDice();
  for (const path of manifest.esmodules) await import(`/modules/dreadclock/${path}`);
  for (const name of ["init", "setup", "ready"]) Hooks.callAll(name);
  if (asked.get("scene") !== "none") drawControls();
  document.body.dataset.ready = "yes";
}

function drawControls() {
  const controls = { tokens: { name: "tokens", tools: { select: { name: "select", title: "Select", icon: "", order: 0 } } } };
  Hooks.callAll("getSceneControlButtons", controls);
  for (const tool of Object.values(controls.tokens.tools)) {
    const button = Object.assign(document.createElement("button"), { className: tool.icon, ariaLabel: game.i18n.localize(tool.title) });
    button.dataset.tool = tool.name;
    button.onclick = (event) => tool.onChange?.(event, true);
    document.getElementById("controls").append(button);
  }
}

/** Put a message into the log, its content as the markup that it is. */
function show(message) {
  game.messages.set(message.id, message);
  if (!message.visible) return;
  const item = document.createElement("li");
  item.className = "chat-message message";
  item.dataset.messageId = message.id;
  item.innerHTML = `<header class="message-header"><h4 class="message-sender"></h4></header><div class="message-content">${message.content}</div>`;
  item.querySelector("h4").textContent = message.speaker?.alias ?? "";
  enrich(item.querySelector(".message-content"));
  Hooks.callAll("renderChatMessageHTML", message, item, {});
  document.getElementById("chat-log").append(item);
}

/** Foundry's own patterns, and one as systems register them. */
const ENRICHERS = [
  /@(Embed|UUID|Actor|Item|JournalEntry|Macro|Compendium)\[([^\]]+)\](?:\{([^}]+)\})?/g,
  /\[\[(\/[a-zA-Z]+\s)?(.*?)(\]{2,3})(?:\{([^}]+)\})?/g,
  /https?:\/\/[^\s<]+/g,
  /&Reference\[([^\]]+)\]/g,
];

/** Turn what matches into links, in each text node of a parsed message by itself, as TextEditor.enrichHTML does. */
function enrich(content) {
  for (const pattern of ENRICHERS) {
    const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    for (const node of nodes) {
      for (const match of [...node.data.matchAll(pattern)].reverse()) {
        const rest = node.splitText(match.index);
        rest.splitText(match[0].length);
        rest.replaceWith(Object.assign(document.createElement("a"), { className: "enriched", textContent: match[3] ?? match[4] ?? match[0] }));
      }
    }
  }
}

/** Note the faces of each message with rolls, as Dice So Nice would throw them. */
function showDice() {
  game.dice3d = { shown: [], flight: null, waitFor3DAnimationByMessageID: () => game.dice3d.flight ?? Promise.resolve(true) };
  Hooks.on("createChatMessage", (message) => game.dice3d.shown.push(...message.rollsShown.map((roll) => roll.faces)));
}

async function words(lang) {
  const answer = await fetch(`/modules/dreadclock/lang/${lang}.json`);
  const all = await answer.json();
  const localize = (key) => {
    const found = key.split(".").reduce((place, name) => place?.[name], all);
    return typeof found === "string" ? found : key;
  };
  const format = (key, data = {}) => localize(key).replace(/\{([^}]+)\}/g, (whole, name) => data[name] ?? whole);
  return { lang, localize, format };
}
