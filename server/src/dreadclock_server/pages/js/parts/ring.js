// @ts-check
/**
 * Computes rings as SVG paths in a 100 by 100 drawing. A place on a ring is a number of turns, clockwise from the
 * top: 0.25 is at three o'clock.
 */

/** @import * as T from "../../client/dreadclock.types.js" */

const MOST_SEGMENTS = 24; // a clock with more points is drawn as a single arc
export const MOST_STUDS = 12; // if there are more challenges, only their number is drawn
const MIDDLE = 50;
const GAP = 1.4; // the gap between two segments of a large ring, in units along the ring
const BETWEEN = 0.03; // the gap between the arcs of two situations, in turns

/** Return the coordinates of a place on a ring. @param {number} radius @param {number} turn @returns {[x: number, y: number]} */
export function place(radius, turn) {
  const angle = 2 * Math.PI * turn;
  return [MIDDLE + radius * Math.sin(angle), MIDDLE - radius * Math.cos(angle)];
}

/**
 * Return the path of an arc, clockwise. A whole turn is drawn as two halves, because SVG draws no arc that ends at its
 * start.
 * @param {number} radius @param {number} from @param {number} to @returns {string}
 */
export function arc(radius, from, to) {
  if (to - from > 0.999) return `${arc(radius, from, from + 0.5)}${arc(radius, from + 0.5, from + 1)}`;
  const [start, end] = [from, to].map((turn) => place(radius, turn).map((coordinate) => coordinate.toFixed(2)).join(" "));
  return `M${start}A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${end}`;
}

/**
 * Return the arcs of a clock's ring. A clock that counts down empties clockwise; a clock that counts up fills clockwise.
 * Each point has an arc, and `on` says whether the point is left or filled. With more than 24 points, one arc shows all points
 * that are left or filled, if any.
 * @param {number} radius @param {Pick<T.Clock, "value" | "size" | "direction">} clock @param {number} [gap] the gap between two segments, in units along the ring
 * @returns {{ from: number, to: number, on: boolean }[]}
 */
export function segments(radius, { value, size, direction }, gap = GAP) {
  const down = direction === "down";
  if (size > MOST_SEGMENTS) {
    const part = value / size;
    return value ? [{ from: down ? 1 - part : 0, to: down ? 1 : part, on: true }] : [];
  }
  const half = size === 1 ? 0 : Math.min(gap / (2 * Math.PI * radius), 0.25 / size) / 2;
  return Array.from({ length: size }, (_, at) => ({
    from: at / size + half,
    to: (at + 1) / size - half,
    on: down ? at >= size - value : at < value,
  }));
}

/** Tell whether a clock has at most a quarter left. @param {Pick<T.Clock, "value" | "size">} clock */
export function isLow({ value, size }) {
  return value <= size / 4;
}

/**
 * Return for each situation of a scene its arc, and the places of its studs (dots for its challenges). A single situation
 * has the whole ring. Return null for more than 12 studs.
 * @param {readonly number[]} numbers the number of challenges of each situation
 * @returns {{ from: number, to: number, studs: number[] }[] | null}
 */
export function studs(numbers) {
  const all = numbers.reduce((sum, number) => sum + number, 0);
  if (all > MOST_STUDS) return null;
  if (numbers.length === 1) return [{ from: 0, to: 1, studs: Array.from({ length: all }, (_, at) => at / all) }];
  const shares = numbers.map((number) => Math.max(1, number));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let from = 0;
  return numbers.map((number, situation) => {
    const [start, length] = [from + BETWEEN / 2, shares[situation] / whole - BETWEEN];
    from += shares[situation] / whole;
    return { from: start, to: start + length, studs: Array.from({ length: number }, (_, at) => start + (length * (at + 0.5)) / number) };
  });
}
