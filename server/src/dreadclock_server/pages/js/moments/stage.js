// @ts-check
/**
 * The stage: what has only just happened, before everyone's eyes. Dice tumble, and land; then it is seen what came of
 * them, here and on the table, and a little later the stage is empty. Nothing waits for it: what goes on with a roll
 * lets its dice land at once, and so does whoever presses anything.
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Output } from "../../client/protocol.js"
 * @import { View } from "../../client/views.js"
 * @import { Held } from "./holding.js"
 * @import { News, Thrown } from "./telling.js"
 *
 * @typedef {object} Moment what one frame brought
 * @property {string} key
 * @property {readonly Thrown[]} rolls
 * @property {readonly News[]} news
 * @property {readonly Held[]} held what hangs on its dice, until they have landed
 * @property {ReadonlySet<string>} records all of it, whose sentences come with the landing
 * @property {number} begun
 * @property {boolean} landed
 * @property {boolean} going about to leave
 *
 * @typedef {object} Manner
 * @property {number} most how many moments are shown at once; older ones make room
 * @property {number} stays for how long a moment is shown after its dice have landed, in ms
 * @property {() => void} draw
 * @property {(moment: Moment) => void} [heard] called as dice begin to tumble, and as a moment lands
 */

import { keyOf } from "../app/fresh.js";
import { isCalm, landsAfter } from "./drawing.js";
import { changed, heldBack, isOvertaken } from "./holding.js";
import { newsIn, thrownIn } from "./telling.js";

const LEAVING_MS = 350;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class Stage {
  /** Oldest first. @type {Moment[]} */ moments = [];
  /** @type {{ view: View, shown: View } | null} */ #shown = null;

  /** @param {Table} table @param {Manner} manner */
  constructor(table, manner) {
    this.table = table;
    this.manner = manner;
    document.addEventListener("visibilitychange", () => document.hidden && this.clear());
  }

  /** Take in what a frame brought; what was missed while there was no connection is no moment. @param {View} before @param {readonly Output[]} outputs */
  hear(before, outputs) {
    const records = outputs.flatMap((each) => (each.type === "happened" && !each.late ? [each.record] : []));
    if (outputs.some((each) => each.type === "view_replaced")) this.clear();
    for (const each of this.moments) if (!each.landed && isOvertaken(this.table.truth, each.held)) this.#land(each);
    if (records.length && !document.hidden) this.#begin(before, records);
    this.#shown = null;
  }

  /** @param {View} before @param {readonly T.EventRecord[]} records */
  #begin(before, records) {
    const rolls = records.map((each) => thrownIn(this.table, each)).filter((each) => each !== null);
    const news = records.map((each) => newsIn(this.table, each)).filter((each) => each !== null);
    if (!rolls.length && !news.length) return;
    const keys = records.map(keyOf);
    const tumbling = !STILL.matches && rolls.some(({ roll }) => roll.dice.length);
    const held = tumbling ? changed(before, this.table.truth) : [];
    /** @type {Moment} */
    const moment = { key: keys[0], rolls, news, held, records: new Set(keys), begun: performance.now(), landed: false, going: false };
    this.moments = [...this.moments, moment];
    for (const each of this.moments.slice(0, -(this.moments.some(isCalm) ? 1 : this.manner.most))) this.#drop(each); // a list fills the screen
    if (!tumbling) return this.#land(moment);
    this.manner.heard?.(moment);
    setTimeout(() => this.#land(moment), landsAfter(moment));
    this.manner.draw();
  }

  /** Show what came of a moment. @param {Moment} moment */
  #land(moment) {
    if (moment.landed) return;
    moment.landed = true;
    this.#shown = null;
    this.manner.heard?.(moment);
    this.#after(this.manner.stays, () => (moment.going = true));
    this.#after(this.manner.stays + LEAVING_MS, () => this.#empty());
    this.#draw();
  }

  /** @param {number} ms @param {() => void} work */
  #after(ms, work) {
    setTimeout(() => {
      work();
      this.manner.draw();
    }, ms);
  }

  /** Take away what has left: all of it at once, so that nothing that is still looked at moves up. */
  #empty() {
    if (this.moments.every(({ going }) => going)) this.moments = [];
  }

  /** @param {Moment} moment */
  #drop(moment) {
    moment.landed = true;
    this.moments = this.moments.filter((each) => each !== moment);
  }

  #draw() {
    this.table.redraw();
    this.manner.draw();
  }

  /** Let all dice land, and empty the stage. */
  clear() {
    if (!this.moments.length) return;
    for (const each of this.moments) this.#drop(each);
    this.#shown = null;
    this.#draw();
  }

  /** Return a view as it may be seen by now. @param {View} view @returns {View} */
  shown(view) {
    const held = this.moments.flatMap((each) => (each.landed ? [] : each.held));
    if (!held.length) return view;
    if (this.#shown?.view !== view) this.#shown = { view, shown: heldBack(view, held) };
    return this.#shown.shown;
  }

  /** Tell whether the sentence of a record waits for dice. @param {string} key */
  hides(key) {
    return this.moments.some((each) => !each.landed && each.records.has(key));
  }
}
