// @ts-check
/**
 * Chat cards: one message for each roll that everyone sees, and for news such as a crisis. One user writes a message,
 * however many are connected.
 *
 * Each client works out the same order of those who could write it: who sits in the seat that rolled, then gms, then
 * the others, each by the lowest id. The first says that it writes, and does; the next ones look again later, should the
 * first have gone or hang, and wait longer for one who said so: a second message would throw the dice twice. A flag names the record, so that nobody writes it twice, and who did takes the later one away.
 *
 * What only the gm sees is never written: a whisper, too, would lie among the messages of other browsers.
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
const PATIENCE_MS = 3_000; // with each who comes before this user
const SLOW_MS = 30_000; // how long Foundry may take to store a message that a user has begun to write
const MOST_BEGUN = 100; // the oldest is dropped beyond: any user can send any keys
const LONGEST_KEY = 100; // characters
const SOCKET = `module.${ID}`;

/** @type {Map<string, number>} when another user began to write a record, by its key */
export const begun = new Map();

/** @type {Promise<unknown>} messages of this user's come in the order of the rolls */
let last = Promise.resolve();

/** Write rolls of the table into the chat from now on. @param {Table} table */
export function writeRolls(table) {
  /** @type {Room | null} */
  let known = null;
  table.listen((outputs) => {
    const { room } = table;
    if (!room) return;
    const anew = known !== room || outputs.some(({ type }) => type === "view_replaced");
    known = room;
    const records = (anew ? missed(room) : heardIn(outputs)).filter(({ channel }) => channel === "public");
    const everyones = new View({ public: room.view.public }); // a gm's own view names what nobody else may see
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

/** Return what happened since this browser last heard of the room, as far as the view still tells. @param {Room} room */
function missed({ id, view }) {
  const last = heard();
  if (last?.room !== id) return [];
  return view.public.recent.filter(({ seq }) => seq > last.seq);
}

/** @param {Room} room */
function note({ id, positions }) {
  const seq = positions.public?.seq ?? 0;
  const last = heard();
  if (last?.room !== id || last.seq !== seq) void setHeard({ room: id, seq });
}

/** Write a card, when it is this user's turn to. @param {Table} table @param {Room} room @param {Card} card */
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
 * Wait for a message, for so many milliseconds: null if it does not come.
 * @param {string} key of the record that it tells of first @param {number} ms @returns {Promise<ChatMessage | null>}
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

/** Return how many come before this user; a seat's own user comes first, then gms, then others. @param {Room} room @param {T.EventRecord} record */
function placeOf(room, { by }) {
  const users = present(room.id);
  const first = users.filter((user) => presenceOf(user)?.seat === by);
  const order = new Set([...first, ...users.filter(({ isGM }) => isGM), ...users]);
  return Math.max(0, [...order].findIndex(({ id }) => id === game.userId));
}

/** @param {Room} room @param {T.EventRecord} record */
export const keyOf = (room, { channel, seq, at }) => `${room.id}/${channel}/${seq}/${at}`;

/** Tell whether a message tells of a record, be it first or after others. @param {Room} room @param {T.EventRecord} record */
function written(room, record) {
  const key = keyOf(room, record);
  return game.messages.some((message) => [message.getFlag(ID, "record"), ...String(message.getFlag(ID, "also")).split(" ")].includes(key));
}

/** @param {Table} table @param {Room} room @param {Card} card */
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

/** What the template shows of a card, of whose texts Foundry makes nothing else. @param {Pick<Card, "lines" | "rows" | "verdict">} card @param {number} thrown */
const inert = ({ lines, rows, verdict }, thrown) => ({
  lines: lines.map(({ text: line, tone }) => ({ pieces: inPieces(line), tone })),
  rows: rows.map(({ name, dice }) => ({ name: inPieces(name), dice, label: text("Card.Dice", { faces: dice.map(({ face }) => face).join(" ") }) })),
  formula: thrown ? `${thrown}d6` : "",
  verdict: inPieces(verdict.text),
  tone: verdict.tone,
});

/** Take a message of this user's away if another one tells the same: that with the lowest id stays. @param {ChatMessage} message */
function takeSecondAway(message) {
  const key = message.getFlag(ID, "record");
  if (key === undefined) return;
  const same = game.messages.filter((each) => each.getFlag(ID, "record") === key);
  const [, ...later] = same.sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const each of later) if (each.isAuthor) void each.delete().catch(() => {}); // another tab of this user's did
}
