// @ts-check
/**
 * Rolls with tokens: one at a time, each with the next token of this client's lane.
 *
 * A token that was shown stays the lane's next token: after a refusal, the next roll shows it again, and the client opens
 * no other lane to avoid it. Another lane is only opened if a secret was lost, or if a lane is used up.
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
 * The functions of a room that rolling needs.
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

const MOST_TRIES = 4; // tries to find the slot of a roll
const FOLLOW_WITHIN_MS = 5_000; // how long to wait for records that the server has already mentioned
const ASTRAY = new Set(["slot_taken", "bad_token", "lane_used_up", "unknown"]); // refusals because of a slot
const PASSING = new Set(["session_expired", "anchor_used"]); // refusals of a lane after which a later try may succeed

/**
 * Tell whether a command needs a token of the sender's lane, and has none yet.
 * @param {T.Command} command
 * @param {View} view
 * @returns {command is RollingCommand}
 */
export function needsToken(command, view) {
  return isRolling(command) && !command.faces && !command.dice && !isHidden(command, view.gm);
}

/** Tell whether the rolled thing is hidden: hidden things have lanes of their own. */
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
  #isRefused = false; // whether this seat may not open lanes

  /** @param {Table} table @param {Ways} ways @param {{ store?: Store | null, locks?: Locks | null }} surroundings */
  constructor(table, ways, surroundings) {
    this.#table = table;
    this.#ways = ways;
    this.#surroundings = surroundings;
  }

  /** Roll after all earlier rolls. @param {RollingCommand} command @returns {Promise<Acknowledged>} */
  submit(command) {
    const seen = this.#table.positions.public?.seq ?? 0;
    const done = this.#last.then(() => this.#roll(command, seen));
    const caughtUp = done.then((acknowledged) => this.#table.waitFor(() => this.#reaches(acknowledged), FOLLOW_WITHIN_MS));
    this.#last = caughtUp.catch(() => {}); // ignore errors: of a refusal, or after a fork, when the earlier positions are never reached
    return done;
  }

  /** Trust the device whose tokens have this anchor. @param {string} anchor */
  async trust(anchor) {
    (await this.#load())?.trust(anchor);
  }

  /** Tell whether an anchor belongs to another tab of this browser, or to a trusted device. @param {string} [anchor] */
  async isElsewhere(anchor) {
    return anchor !== undefined && ((await this.#load())?.isElsewhere(anchor) ?? false);
  }

  /** Tell whether an anchor belongs to any tab of this browser, or to a trusted device. @param {string} [anchor] */
  async isHere(anchor) {
    return anchor !== undefined && ((await this.#load())?.isHere(anchor) ?? false);
  }

  /** Load the module that a first roll needs. */
  prepare() {
    void this.#load();
  }

  /** Let other tabs use this tab's tokens. */
  leave() {
    this.#tokens?.loading.then((tokens) => tokens.leave()).catch(() => {});
  }

  /** Return this tab's tokens; null if their module cannot be loaded now. @returns {Promise<Tokens | null>} */
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
   * Wait until the view shows why a slot was refused. Raises an alarm if the view does not show it. The same token is used
   * for the same slot, so that nobody can get other dice by a refusal.
   * @param {unknown} error
   * @param {T.DiceToken} dice
   */
  async #mayRollAgain(error, { lane, n }) {
    if (!(error instanceof Refused) || !ASTRAY.has(error.code)) return false;
    if (error.details.lane !== lane && error.details.id !== lane) return false;
    const fits = error.code === "bad_token"; // the token is correct: it was hashed back to the last token before it was sent
    const isOver = () => (this.#table.view.public.lanes.get(lane)?.used ?? LANE_LENGTH) >= n;
    try {
      await this.#table.waitFor(isOver, fits ? 0 : FOLLOW_WITHIN_MS);
      return true;
    } catch (late) {
      if (!(late instanceof ConnectionEnded)) this.#ways.alarm(ownAlarm(null, "denied"));
      return false;
    }
  }

  /** Return the next slot of this tab's lane with its token; null without a lane. @param {number} seen */
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

  /** Open a lane; null if the server refuses it. @param {Hand} hand @returns {Promise<T.Lane | "anchor_used" | null>} */
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

/** Tell whether the next token of a lane is one of these tokens. @param {T.Lane} lane @param {Hand} hand */
function isNext({ used, token, anchor }, hand) {
  return used < LANE_LENGTH && hand.token(used) === (token ?? anchor);
}
