// @ts-check
/** Fields that several forms share. */

import { field } from "../app/controls.js";

/**
 * Draw a field for a whole number that has to be given.
 * @param {string} name
 * @param {string} label
 * @param {{ max: number, min?: number, value?: number }} range `value`: what it begins with
 */
export function numberField(name, label, { max, min = 1, value = min }) {
  return field({ name, label, type: "number", min, max, value, required: true });
}
