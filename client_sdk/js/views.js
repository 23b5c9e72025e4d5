// @ts-check
/** Views: what one viewer sees of a room, channel by channel. */

/**
 * @import * as T from "./dreadclock.types.js"
 * @typedef {T.ChannelView} Part
 * @typedef {ReadonlyMap<string, any>} Things
 *
 * The fields with things by id, in the order of their starts.
 * @typedef {{ [F in keyof Part]-?: Part[F] extends ReadonlyMap<string, object> ? F : never }[keyof Part]} Dictionary
 */

/** What a viewer sees: a part for each channel of the viewer. A view is immutable. */
export class View {
  /** A cache of the merged fields of both channels. @type {Map<string, any>} */
  #merges = new Map();

  /** @param {{ readonly [channel in T.Channel]?: Part }} channels */
  constructor(channels) {
    this.channels = channels;
  }

  /** What everyone sees. */
  get public() {
    return /** @type {Part} */ (this.channels.public);
  }

  /** What only the gm sees; undefined for other viewers. */
  get gm() {
    return this.channels.gm;
  }

  get title() {
    return this.public.title ?? "";
  }

  get closed() {
    return this.public.closed;
  }

  /** The house rules. */
  get policy() {
    return this.public.policy;
  }

  /** The number of the current turn, from 1. */
  get turn() {
    return this.public.turn;
  }

  get seats() {
    return this.public.seats;
  }

  get characters() {
    return this.#merged("characters");
  }

  /** The sealed things whose content this viewer does not see. @returns {Part["sealed"]} */
  get sealed() {
    return this.gm ? new Map() : this.public.sealed;
  }

  /** The countdowns in the order of their starts. */
  get countdowns() {
    return this.#merged("countdowns", ([, a], [, b]) => a.started - b.started);
  }

  get clocks() {
    return this.#merged("clocks");
  }

  get scenes() {
    return this.#merged("scenes");
  }

  get situations() {
    return this.#merged("situations");
  }

  get challenges() {
    return this.#merged("challenges");
  }

  /** The efforts that wait for a ruling. */
  get efforts() {
    return this.#merged("efforts");
  }

  /** The latest plain rolls. */
  get rolls() {
    return this.#merged("rolls");
  }

  /** The open checks, and the latest ended checks. */
  get checks() {
    return this.#merged("checks");
  }

  /** The open totals, and the latest ended totals. */
  get totals() {
    return this.public.totals;
  }

  /** The secret numbers of totals, by total, if this viewer may see them. @returns {Part["secrets"]} */
  get secrets() {
    return this.gm ? this.gm.secrets : new Map();
  }

  /** The attached consequences. */
  get consequences() {
    return this.#merged("consequences");
  }

  /** Return the view for JSON.stringify, in the server's form. */
  toJSON() {
    const parts = Object.entries(this.channels).map(([channel, part]) => [channel, plain(part)]);
    return { channels: Object.fromEntries(parts) };
  }

  /**
   * @template {"characters" | "countdowns" | "clocks" | "scenes" | "situations" | "challenges" | "efforts" | "rolls" | "checks" | "consequences"} Field
   * @param {Field} field
   * @param {(one: [string, any], other: [string, any]) => number} [order]
   * @returns {Part[Field]}
   */
  #merged(field, order) {
    if (!this.#merges.has(field)) {
      const parts = /** @type {Part[]} */ (Object.values(this.channels));
      const both = parts.flatMap((part) => [.../** @type {Things} */ (part[field])]);
      this.#merges.set(field, new Map(order ? both.sort(order) : both));
    }
    return this.#merges.get(field);
  }
}

/** @param {Part} part */
function plain(part) {
  const fields = Object.entries(part).map(([name, value]) => [
    name,
    value instanceof Map ? Object.fromEntries(value) : value,
  ]);
  return Object.fromEntries(fields);
}

/**
 * Return how an open race would end if its scene ended now. Source: rules.md B2, B4 and B21.
 * @param {View} view @param {T.Situation} race @returns {T.RaceOutcome}
 */
export function endsAs({ clocks, scenes }, race) {
  const scene = scenes.get(race.scene_id);
  const [left, threat, rest] = [race.clock_id, scene?.threat_id, scene?.clock_id].map(
    (id) => clocks.get(id ?? "")?.value ?? 0,
  );
  if (left === 0) return "success";
  return threat > rest ? "partial_success" : "failure";
}

/** Return the open races of a scene. @param {View} view @param {string} sceneId @returns {T.Situation[]} */
export function openRaces(view, sceneId) {
  return [...view.situations.values()].filter(({ scene_id, status, kind }) => scene_id === sceneId && status === "open" && kind === "race");
}

/** Tell whether a clock has reached its end. @param {T.Clock} clock */
export function isDone(clock) {
  return clock.value === (clock.direction === "down" ? 0 : clock.size);
}
