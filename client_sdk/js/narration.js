// @ts-check
/**
 * Writes events as sentences, in the language of a catalogue.
 *
 *     const catalogue = await (await fetch("narration.de.json")).json();
 *     const narrator = new Narrator("de", catalogue);
 *     narrator.told(record, room.view, viewBefore);
 *
 * The catalogues are in `dreadclock/narration/`. The Python files there do the same as this file.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Details } from "./errors.js"
 * @import { Part, Things } from "./views.js"
 * @import { View } from "./views.js"
 * @import { Templates } from "./messages.js"
 */

import { GM_SEAT, KINDS, NAMED_OPPONENT, UNNAMED_GM } from "./limits.js";
import { Messages, Reading, plain } from "./messages.js";
import { isUnderstood } from "./records.js";

/** Bookkeeping events: a story leaves them out. @type {ReadonlySet<string>} */
export const QUIET = new Set(["lane_opened", "made_public"]);

const TOKENS = new Set(["momentum", "interference"]);

/** Tell whether a story leaves an event out: it is bookkeeping, or the next event says the same. @param {T.Event} event */
export function isQuiet(event) {
  return QUIET.has(event.type) || (event.type === "effect_chosen" && TOKENS.has(event.effect));
}

/** Writes records and refusals as sentences. Views (before or after a record) provide names of things. */
export class Narrator {
  #messages;

  /** @param {string} language @param {Templates} catalogue the templates of this language, each by its key */
  constructor(language, catalogue) {
    this.#messages = new Messages(language, catalogue);
  }

  /** The language, such as `en`. */
  get language() {
    return this.#messages.language;
  }

  /**
   * Return a record as a sentence, followed by the note of its command.
   * @param {T.EventRecord} record
   * @param {...(View | null | undefined)} views
   */
  sentence(record, ...views) {
    const { event } = record;
    const given = views.filter((view) => view !== null && view !== undefined);
    const isTold = isUnderstood(record) && this.#messages.has(`event.${event.type}`);
    const key = isTold ? `event.${event.type}` : "story.unknown";
    const facts = new Facts(this.#messages, record, given);
    const deed = begun(finished(this.#messages.text(key, event, facts)));
    const name = record.acted_for && facts.worded("seat", record.acted_for);
    const sentence = name ? this.#messages.text("story.acted_for", { name, told: deed }) : deed;
    return event.note ? this.#messages.text("story.note", { told: sentence, note: plain(event.note) }) : sentence;
  }

  /**
   * Return a record as a sentence, with a mark if only the gm sees the record.
   * @param {T.EventRecord} record
   * @param {...(View | null | undefined)} views
   */
  told(record, ...views) {
    const sentence = this.sentence(record, ...views);
    return record.channel === "gm" ? this.#messages.text("story.gm_alone", { told: sentence }) : sentence;
  }

  /**
   * Return a sentence about a consequence or a fumble effect: its trigger and its effects.
   * @param {T.Consequence | T.FumbleDoes} consequence
   * @param {...View} views
   */
  follows(consequence, ...views) {
    const key = "effect" in consequence ? "story.fumble" : "story.follows";
    return begun(finished(this.#messages.text(key, consequence, new Facts(this.#messages, null, views))));
  }

  /**
   * Return why a command was refused: in this language, or the server's sentence if the code is unknown.
   * @param {string} code
   * @param {Details} details
   * @param {string} sentence
   */
  refusal(code, details, sentence) {
    const key = `refusal.${code}`;
    return this.#messages.has(key) ? begun(plain(this.#messages.text(key, details))) : sentence;
  }
}

// Facts for sentences that an event's fields do not have

const JUST_BEFORE = 3; // how many earlier records are searched

/** @type {readonly string[]} */
const NAMED = ["seat", ...KINDS];

/** The names that templates can use for a record: the fields of its event, the things that it names by id, and facts about these. */
class Facts extends Reading {
  #messages;

  /** @param {Messages} messages @param {T.EventRecord | null} record the record, if there is one @param {View[]} views */
  constructor(messages, record, views) {
    super();
    this.#messages = messages;
    this.record = record;
    this.views = views;
  }

  /**
   * Return a field of an event or a thing, or a fact of that name.
   * @override
   * @param {any} value
   * @param {string} name
   */
  step(value, name) {
    const field = super.step(value, name);
    if (field !== undefined && field !== null) return field;
    if (name === "by") return this.record?.by;
    const id = NAMED.includes(name) ? super.step(value, `${name}_id`) : undefined;
    if (typeof id === "string") return find(this.views, name, id);
    return Object.hasOwn(FACTS, name) ? FACTS[name](this, value) : undefined;
  }

  /**
   * Return the name of a thing by kind and id, as within a sentence: the warden, not The warden.
   * @override
   * @param {string} word
   * @param {any} value
   */
  worded(word, value) {
    if (!NAMED.includes(word) || typeof value !== "string") return super.worded(word, value);
    const thing = value === NAMED_OPPONENT ? this.#opponent() : find(this.views, word, value);
    const isNamed = thing && !(word === "seat" && value === GM_SEAT && thing.name === UNNAMED_GM);
    const name = isNamed ? thing.name : this.unknown(word, value);
    return word === "seat" || word === "character" ? this.#within(name) : name;
  }

  /** The part of the opponent without a sheet in the event's check. */
  #opponent() {
    const event = /** @type {any} */ (this.record?.event ?? {});
    const check = event.check ?? find(this.views, "check", event.check_id);
    return [event.part, ...(check?.parts ?? [])].find((part) => part?.name !== undefined);
  }

  /** Return a name for a thing without a name: Player 1, or its id. @param {string} kind @param {string} id */
  unknown(kind, id) {
    const [role, ...number] = id.split("-");
    return kind === "seat" ? this.#messages.text("name.seat", { role, number: number.join("-") }) : id;
  }

  /** @param {string} name */
  #within(name) {
    const articles = this.#messages.text("name.articles").split(" ");
    return articles.some((article) => name.startsWith(`${article} `)) ? name[0].toLowerCase() + name.slice(1) : name;
  }
}

/** @type {{ [name: string]: (facts: Facts, value: any) => any }} */
const FACTS = {
  /** The part of the check's leader. */
  leader: (_, check) => leaderOf(check),
  /** Whether a contest waits for its other side. */
  unopposed: (_, check) => check.contest && !check.parts.some(isOpposing),
  /** Whether the remaining dice differ from the rolled dice. */
  reduced: (_, roll) => String(roll.remaining) !== String(roll.faces),
  /** Whether the cap stopped sixes of a plain roll from adding dice. */
  capped: (_, { added, faces }) => added !== undefined && faces.filter((/** @type {number} */ face) => face === 6).length > added,
  /** The dice of ventures that are paid, or lost. */
  bonus_dice: (_, event) => (event.paid ?? event.lapsed).reduce(addDice, 0),
  /** The thing that triggers the consequence. */
  subject: (facts, { kind, id }) => find(facts.views, kind, id),
  /** The thing that an effect changes, or its id if no view has the thing. */
  target: (facts, { does, thing_id: id }) =>
    (TARGETS[does] ?? HIDDEN).map((kind) => find(facts.views, kind, id)).find(Boolean) ?? { id },
  points: (_, effect) => Math.abs(effect.by),
  backwards: (_, effect) => effect.by < 0,
  claimed,
  leads,
  owner_name: ownerName,
  ended_by: endedBy,
  too_late_for: tooLateFor,
  named_total: (facts, event) => (event.total?.id ? event.total : find(facts.views, "total", event.total_id)),
  thing,
  undone,
  name_before: (facts, event) => nameBefore(facts.views, /** @type {T.EventRecord} */ (facts.record), event) ?? facts.unknown("seat", event.seat_id),
};

/** The kind of an undone command's thing, by the first word of its event type, if the two differ. @type {{ [begins: string]: string }} */
const UNDONE = { race: "situation", round: "situation", state: "character", track: "character" };

/** Return the thing that the undone command changed or made, if it is the only thing of its kind. @param {Facts} facts @param {any} event */
function undone({ views }, { what, restored }) {
  const [begins] = what.split("_");
  const kind = UNDONE[begins] ?? begins;
  const made = (restored.removed[`${kind}s`] ?? []).map((/** @type {string} */ id) => find(views, kind, id));
  const named = [...(restored[`${kind}s`] ?? []), ...made].filter((changed) => changed?.name);
  return named.length === 1 ? named[0] : undefined;
}

/** The kinds of things that an effect can have as its target. @type {{ [does: string]: readonly string[] }} */
const TARGETS = {
  tick: ["clock"],
  stabilize: ["countdown"],
  resume: ["countdown"],
  replenish: ["countdown"],
  roll: ["countdown"],
  take_off: ["challenge"],
  leave: ["character"],
  give_state: ["character"],
  drop_state: ["character"],
  move_track: ["character"],
  give_token: ["character"],
  set_fumble: ["character", "scene", "situation"],
  drop_fumble: ["character", "scene", "situation"],
};
const HIDDEN = ["countdown", "clock", "scene", "situation", "roll", "check", "character"];

/** @param {T.Part} part */
const isOpposing = (part) => part.side === "opposing";

/** @param {T.Check} check */
const leaderOf = (check) => /** @type {T.Part} */ (check.parts.find((part) => part.side === "acting"));

/** @param {number} sum @param {T.Bonus} bonus */
const addDice = (sum, bonus) => sum + bonus.dice;

/** Return the ventures that a part claims, as far as the views have them. */
function claimed(/** @type {Facts} */ facts, /** @type {T.Part} */ { character_id: id, claims }) {
  /** @type {T.Bonus[]} */
  const bonuses = find(facts.views, "character", id)?.bonuses ?? [];
  return bonuses.filter((bonus) => claims?.includes(bonus.id ?? bonus.check_id));
}

/** Tell whether the rolled part is the part of the check's leader, if the views have the check. */
function leads(/** @type {Facts} */ facts, /** @type {any} */ rolled) {
  const check = find(facts.views, "check", rolled.check_id);
  return check === undefined || rolled.part.character_id === leaderOf(check).character_id;
}

/** Return the name of a thing's owner, unless the thing has the same name. */
function ownerName(/** @type {Facts} */ facts, /** @type {any} */ thing) {
  const name = thing.owner ? facts.worded("seat", thing.owner) : thing.name;
  return name === thing.name ? undefined : name;
}

/** Return the countdown that took a character out of play just before. */
function endedBy(/** @type {Facts} */ { record, views }, /** @type {any} */ { character_id: who }) {
  const before = toldBefore(views, /** @type {T.EventRecord} */ (record));
  for (const { event } of before.slice(0, JUST_BEFORE)) {
    if (event.type !== "countdown_expired" && event.type !== "countdown_repeated") continue;
    const countdown = find(views, "countdown", event.countdown_id);
    if (countdown?.fate && countdown.about === who) return countdown;
  }
}

/**
 * Return the challenge of a success that came too late, because its race was lost before.
 * @param {Pick<Facts, "record" | "views">} facts @param {any} event the event of the record
 * @returns {T.Challenge | undefined}
 */
export function tooLateFor({ record, views }, { check_id, total_id, result }) {
  const rolled = check_id ? find(views, "check", check_id) : find(views, "total", total_id);
  const challenge = find(views, "challenge", rolled?.effort ?? "");
  if (!challenge || (result && !won(result))) return undefined;
  const before = toldBefore(views, /** @type {T.EventRecord} */ (record));
  const { situation_id: race } = challenge;
  const lost = before.some(({ event }) => event.type === "situation_failed" && event.situation_id === race);
  return lost ? challenge : undefined;
}

/** Tell whether the acting side succeeded, and also won if there was a contest. @param {T.CheckResult} result */
function won({ acting: { outcome }, winner }) {
  return (outcome === "success" || outcome === "triumph") && (winner ?? "acting") === "acting";
}

/** Return the thing that was revealed or undone. */
function thing(/** @type {Facts} */ facts, /** @type {any} */ event) {
  if (!event.things) return find(facts.views, event.kind, event.id);
  return event.things[`${event.kind}s`].find((/** @type {any} */ { id }) => id === event.id);
}

// Names of things: from the views, or from recent records that started the things

/** By event type: the field with the thing that the event starts. @type {{ [type: string]: string }} */
const STARTS = {
  seat_joined: "seat",
  character_added: "character",
  countdown_started: "countdown",
  scene_opened: "scene",
  situation_started: "situation",
  challenge_added: "challenge",
  clock_started: "clock",
  effort_made: "effort",
  dice_rolled: "roll",
  check_proposed: "check",
  total_proposed: "total",
  consequence_attached: "consequence",
};

/**
 * Return a thing from the views, or from their recent records, because the thing may be undone by now.
 * @param {readonly View[]} views
 * @param {string} kind
 * @param {string} id
 * @returns {any}
 */
function find(views, kind, id) {
  const field = /** @type {keyof View} */ (`${kind}s`);
  const view = views.find((candidate) => /** @type {Things} */ (candidate[field]).has(id));
  if (view) return /** @type {Things} */ (view[field]).get(id);
  for (const record of remembered(views)) {
    const thing = started(record.event, kind);
    if (thing?.id === id) return thing;
  }
}

/** @param {any} event @param {string} kind */
const started = (event, kind) => (STARTS[event.type] === kind ? event[kind] : undefined);

/**
 * Return the name of a seat before it was renamed.
 * @param {readonly View[]} views
 * @param {T.EventRecord} record
 * @param {T.SeatRenamed} renamed
 * @returns {string | undefined}
 */
function nameBefore(views, record, { seat_id: id, name }) {
  for (const { event } of toldBefore(views, record)) {
    if (event.type === "seat_joined" && event.seat.id === id) return event.seat.name;
    if (event.type === "seat_renamed" && event.seat_id === id) return event.name;
  }
  const names = views.map((view) => view.seats.get(id)?.name);
  return names.find((earlier) => earlier !== undefined && earlier !== name);
}

/** Return the recent public records before a record, the latest first. @param {readonly View[]} views @param {T.EventRecord} record */
function toldBefore(views, record) {
  const records = record.channel === "public" ? remembered(views) : [];
  return records.filter(({ channel, seq }) => channel === "public" && seq < record.seq);
}

/** Return the recent records of the views, the latest first. @param {readonly View[]} views */
function remembered(views) {
  const parts = views.flatMap((view) => /** @type {Part[]} */ (Object.values(view.channels)));
  return parts.flatMap((part) => [...part.recent].reverse());
}

// Sentences as lines of plain text

const END = /[.!?]\u2069*$/;

/** Return a text as one plain line that ends with a full stop or similar. @param {string} text */
function finished(text) {
  const line = plain(text);
  return END.test(line) ? line : `${line}.`;
}

/** Begin a sentence with a capital, also within FSI. @param {string} sentence */
function begun(sentence) {
  return sentence.replace(/^\u2068?./u, (first) => first.toUpperCase());
}
