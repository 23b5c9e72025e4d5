// @ts-check
/**
 * The stage shows rolls. The dice are thrown and land. After a short pause, the verdict (the outcome) appears in the arena.
 * Shortly after that, the consequences appear on the table. Only one roll is in flight: when a newer roll begins, the dice
 * of the earlier roll land at once, unless both rolls belong to the same check. The rolls of one frame, as at the end of a
 * turn, are thrown one after the other. Nobody has to wait for dice: a roll lands at once if the viewer presses anything, or
 * if a later event changes the same things.
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Output } from "../../client/protocol.js"
 * @import { View } from "../../client/views.js"
 * @import { Arena } from "./arena.js"
 * @import { Held } from "./holding.js"
 * @import { News, Thrown } from "./telling.js"
 *
 * @typedef {object} Moment a roll with the events that it caused, or events without a roll
 * @property {string} key
 * @property {Thrown | null} thrown
 * @property {readonly News[]} news
 * @property {readonly Held[]} held the changes to hide: those of the roll itself until the dice have landed, the others until the
 *   moment has settled
 * @property {ReadonlySet<string>} records the keys of its records, whose sentences appear with its consequences
 * @property {number} begunAt when its dice were thrown, as `performance.now()` in ms; 0 before that
 * @property {boolean} landed whether its dice lie still and the outcome is shown
 * @property {boolean} settled whether its consequences are shown
 * @property {boolean} isFading whether it is fading out
 * @property {boolean} isOwn whether the viewer's seat sent its command
 * @property {number} staysMs how long the moment is shown after its dice have landed, in ms; Infinity: until a newer roll
 *
 * @typedef {object} StageOptions how a page shows moments
 * @property {Arena} arena
 * @property {(moment: Pick<Moment, "thrown">) => number} staysMs returns how long a moment is shown after its dice have landed, in ms
 * @property {() => boolean} [showsLatest] tells whether the page always shows the latest roll
 * @property {(moment: Moment) => void} [onChange] called as dice are thrown, and as a moment lands
 * @property {(moment: Moment) => void} [settled] called as the consequences of a moment appear
 * @property {(key: string, command: T.Command) => ((rolled: boolean) => void) | undefined} [gather] lets the dice of a command fly to the
 *   arena as a button is pressed
 */

import { keyOf } from "../app/fresh.js";
import { fold } from "../../client/fold.js";
import { changed, consequencesIn, heldBack, isOvertaken } from "./holding.js";
import { newsIn, thrownIn } from "./telling.js";

const SILENCE_MS = 150; // the pause between the landing of dice and their verdict
const VERDICT_MS = 300; // for this time the verdict is shown alone, before its consequences
const PROCESSION_MS = 4_000; // all rolls of a frame together take about this time at most
const STEP_MS = 1_600; // the longest time between two rolls of a frame
const LEAVING_MS = 350; // how long a moment fades out
const MOST = 3; // the most moments that are shown together: a roll, and events without a roll
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class Stage {
  /** The current moments, the oldest first. @type {Moment[]} */ moments = [];
  /** The cached result of `shown`, and the view that it was made from. @type {{ view: View, shown: View } | null} */ #shown = null;

  /** @param {Table} table @param {StageOptions} options */
  constructor(table, options) {
    this.table = table;
    this.options = options;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.skip() : this.recall()));
  }

  /**
   * Process the outputs of a frame. Events that were missed while the connection was lost are not shown.
   * @param {View} before the view before the frame @param {readonly Output[]} outputs
   */
  hear(before, outputs) {
    const records = outputs.flatMap((output) => (output.type === "happened" && !output.late ? [output.record] : []));
    if (outputs.some((output) => output.type === "view_replaced")) this.recall();
    const rolled = records.flatMap(({ event }) => (event.type === "check_rolled" ? [event.check_id] : []));
    const overtaken = this.moments.filter((moment) => !rolled.includes(checkOf(moment) ?? "") && isOvertaken(this.table.truth, moment.held));
    for (const moment of overtaken) this.#land(moment);
    if (records.some(({ event }) => event.type === "scene_opened")) this.clear();
    if (records.length && !document.hidden) this.#begin(before, records);
    this.#shown = null;
    this.#draw(); // the frame may have further results of an earlier roll
  }

  /**
   * Let the dice of a command fly to the arena as its button is pressed.
   * @param {string} key of the button @param {T.Command} command
   */
  gather(key, command) {
    return STILL.matches ? undefined : this.options.gather?.(key, command);
  }

  /**
   * Make moments of the records of a frame, and throw their dice.
   * @param {View} before the view before the frame @param {readonly T.EventRecord[]} records
   */
  #begin(before, records) {
    const parts = this.#split(records);
    if (!parts.length) return;
    const tumbles = !STILL.matches && parts.some(({ thrown }) => thrown?.roll.dice.length && thrown.event.type !== "revealed");
    const held = tumbles ? this.#changesOf(before, parts.map((part) => part.records)) : [];
    const moments = parts.map(({ records: all, ...rest }, place) => {
      const keys = all.map(keyOf);
      const [isOwn, staysMs] = [all[0].by === this.table.room.seat, this.options.staysMs(rest)];
      return { ...rest, key: keys[0], held: held[place] ?? [], records: new Set(keys), begunAt: 0, landed: false, settled: false, isFading: false, isOwn, staysMs };
    });
    const check = checkOf(moments[0]);
    const rolls = moments.some(({ thrown }) => thrown);
    for (const moment of this.moments) if (rolls && (!check || checkOf(moment) !== check)) this.#land(moment);
    this.moments = [...this.moments, ...moments];
    if (!tumbles) for (const moment of moments) this.#land(moment);
    else this.#throw(moments, moments.length > 1 ? Math.min(STEP_MS, PROCESSION_MS / moments.length) : Infinity);
  }

  /** Split records into moments. A moment has at most one roll, and the events up to the next roll. @param {readonly T.EventRecord[]} records */
  #split(records) {
    const parts = /** @type {{ thrown: Thrown | null, news: News[], records: T.EventRecord[] }[]} */ ([]);
    const turn = records.flatMap(({ event }) => (event.type === "turn_ended" ? event.turn : []))[0];
    for (const record of records) {
      const [rolled, news] = [thrownIn(this.table, record), newsIn(this.table, record)];
      const thrown = rolled && { ...rolled, turn };
      const last = parts.at(-1);
      if (!last || (thrown && last.thrown)) parts.push({ thrown, news: news ? [news] : [], records: [record] });
      else Object.assign(last, { thrown: last.thrown ?? thrown, news: [...last.news, ...(news ? [news] : [])], records: [...last.records, record] });
    }
    return parts.filter(({ thrown, news }) => thrown || news.length);
  }

  /** Return for each moment of a frame the changes to hide. @param {View} before @param {readonly (readonly T.EventRecord[])[]} parts */
  #changesOf(before, parts) {
    const { truth } = this.table;
    const views = [before];
    try {
      for (const records of parts.slice(0, -1)) views.push(records.reduce(fold, /** @type {View} */ (views.at(-1))));
    } catch {
      views.length = 1; // the view lacks a thing that a record changes: let the first roll hide all changes
    }
    return views.map((view, place) => changed(view, views[place + 1] ?? truth, truth));
  }

  /** Throw the dice of moments one after the other. @param {readonly Moment[]} moments @param {number} step the time for each, in ms */
  #throw([moment, ...later], step) {
    if (!this.moments.includes(moment) || moment.landed) return;
    this.#show(moment);
    const silence = Math.min(SILENCE_MS, step / 4);
    const landsAfter = this.options.arena.begin(moment, step - 2 * silence);
    this.options.onChange?.(moment);
    this.#draw();
    const ends = landsAfter ? landsAfter + silence : 0;
    setTimeout(() => {
      this.#land(moment, later.length ? silence / 2 : VERDICT_MS);
      const left = Math.max(silence, moment.begunAt + step - performance.now()); // for this time the page shows the results
      if (later.length) setTimeout(() => this.#throw(later, step), left);
    }, ends);
  }

  /** Begin a moment. If it has a roll, remove other landed moments. Otherwise remove the oldest, so that `MOST` remain. @param {Moment} moment */
  #show(moment) {
    moment.begunAt = performance.now();
    const shown = this.moments.filter(({ begunAt }) => begunAt);
    const old = moment.thrown ? shown.filter((other) => other !== moment) : shown.slice(0, -MOST);
    this.#drop(...old.filter(({ landed }) => landed));
  }

  /**
   * Land a moment: show its verdict, and after some ms its consequences.
   * @param {Moment} moment @param {number} [wait] the time between verdict and consequences, in ms; 0 shows them together
   */
  #land(moment, wait = 0) {
    if (moment.landed) return this.#settle(moment);
    if (!moment.begunAt) this.#show(moment);
    moment.landed = true;
    this.#shown = null;
    this.options.arena.land(moment);
    this.options.onChange?.(moment);
    if (moment.staysMs < Infinity) {
      setTimeout(() => this.#fade(moment), moment.staysMs);
      setTimeout(() => this.#empty(), moment.staysMs + LEAVING_MS);
    }
    if (!wait) return this.#settle(moment);
    setTimeout(() => this.#settle(moment), wait);
    this.#draw(true);
  }

  /** Show the consequences of a landed moment. @param {Moment} moment */
  #settle(moment) {
    if (moment.settled) return;
    moment.settled = true;
    this.#shown = null;
    this.options.settled?.(moment);
    this.#draw(true);
  }

  /** Let a moment fade out. @param {Moment} moment */
  #fade(moment) {
    moment.isFading = true;
    this.#draw();
  }

  /** Remove faded moments, once no other will fade out. Removing a moment earlier would move the others. */
  #empty() {
    if (this.moments.some(({ isFading, staysMs }) => !isFading && staysMs < Infinity)) return;
    this.#drop(...this.moments.filter(({ isFading }) => isFading));
    this.#draw(true);
  }

  /** Remove moments. @param {...Moment} moments */
  #drop(...moments) {
    this.moments = this.moments.filter((moment) => !moments.includes(moment));
  }

  /** Draw the arena. @param {boolean} [all] whether to draw the table again, too */
  #draw(all = false) {
    if (all) this.table.redraw();
    this.options.arena.draw(this.moments.filter(({ begunAt }) => begunAt));
  }

  /** Land all dice at once. If all have landed already, remove the moments that would disappear by themselves. */
  skip() {
    const flying = this.moments.filter(({ settled }) => !settled);
    for (const moment of flying) this.#land(moment);
    const old = flying.length ? [] : this.moments.filter(({ staysMs }) => staysMs < Infinity);
    this.#drop(...old);
    if (old.length) this.#draw(true);
  }

  /** Land all dice, and remove all moments. */
  clear() {
    if (!this.moments.length) return;
    for (const moment of this.moments) moment.landed = moment.settled = true;
    this.moments = [];
    this.#shown = null;
    this.#draw(true);
  }

  /** Remove all moments. If the page always shows the latest roll, show the latest roll of the open scene as landed dice. */
  recall() {
    this.clear();
    for (const { record } of this.options.showsLatest?.() ? [...this.table.sentences].reverse() : []) {
      if (record.event.type === "scene_opened") return;
      const thrown = thrownIn(this.table, record);
      if (!thrown) continue;
      const { key } = thrown;
      this.moments = [{ key, thrown, news: [], held: [], records: new Set(), begunAt: 1, landed: true, settled: true, isFading: false, isOwn: false, staysMs: Infinity }];
      return this.#draw();
    }
  }

  /** Return the view to show: without the hidden changes. @param {View} view @returns {View} */
  shown(view) {
    const held = this.moments.flatMap((moment) => (moment.settled ? [] : moment.landed ? consequencesIn(moment.held) : moment.held));
    if (!held.length) return view;
    if (this.#shown?.view !== view) this.#shown = { view, shown: heldBack(view, held) };
    return this.#shown.shown;
  }

  /** Tell whether the sentence of a record is still hidden, because the consequences of its roll are not shown yet. @param {string} key */
  hides(key) {
    return this.moments.some((moment) => !moment.settled && moment.records.has(key));
  }
}

/** Return the id of the check that a moment rolls; undefined for other moments. @param {Moment} moment */
export function checkOf({ thrown }) {
  return thrown?.event.type === "check_rolled" ? thrown.event.check_id : undefined;
}
