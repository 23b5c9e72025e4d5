// @ts-check
/** A table as a page keeps it: the room, what is under way, what was refused, what just happened. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Room } from "../../client/dreadclock.js"
 * @import { DiceAlarm, Output, ViewReplaced } from "../../client/protocol.js"
 * @import { Words } from "./words.js"
 *
 * A sentence; `back`: what it tells of was taken back.
 * @typedef {{ key: string, text: string, channel: T.Channel, at: number, record: T.EventRecord, back?: boolean }} Told
 *
 * The first and the latest of some sentences with their times, and how many there are.
 * @typedef {{ number: number, first: string, latest: string }} Alarms
 *
 * What a role adds to the table: all are drawn with the thing that they are about.
 * @typedef {(table: Table, thing: any) => unknown} Controls
 * @typedef {object} Role
 * @property {(table: Table) => unknown} layout draws everything between header and log
 * @property {{ [kind: string]: Controls }} [controls] for things of a kind: `countdown`, `clock`, `check` ...
 * @property {(table: Table) => number} [waits] counts what waits for the viewer
 *
 * What dice decide is not shown before they have landed: the stage says until when.
 * @typedef {Pick<import("../moments/stage.js").Stage, "hear" | "shown" | "hides">} Stage
 */

import { Refused } from "../../client/dreadclock.js";
import { render } from "../../vendor/lit-html/lit-html.js";
import { isQuiet } from "../../client/narration.js";
import { Checked, inOrder, keyOf, struck } from "./fresh.js";
import { oncePerPress } from "./presses.js";

const TOLD_AT_MOST = 200;
const AGAIN_AFTER_MS = 400; // a press sooner than this is part of the one before

export class Table {
  /** @type {Room} */ room = /** @type {any} */ (null);
  /** @type {Role} */ role = { layout: () => "" };
  /** Where dice tumble, once it is loaded. @type {Stage | null} */ stage = null;
  /** @type {Told[]} */ #told = [];
  /** The public number that `told` begins with; what is before it is not at hand. */ beganAt = 1;
  /** What happened before `told`, oldest first, once somebody has scrolled that far. @type {Told[] | null} */ earlier = null;
  /** Whatever parts of the page want to remember between two pictures, by a key of their own. @type {Map<string, any>} */
  ui = new Map();
  /** Why the table is over for good, as a sentence; empty while it is not. */ over = "";
  /** What must not go unseen, until somebody has seen it. @type {Alarms | null} */ alarms = null;
  checked = new Checked();
  /** @type {Set<string>} */ #busy = new Set();
  /** @type {Map<string, number>} */ #begun = new Map();
  /** @type {Map<string, string>} */ #refusals = new Map();
  /** @type {Map<string, number>} */ #unsettled = new Map();
  #planned = false;
  #before = /** @type {Room["view"] | null} */ (null);

  /**
   * @param {Element} root
   * @param {Words} words
   * @param {(table: Table) => unknown} draw
   */
  constructor(root, words, draw) {
    this.root = root;
    this.words = words;
    this.draw = draw;
    oncePerPress(root);
  }

  /** A label in the visitor's language. @param {string} key @param {Record<string, unknown>} [fields] */
  t(key, fields) {
    return this.words.t(key, fields);
  }

  /** The room as it may be seen by now: without what dice decide that have yet to land. */
  get view() {
    return this.stage?.shown(this.truth) ?? this.truth;
  }

  /** The room as it is. */
  get truth() {
    return this.room.view;
  }

  /** What happened lately, as far as it may be told by now, oldest first. */
  get told() {
    const { stage } = this;
    return stage ? this.#told.filter((each) => !stage.hides(each.key)) : this.#told;
  }

  set told(told) {
    this.#told = told;
  }

  /** The viewer's own seat, as far as the room still has it. @returns {T.Seat | undefined} */
  get seat() {
    return this.view.seats.get(this.room.seat);
  }

  get isGm() {
    return this.room.role === "gm";
  }

  /** Tell whether a thing is the viewer's own. @param {{ owner?: string }} thing */
  owns(thing) {
    return thing.owner !== undefined && thing.owner === this.room.seat;
  }

  /** Return the name of a seat, even of one that has left. @param {string} id */
  nameOfSeat(id) {
    return this.view.seats.get(id)?.name ?? id;
  }

  /** @param {string} id */
  nameOfCharacter(id) {
    return this.view.characters.get(id)?.name ?? id;
  }

  /** Name who rolls a part of a check: a character, or an opponent without a sheet. @param {T.Part} part */
  nameOfPart({ name, character_id: id }) {
    return name ?? this.nameOfCharacter(id);
  }

  // What comes from the room

  /** Begin with a room that was just connected. @param {Room} room */
  begin(room) {
    this.room = room;
    this.#tellAnew();
    this.hear(room, [...room.alarms, ...[room.forked, room.unchecked].filter((each) => each !== null)]);
  }

  /** Take in what a frame brought. @param {Room} _room @param {readonly Output[]} outputs */
  hear(_room, outputs) {
    if (!this.room) return; // the welcome itself: `begin` follows
    for (const output of outputs) {
      if (output.type === "happened") this.#happened(output.record);
      else if (output.type === "view_replaced") this.#replaced(output);
      else if (output.type === "alarm") void this.distrust(output);
      else if (output.type === "forked") this.warn(this.t("forked.noted", { number: output.seq }));
      else if (output.type === "unchecked") this.warn(this.t("unchecked", { number: output.seq }));
    }
    if (this.#before) this.stage?.hear(this.#before, outputs);
    this.#before = this.truth;
    this.redraw();
  }

  /** @param {T.EventRecord} record */
  #happened(record) {
    if (this.room?.complete) this.checked.hear(record); // an alarm would follow at once
    this.#tell(record);
  }

  /** @param {ViewReplaced} output */
  #replaced({ reason, differs = {} }) {
    this.#tellAnew();
    const [[channel, number] = []] = Object.entries(differs);
    if (reason === "forked") this.warn(channel ? this.t("forked.at", { channel, number }) : this.t("forked"));
  }

  /** Show that dice do not fit, until it was seen. @param {DiceAlarm} alarm */
  async distrust({ record, flaw: tag, sentence }) {
    if (record) this.checked.doubt(record);
    const told = record && this.words.narrator.told(record, this.truth);
    const flaw = await this.words.learn("alarms").then(() => this.t(`alarm.flaw.${tag}`), () => sentence);
    const key = tag === "not_sent" ? "alarm.dice.elsewhere" : "alarm.dice";
    this.warn(record ? this.t(key, { number: record.seq, told, flaw }) : this.t("alarm.dice.missing", { flaw }));
  }

  /** Show a sentence until it was seen. @param {string} sentence */
  warn(sentence) {
    const latest = `${new Date().toLocaleTimeString(this.words.language)} ${sentence}`;
    this.alarms = { number: (this.alarms?.number ?? 0) + 1, first: this.alarms?.first ?? latest, latest };
    if (this.room) this.redraw();
  }

  #tellAnew() {
    this.told = [];
    this.earlier = null;
    const parts = Object.values(this.truth.channels);
    const first = this.truth.public.recent[0]?.seq ?? 1;
    this.beganAt = first; // the gm's own channel reaches further back: without the rest it would be no story
    const told = inOrder(parts.flatMap((part) => part?.recent ?? [])).filter((each) => (each.after ?? first) >= first - 1);
    for (const record of told) this.#tell(record);
    this.checked.begin(this.truth);
    this.#before = this.truth;
  }

  /** @param {T.EventRecord} record */
  #tell(record) {
    if (isQuiet(record.event)) return;
    this.#told = struck(this.#told, record);
    if (this.earlier) this.earlier = struck(this.earlier, record);
    const text = this.words.narrator.told(record, this.truth, ...(this.#before ? [this.#before] : []));
    this.#told.push({ key: keyOf(record), text, channel: record.channel, at: record.at, record });
    if (this.#told.length > TOLD_AT_MOST) this.#forget(this.#told.splice(0, this.#told.length - TOLD_AT_MOST));
  }

  /** Let go of the oldest sentences, which the log still holds. @param {Told[]} oldest */
  #forget(oldest) {
    this.beganAt = Math.max(this.beganAt, 2);
    this.earlier?.push(...oldest);
  }

  // What the viewer does

  /**
   * Submit a command on behalf of a control, and return what came of it: null if it was refused or is under way
   * already. A refusal is kept for `refusal(key)` until the control is used again.
   * @param {string} key which control
   * @param {T.Command} command
   */
  async act(key, command) {
    return this.attempt(key, () => this.room.submit(command));
  }

  /**
   * Do something on behalf of a control, once however often it is pressed; as `act`.
   * @template Value
   * @param {string} key
   * @param {() => Promise<Value>} work
   * @returns {Promise<Value | null>}
   */
  async attempt(key, work) {
    const now = performance.now();
    if (this.#busy.has(key) || now - (this.#begun.get(key) ?? -Infinity) < AGAIN_AFTER_MS) return null;
    this.#busy.add(key);
    this.#begun.set(key, now);
    this.#refusals.delete(key);
    this.redraw();
    try {
      return await work();
    } catch (error) {
      this.#begun.delete(key); // nothing has happened: whoever corrects it may try at once
      this.#refusals.set(key, this.#sentenceOf(error));
      return null;
    } finally {
      this.#busy.delete(key);
      this.redraw();
    }
  }

  /**
   * Submit one of many presses, of which none is dropped; what it adds is `unsettled(sum)` until the server has answered.
   * @param {string} key @param {T.Command} command @param {string} sum of what @param {number} by
   */
  async add(key, command, sum, by) {
    this.#refusals.delete(key);
    this.#settle(sum, by);
    try {
      return await this.room.submit(command);
    } catch (error) {
      this.#refusals.set(key, this.#sentenceOf(error));
      return null;
    } finally {
      this.#settle(sum, -by);
    }
  }

  /** @param {string} sum @param {number} by */
  #settle(sum, by) {
    this.#unsettled.set(sum, this.unsettled(sum) + by);
    this.redraw();
  }

  /** What was added and is not answered yet. @param {string} sum */
  unsettled(sum) {
    return this.#unsettled.get(sum) ?? 0;
  }

  /** Whether what a control asked for is under way. @param {string} key */
  busy(key) {
    return this.#busy.has(key);
  }

  /** Why a control's last wish was refused; empty if it was not. @param {string} key */
  refusal(key) {
    return this.#refusals.get(key) ?? "";
  }

  /** Show a sentence where the control is. @param {string} key @param {string} sentence */
  refuse(key, sentence) {
    this.#refusals.set(key, sentence);
    this.redraw();
  }

  /** @param {unknown} error */
  #sentenceOf(error) {
    if (error instanceof Refused) return this.words.narrator.refusal(error.code, error.details, error.message);
    console.warn(error);
    return this.t("control.lost");
  }

  // The picture

  /** Remember something between two pictures, and draw the next. @param {string} key @param {unknown} value */
  set(key, value) {
    this.ui.set(key, value);
    this.redraw();
  }

  /** Draw the page soon: once a frame, however much has happened. */
  redraw() {
    if (this.#planned) return;
    this.#planned = true;
    soon(() => {
      this.#planned = false;
      const place = placeOfFocus();
      try {
        render(this.draw(this), /** @type {HTMLElement} */ (this.root));
      } catch (error) {
        this.#cannotDraw(error);
      }
      keepFocus(place);
    });
  }

  /** Say once that the page cannot show what it was told. @param {unknown} error */
  #cannotDraw(error) {
    console.error(error);
    const sentence = this.t("undrawn");
    if (!this.alarms?.latest.endsWith(sentence)) this.warn(sentence);
  }
}

/** Run before the next picture; where none will be painted, as in a hidden tab, a little later. @param {() => void} work */
function soon(work) {
  if (document.visibilityState === "visible") requestAnimationFrame(work);
  else setTimeout(work, 50);
}

/** Return where the focus is, from the inside out: elements that may outlive what is focused. */
function placeOfFocus() {
  const places = [];
  let element = document.activeElement?.closest("[data-thing], [data-place]");
  for (; element; element = element.parentElement?.closest("[data-thing], [data-place]")) places.push(element);
  return { focused: document.activeElement, places };
}

/**
 * Give the focus back to what lost it by being moved, or else to what surrounded it.
 * @param {ReturnType<typeof placeOfFocus>} place
 */
function keepFocus({ focused, places }) {
  if (!focused || focused === document.body || document.activeElement === focused) return;
  const place = /** @type {HTMLElement | undefined} */ ([focused, ...places].find((each) => each.isConnected));
  if (!place) return;
  const summary = place instanceof HTMLDetailsElement ? place.querySelector("summary") : null;
  if (place !== focused && !summary) place.tabIndex = -1; // never on details: keys would pass over their summary
  (summary ?? place).focus({ preventScroll: true });
}
