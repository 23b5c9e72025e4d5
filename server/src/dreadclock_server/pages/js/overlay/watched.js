// @ts-check
/** A table as an overlay watches it: what everyone may see, whoever's link it is, and what has only just happened. */

/**
 * @import { Room } from "../../client/dreadclock.js"
 * @import { Output } from "../../client/protocol.js"
 * @import { Words } from "../app/words.js"
 */

import { View } from "../../client/dreadclock.js";
import { Table } from "../app/table.js";
import { Arena } from "../moments/arena.js";
import { Stage } from "../moments/stage.js";
import { toldOf } from "../parts/line.js";

const SHOWN_FOR_MS = 7_000;
const PADDING = 16; // px
const HIGH = 0.4; // of the screen is for what has just happened

export class Watched extends Table {
  #of = /** @type {Room["view"] | null} */ (null);
  #public = /** @type {Room["view"] | null} */ (null);

  /** @param {Element} root @param {Words} words @param {(table: Table) => unknown} draw @param {Arena["shows"]} shows what is to be seen of moments */
  constructor(root, words, draw, shows) {
    super(root, words, draw);
    this.story.toldOf = toldOf;
    this.arena = new Arena(this, () => this.#room(), shows);
    /** @type {Stage} */ this.stage = new Stage(this, { arena: this.arena, stays: () => SHOWN_FOR_MS });
  }

  /** Return how much room the arena has. */
  #room() {
    const { clientWidth = innerWidth } = this.root.querySelector(".moments") ?? {};
    return { width: clientWidth - 2 * PADDING, height: HIGH * innerHeight - 2 * PADDING };
  }

  /** The public channel alone: what only the gm sees is not here, not even for a gm's own link. */
  get truth() {
    if (this.#public === null || this.#of !== this.room.view) {
      this.#of = this.room.view;
      this.#public = new View({ public: this.#of.public });
    }
    return this.#public;
  }

  get moments() {
    return /** @type {Stage} */ (this.stage).moments;
  }

  /** Say nothing of dice that do not fit: whoever watches a video can do nothing about them, and the pages say it. */
  async distrust() {}

  /** Take in what a frame brought, but for what is not everyone's. @param {Room} room @param {readonly Output[]} outputs */
  hear(room, outputs) {
    super.hear(room, outputs.filter((output) => output.type !== "happened" || output.record.channel === "public"));
  }
}
