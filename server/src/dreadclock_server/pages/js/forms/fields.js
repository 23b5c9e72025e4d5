// @ts-check
/** The fields of forms. A field starts with the value that was typed into it before, or with a given value. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Steps } from "./stepper.js"
 *
 * @typedef {readonly (readonly [value: string, words: string])[]} Options
 */

import { MAX_TEXT } from "../../client/limits.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { Values, choice, field, segments } from "../app/controls.js";
import { inPlay } from "../app/party.js";
import { stepper } from "./stepper.js";

const NOTHING_TYPED = new Values(new FormData());

/** The current values of a form, and the functions that draw its fields. */
export class Fields {
  /** @param {Table} table @param {string} key of the form */
  constructor(table, key) {
    this.table = table;
    this.key = key;
    /** @type {Values} */ this.values = table.ui.get(`typed:${key}`) ?? NOTHING_TYPED;
  }

  // Values

  /** Tell whether the form had this field when something was typed last. @param {string} name */
  has(name) {
    return this.values.data.has(name);
  }

  /** @param {string} name @param {string} otherwise */
  read(name, otherwise = "") {
    const value = this.values.data.get(name);
    return typeof value === "string" ? value : otherwise;
  }

  /** @param {string} name @param {number} otherwise the value if the field has no number */
  number(name, otherwise) {
    return this.values.number(name) ?? otherwise;
  }

  /** @param {string} name @param {boolean} [otherwise] */
  ticked(name, otherwise = false) {
    return this.values === NOTHING_TYPED ? otherwise : this.values.ticked(name);
  }

  // Fields; labels are given as keys

  /**
   * Draw a field for a name.
   * @param {string} name @param {string} label @param {{ value?: string, required?: boolean, example?: string }} [more]
   */
  text(name, label, { value, required, example } = {}) {
    return field({ name, label: this.table.t(label), value: this.read(name, value), required, placeholder: example && this.table.t(example) });
  }

  /**
   * Draw a field for a sentence.
   * @param {string} name @param {string} label
   * @param {{ value?: string, required?: boolean, example?: string, hint?: string }} [more]
   */
  sentence(name, label, { value, required, example, hint } = {}) {
    const { table } = this;
    const given = { name, label: table.t(label), value: this.read(name, value), required, length: MAX_TEXT };
    return field({ ...given, placeholder: example && table.t(example), hint: hint && table.t(hint) });
  }

  /**
   * Draw a field for a whole number.
   * @param {string} name @param {string} label @param {number | undefined} value @param {Steps} [more]
   */
  steps(name, label, value, more = {}) {
    const { key, table } = this;
    return stepper(table, { ...more, key, name, label: table.t(label), value: this.values.number(name) ?? value });
  }

  /** Draw a checkbox. @param {string} name @param {string} label @param {boolean} [checked] */
  tick(name, label, checked = false) {
    return field({ name, type: "checkbox", label: this.table.t(label), checked: this.ticked(name, checked) });
  }

  /**
   * Draw a select field.
   * @param {string} name @param {string} label @param {Options} options @param {string} [value]
   * @param {{ required?: boolean, hint?: string }} [more] `required`: whether an option with a value must be chosen
   */
  pick(name, label, options, value, { required, hint } = {}) {
    const typed = this.read(name, value);
    const offered = options.some(([each]) => each === typed);
    return choice({ name, label: this.table.t(label), options, value: offered ? typed : value, required, hint: hint && this.table.t(hint) });
  }

  /**
   * Draw a select field for words of the protocol. `words`: returns the key of a word's label.
   * @param {string} name @param {string} label @param {readonly string[]} among
   * @param {(each: string) => string} words @param {string} [value]
   */
  among(name, label, among, words, value) {
    const options = among.map((each) => /** @type {const} */ ([each, this.table.t(words(each))]));
    return this.pick(name, label, options, value);
  }

  /** Draw radio buttons in a row for very few words of the protocol. Arguments as for `among`. */
  segments(/** @type {string} */ name, /** @type {string} */ label, /** @type {readonly string[]} */ among, /** @type {(each: string) => string} */ words, value = among[0]) {
    const options = among.map((each) => /** @type {const} */ ([each, this.table.t(words(each))]));
    return segments({ name, label: this.table.t(label), options, value: this.read(name, value) });
  }

  /** Draw radio buttons in the form of chips. @param {string} name @param {string} label @param {Options} options @param {string} value */
  chips(name, label, options, value) {
    const drawn = segments({ name, label: this.table.t(label), options, value });
    return keyed(JSON.stringify(options), drawn); // draw all chips again when the options change, so that the chosen value stays chosen
  }

  /**
   * Draw the choice of a character, or of none.
   * @param {string} name @param {string} label @param {string} none @param {readonly T.Character[]} [among]
   */
  character(name, label, none, among = inPlay(this.table)) {
    const options = among.map((each) => /** @type {const} */ ([each.id, each.name]));
    return this.pick(name, label, [["", this.table.t(none)], ...options]);
  }

  /** Draw the choice of a thing's owner. @param {string} nobody @param {string} [value] @param {string} [name] */
  owner(nobody, value, name = "owner") {
    const seats = [...this.table.view.seats.values()];
    const owning = seats.filter((each) => each.role === "player" || each.role === "integration");
    const options = owning.map((each) => /** @type {const} */ ([each.id, each.name]));
    return this.pick(name, "gm.owner", [["", this.table.t(nobody)], ...options], value);
  }

  /** Draw the choice of a thing's visibility. */
  visibility() {
    return this.segments("visibility", "gm.visibility", ["public", "sealed", "gm"], (each) => `gm.visibility.${each}`);
  }
}
