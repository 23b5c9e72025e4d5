// @ts-check
/** The fields of forms: each begins with what was typed into it before, or else with what it is given. */

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

/** What stands in a form now, and the fields that it stands in. */
export class Fields {
  /** @param {Table} table @param {string} key of the form */
  constructor(table, key) {
    this.table = table;
    this.key = key;
    /** @type {Values} */ this.values = table.ui.get(`typed:${key}`) ?? NOTHING_TYPED;
  }

  // What stands there

  /** Tell whether there was such a field when something was typed last. @param {string} name */
  has(name) {
    return this.values.data.has(name);
  }

  /** @param {string} name @param {string} otherwise */
  read(name, otherwise = "") {
    const value = this.values.data.get(name);
    return typeof value === "string" ? value : otherwise;
  }

  /** @param {string} name @param {number} otherwise also where no number stands there yet */
  number(name, otherwise) {
    return this.values.number(name) ?? otherwise;
  }

  /** @param {string} name @param {boolean} [otherwise] */
  ticked(name, otherwise = false) {
    return this.values === NOTHING_TYPED ? otherwise : this.values.ticked(name);
  }

  // The fields; labels are keys

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

  /** Draw a box to tick. @param {string} name @param {string} label @param {boolean} [checked] */
  tick(name, label, checked = false) {
    return field({ name, type: "checkbox", label: this.table.t(label), checked: this.ticked(name, checked) });
  }

  /**
   * Draw a choice.
   * @param {string} name @param {string} label @param {Options} options @param {string} [value]
   * @param {{ required?: boolean, hint?: string }} [more] `required`: whether one with a value has to be chosen
   */
  pick(name, label, options, value, { required, hint } = {}) {
    const typed = this.read(name, value);
    const offered = options.some(([each]) => each === typed);
    return choice({ name, label: this.table.t(label), options, value: offered ? typed : value, required, hint: hint && this.table.t(hint) });
  }

  /**
   * Draw a choice among words of the protocol; `words` names the label of each.
   * @param {string} name @param {string} label @param {readonly string[]} among
   * @param {(each: string) => string} words @param {string} [value]
   */
  among(name, label, among, words, value) {
    const options = among.map((each) => /** @type {const} */ ([each, this.table.t(words(each))]));
    return this.pick(name, label, options, value);
  }

  /** Draw a choice among very few words of the protocol, all in sight; as `among`. */
  segments(/** @type {string} */ name, /** @type {string} */ label, /** @type {readonly string[]} */ among, /** @type {(each: string) => string} */ words, value = among[0]) {
    const options = among.map((each) => /** @type {const} */ ([each, this.table.t(words(each))]));
    return segments({ name, label: this.table.t(label), options, value: this.read(name, value) });
  }

  /** Draw a choice all in sight, as chips: one press each. @param {string} name @param {string} label @param {Options} options @param {string} value */
  chips(name, label, options, value) {
    const drawn = segments({ name, label: this.table.t(label), options, value });
    return keyed(JSON.stringify(options), drawn); // among others a chip would keep its place, not its words
  }

  /**
   * Draw a choice among characters, or none of them.
   * @param {string} name @param {string} label @param {string} none @param {readonly T.Character[]} [among]
   */
  character(name, label, none, among = inPlay(this.table)) {
    const options = among.map((each) => /** @type {const} */ ([each.id, each.name]));
    return this.pick(name, label, [["", this.table.t(none)], ...options]);
  }

  /** Draw the choice of whose a thing is. @param {string} nobody @param {string} [value] @param {string} [name] */
  owner(nobody, value, name = "owner") {
    const seats = [...this.table.view.seats.values()];
    const owning = seats.filter((each) => each.role === "player" || each.role === "integration");
    const options = owning.map((each) => /** @type {const} */ ([each.id, each.name]));
    return this.pick(name, "gm.owner", [["", this.table.t(nobody)], ...options], value);
  }

  /** Draw the choice of who knows of a thing. */
  visibility() {
    return this.segments("visibility", "gm.visibility", ["public", "sealed", "gm"], (each) => `gm.visibility.${each}`);
  }
}
