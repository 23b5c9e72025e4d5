// @ts-check
/**
 * Stands in for the stage, which animates rolls, until the stage is loaded. The stage loads a little after the table, or
 * as soon as dice roll. Until then, the results of dice and all later events are held back, but not for long.
 */

/** @import { Table } from "../app/table.js" @import { Output } from "../../client/protocol.js" @import { View } from "../../client/views.js" */

import { keyOf } from "../app/fresh.js";
import { dress } from "../app/settings.js";

const LATER_MS = 4_000; // before this, the browser loads the modules that the page and a first press need
const HOLDS_MS = 3_000;
const ROLL = new Set(["dice_rolled", "countdown_rolled", "check_rolled", "total_rolled", "luck_pushed", "sealed_started", "sealed_changed", "revealed"]);
const STILL = matchMedia("(prefers-reduced-motion: reduce)"); // with reduced motion, results are shown at once, and nothing is held back

export class Coming {
  /** The frames that came meanwhile, the oldest first. @type {{ before: View, outputs: readonly Output[], keys: string[] }[]} */ #held = [];
  #asked = false;

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    setTimeout(() => this.load(), LATER_MS);
  }

  /** Load the stage, and let it show the frames that were held back. If it cannot be loaded, everything is shown at once. */
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
    if (outputs.some((output) => output.type === "view_replaced")) return this.#release();
    const records = outputs.flatMap((output) => (output.type === "happened" && !output.late ? [output.record] : []));
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

  /** Return the view to show. @param {View} view @returns {View} */
  shown(view) {
    return (!STILL.matches && this.#held[0]?.before) || view;
  }

  /** Tell whether the sentence of a record is held back until the stage is loaded. @param {string} key */
  hides(key) {
    return !STILL.matches && this.#held.some(({ keys }) => keys.includes(key));
  }
}
