// @ts-check
/**
 * Messages: templates of one language, filled in.
 *
 *     const messages = new Messages("en", { "dice": "{n, plural, =0 {no dice} one {# die} other {# dice}}" });
 *     messages.text("dice", { n: 3 }); // "3 dice"
 *
 * `dreadclock/narration/messages.py` does the same. A template may contain:
 *
 *     text              as it is; an apostrophe before a brace or # quotes it: '{'
 *     {path}            a field: `name`, or a field of a field, `countdown.name`, or one of a list, `parts.0`
 *     {path, plural, =0 {no dice} one {# die} other {# dice}}     # is the number; a list is counted
 *     {path, select, gm {the gm} other {a player}}                 true, false and none are values, too
 *     {path, given, yes {...} no {...}}                            whether there is something; one may be left out
 *     {path, list, first {...} each {...} between {; } none {...}} what is in a list, each the `it` of its template
 *     {path, as, key}                                              another template, with this field as its `it`
 *     {path, term, group}                                          the template `group.value`, or else the value
 *     {path, word}                                                 what a reading makes of it: see `Reading`
 */

/**
 * @typedef {{ path: string[], type: string, style: string, branches: { [name: string]: Template } }} Argument
 * @typedef {(string | Argument)[]} Template
 * @typedef {{ readonly [key: string]: string }} Templates
 */

const MISSING = "?";

/** The syntax of a template is wrong. The message shows where. */
export class TemplateError extends Error {}

/** How templates read values: objects, maps and lists. */
export class Reading {
  /**
   * Return a field of a value, undefined if it has no such field.
   * @param {any} value
   * @param {string} name
   * @returns {any}
   */
  step(value, name) {
    if (value instanceof Map) return value.get(name);
    return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? value[name] : undefined;
  }

  /**
   * Write a value by a special formatter, such as `{path, clock}`.
   * @param {string} _word
   * @param {any} _value
   * @returns {string}
   */
  worded(_word, _value) {
    return MISSING;
  }
}

const PLAIN = new Reading();

/** The messages of a language, each by its key. */
export class Messages {
  #templates;
  #plurals;
  /** @type {Map<string, Template>} */
  #parsed = new Map();

  /** @param {string} language @param {Templates} templates */
  constructor(language, templates) {
    this.language = language;
    this.#templates = templates;
    this.#plurals = new Intl.PluralRules(language);
  }

  /** Tell whether there is a message. @param {string} key */
  has(key) {
    return Object.hasOwn(this.#templates, key);
  }

  /**
   * Return a message, filled in; a key without a message is shown itself, and a missing field as `?`.
   *
   * Throws TemplateError if its template is ill-formed.
   * @param {string} key
   * @param {any} [fields]
   * @param {Reading} [reading]
   * @returns {string}
   */
  text(key, fields, reading = PLAIN) {
    return this.has(key) ? this.#filled(this.#template(key), fields, undefined, reading) : key;
  }

  /** @param {string} key */
  #template(key) {
    let template = this.#parsed.get(key);
    if (!template) this.#parsed.set(key, (template = parse(this.#templates[key])));
    return template;
  }

  /** @param {Template} template @param {any} it @param {any} number @param {Reading} reading @returns {string} */
  #filled(template, it, number, reading) {
    const texts = template.map((node) => (typeof node === "string" ? node : this.#argument(node, it, number, reading)));
    return texts.join("");
  }

  /** @param {Argument} argument @param {any} it @param {any} number @param {Reading} reading @returns {string} */
  #argument(argument, it, number, reading) {
    if (argument === NUMBER) return written(number);
    const { path, type, style, branches } = argument;
    const value = at(path, it, reading);
    switch (type) {
      case "":
        return isolated(written(value));
      case "plural":
        return this.#filled(branches[this.#form(branches, count(value))], it, count(value), reading);
      case "select":
      case "given":
        return this.#filled(branches[selected(argument, value)] ?? [], it, number, reading);
      case "list":
        return this.#list(branches, value, number, reading);
      case "as":
        return this.text(style, value, reading);
      case "term":
        return this.#term(style, written(value), reading);
    }
    return isolated(reading.worded(type, value));
  }

  /**
   * Write a value by the template `group.value`, or by a template with `#` for its numbers: `why.# at first`.
   * @param {string} group
   * @param {string} value
   * @param {Reading} reading
   */
  #term(group, value, reading) {
    const [key, openKey] = [`${group}.${value}`, `${group}.${value.replace(/[0-9]+/g, "#")}`];
    if (this.has(key)) return this.text(key, value, reading);
    return this.has(openKey) ? this.text(openKey, { numbers: value.match(/[0-9]+/g) }, reading) : isolated(value);
  }

  /** @param {Argument["branches"]} branches @param {number} number */
  #form(branches, number) {
    const forms = [`=${number}`, this.#plurals.select(number)];
    return forms.find((form) => Object.hasOwn(branches, form)) ?? "other";
  }

  /**
   * Write the items of a list. Items with an empty text are left out.
   * @param {Argument["branches"]} branches
   * @param {any} value
   * @param {any} number
   * @param {Reading} reading
   */
  #list(branches, value, number, reading) {
    /** @type {string[]} */
    const texts = [];
    for (const item of Array.isArray(value) ? value : []) {
      const branch = (texts.length === 0 && branches.first) || branches.each || ITSELF;
      const text = this.#filled(branch, item, number, reading);
      if (text) texts.push(text);
    }
    if (texts.length === 0) return this.#filled(branches.none ?? [], value, number, reading);
    return texts.join(this.#filled(branches.between ?? COMMA, value, number, reading));
  }
}

/** @param {string[]} path @param {any} it @param {Reading} reading */
function at(path, it, reading) {
  return path.reduce((value, name, place) => (place === 0 && name === "it" ? it : reading.step(value, name)), it);
}

/** Return a number, or the length of a list. @param {any} value @returns {number} */
function count(value) {
  if (Array.isArray(value)) return value.length;
  return Number.isInteger(value) ? value : 0;
}

/** @param {Argument} argument @param {any} value */
function selected({ type, branches }, value) {
  if (type === "given") return isGiven(value) ? "yes" : "no";
  const key = value === null || value === undefined ? "none" : written(value);
  return Object.hasOwn(branches, key) ? key : "other";
}

/** @param {any} value */
function isGiven(value) {
  if (Array.isArray(value)) return value.length > 0;
  return value instanceof Map ? value.size > 0 : Boolean(value);
}

/** Write a plain value: a boolean as `true` or `false`, null and undefined as `?`. @param {any} value @returns {string} */
export function written(value) {
  return value === null || value === undefined ? MISSING : String(value);
}

// Text from other people

// The characters of the bidi classes R, AL and AN, as in `wire/plain.py`.
const RTL =
  "\\u05be\\u05c0\\u05c3\\u05c6\\u05d0-\\u05f4\\u0600-\\u0605\\u0608\\u060b\\u060d\\u061b-\\u064a\\u0660-\\u0669\\u066b-\\u066f" +
  "\\u0671-\\u06d5\\u06dd\\u06e5\\u06e6\\u06ee\\u06ef\\u06fa-\\u0710\\u0712-\\u072f\\u074d-\\u07a5\\u07b1-\\u07ea\\u07f4\\u07f5" +
  "\\u07fa\\u07fe-\\u0815\\u081a\\u0824\\u0828\\u0830-\\u0858\\u085e-\\u0891\\u08a0-\\u08c9\\u08e2\\u200f\\ufb1d\\ufb1f-\\ufb28\\ufb2a-\\ufbc2" +
  "\\ufbd3-\\ufd3d\\ufd50-\\ufd8f\\ufd92-\\ufdc7\\ufdf0-\\ufdfc\\ufe70-\\ufefc\\u{10800}-\\u{1091b}\\u{10920}-\\u{10a00}" +
  "\\u{10a10}-\\u{10a35}\\u{10a40}-\\u{10ae4}\\u{10aeb}-\\u{10b35}\\u{10b40}-\\u{10d23}\\u{10d30}-\\u{10d39}\\u{10d40}-\\u{10d65}" +
  "\\u{10d6f}-\\u{10d8f}\\u{10e60}-\\u{10e7e}\\u{10e80}-\\u{10ea9}\\u{10ead}-\\u{10eca}\\u{10ed9}-\\u{10eee}\\u{10f00}-\\u{10f45}" +
  "\\u{10f51}-\\u{10f81}\\u{10f86}-\\u{10ff6}\\u{1e800}-\\u{1e8cf}\\u{1e900}-\\u{1e943}\\u{1e94b}-\\u{1eebb}";
const TURNING = "\\u202a-\\u202e\\u2066-\\u2069"; // embeddings, overrides, isolates, and their ends
// Control characters, line separators, and lone surrogates.
const STEERING = `\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029${TURNING}\\p{Cs}`;
const ISOLATED = `\\u2068[^${STEERING}]*[${RTL}][^${STEERING}]*\\u2069`;
const KEPT_OR_STEERING = new RegExp(`(${ISOLATED})|[${STEERING}]`, "gu");
const ALREADY_ISOLATED = new RegExp(ISOLATED, "gu");
const HAS_RTL = new RegExp(`[${RTL}]`, "u");
const TURNS = new RegExp(`[${TURNING}]`, "gu");
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const EDGES = /^ +| +$/g;

/**
 * Return a text as one line without control characters, which become replacement marks.
 * Keeps the isolates that `isolated` put around names.
 * @param {string} text
 */
export function plain(text) {
  const line = text.replace(BLANKS, " ").replace(EDGES, "");
  return line.replace(KEPT_OR_STEERING, (_, kept) => kept ?? "\ufffd");
}

/**
 * Put FSI and PDI around a name with right-to-left characters, so that it does not reorder the sentence around it.
 * Returns other texts unchanged, also a sentence whose names are isolated already.
 * @param {string} text
 */
export function isolated(text) {
  if (!HAS_RTL.test(text) || !HAS_RTL.test(text.replace(ALREADY_ISOLATED, ""))) return text;
  return `\u2068${text.replace(TURNS, "\ufffd")}\u2069`;
}

// Templates

/** The names of branches by type; null: any names, and `other` is required. @type {{ readonly [type: string]: readonly string[] | null }} */
const BRANCHED = { plural: null, select: null, given: ["yes", "no"], list: ["first", "each", "between", "none"] };

const TEXT = /[^{}'#]+/y;
const HEAD = /\s*([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)\s*(?:,\s*([a-z]+)\s*)?(?:,\s*(?![{}])|(?=\}))/y;
const STYLE = /([^{},\s][^{},]*?)\s*(?=\})/y;
const SELECTOR = /\s*(=[0-9]+|[A-Za-z0-9_-]+)\s*\{/y;
const END = /\s*\}/y;
const QUOTED = /'((?:[^']|'')*)(?:'|$)/y;

/** @type {Argument} the number of the plural around it */
const NUMBER = { path: ["#"], type: "", style: "", branches: {} };
/** @type {Template} */
const ITSELF = [{ path: ["it"], type: "", style: "", branches: {} }];
const COMMA = [", "];

/**
 * Read a template. Throws TemplateError.
 * @param {string} text
 * @returns {Template}
 */
export function parse(text) {
  const parser = new Parser(text);
  const template = parser.template(false);
  if (parser.at < text.length) throw parser.error("a brace closes nothing");
  return template;
}

class Parser {
  at = 0;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  /** @param {string} problem */
  error(problem) {
    return new TemplateError(`${problem}: ${this.text.slice(0, this.at)} >>> ${this.text.slice(this.at)}`);
  }

  /** Parse up to the closing brace, or the end. @param {boolean} plural @returns {Template} */
  template(plural) {
    /** @type {Template} */
    const nodes = [];
    while (this.at < this.text.length && this.text[this.at] !== "}") nodes.push(this.#node(plural));
    return nodes;
  }

  /** @param {boolean} plural @returns {string | Argument} */
  #node(plural) {
    const text = this.#taken(TEXT);
    if (text) return text[0];
    const [mark, after] = this.text.slice(this.at, this.at + 2);
    if (mark === "'" && after && (plural ? "{}#" : "{}").includes(after)) {
      return /** @type {RegExpExecArray} */ (this.#taken(QUOTED))[1].replaceAll("''", "'");
    }
    this.at += mark === "'" && after === "'" ? 2 : 1;
    if (mark === "{") return this.#argument(plural);
    return mark === "#" && plural ? NUMBER : mark;
  }

  /** @param {boolean} plural @returns {Argument} */
  #argument(plural) {
    const head = this.#taken(HEAD);
    if (!head) throw this.error("this is no field");
    const [path, type] = [head[1].split("."), head[2] ?? ""];
    if (Object.hasOwn(BRANCHED, type)) {
      return { path, type, style: "", branches: this.#branches(type, plural || type === "plural") };
    }
    const style = this.#taken(STYLE);
    if (!this.#taken(END)) throw this.error("a brace is missing");
    return { path, type, style: style ? style[1] : "", branches: {} };
  }

  /** @param {string} type @param {boolean} plural */
  #branches(type, plural) {
    /** @type {Argument["branches"]} */
    const branches = {};
    for (let selector = this.#taken(SELECTOR); selector; selector = this.#taken(SELECTOR)) {
      branches[selector[1]] = this.template(plural);
      if (!this.#taken(END)) throw this.error("a branch is not closed");
    }
    const names = BRANCHED[type];
    if (!this.#taken(END) || (names && !Object.keys(branches).every((name) => names.includes(name)))) {
      throw this.error(`this is no branch of ${type}`);
    }
    if (!names && !Object.hasOwn(branches, "other")) throw this.error(`${type} needs the branch other`);
    return branches;
  }

  /** @param {RegExp} pattern */
  #taken(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }
}
