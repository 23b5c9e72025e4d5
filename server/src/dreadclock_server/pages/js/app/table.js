// @ts-check
/** The state of a page: the room, commands under way, refusals, and sentences about the latest events. It draws the page. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Room } from "../../client/dreadclock.js"
 * @import { View } from "../../client/views.js"
 * @import { DiceAlarm, Output, ViewReplaced } from "../../client/protocol.js"
 * @import { Kept } from "./kept.js"
 * @import { Words } from "./words.js"
 * @typedef {import("./story.js").Sentence} Sentence
 *
 * The alarms that are shown. `number`: how many there were. `first`, `latest`: their sentences, each after its time.
 * @typedef {{ number: number, first: string, latest: string }} Alarms
 *
 * The parts of the page that depend on the role. `Controls` draws the controls on the card of a thing.
 * @typedef {(table: Table, thing: any) => unknown} Controls
 * @typedef {object} Role
 * @property {(table: Table) => unknown} layout draws everything between header and log
 * @property {() => void} [opened] called once the page is shown
 * @property {{ [kind: string]: Controls }} [controls] for things of a kind: `countdown`, `clock`, `check` ...
 * @property {(table: Table) => boolean} [hasTools] tells whether the layout draws the log, the settings and the button of the palette
 * @property {(table: Table, kind: string, thing: any, drawing: unknown) => unknown} [pressed] draws a thing's dice or dial as a button
 * @property {(table: Table) => number} [waits] returns how many things wait for the viewer
 * @property {import("../actions/actions.js").Actions} [actions] the role's actions, by kind of thing
 *
 * The stage hides the results of dice until the dice have landed.
 * @typedef {import("../moments/stage.js").Stage} FullStage
 * @typedef {Pick<FullStage, "hear" | "shown" | "hides"> & Partial<Pick<FullStage, "gather">>} Stage
 */

import { ConnectionEnded, Refused } from "../../client/dreadclock.js";
import { GM_SEAT, UNNAMED_GM } from "../../client/limits.js";
import { render } from "../../vendor/lit-html/lit-html.js";
import { keepFocus, placeOfFocus, soon } from "./controls.js";
import { Checked } from "./fresh.js";
import { holdPresses, oncePerPress, unfold } from "./presses.js";
import { Story } from "./story.js";

const AGAIN_AFTER_MS = 400; // a press within this time counts as part of the press before it

export class Table {
  /** @type {Room} */ room = /** @type {any} */ (null);
  /** @type {Role} */ role = { layout: () => "" };
  /** The stage that shows rolls, or the placeholder `StagePlaceholder` while the stage loads. @type {Stage | null} */ stage = null;
  /** State that outlives a drawing, by a key. @type {Map<string, any>} */
  ui = new Map();
  /** Why the connection has ended for good, as a sentence; empty before it ends. */ over = "";
  /** The alarms that nobody has dismissed yet. @type {Alarms | null} */ alarms = null;
  checked = new Checked();
  /** The keys of the controls whose command is under way. @type {Set<string>} */ #busy = new Set();
  /** @type {Set<Promise<unknown>>} */ #underWay = new Set();
  /** When the latest press of a control began, in ms as `performance.now()`. @type {Map<string, number>} */ #begun = new Map();
  /** @type {Map<string, string>} */ #refusals = new Map();
  /** @type {Map<string, number>} */ #unsettled = new Map();
  #planned = false; // whether a drawing is scheduled
  /** The view before the current frame. */ #before = /** @type {Room["view"] | null} */ (null);

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
    holdPresses(document.documentElement); // the whole document, because dialogs and layers are outside the root
    oncePerPress(root);
    // in a closed disclosure, the browser cannot show why a field is invalid
    root.addEventListener("invalid", ({ target }) => unfold(/** @type {Element} */ (target)), { capture: true });
  }

  /** Return a label in the visitor's language. @param {string} key @param {Record<string, unknown>} [fields] */
  t(key, fields) {
    return this.words.t(key, fields);
  }

  /** The view to show: without the results of dice that have not landed yet. */
  get view() {
    return this.stage?.shown(this.truth) ?? this.truth;
  }

  /** The view with all results. */
  get truth() {
    return this.room.view;
  }

  /** The latest sentences to show, oldest first: without the results of dice that have not landed yet. */
  get sentences() {
    const { stage } = this;
    return stage ? this.story.sentences.filter((sentence) => !stage.hides(sentence.key)) : this.story.sentences;
  }

  set sentences(sentences) {
    this.story.sentences = sentences;
  }

  /** The viewer's own seat, if it still exists. @returns {T.Seat | undefined} */
  get seat() {
    return this.view.seats.get(this.room.seat);
  }

  get isGm() {
    return this.room.role === "gm";
  }

  /** Tell whether the viewer owns a thing. @param {{ owner?: string }} thing */
  owns(thing) {
    return thing.owner !== undefined && thing.owner === this.room.seat;
  }

  /** Return the name of a seat, also of a removed seat. @param {string} id */
  nameOfSeat(id) {
    const name = this.view.seats.get(id)?.name ?? id;
    return id === GM_SEAT && name === UNNAMED_GM && this.words.language !== "en" ? this.t("role.gm") : name; // the gm has not chosen another name
  }

  /** Return the name of a character; its id if the view does not have it. @param {string} id */
  nameOfCharacter(id) {
    return this.view.characters.get(id)?.name ?? id;
  }

  /** Return who rolls a part (a share in a check): the name of a character, or of an opponent without a sheet. @param {{ name?: string, character_id: string }} part */
  nameOfPart({ name, character_id: id }) {
    return name ?? this.nameOfCharacter(id);
  }

  // Outputs of the room

  /** Start with a newly connected room. @param {Room} room @param {Kept | null} [kept] what this tab stored before a reload */
  begin(room, kept) {
    this.room = room;
    this.#restart(kept);
    this.hear(room, [...room.alarms, ...[room.forked, room.unchecked].filter((output) => output !== null)]);
  }

  /** Process the outputs of a frame, such as new records. @param {Room} _room @param {readonly Output[]} outputs */
  hear(_room, outputs) {
    if (!this.room) return; // before `begin`, which starts from the whole view
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

  /** Write the sentence about a new record, and note that its dice are checked. @param {T.EventRecord} record */
  #happened(record) {
    if (this.room?.complete) this.checked.hear(record); // if the dice are wrong, an alarm follows at once and corrects this
    this.story.tell(record, this.truth, this.#before);
  }

  /** Start again with the new view. @param {ViewReplaced} output */
  #replaced({ reason, differs = {} }) {
    this.#restart();
    const [[channel, number] = []] = Object.entries(differs);
    if (reason === "forked") this.warn(channel ? this.t("forked.at", { channel, number }) : this.t("forked"));
  }

  /** Show an alarm about wrong dice. Dice of another device get only a note. @param {DiceAlarm} alarm */
  async distrust({ record, flaw: tag, sentence, anchor }) {
    const sentenceOfRecord = record && this.words.narrator.told(record, this.truth);
    if (tag === "not_sent" && anchor && sentenceOfRecord) {
      const elsewhere = await import("../parts/elsewhere.js").catch(() => null);
      if (elsewhere) return elsewhere.note(this, anchor, sentenceOfRecord);
    }
    if (record) this.checked.doubt(record);
    const flaw = await this.words.learn("alarms").then(() => this.t(`alarm.flaw.${tag}`), () => sentence);
    const key = tag === "not_sent" ? "alarm.dice.elsewhere" : "alarm.dice";
    this.warn(record ? this.t(key, { number: record.seq, told: sentenceOfRecord, flaw }) : this.t("alarm.dice.missing", { flaw }));
  }

  /** Show an alarm until it is dismissed. @param {string} sentence */
  warn(sentence) {
    const latest = `${new Date().toLocaleTimeString(this.words.language)} ${sentence}`;
    this.alarms = { number: (this.alarms?.number ?? 0) + 1, first: this.alarms?.first ?? latest, latest };
    if (this.room) this.redraw();
  }

  /** Write the sentences again from the records of the view. @param {Kept | null} [kept] what this tab stored before a reload */
  #restart(kept = null) {
    this.story.begin(this.truth, kept);
    this.checked.begin(this.truth, kept?.checked);
    this.#before = this.truth;
  }

  // Commands of the viewer

  /**
   * Submit a command for a control, and return its outcome. Return null if the command was refused; `refusal(key)` returns
   * the reason until the control is used again. Also return null, without sending the command, if another command of this
   * control is under way or began less than `AGAIN_AFTER_MS` ago.
   * @param {string} key the key of the control
   * @param {T.Command} command
   */
  async act(key, command) {
    return this.attempt(key, async () => {
      const [answer, settle] = [this.#submit(command), this.stage?.gather?.(key, command)];
      if (settle) void answer.then(() => settle(true), () => settle(false));
      return answer;
    });
  }

  /** Submit a command, noted for `answered`. @param {T.Command} command */
  #submit(command) {
    const answer = this.room.submit(command);
    this.#underWay.add(answer);
    return answer.finally(() => this.#underWay.delete(answer));
  }

  /** Wait until the server has answered all commands of this page. */
  answered() {
    return Promise.allSettled([...this.#underWay]);
  }

  /**
   * Do work for a control, and return its result. Return null if the work failed; `refusal(key)` returns the reason. Also
   * return null, without doing the work, if earlier work of this control is under way or began less than `AGAIN_AFTER_MS` ago.
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
      this.#begun.delete(key); // nothing was done: the user may correct the input and try again at once
      this.#refusals.set(key, this.#sentenceOf(error));
      return null;
    } finally {
      this.#busy.delete(key);
      this.redraw();
    }
  }

  /**
   * Submit a command for a control on which every press counts. `unsettled(sum)` includes `by` until the server has answered.
   * Return the outcome; null if the command was refused.
   * @param {string} key @param {T.Command} command @param {string} sum the number's name, such as `clock:ID` @param {number} by
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

  /** Add `by` to the sum that `unsettled` returns, and draw the page again. @param {string} sum @param {number} by */
  #settle(sum, by) {
    this.#unsettled.set(sum, this.unsettled(sum) + by);
    this.redraw();
  }

  /** Return how much was added to a sum by commands without an answer yet. @param {string} sum */
  unsettled(sum) {
    return this.#unsettled.get(sum) ?? 0;
  }

  /** Tell whether a command of a control is under way. @param {string} key */
  busy(key) {
    return this.#busy.has(key);
  }

  /** Return why a control's last command was refused; empty if it was not. @param {string} key */
  refusal(key) {
    return this.#refusals.get(key) ?? "";
  }

  /** Show text beside a control. @param {string} key @param {string} sentence */
  refuse(key, sentence) {
    this.#refusals.set(key, sentence);
    this.redraw();
  }

  /** Return a sentence about an error. @param {unknown} error */
  #sentenceOf(error) {
    if (error instanceof Refused) {
      if (/^[\w.]+: /.test(String(error.details.problem))) return this.t("control.malformed"); // the problem of a field, in English
      return this.#withNames(this.words.narrator.refusal(error.code, error.details, error.message), error.details);
    }
    if (error instanceof ConnectionEnded && !this.room) return this.t("over.unreachable");
    console.warn(error);
    return this.t("control.lost");
  }

  /**
   * Return a refusal with names in place of the ids in its details. A page without a room has no names.
   * @param {string} sentence @param {{ [name: string]: unknown }} details
   */
  #withNames(sentence, { id, owner, waiting }) {
    if (!this.room) return sentence;
    const { characters, countdowns, clocks, scenes, situations, challenges, seats } = this.truth;
    const ids = new Set([id, owner, ...String(waiting).split(", ")]);
    return sentence.replace(/([\w-]+)(?= \1(?![\w-]))|[\w-]+/g, (word, kind, at) => {
      const key = at ? word : word.toLowerCase(); // a sentence begins with a capital letter
      if (kind || !ids.delete(key)) return word; // of "the clock clock", only the second is the id
      const thing = [characters, countdowns, clocks, scenes, situations, challenges, seats].find((things) => things.has(key))?.get(key);
      return thing ? this.t("control.named", { name: "role" in thing ? this.nameOfSeat(key) : thing.name }) : word;
    });
  }

  // Drawing

  /** Set a value in `ui`, and draw again. @param {string} key @param {unknown} value */
  set(key, value) {
    this.ui.set(key, value);
    this.redraw();
  }

  /**
   * Open or close a disclosure. Its element changes at once, because the browser's late `toggle` event would be taken for the
   * visitor's. If a closed disclosure had the focus inside, its summary gets the focus.
   * @param {string} key its `data-place` @param {boolean} open
   */
  setOpen(key, open) {
    const details = /** @type {HTMLDetailsElement | null} */ (this.root.querySelector(`details[data-place="${CSS.escape(key)}"]`));
    if (!open && details?.contains(document.activeElement)) details.querySelector("summary")?.focus({ preventScroll: true });
    if (details) details.open = open;
    this.set(`open:${key}`, open);
  }

  /** Draw the page soon, at most once per animation frame. */
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

  /** Show once that drawing the page has failed. @param {unknown} error */
  #cannotDraw(error) {
    console.error(error);
    const sentence = this.t("undrawn");
    if (!this.alarms?.latest.endsWith(sentence)) this.warn(sentence);
  }
}
