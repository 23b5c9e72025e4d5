// @ts-check
/** The table of an overlay. It has only public things, even with a gm's link. */

/**
 * @import { Room } from "../../client/dreadclock.js"
 * @import { Output } from "../../client/protocol.js"
 * @import { Words } from "../app/words.js"
 */

import { View } from "../../client/dreadclock.js";
import { Table } from "../app/table.js";
import { Arena } from "../moments/arena.js";
import { Stage } from "../moments/stage.js";
import { sentenceOf } from "../parts/line.js";

const SHOWN_FOR_MS = 7_000;
const PADDING = 16; // px
const HIGH = 0.4; // the arena's share of the screen's height

export class Watched extends Table {
  /** The room's view from which `#public` was made. */ #of = /** @type {Room["view"] | null} */ (null);
  #public = /** @type {Room["view"] | null} */ (null);

  /**
   * @param {Element} root @param {Words} words @param {(table: Table) => unknown} draw
   * @param {Arena["shows"]} shows tells whether rolls, or news of a kind, are shown
   */
  constructor(root, words, draw, shows) {
    super(root, words, draw);
    this.story.sentenceOf = sentenceOf;
    this.arena = new Arena(this, () => this.#room(), shows);
    /** @type {Stage} */ this.stage = new Stage(this, { arena: this.arena, staysMs: () => SHOWN_FOR_MS });
  }

  /** Return the free size for the arena of the dice, in px. */
  #room() {
    const { clientWidth = innerWidth } = this.root.querySelector(".moments") ?? {};
    return { width: clientWidth - 2 * PADDING, height: HIGH * innerHeight - 2 * PADDING };
  }

  /** The view of what everyone sees, without things that only the gm sees. */
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

  /** Show no alarm about wrong dice. The pages of the table show the alarm; viewers of a video could not react to it. */
  async distrust() {}

  /** Process the outputs of a frame, except records that only the gm sees. @param {Room} room @param {readonly Output[]} outputs */
  hear(room, outputs) {
    super.hear(room, outputs.filter((output) => output.type !== "happened" || output.record.channel === "public"));
  }
}
