// @ts-check
/**
 * Rolling with tokens: one roll after the other, each with the next token of this client's lane.
 *
 * A token that was shown stays the lane's next one: after a refusal the next roll shows it again, and no other lane is
 * opened to escape it. A further lane is opened only for a secret that was lost, or when a lane is used up.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { DiceAlarm } from "./arrivals.js"
 * @import { Positions } from "./mirror.js"
 * @import { Acknowledged } from "./outcomes.js"
 * @import { RollingCommand } from "./asked_rolls.js"
 * @import { Hand, Locks, Store, Tokens } from "./tokens.js"
 * @import { View } from "./views.js"
 *
 * What a room offers to those who roll in it.
 * @typedef {object} Table
 * @property {string} id
 * @property {string} logId
 * @property {string} seat
 * @property {View} view
 * @property {Readonly<Positions>} positions
 * @property {(predicate: (view: View) => unknown, timeoutMs?: number) => Promise<unknown>} waitFor
 *
 * @typedef {object} Ways
 * @property {(command: T.Command) => Promise<Acknowledged>} send
 * @property {(alarm: DiceAlarm) => void} alarm
 */

import { isRolling } from "./asked_rolls.js";
import { ConnectionEnded, Refused, UNCOUNTED } from "./errors.js";
import { LANE_LENGTH } from "./limits.js";
import { ownAlarm } from "./own_rolls.js";

const MOST_TRIES = 4; // to find the slot of one roll
const FOLLOW_WITHIN_MS = 5_000; // a view, once the server has spoken of what is beyond it
const ASTRAY = new Set(["slot_taken", "bad_token", "lane_used_up", "unknown"]); // refusals of a slot
const PASSING = new Set(["session_expired", "anchor_used"]); // refusals of a lane that another time may not meet

/**
 * Tell whether a command uses a slot of the sender's lane that nobody has named yet.
 * @param {T.Command} command
 * @param {View} view
 * @returns {command is RollingCommand}
 */
export function needsToken(command, view) {
  return isRolling(command) && !command.faces && !command.dice && !isHidden(command, view.gm);
}

/** Tell whether all see what is rolled: the dice of hidden things are their own. */
function isHidden(/** @type {RollingCommand} */ command, /** @type {T.ChannelView | undefined} */ gm) {
  switch (command.type) {
    case "roll_dice":
      return (command.visibility ?? "public") !== "public";
    case "roll_countdown":
      return gm?.countdowns.has(command.countdown_id);
    case "roll_check":
      return gm?.checks.has(command.check_id);
  }
  return false;
}

export class Rolling {
  #table;
  #ways;
  #surroundings;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {{ logId: string, loading: Promise<Tokens> } | null} */
  #tokens = null;
  #isRefused = false; // this seat opens no lanes

  /** @param {Table} table @param {Ways} ways @param {{ store?: Store | null, locks?: Locks | null }} surroundings */
  constructor(table, ways, surroundings) {
    this.#table = table;
    this.#ways = ways;
    this.#surroundings = surroundings;
  }

  /** Roll after all rolls before. @param {RollingCommand} command @returns {Promise<Acknowledged>} */
  submit(command) {
    const seen = this.#table.positions.public?.seq ?? 0;
    const done = this.#last.then(() => this.#roll(command, seen));
    const caughtUp = done.then((told) => this.#table.waitFor(() => this.#reaches(told), FOLLOW_WITHIN_MS));
    this.#last = caughtUp.catch(() => {}); // refused, or after a fork, which leads to no position of the log before
    return done;
  }

  /** Trust the device whose tokens lead to an anchor. @param {string} anchor */
  async trust(anchor) {
    (await this.#load())?.trust(anchor);
  }

  /** Tell whether a lane's tokens are those of another tab of this browser, or of a trusted device. @param {string} [anchor] */
  async isElsewhere(anchor) {
    return anchor !== undefined && ((await this.#load())?.isElsewhere(anchor) ?? false);
  }

  /** Tell whether an anchor is of this browser, of whichever tab, or of a trusted device. @param {string} [anchor] */
  async isHere(anchor) {
    return anchor !== undefined && ((await this.#load())?.isHere(anchor) ?? false);
  }

  /** Fetch what a first roll needs. */
  prepare() {
    void this.#load();
  }

  /** Let other tabs go on with this one's tokens. */
  leave() {
    this.#tokens?.loading.then((tokens) => tokens.leave()).catch(() => {});
  }

  /** Return this tab's tokens; null if their module cannot be had now. @returns {Promise<Tokens | null>} */
  async #load() {
    const { id: room, logId, seat } = this.#table;
    if (this.#tokens?.logId !== logId) {
      this.leave();
      const made = import("./tokens.js").then(({ Tokens }) => new Tokens({ room, logId, seat }, this.#surroundings));
      this.#tokens = { logId, loading: made };
    }
    try {
      return await this.#tokens.loading;
    } catch {
      this.#tokens = null;
      return null;
    }
  }

  /** @param {RollingCommand} command @param {number} seen @returns {Promise<Acknowledged>} */
  async #roll(command, seen) {
    for (let triesLeft = MOST_TRIES; ; triesLeft--) {
      const dice = this.#isRefused ? null : await this.#dice(seen);
      try {
        return await this.#ways.send(dice ? { ...command, dice } : command);
      } catch (error) {
        if (!dice || !triesLeft || !(await this.#mayRollAgain(error, dice))) throw error;
      }
    }
  }

  /**
   * Wait until the view shows why a slot was refused; an alarm says that it does not. The same token is for the same
   * slot, so that nobody can gain another one by a refusal.
   * @param {unknown} error
   * @param {T.DiceToken} dice
   */
  async #mayRollAgain(error, { lane, n }) {
    if (!(error instanceof Refused) || !ASTRAY.has(error.code)) return false;
    if (error.details.lane !== lane && error.details.id !== lane) return false;
    const fits = error.code === "bad_token"; // it does: the token was led back to the last one before it was sent
    const isOver = () => (this.#table.view.public.lanes.get(lane)?.used ?? LANE_LENGTH) >= n;
    try {
      await this.#table.waitFor(isOver, fits ? 0 : FOLLOW_WITHIN_MS);
      return true;
    } catch (late) {
      if (!(late instanceof ConnectionEnded)) this.#ways.alarm(ownAlarm(null, "denied"));
      return false;
    }
  }

  /** Name the next slot of this tab's lane, with its token; null if it has none. @param {number} seen */
  async #dice(seen) {
    const tokens = await this.#load();
    if (!tokens) return null;
    let hand = await tokens.mine();
    let lane = this.#lane(hand) ?? (await this.#open(hand));
    if (lane === "anchor_used" || (lane && !isNext(lane, hand))) {
      hand = await tokens.others();
      lane = await this.#open(hand);
    }
    if (!lane || lane === "anchor_used") return null;
    const n = lane.used + 1;
    return { lane: lane.label, n, token: hand.token(n), seen };
  }

  /** @param {Hand} hand */
  #lane({ anchor }) {
    const lanes = [...this.#table.view.public.lanes.values()];
    return lanes.find((lane) => lane.anchor === anchor && lane.seat_id === this.#table.seat) ?? null;
  }

  /** Open a lane; null if that is refused. @param {Hand} hand @returns {Promise<T.Lane | "anchor_used" | null>} */
  async #open(hand) {
    try {
      const { records } = await this.#ways.send({ type: "open_lane", anchor: hand.anchor });
      const lane = this.#lane(hand);
      this.#isRefused = lane === null;
      if (!lane) this.#ways.alarm(ownAlarm(records[0] ?? null, "opening"));
      return lane;
    } catch (error) {
      if (!(error instanceof Refused) || UNCOUNTED.has(error.code)) throw error;
      this.#isRefused = !PASSING.has(error.code);
      return error.code === "anchor_used" ? "anchor_used" : null;
    }
  }

  /** @param {Acknowledged} acknowledged */
  #reaches({ positions }) {
    const reached = Object.entries(this.#table.positions);
    return reached.every(([channel, { seq }]) => seq >= (positions[/** @type {T.Channel} */ (channel)] ?? 0));
  }
}

/** Tell whether a lane goes on with the next of these tokens. @param {T.Lane} lane @param {Hand} hand */
function isNext({ used, token, anchor }, hand) {
  return used < LANE_LENGTH && hand.token(used) === (token ?? anchor);
}
