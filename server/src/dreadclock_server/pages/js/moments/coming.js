// @ts-check
/**
 * A placeholder for the stage, which animates rolls. The stage is loaded some seconds after the table, or as soon as dice
 * roll. Until then, for at most 3 s, the page hides that roll and later events.
 */

/** @import { Table } from "../app/table.js" @import { Output } from "../../client/protocol.js" @import { View } from "../../client/views.js" */

import { keyOf } from "../app/fresh.js";
import { dress } from "../app/settings.js";

const LATER_MS = 4_000; // late, because the browser first loads the modules for the page and for a first press
const HOLDS_MS = 3_000; // after this time the page shows the roll without the stage
const ROLL = new Set(["dice_rolled", "countdown_rolled", "check_rolled", "total_rolled", "luck_pushed", "sealed_started", "sealed_changed", "revealed"]);
const STILL = matchMedia("(prefers-reduced-motion: reduce)"); // with reduced motion, results are shown at once, and nothing is held back

export class StagePlaceholder {
  /** The frames that are not shown yet, the oldest first. `before`: the view before the frame. @type {{ before: View, outputs: readonly Output[], keys: string[] }[]} */ #held = [];
  #asked = false;

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    setTimeout(() => this.load(), LATER_MS);
  }

  /** Load the stage, and pass the waiting frames to it. If the stage cannot be loaded, show the frames at once. */
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

  /**
   * Process the outputs of a frame. The first frame with a roll loads the stage. This frame and later frames then wait for the
   * stage. If the whole view is replaced, all frames are shown at once.
   * @param {View} before the view before the frame @param {readonly Output[]} outputs
   */
  hear(before, outputs) {
    if (outputs.some((output) => output.type === "view_replaced")) return this.#release();
    const records = outputs.flatMap((output) => (output.type === "happened" && !output.late ? [output.record] : []));
    const rolls = records.some(({ event }) => ROLL.has(event.type));
    if (document.hidden || !(rolls || this.#held.length)) return;
    if (!this.#held.length) setTimeout(() => this.#release(), HOLDS_MS);
    this.#held.push({ before, outputs, keys: records.map(keyOf) });
    void this.load();
  }

  /** Show all frames. */
  #release() {
    this.#held = [];
    this.table.redraw();
  }

  /** Return the view to show: the view before the waiting frames, if there are any. @param {View} view @returns {View} */
  shown(view) {
    return (!STILL.matches && this.#held[0]?.before) || view;
  }

  /** Tell whether a record belongs to a waiting frame. @param {string} key */
  hides(key) {
    return !STILL.matches && this.#held.some(({ keys }) => keys.includes(key));
  }
}
