// @ts-check
/**
 * Chat cards: a message for each public roll, and for news such as a crisis. Of all connected users, only one writes it.
 *
 * All clients compute the same order of users: first the user in the seat that rolled, then gms, then the others, each
 * group by id. The first user announces the message and writes it. The next users check later whether the message is there,
 * and wait longer if it was announced: a second message would throw the dice twice. A flag of the message names the record.
 * If a record has two messages, the author of the later message deletes it.
 *
 * Secret rolls are never written: Foundry sends whispers to all browsers.
 */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { Card } from "./cards.js"
 * @import { Output } from "../client/outcomes.js"
 * @import { Room } from "../client/room.js"
 * @import { Table } from "./table.js"
 */

import { View } from "../client/views.js";
import { cardsOf } from "./cards.js";
import { rollOf } from "./rolls.js";
import { present, presenceOf } from "./presence.js";
import { ID, heard, setHeard, showsRolls } from "./settings.js";
import { inPieces, text } from "./words.js";

const TEMPLATE = `modules/${ID}/templates/card.hbs`;
const PATIENCE_MS = 3_000; // how long to wait for each user before this user in the order
const SLOW_MS = 30_000; // how long Foundry may take to store a message that a user has begun to write
const MOST_BEGUN = 100; // announcements that are kept: any user can send any number
const LONGEST_KEY = 100; // characters
const SOCKET = `module.${ID}`;

/** By record key: when another user announced its message, as `performance.now()`. @type {Map<string, number>} */
export const begun = new Map();

/** The latest message of this user: messages are written in the order of the rolls. @type {Promise<unknown>} */
let last = Promise.resolve();

/** Write rolls of the table into the chat from now on. @param {Table} table */
export function writeRolls(table) {
  /** @type {Room | null} */
  let latest = null;
  table.listen((outputs) => {
    const { room } = table;
    if (!room) return;
    const isNew = latest !== room || outputs.some(({ type }) => type === "view_replaced");
    latest = room;
    const records = (isNew ? missed(room) : heardIn(outputs)).filter(({ channel }) => channel === "public");
    const everyones = new View({ public: room.view.public }); // without the secrets of a gm's view
    if (showsRolls()) for (const card of cardsOf(records, everyones)) void write(table, room, card);
    note(room);
  });
  Hooks.on("createChatMessage", takeSecondAway);
  game.socket.on(SOCKET, (/** @type {{ writes?: unknown }} */ said) => {
    const key = said?.writes;
    if (typeof key === "string" && key.length <= LONGEST_KEY) begun.set(key, performance.now());
    const [oldest] = begun.keys();
    if (begun.size > MOST_BEGUN) begun.delete(oldest);
  });
}

/** @param {readonly Output[]} outputs @returns {T.EventRecord[]} */
const heardIn = (outputs) => outputs.flatMap((output) => (output.type === "happened" ? [output.record] : []));

/** Return the recent records that this browser has not received yet. @param {Room} room */
function missed({ id, view }) {
  const last = heard();
  if (last?.room !== id) return [];
  return view.public.recent.filter(({ seq }) => seq > last.seq);
}

/** Store how far this browser has received the room. @param {Room} room */
function note({ id, positions }) {
  const seq = positions.public?.seq ?? 0;
  const last = heard();
  if (last?.room !== id || last.seq !== seq) void setHeard({ room: id, seq });
}

/** Write a card when it is this user's turn, unless another user has written it. @param {Table} table @param {Room} room @param {Card} card */
async function write(table, room, card) {
  const [record] = card.records;
  await sleep(PATIENCE_MS * placeOf(room, record));
  const key = keyOf(room, record);
  const since = begun.get(key);
  if (since !== undefined && !written(room, record)) await messageOf(key, since + SLOW_MS - performance.now()); // another user writes it
  begun.delete(key);
  last = last.then(() => create(table, room, card)).catch((error) => console.error(error));
}

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Wait for a message. Return null if it does not come in time.
 * @param {string} key of its first record @param {number} ms @returns {Promise<ChatMessage | null>}
 */
export function messageOf(key, ms) {
  return new Promise((resolve) => {
    const hook = Hooks.on("createChatMessage", (/** @type {ChatMessage} */ message) => message.getFlag(ID, "record") === key && done(message));
    const timer = setTimeout(() => done(null), ms);
    function done(/** @type {ChatMessage | null} */ message) {
      clearTimeout(timer);
      Hooks.off("createChatMessage", hook);
      resolve(message);
    }
  });
}

/** Return the place of this user in the order for a record. @param {Room} room @param {T.EventRecord} record */
function placeOf(room, { by }) {
  const users = present(room.id);
  const first = users.filter((user) => presenceOf(user)?.seat === by);
  const order = new Set([...first, ...users.filter(({ isGM }) => isGM), ...users]);
  return Math.max(0, [...order].findIndex(({ id }) => id === game.userId));
}

/** Return the key of a record in flags and announcements. @param {Room} room @param {T.EventRecord} record */
export const keyOf = (room, { channel, seq, at }) => `${room.id}/${channel}/${seq}/${at}`;

/** Tell whether a message has a record. @param {Room} room @param {T.EventRecord} record */
function written(room, record) {
  const key = keyOf(room, record);
  return game.messages.some((message) => [message.getFlag(ID, "record"), ...String(message.getFlag(ID, "also")).split(" ")].includes(key));
}

/** Create a message, unless its record has one. @param {Table} table @param {Room} room @param {Card} card */
async function create(table, room, { records, speaker, faces, push, ...shown }) {
  const [record, ...others] = records;
  const content = await foundry.applications.handlebars.renderTemplate(TEMPLATE, inert(shown, faces.length));
  if (table.room !== room || written(room, record)) return;
  game.socket.emit(SOCKET, { writes: keyOf(room, record) });
  await ChatMessage.create({
    content,
    speaker: { alias: speaker },
    ...(faces.length && { rolls: [rollOf(faces)], sound: CONFIG.sounds.dice }),
    flags: { [ID]: { record: keyOf(room, record), also: others.map((other) => keyOf(room, other)).join(" "), push } },
  });
}

/**
 * Return the values for the template, with all texts split so that Foundry finds no markup in them.
 * @param {Pick<Card, "lines" | "rows" | "verdict">} card @param {number} thrown
 */
const inert = ({ lines, rows, verdict }, thrown) => ({
  lines: lines.map(({ text: line, tone }) => ({ pieces: inPieces(line), tone })),
  rows: rows.map(({ name, dice }) => ({ name: inPieces(name), dice, label: text("Card.Dice", { faces: dice.map(({ face }) => face).join(" ") }) })),
  formula: thrown ? `${thrown}d6` : "",
  verdict: inPieces(verdict.text),
  tone: verdict.tone,
});

/** If a record has several messages, delete those of this user, except the message with the lowest id. @param {ChatMessage} message */
function takeSecondAway(message) {
  const key = message.getFlag(ID, "record");
  if (key === undefined) return;
  const same = game.messages.filter((other) => other.getFlag(ID, "record") === key);
  const [, ...later] = same.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const repeated of later) if (repeated.isAuthor) void repeated.delete().catch(() => {}); // another tab of this user has deleted it
}
