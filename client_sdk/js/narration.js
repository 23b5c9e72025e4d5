// @ts-check
/**
 * Events in plain words: one sentence for each, in the language of a catalogue.
 *
 *     const catalogue = await (await fetch("narration.de.json")).json();
 *     const narrator = new Narrator("de", catalogue);
 *     narrator.told(record, room.view, viewBefore);
 *
 * The catalogues lie in `dreadclock/narration/`, and hold all the words; this is the twin of the Python files there.
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

/** Events that only keep the books: a story leaves them out. @type {ReadonlySet<string>} */
export const QUIET = new Set(["lane_opened", "made_public"]);

const TOKENS = new Set(["momentum", "interference"]);

/** Tell whether a story leaves an event out: it keeps the books, or the event after it says the same. @param {T.Event} event */
export function isQuiet(event) {
  return QUIET.has(event.type) || (event.type === "effect_chosen" && TOKENS.has(event.effect));
}

/** Tells records and refusals in a language; views give things their names, before or after a record. */
export class Narrator {
  #messages;

  /** @param {string} language @param {Templates} catalogue the templates of this language, each by its key */
  constructor(language, catalogue) {
    this.#messages = new Messages(language, catalogue);
  }

  /** The language that is told in, like `en`. */
  get language() {
    return this.#messages.language;
  }

  /**
   * Tell a record as one plain sentence, and after it the note of its command.
   * @param {T.EventRecord} record
   * @param {...(View | null | undefined)} views
   */
  sentence(record, ...views) {
    const { event } = record;
    const known = views.filter((view) => view !== null && view !== undefined);
    const isTold = isUnderstood(record) && this.#messages.has(`event.${event.type}`);
    const key = isTold ? `event.${event.type}` : "story.unknown";
    const facts = new Facts(this.#messages, record, known);
    const deed = begun(finished(this.#messages.text(key, event, facts)));
    const name = record.acted_for && facts.worded("seat", record.acted_for);
    const told = name ? this.#messages.text("story.acted_for", { name, told: deed }) : deed;
    return event.note ? this.#messages.text("story.note", { told, note: plain(event.note) }) : told;
  }

  /**
   * Tell a record as a sentence, marked where only the gm is told.
   * @param {T.EventRecord} record
   * @param {...(View | null | undefined)} views
   */
  told(record, ...views) {
    const told = this.sentence(record, ...views);
    return record.channel === "gm" ? this.#messages.text("story.gm_alone", { told }) : told;
  }

  /**
   * Say when a consequence or a fumble effect comes about, and what it does then.
   * @param {T.Consequence | T.FumbleDoes} consequence
   * @param {...View} views
   */
  follows(consequence, ...views) {
    const key = "effect" in consequence ? "story.fumble" : "story.follows";
    return begun(finished(this.#messages.text(key, consequence, new Facts(this.#messages, null, views))));
  }

  /**
   * Say why a command was refused: in this language, or else with the server's own sentence.
   * @param {string} code
   * @param {Details} details
   * @param {string} sentence
   */
  refusal(code, details, sentence) {
    const key = `refusal.${code}`;
    return this.#messages.has(key) ? begun(plain(this.#messages.text(key, details))) : sentence;
  }
}

// What sentences need to know of an event beside its fields

const JUST_BEFORE = 3; // records

/** @type {readonly string[]} */
const NAMED = ["seat", ...KINDS];

/** How templates read a record: its event, the things that it names by their ids, and what follows from both. */
class Facts extends Reading {
  #messages;

  /** @param {Messages} messages @param {T.EventRecord | null} record what is told, if it is one @param {View[]} views */
  constructor(messages, record, views) {
    super();
    this.#messages = messages;
    this.record = record;
    this.views = views;
  }

  /**
   * Return a field of an event or a thing, or what else is known of it under that name.
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
   * Name the thing of a kind that has this id: somebody as within a sentence, the warden, not The warden.
   * @override
   * @param {string} word
   * @param {any} value
   */
  worded(word, value) {
    if (!NAMED.includes(word) || typeof value !== "string") return super.worded(word, value);
    const one = value === NAMED_OPPONENT ? this.#opponent() : find(this.views, word, value);
    const isNamed = one && !(word === "seat" && value === GM_SEAT && one.name === UNNAMED_GM);
    const name = isNamed ? one.name : this.unknown(word, value);
    return word === "seat" || word === "character" ? this.#within(name) : name;
  }

  /** The part of the opponent without a sheet, in the check that the event is about. */
  #opponent() {
    const event = /** @type {any} */ (this.record?.event ?? {});
    const check = event.check ?? find(this.views, "check", event.check_id);
    return [event.part, ...(check?.parts ?? [])].find((part) => part?.name !== undefined);
  }

  /** Name what nobody knows another name of: Player 1, or its id. @param {string} kind @param {string} id */
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
  /** The part of the character whose check it is. */
  leader: (_, check) => leaderOf(check),
  /** Whether a contest waits for its other side. */
  unopposed: (_, check) => check.contest && !check.parts.some(isOpposing),
  /** Whether other dice remain than were rolled. */
  reduced: (_, roll) => String(roll.remaining) !== String(roll.faces),
  /** Whether the cap kept a plain roll from having a die more for each of its sixes. */
  capped: (_, { added, faces }) => added !== undefined && faces.filter((/** @type {number} */ face) => face === 6).length > added,
  /** The dice of ventures that are paid, or lost. */
  bonus_dice: (_, event) => (event.paid ?? event.lapsed).reduce(addDice, 0),
  /** The thing whose moment has consequences. */
  subject: (facts, { kind, id }) => find(facts.views, kind, id),
  /** The thing that a consequence's effect is on; where nobody knows it, its id alone. */
  target: (facts, { does, thing_id: id }) =>
    (TARGETS[does] ?? HIDDEN).map((kind) => find(facts.views, kind, id)).find((one) => one) ?? { id },
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

/** Of which kind of thing a command is told, where the type of its first event does not begin so. @type {{ [begins: string]: string }} */
const UNDONE = { race: "situation", round: "situation", state: "character", track: "character" };

/** Return the one thing of its kind that was changed, or made, by what was taken back. @param {Facts} facts @param {any} event */
function undone({ views }, { what, restored }) {
  const [begins] = what.split("_");
  const kind = UNDONE[begins] ?? begins;
  const made = (restored.removed[`${kind}s`] ?? []).map((/** @type {string} */ id) => find(views, kind, id));
  const found = [...(restored[`${kind}s`] ?? []), ...made].filter((one) => one?.name);
  return found.length === 1 ? found[0] : undefined;
}

/** Which kinds of things effects of consequences are on. @type {{ [does: string]: readonly string[] }} */
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

/** Return the ventures that a part claims, as far as anybody knows of them. */
function claimed(/** @type {Facts} */ facts, /** @type {T.Part} */ { character_id: id, claims }) {
  /** @type {T.Bonus[]} */
  const bonuses = find(facts.views, "character", id)?.bonuses ?? [];
  return bonuses.filter((bonus) => claims?.includes(bonus.id ?? bonus.check_id));
}

/** Tell whether the part that was rolled is its check's leader's, as far as anybody knows. */
function leads(/** @type {Facts} */ facts, /** @type {any} */ rolled) {
  const check = find(facts.views, "check", rolled.check_id);
  return check === undefined || rolled.part.character_id === leaderOf(check).character_id;
}

/** Name the owner of a thing, unless it is called the same. */
function ownerName(/** @type {Facts} */ facts, /** @type {any} */ thing) {
  const name = thing.owner ? facts.worded("seat", thing.owner) : thing.name;
  return name === thing.name ? undefined : name;
}

/** Return the countdown whose end, told just before, took a character out of play. */
function endedBy(/** @type {Facts} */ { record, views }, /** @type {any} */ { character_id: who }) {
  const before = toldBefore(views, /** @type {T.EventRecord} */ (record));
  for (const { event } of before.slice(0, JUST_BEFORE)) {
    if (event.type !== "countdown_expired" && event.type !== "countdown_repeated") continue;
    const countdown = find(views, "countdown", event.countdown_id);
    if (countdown?.fate && countdown.about === who) return countdown;
  }
}

/**
 * Return the challenge that a success did not reach any more, its race being lost before.
 * @param {Pick<Facts, "record" | "views">} facts @param {any} event the record's
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

/** Tell whether the acting side succeeded, and won where there was a contest. @param {T.CheckResult} result */
function won({ acting: { outcome }, winner }) {
  return (outcome === "success" || outcome === "triumph") && (winner ?? "acting") === "acting";
}

/** Return the thing that is revealed, or was taken back. */
function thing(/** @type {Facts} */ facts, /** @type {any} */ event) {
  if (!event.things) return find(facts.views, event.kind, event.id);
  return event.things[`${event.kind}s`].find((/** @type {any} */ one) => one.id === event.id);
}

// Names: from the views at hand, or from what they remember of a thing's start

/** Which field holds what an event starts. @type {{ [type: string]: string }} */
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
 * Find a thing in the first view that knows it, or among what the views remember: it may be taken back by now.
 * @param {readonly View[]} views
 * @param {string} kind
 * @param {string} id
 * @returns {any}
 */
function find(views, kind, id) {
  const field = /** @type {keyof View} */ (`${kind}s`);
  const view = views.find((one) => /** @type {Things} */ (one[field]).has(id));
  if (view) return /** @type {Things} */ (view[field]).get(id);
  for (const record of remembered(views)) {
    const thing = started(record.event, kind);
    if (thing?.id === id) return thing;
  }
}

/** @param {any} event @param {string} kind */
const started = (event, kind) => (STARTS[event.type] === kind ? event[kind] : undefined);

/**
 * Return how a seat was called before it was renamed.
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
  const known = views.map((view) => view.seats.get(id)?.name);
  return known.find((one) => one !== undefined && one !== name);
}

/** Return what everyone was told before a record, as far as it is remembered, backwards. @param {readonly View[]} views @param {T.EventRecord} record */
function toldBefore(views, record) {
  const known = record.channel === "public" ? remembered(views) : [];
  return known.filter(({ channel, seq }) => channel === "public" && seq < record.seq);
}

/** Go through the latest records, backwards. @param {readonly View[]} views */
function remembered(views) {
  const parts = views.flatMap((view) => /** @type {Part[]} */ (Object.values(view.channels)));
  return parts.flatMap((part) => [...part.recent].reverse());
}

// Sentences as lines of plain text

const END = /[.!?]\u2069*$/;

/** Return a text as one plain line that ends like a sentence. @param {string} text */
function finished(text) {
  const line = plain(text);
  return END.test(line) ? line : `${line}.`;
}

/** Begin a sentence with a capital, also within FSI. @param {string} sentence */
function begun(sentence) {
  return sentence.replace(/^\u2068?./u, (first) => first.toUpperCase());
}
