// @ts-check
/** The fields of forms. A field starts with the value that was typed before. If nothing was typed, it starts with a given value. */

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

/** Return the options of a choice between things. @param {readonly { id: string, name: string }[]} things @returns {Options} */
export const named = (things) => things.map(({ id, name }) => [id, name]);

/** The current values of a form, and the functions that draw its fields. Methods take keys of labels, not texts. Each drawing of a form makes a new object. */
export class Fields {
  /** Functions that read the values of the drawn fields, by the name of the field. @type {Map<string, (values: Values) => unknown>} */
  #readers = new Map();

  /** @param {Table} table @param {string} key the key of the form */
  constructor(table, key) {
    this.table = table;
    this.key = key;
    /** @type {Values} */ this.values = table.ui.get(`typed:${key}`) ?? NOTHING_TYPED;
  }

  /** Return a second object for the same form. `entered` of the first object leaves out the fields that the second draws. */
  apart() {
    return new Fields(this.table, this.key);
  }

  // Values

  /** Return the values of a form. A number that its field refuses is replaced by the number before it: odds are never asked for a refused number. @param {HTMLFormElement} form */
  typed(form) {
    const values = new Values(new FormData(form));
    /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[type=number]:invalid")).forEach(({ name }) => values.data.set(name, this.read(name)));
    return values;
  }

  /** Tell whether the form had a value for this field when something was typed last. Unticked checkboxes have no value. @param {string} name */
  has(name) {
    return this.values.data.has(name);
  }

  /** Return the text in a field. @param {string} name @param {string} otherwise returned if the form had no value for the field */
  read(name, otherwise = "") {
    const value = this.values.data.get(name);
    return typeof value === "string" ? value : otherwise;
  }

  /** Return the number in a field. @param {string} name @param {number} otherwise returned if the field has no number */
  number(name, otherwise) {
    return this.values.number(name) ?? otherwise;
  }

  /** Tell whether a checkbox is ticked. @param {string} name @param {boolean} [otherwise] returned if nothing was typed */
  ticked(name, otherwise = false) {
    return this.values === NOTHING_TYPED ? otherwise : this.values.ticked(name);
  }

  /**
   * Return the values of the fields that this object drew, by the names of the fields. If these names are also names of a command's
   * fields, the result can be copied into the command. An empty field gives undefined, an empty required text "".
   * @param {Values} values @returns {any}
   */
  entered(values) {
    return Object.fromEntries([...this.#readers].map(([name, read]) => [name, read(values)]));
  }

  // Fields

  /**
   * Draw a field for a text of one line.
   * @param {string} name @param {string} label
   * @param {{ value?: string, required?: boolean, example?: string, hint?: string, length?: number }} [more]
   *   `example`: the key of a text that is shown while the field is empty
   */
  text(name, label, { value, required, example, hint, length } = {}) {
    const { table } = this;
    this.#readers.set(name, (values) => values.text(name) ?? (required ? "" : undefined));
    const given = { name, label: table.t(label), value: this.read(name, value), required, length };
    return field({ ...given, placeholder: example && table.t(example), hint: hint && table.t(hint) });
  }

  /** Draw a field for a sentence, which may be longer than other texts. Arguments as for `text`. @type {Fields["text"]} */
  sentence(name, label, more) {
    return this.text(name, label, { ...more, length: MAX_TEXT });
  }

  /**
   * Draw a field for a whole number.
   * @param {string} name @param {string} label @param {number | undefined} value @param {Steps} [more]
   */
  steps(name, label, value, more = {}) {
    const { key, table } = this;
    this.#readers.set(name, (values) => values.number(name));
    return stepper(table, { ...more, key, name, label: table.t(label), value: this.values.number(name) ?? value });
  }

  /** Draw a checkbox. @param {string} name @param {string} label @param {boolean} [checked] */
  tick(name, label, checked = false) {
    this.#readers.set(name, (values) => values.ticked(name));
    return field({ name, type: "checkbox", label: this.table.t(label), checked: this.ticked(name, checked) });
  }

  /**
   * Draw a select field.
   * @param {string} name @param {string} label @param {Options} options @param {string} [value]
   * @param {{ required?: boolean, hint?: string }} [more] `required`: whether an option with a value must be chosen
   */
  pick(name, label, options, value, { required, hint } = {}) {
    this.#readers.set(name, (values) => values.text(name));
    const typed = this.read(name, value);
    const offered = options.some(([option]) => option === typed);
    return choice({ name, label: this.table.t(label), options, value: offered ? typed : value, required, hint: hint && this.table.t(hint) });
  }

  /**
   * Draw a select field whose values are words of the protocol.
   * @param {string} name @param {string} label @param {readonly string[]} words
   * @param {string} labels the start of the label keys. The key of a word is `LABELS.WORD`; the key of the empty word is `LABELS.nothing`
   * @param {string} [value]
   */
  among(name, label, words, labels, value) {
    return this.pick(name, label, this.#labelled(words, labels), value);
  }

  /** @param {readonly string[]} words @param {string} labels @returns {Options} */
  #labelled(words, labels) {
    return words.map((word) => [word, this.table.t(`${labels}.${word || "nothing"}`)]);
  }

  /**
   * Draw a row of radio buttons whose values are words of the protocol. Use them for very few words. Arguments as for `among`.
   * @param {string} name @param {string} label @param {readonly string[]} words @param {string} labels
   */
  segments(name, label, words, labels, value = words[0]) {
    this.#readers.set(name, (values) => values.text(name));
    return segments({ name, label: this.table.t(label), options: this.#labelled(words, labels), value: this.read(name, value) });
  }

  /** Draw radio buttons that look like chips. @param {string} name @param {string} label @param {Options} options @param {string} value */
  chips(name, label, options, value) {
    this.#readers.set(name, (values) => values.text(name));
    const drawn = segments({ name, label: this.table.t(label), options, value });
    return keyed(JSON.stringify(options), drawn); // create new chips when the options change: a reused radio button would keep its old state
  }

  /**
   * Draw a choice of a character, or none.
   * @param {string} name @param {string} label @param {string} none @param {readonly T.Character[]} [among]
   */
  character(name, label, none, among = inPlay(this.table)) {
    return this.pick(name, label, [["", this.table.t(none)], ...named(among)]);
  }

  /** Draw the choice of a thing's owner. @param {string} nobody @param {string} [value] @param {string} [name] */
  owner(nobody, value, name = "owner") {
    const seats = [...this.table.view.seats.values()].filter(({ role }) => role === "player" || role === "integration");
    return this.pick(name, "gm.owner", [["", this.table.t(nobody)], ...named(seats)], value);
  }

  /** Draw the choice of a thing's visibility. */
  visibility() {
    return this.segments("visibility", "gm.visibility", ["public", "sealed", "gm"], "gm.visibility");
  }
}
