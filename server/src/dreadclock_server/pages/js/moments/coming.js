// @ts-check
/**
 * What stands in for a stage until it is loaded: a little after the table is there, or as soon as dice roll. What dice decide,
 * and all that comes after it, is held back until then, but not for long.
 */

/** @import { Table } from "../app/table.js" @import { Output } from "../../client/protocol.js" @import { View } from "../../client/views.js" */

import { keyOf } from "../app/fresh.js";
import { dress } from "../app/settings.js";

const LATER_MS = 4_000; // until then, a page loads what it is drawn with, and what a first press asks for
const HOLDS_MS = 3_000;
const ROLL = new Set(["dice_rolled", "countdown_rolled", "check_rolled", "total_rolled", "luck_pushed", "sealed_started", "sealed_changed", "revealed"]);
const STILL = matchMedia("(prefers-reduced-motion: reduce)"); // then dice decide at once, and nothing is held back

export class Coming {
  /** What happened meanwhile, oldest first. @type {{ before: View, outputs: readonly Output[], keys: string[] }[]} */ #held = [];
  #asked = false;

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    setTimeout(() => this.load(), LATER_MS);
  }

  /** Bring the stage, and let it show what was held back; without it all is seen at once. */
  async load() {
    if (this.#asked) return;
    this.#asked = true;
    const { table } = this;
    try {
      const [{ setStage }] = await Promise.all([import("./page.js"), table.words.learn("moments"), dress("moments"), dress("throws")]);
      setStage(table);
      for (const { before, outputs } of this.#held) table.stage?.hear(before, outputs);
    } catch (error) {
      console.warn(error);
      this.#asked = false; // the next roll tries again
    }
    this.#release();
  }

  /** @param {View} before @param {readonly Output[]} outputs */
  hear(before, outputs) {
    if (outputs.some((each) => each.type === "view_replaced")) return this.#release();
    const records = outputs.flatMap((each) => (each.type === "happened" && !each.late ? [each.record] : []));
    const rolls = records.some(({ event }) => ROLL.has(event.type));
    if (document.hidden || !(rolls || this.#held.length)) return;
    if (!this.#held.length) setTimeout(() => this.#release(), HOLDS_MS);
    this.#held.push({ before, outputs, keys: records.map(keyOf) });
    void this.load();
  }

  #release() {
    this.#held = [];
    this.table.redraw();
  }

  /** Return a view as it may be seen by now. @param {View} view @returns {View} */
  shown(view) {
    return (!STILL.matches && this.#held[0]?.before) || view;
  }

  /** Tell whether the sentence of a record waits for the stage. @param {string} key */
  hides(key) {
    return !STILL.matches && this.#held.some(({ keys }) => keys.includes(key));
  }
}
