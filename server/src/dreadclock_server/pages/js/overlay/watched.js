// @ts-check
/** A table as an overlay watches it: what everyone may see, whoever's link it is, and what has only just happened. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Room } from "../../client/dreadclock.js"
 * @import { Output } from "../../client/protocol.js"
 * @import { Rolled } from "../parts/rolled.js"
 *
 * What is shown large for some seconds: a roll, or something that everyone should hear of.
 * @typedef {object} Moment
 * @property {string} key
 * @property {Rolled | null} roll
 * @property {string} headline
 * @property {string} text
 * @property {string} kind
 * @property {boolean} going about to leave
 */

import { View } from "../../client/dreadclock.js";
import { Table } from "../app/table.js";
import { rolledIn } from "../parts/rolled.js";

const SHOWN_FOR_MS = 7_000;
const LEAVING_MS = 400;
const MOST_ROLLS = 3; // at once; older ones make room
const MOST_NEWS = 2;

/** What is announced in words, and whether it is good news. @type {{ [type: string]: string }} */
const NEWS = {
  crisis_suffered: "crisis",
  character_died: "crisis",
  countdown_expired: "expired",
  stage_reached: "stage",
};

export class Watched extends Table {
  /** Oldest first. @type {Moment[]} */ moments = [];
  #of = /** @type {Room["view"] | null} */ (null);
  #public = /** @type {Room["view"] | null} */ (null);

  /** The public channel alone: what only the gm sees is not here, not even for a gm's own link. */
  get view() {
    if (this.#public === null || this.#of !== this.room.view) {
      this.#of = this.room.view;
      this.#public = new View({ public: this.#of.public });
    }
    return this.#public;
  }

  /** Say nothing of dice that do not fit: whoever watches a video can do nothing about them, and the pages say it. */
  async distrust() {}

  /** Take in what a frame brought, but for what is not everyone's. @param {Room} room @param {readonly Output[]} outputs */
  hear(room, outputs) {
    const heard = outputs.filter((output) => output.type !== "happened" || output.record.channel === "public");
    super.hear(room, heard);
    if (!this.room) return;
    for (const output of heard) if (output.type === "happened") this.#noteMoment(output.record);
  }

  /** @param {T.EventRecord} record */
  #noteMoment({ seq, event }) {
    const key = String(seq);
    const roll = rolledIn(this, event);
    const kind = NEWS[event.type];
    if (roll) this.#show({ key, roll, headline: roll.name, text: "", kind: "roll", going: false });
    else if (kind) this.#show({ key, roll: null, headline: this.t(`news.${event.type}`), text: this.#told(key), kind, going: false });
  }

  /** @param {string} seq */
  #told(seq) {
    return this.told.findLast((each) => each.key === `public-${seq}`)?.text ?? "";
  }

  /** @param {Moment} moment */
  #show(moment) {
    const like = this.moments.filter((each) => (each.roll === null) === (moment.roll === null));
    const oldest = like.length < (moment.roll ? MOST_ROLLS : MOST_NEWS) ? undefined : like[0];
    this.moments = [...this.moments.filter((each) => each !== oldest), moment];
    setTimeout(() => {
      moment.going = true;
      this.redraw();
    }, SHOWN_FOR_MS - LEAVING_MS);
    setTimeout(() => {
      this.moments = this.moments.filter((each) => each !== moment);
      this.redraw();
    }, SHOWN_FOR_MS);
  }
}
