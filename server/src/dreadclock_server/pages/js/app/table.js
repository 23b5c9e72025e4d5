// @ts-check
/** A table as a page keeps it: the room, what is under way, what was refused, what just happened. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Room } from "../../client/dreadclock.js"
 * @import { DiceAlarm, Output, ViewReplaced } from "../../client/protocol.js"
 * @import { Kept } from "./kept.js"
 * @import { Words } from "./words.js"
 * @typedef {import("./story.js").Told} Told
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
 * @property {import("../actions/actions.js").Actions} [actions] what she does, by the kind of thing
 *
 * What dice decide is not shown before they have landed: the stage says until when.
 * @typedef {Pick<import("../moments/stage.js").Stage, "hear" | "shown" | "hides">} Stage
 */

import { Refused } from "../../client/dreadclock.js";
import { GM_SEAT, UNNAMED_GM } from "../../client/limits.js";
import { render } from "../../vendor/lit-html/lit-html.js";
import { keepFocus, placeOfFocus, soon } from "./controls.js";
import { Checked } from "./fresh.js";
import { holdPresses, oncePerPress } from "./presses.js";
import { Story } from "./story.js";

const AGAIN_AFTER_MS = 400; // a press sooner than this is part of the one before

export class Table {
  /** @type {Room} */ room = /** @type {any} */ (null);
  /** @type {Role} */ role = { layout: () => "" };
  /** Where rolls are watched, or what stands in for it. @type {Stage | null} */ stage = null;
  /** Whatever parts of the page want to remember between two pictures, by a key of their own. @type {Map<string, any>} */
  ui = new Map();
  /** Why the table is over for good, as a sentence; empty while it is not. */ over = "";
  /** What must not go unseen, until somebody has seen it. @type {Alarms | null} */ alarms = null;
  checked = new Checked();
  /** @type {Set<string>} */ #busy = new Set();
  /** @type {Set<Promise<unknown>>} */ #underWay = new Set();
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
    this.story = new Story(this);
    holdPresses(document.documentElement); // dialogs and layers lie outside the root
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
    return stage ? this.story.told.filter((each) => !stage.hides(each.key)) : this.story.told;
  }

  set told(told) {
    this.story.told = told;
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
    const name = this.view.seats.get(id)?.name ?? id;
    return id === GM_SEAT && name === UNNAMED_GM && this.words.language !== "en" ? this.t("role.gm") : name; // she has not said otherwise
  }

  /** @param {string} id */
  nameOfCharacter(id) {
    return this.view.characters.get(id)?.name ?? id;
  }

  /** Name who rolls a part of a check: a character, or an opponent without a sheet. @param {{ name?: string, character_id: string }} part */
  nameOfPart({ name, character_id: id }) {
    return name ?? this.nameOfCharacter(id);
  }

  // What comes from the room

  /** Begin with a room that was just connected. @param {Room} room @param {Kept | null} [kept] what this tab kept of it over a reload */
  begin(room, kept) {
    this.room = room;
    this.#tellAnew(kept);
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
    this.story.tell(record, this.truth, this.#before);
  }

  /** @param {ViewReplaced} output */
  #replaced({ reason, differs = {} }) {
    this.#tellAnew();
    const [[channel, number] = []] = Object.entries(differs);
    if (reason === "forked") this.warn(channel ? this.t("forked.at", { channel, number }) : this.t("forked"));
  }

  /** Show that dice do not fit, until it was seen. @param {DiceAlarm} alarm */
  async distrust({ record, flaw: tag, sentence, anchor }) {
    const told = record && this.words.narrator.told(record, this.truth);
    if (tag === "not_sent" && anchor && told) {
      const elsewhere = await import("../parts/elsewhere.js").catch(() => null);
      if (elsewhere) return elsewhere.note(this, anchor, told);
    }
    if (record) this.checked.doubt(record);
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

  /** Begin the story with what the view remembers. @param {Kept | null} [kept] what this tab kept over a reload */
  #tellAnew(kept = null) {
    this.story.begin(this.truth, kept);
    this.checked.begin(this.truth, kept?.checked);
    this.#before = this.truth;
  }

  // What the viewer does

  /**
   * Submit a command on behalf of a control, and return what came of it: null if it was refused or is under way
   * already. A refusal is kept for `refusal(key)` until the control is used again.
   * @param {string} key which control
   * @param {T.Command} command
   */
  async act(key, command) {
    return this.attempt(key, () => this.#submit(command));
  }

  /** Submit a command that `answered` waits for. @param {T.Command} command */
  #submit(command) {
    const answer = this.room.submit(command);
    this.#underWay.add(answer);
    return answer.finally(() => this.#underWay.delete(answer));
  }

  /** Return once the server has answered all that this page has asked for. */
  answered() {
    return Promise.allSettled([...this.#underWay]);
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
      return await this.#submit(command);
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
