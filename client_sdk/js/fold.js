// @ts-check
/**
 * The fold: how each event changes a view.
 *
 * A fold copies values from the event and computes no rules. Folds never refuse: an event is a past fact. They do the same
 * as the folds in `dreadclock/wire/families/`. The transcripts in `tests/golden/transcripts/` test that.
 */

/**
 * @import * as T from "./dreadclock.types.js"
 * @import { Dictionary, Part, Things } from "./views.js"
 * @typedef {{ -readonly [field in keyof Part]?: any }} Changes fields of a channel's view and their new values
 * @typedef {(part: Part, event: any) => Changes} Fold
 */

import { text32, valueOf, witnessed } from "./ledger.js";
import {
  CHARACTERS_KEPT, CHECKS_KEPT, CLOCKS_KEPT, COUNTDOWNS_KEPT, FAMILIES, FIELDS, FOLDED, KINDS, LANES_KEPT, LANE_LENGTH,
  RECENT, ROLLS_KEPT, SCENES_KEPT, SITUATIONS_KEPT, TOTALS_KEPT,
} from "./limits.js";
import { proofOf } from "./rolled.js";
import { View, isDone } from "./views.js";

// The fold

/** An event names a thing that the view does not have. */
export class NotInView extends Error {}

/**
 * Return the view after another record of one of its channels. Throws NotInView.
 * @param {View} view
 * @param {T.EventRecord} record
 */
export function fold(view, record) {
  const part = /** @type {Part} */ (view.channels[record.channel]);
  const changes = FOLDS[record.event.type](part, record.event);
  const proof = proofOf(record.event);
  if (proof && part.lanes.has(proof.lane) && !changes.lanes) {
    Object.assign(changes, laneRolled({ ...part, ...changes }, proof));
  }
  changes.recent = [...part.recent.slice(1 - RECENT), record];
  return new View({ ...view.channels, [record.channel]: { ...part, ...changes } });
}

// What a view remembers: counts, used ids, and the latest ended things

const KIND = KINDS.join("|");
const SERVER_MADE = new RegExp(`^(?:(?:${KIND})-[0-9]+|gm-(?:${KIND})-[0-9a-f]{12}|.*-clock|.*-threat)$`);

/**
 * Count a new thing of its kind, and remember its id if a command chose it.
 * @param {Part} part
 * @param {string} kind
 * @param {string} [id]
 * @returns {Changes}
 */
function counted(part, kind, id) {
  const made = new Map(part.made).set(kind, (part.made.get(kind) ?? 0) + 1);
  return id === undefined || SERVER_MADE.test(id) ? { made } : { made, taken: [...part.taken, id] };
}

/**
 * Drop the oldest ended things, until at most `most` ended things are left.
 * @param {Things} things
 * @param {(thing: any) => boolean} ended
 * @param {number} most
 * @returns {Things}
 */
function latest(things, ended, most) {
  let over = [...things.values()].filter(ended).length - most;
  return dropped(things, (thing) => over > 0 && ended(thing) && over-- > 0);
}

/**
 * Which things are over, and how many of these a view keeps. Scenes and situations are handled separately. Sealed rolls are
 * counted apart from other rolls, so that they stay exactly as long as their public stubs.
 * @type {{ [field: string]: readonly [ended: (thing: any) => boolean, most: number][] }}
 */
const OVER = {
  characters: [[({ status }) => status === "dead" || status === "retired", CHARACTERS_KEPT]],
  countdowns: [[({ status }) => status === "expired" || status === "cancelled", COUNTDOWNS_KEPT]],
  clocks: [[(clock) => clock.kind === "free" && isDone(clock), CLOCKS_KEPT]],
  rolls: [
    [({ visibility }) => visibility === "sealed", ROLLS_KEPT],
    [({ visibility }) => visibility !== "sealed", ROLLS_KEPT],
  ],
  checks: [[({ status }) => status === "resolved", CHECKS_KEPT]],
  totals: [[({ status }) => status === "succeeded" || status === "failed", TOTALS_KEPT]],
};

/** Keep the active things, and the latest things that are over. @param {string} field @param {Things} things */
const remembered = (field, things) =>
  (OVER[field] ?? []).reduce((kept, [ended, most]) => latest(kept, ended, most), things);

// Things of a channel's view

/** Return a thing of a channel's view. Throws NotInView. @param {Part} part @param {Dictionary} field @param {string} id @returns {any} */
function thingIn(part, field, id) {
  const thing = part[field].get(id);
  if (thing === undefined) throw new NotInView(id);
  return thing;
}

/** @param {Part} part @param {Dictionary} field @param {string} id @param {object} changes @returns {Changes} */
function changed(part, field, id, changes) {
  return { [field]: withThing(part[field], { ...thingIn(part, field, id), ...changes }, id) };
}

/** @param {Things} things @param {any} thing @param {string} [id] @returns {Things} */
function withThing(things, thing, id = thing.id) {
  return new Map(things).set(id, thing);
}

/** @param {Things} things @param {(thing: any, id: string) => boolean} gone @returns {Things} */
function dropped(things, gone) {
  return new Map([...things].filter(([id, thing]) => !gone(thing, id)));
}

/** @param {Things} things @param {string} gone @returns {Things} */
function without(things, gone) {
  return dropped(things, (_, id) => id === gone);
}

/** @param {Things} seats @param {string} gone @returns {Things} the seats, without loans to a removed seat */
function givenBack(seats, gone) {
  return mapped(seats, (seat) => (seat.lent_to === gone ? { ...seat, lent_to: undefined } : seat));
}

/** @param {Things} things @param {(thing: any) => any} change @returns {Things} */
function mapped(things, change) {
  return new Map([...things].map(([id, thing]) => [id, change(thing)]));
}

/** Remove the lane of a hidden thing that will not be rolled again. @returns {Changes} */
function laneClosed(/** @type {Part} */ part, /** @type {string} */ kind, /** @type {string} */ id) {
  const label = `thing/${kind}/${id}`;
  return part.lanes.has(label) ? { lanes: without(part.lanes, label) } : {};
}

// Building blocks of folds, by name. The `FOLDS` of the families in Python say which events use them, with which arguments

/** @param {string} things such as `clocks`; an event then has a `clock`, or its `clock_id` */
const kindOf = (things) => things.slice(0, -1);
const idOf = (/** @type {string} */ things) => `${kindOf(things)}_id`;

/**
 * Return a function that returns the fields that an event changes. `copied`: fields to copy from the event, such as `value`,
 * `pool:remaining` (from another field) or `parts+part` (append). `given`: fixed values, and defaults of absent fields.
 * @param {string} [copied]
 * @param {{ [field: string]: any }} [given]
 * @returns {(thing: any, event: any) => any}
 */
const said = (copied = "", given = {}) => (thing, event) => {
  const changes = Object.fromEntries(Object.entries(given).map(([field, value]) => [field, value ?? undefined]));
  for (const [, field, sign, source] of copied.matchAll(/(\w+)([:+]?)(\w*)/g)) {
    const value = event[source || field] ?? changes[field];
    changes[field] = sign === "+" ? [...thing[field], value] : value;
  }
  return changes;
};

/**
 * Set fields of a thing.
 * @param {Dictionary} things
 * @param {string} [copied]
 * @param {object} [given]
 * @returns {Fold}
 */
const sets = (things, copied, given) => (part, event) => {
  const id = event[idOf(things)];
  return changed(part, things, id, said(copied, given)(thingIn(part, things, id), event));
};

/** Set fields of the view itself. @type {(copied?: string, given?: object) => Fold} */
const assigns = (copied, given) => said(copied, given);

/**
 * Set fields of a thing that ends, and move it to the last place. `forgets`: whether only the latest ended things are kept.
 * @param {Dictionary} things
 * @param {string} [copied]
 * @param {object} [given]
 * @param {boolean} [forgets]
 * @returns {Fold}
 */
const ends = (things, copied, given, forgets) => (part, event) => {
  const thing = thingIn(part, things, event[idOf(things)]);
  const after = { ...thing, ...said(copied, given)(thing, event) };
  const all = withThing(without(/** @type {Things} */ (part[things]), thing.id), after);
  return { [things]: forgets ? remembered(things, all) : all };
};

/** Put a thing into the view, in place of its earlier state. @param {Dictionary} things @returns {Fold} */
const puts = (things) => (part, event) => ({ [things]: withThing(part[things], event[kindOf(things)]) });

/** Add a thing. @param {Dictionary} things @returns {Fold} */
const adds = (things) => (part, event) => ({
  [things]: remembered(things, withThing(part[things], event[kindOf(things)])),
  ...counted(part, kindOf(things), event[kindOf(things)].id),
});

/** @param {Dictionary} things @returns {Fold} */
const drops = (things) => (part, event) => ({ [things]: without(part[things], event[idOf(things)]) });

/** @returns {Fold} */
const keeps = () => () => ({});

/** Remove the lane of the event's thing. @param {string} kind @returns {Fold} */
const closes = (kind) => (part, event) => laneClosed(part, kind, event[`${kind}_id`] ?? event[kind].id);

/** Close the open challenges of a situation that ended. @returns {Fold} */
const shuts = () => (part, event) => closed(part, new Set([event.situation_id]));

/** Combine several folds. @param {any[][]} rows @returns {Fold} */
const joins = (rows) => (part, event) => Object.assign({}, ...rows.map((row) => inWords(row)(part, event)));

/** @type {{ [word: string]: (...row: any[]) => Fold }} */
const WORDS = { sets, assigns, ends, puts, adds, drops, keeps, closes, shuts, joins };

/** @param {any[]} row @returns {Fold} */
const inWords = ([word, ...row]) => WORDS[word](...row);

// Families of things: a scene with its situations, a situation with its challenges, and their clocks

/**
 * The ids of a thing and of everything in it.
 * @typedef {{ [field in (typeof FIELDS)[number]]?: Set<string> }} Family
 */

/**
 * Return a thing and everything in it. `shown`: only the things that are revealed with it.
 * @param {Part} part @param {string} kind @param {string} id @param {boolean} [shown] @returns {Family}
 */
function familyOf(part, kind, id, shown = false) {
  const itself = new Set([id]);
  if (kind === "situation") return situated(part, itself, new Set());
  if (kind === "challenge") return challenged(part, new Set(), new Set(), itself);
  if (kind !== "scene") return { [`${kind}s`]: itself };
  return situated(part, idsOf(part.situations, (situation) => situation.scene_id === id && !(shown && situation.kept_back)), itself);
}

/** @param {Part} part @param {Set<string>} situations @param {Set<string>} scenes @returns {Family} */
function situated(part, situations, scenes) {
  const inside = idsOf(part.challenges, (challenge) => situations.has(challenge.situation_id));
  return challenged(part, scenes, situations, inside);
}

/**
 * @param {Part} part
 * @param {Set<string>} scenes
 * @param {Set<string>} situations
 * @param {Set<string>} challenges
 * @returns {Family}
 */
function challenged(part, scenes, situations, challenges) {
  const owners = new Set([...scenes, ...situations, ...challenges]);
  const clocks = idsOf(part.clocks, (clock) => owners.has(clock.of));
  const efforts = idsOf(part.efforts, (effort) => challenges.has(effort.challenge_id));
  return { scenes, situations, challenges, clocks, efforts };
}

/** @param {Things} things @param {(thing: any) => boolean} chosen */
function idsOf(things, chosen) {
  return new Set([...things.values()].filter(chosen).map(({ id }) => id));
}

/** Return the changes that remove a family from a channel's view. @returns {Changes} */
function withoutFamily(/** @type {Part} */ part, /** @type {Family} */ family) {
  /** @type {Changes} */
  const changes = {};
  for (const [field, ids] of Object.entries(family)) {
    const things = /** @type {Things} */ (part[/** @type {Dictionary} */ (field)]);
    if (ids.size) changes[/** @type {Dictionary} */ (field)] = dropped(things, (_, id) => ids.has(id));
  }
  return changes;
}

// The room, and plain rolls

/** @type {{ [type: string]: Fold }} */
const ROOM = {
  room_continued: continued,
  seat_joined: (part, { seat }) => ({ seats: withThing(part.seats, seat), ...counted(part, "seat") }),
  seat_removed: (part, { seat_id }) => ({
    seats: givenBack(without(part.seats, seat_id), seat_id),
    lanes: dropped(part.lanes, (lane) => lane.seat_id === seat_id),
    made: without(part.made, `lane/${seat_id}`),
    shown: without(part.shown, seat_id),
  }),
  lane_opened: laneOpened,
};

/** Add the things that a room takes over from another room. @type {Fold} */
function continued(part, { turn, carried }) {
  /** @type {Changes} */
  const changes = { turn, made: new Map([...part.made, ...Object.entries(carried.made)]) };
  for (const field of /** @type {Dictionary[]} */ ([...FIELDS, "totals", "secrets", "consequences"])) {
    const things = new Map(/** @type {Things} */ (part[field]));
    for (const thing of carried[field]) things.set(thing.id ?? thing.total_id, thing);
    changes[field] = things;
  }
  changes.taken = [...new Set([...part.taken, ...carried.taken])];
  return changes;
}

// Lanes

/** Add a lane. Removes the seat's used-up lanes, and its oldest lane with tokens if it has too many. @type {Fold} */
function laneOpened(part, { lane }) {
  if (lane.seat_id === undefined) return { lanes: withThing(part.lanes, lane, lane.label) };
  const mine = [...part.lanes.values()].filter(({ seat_id }) => seat_id === lane.seat_id);
  const usable = mine.filter(({ used, anchor }) => used < LANE_LENGTH && anchor !== undefined);
  const closed = mine.filter(({ used }) => used >= LANE_LENGTH);
  if (lane.anchor !== undefined) closed.push(...usable.slice(0, Math.max(0, usable.length + 1 - LANES_KEPT)));
  const lanes = dropped(part.lanes, (other) => closed.includes(other));
  const fresh = { ...lane, tokens_before: part.made.get("token") ?? 0 };
  return { lanes: withThing(lanes, fresh, lane.label), ...counted(part, `lane/${lane.seat_id}`) };
}

/** Add the lane of a sealed thing, so that it collects witnesses. Removes the lanes of forgotten things. */
function sealedLanes(/** @type {Part} */ part, /** @type {Things} */ sealed, /** @type {T.Sealed} */ thing) {
  const gone = [...part.sealed].filter(([id]) => !sealed.has(id)).map(([, forgotten]) => forgotten.lane);
  const lanes = dropped(part.lanes, (_, label) => gone.includes(label));
  const { lane: label, key, seat_id: started_by } = thing;
  if (label === undefined || key === undefined || started_by === undefined) return lanes;
  const counts = { used: 0, witnesses: 0, next_witnesses: 0, tokens_before: part.made.get("token") ?? 0 };
  return withThing(lanes, { label, started_by, key, ...counts, tokens: [] }, label);
}

/**
 * Count a roll in its lane, and fold its token into the witness of other seats' lanes.
 * @param {Part} part
 * @param {T.RollProof} proof
 * @returns {Changes}
 */
function laneRolled(part, proof) {
  const before = thingIn(part, "lanes", proof.lane);
  const { token = before.token, n: used } = proof;
  const next = { next_witness: before.witness, next_witnesses: before.witnesses };
  const { lanes } = changed(part, "lanes", proof.lane, { used, token, ...next });
  const seat = before.seat_id;
  if (proof.token === undefined || seat === undefined) return { lanes };
  const counts = counted(part, "token");
  const last = part.shown.get(seat) ?? 0;
  for (const [label, lane] of lanes) {
    const whose = lane.seat_id ?? lane.started_by;
    const waits = whose !== undefined && whose !== seat && last <= lane.tokens_before;
    if (waits) lanes.set(label, { ...lane, ...witnessedBy(lane, proof.token) });
  }
  return { lanes, shown: withThing(part.shown, counts.made.get("token"), seat), ...counts };
}

/** Return a lane's witness after another token is folded in. @param {T.Lane} lane @param {string} token */
function witnessedBy({ witness, witnesses, tokens }, token) {
  const after = { witness: text32(witnessed(valueOf(witness), valueOf(token))), witnesses: witnesses + 1 };
  return tokens ? { ...after, tokens: [...tokens, token] } : after;
}

// Characters

/** Add, replace or remove a track of a character. @returns {Changes} */
function withTrack(
  /** @type {Part} */ part,
  /** @type {string} */ id,
  /** @type {string} */ name,
  /** @type {T.Track | undefined} */ track = undefined,
) {
  const { [name]: _, ...others } = thingIn(part, "characters", id).tracks;
  return changed(part, "characters", id, { tracks: track === undefined ? others : { ...others, [name]: track } });
}

/** @type {{ [type: string]: Fold }} */
const CHARACTERS = {
  effects_set: (part, { kind, id, effects, sixes_add }) =>
    changed(part, /** @type {Dictionary} */ (`${kind}s`), id, { effects, ...(sixes_add === undefined ? {} : { sixes_add }) }),
  crisis_described: (part, { character_id, crisis }) => {
    /** @type {T.Crisis[]} */
    const crises = thingIn(part, "characters", character_id).crises;
    const described = crises.map((other) => (other.total_id === crisis.total_id ? crisis : other));
    return changed(part, "characters", character_id, { crises: described });
  },
  track_set: (part, { character_id, track, value, most }) => withTrack(part, character_id, track, { value, most }),
  track_moved: (part, { character_id, track, value }) => {
    const { [track]: moved } = thingIn(part, "characters", character_id).tracks;
    return withTrack(part, character_id, track, { ...moved, value });
  },
  track_dropped: (part, { character_id, track }) => withTrack(part, character_id, track),
};

// Countdowns

/** @type {Fold} */
function countdownRolled(part, event) {
  const { faces, removed, physical, proof } = event;
  return changed(part, "countdowns", event.countdown_id, {
    pool: event.remaining,
    rolled_turn: event.turn,
    rolled_period: event.period,
    last_faces: faces,
    hidden_rolls: withHidden(part, event, { faces, removed, physical, proof, amended: false }),
  });
}

/** Add a roll to a hidden countdown's `rolls`. Rolls of other countdowns are in the public log. @returns {T.HiddenRoll[]} */
function withHidden(/** @type {Part} */ part, /** @type {any} */ { countdown_id }, /** @type {T.HiddenRoll} */ roll) {
  const { visibility, hidden_rolls } = thingIn(part, "countdowns", countdown_id);
  return visibility === "public" ? hidden_rolls : [...hidden_rolls, roll];
}

/** @type {Fold} */
function countdownRepeated(part, event) {
  const { pool, faces, proof } = event;
  const roll = { faces, removed: 0, physical: false, proof, pool, amended: false };
  const hidden_rolls = withHidden(part, event, roll);
  return changed(part, "countdowns", event.countdown_id, { pool, started_with: pool, hidden_rolls });
}

/** @type {Fold} */
function countdownAmended(part, event) {
  const { type, note, countdown_id, reason, ...said } = event;
  const before = thingIn(part, "countdowns", countdown_id);
  const { speed } = before;
  const roll = { faces: [], removed: 0, physical: false, pool: said.pool, amended: true };
  const hidden = withHidden(part, event, roll);
  const hidden_rolls = said.speed === speed ? hidden : hidden.map((earlier) => ({ ...earlier, speed: earlier.speed ?? speed }));
  const gone = { ending: undefined, owner: undefined, bound_id: undefined, about: undefined, fate: undefined };
  const stays = said.bound_to === before.bound_to && said.bound_id === before.bound_id;
  const fresh = stays ? {} : { rolled_period: 0 }; // with its new binding, it counts as not rolled yet
  return changed(part, "countdowns", countdown_id, { ...gone, repeats: undefined, ...said, ...fresh, hidden_rolls });
}

/** @type {{ [type: string]: Fold }} */
const COUNTDOWNS = {
  countdown_rolled: countdownRolled,
  countdown_repeated: countdownRepeated,
  countdown_amended: countdownAmended,
  turn_ended: (_, { turn }) => ({ turn: turn + 1 }),
};

// Scenes, situations, races and clocks

const NOT_OVER = new Set(["prepared", "open"]); // statuses of situations; scenes have only `open`

/** @param {Part} part @param {...(T.Clock | undefined)} clocks @returns {Things} */
function withClocks(part, ...clocks) {
  return clocks.reduce((all, clock) => (clock ? withThing(all, clock) : all), /** @type {Things} */ (part.clocks));
}

/**
 * Drop the oldest ended scenes or situations with their contents, until at most `most` ended ones are left.
 * @param {Part} part
 * @param {"scenes" | "situations"} field
 * @param {number} most
 * @returns {Part}
 */
function withRoomFor(part, field, most) {
  const ended = [.../** @type {Things} */ (part[field]).values()].filter(({ status }) => !NOT_OVER.has(status));
  const over = ended.slice(0, Math.max(0, ended.length - most));
  for (const { id } of over) part = { ...part, ...withoutFamily(part, familyOf(part, kindOf(field), id)) };
  return part;
}

/** @type {Fold} */
function sceneOpened(before, { scene, clock }) {
  const part = withRoomFor(before, "scenes", SCENES_KEPT);
  const { situations, challenges, efforts } = part;
  const scenes = withThing(part.scenes, scene);
  return { scenes, situations, challenges, efforts, clocks: withClocks(part, clock), ...counted(part, "scene", scene.id) };
}

/** @type {Fold} */
function situationStarted(before, { situation, clock, threat }) {
  const part = withRoomFor(before, "situations", SITUATIONS_KEPT);
  const { scenes, challenges } = part;
  const begun = situationBegun(part, { situation, threat });
  return { scenes, challenges, ...begun, clocks: withClocks(part, clock, threat), ...counted(part, "situation", situation.id) };
}

/** @type {Fold} */
function situationBegun(part, { situation, threat }) {
  return {
    situations: withThing(part.situations, situation),
    ...(threat && changed(part, "scenes", situation.scene_id, { threat_id: threat.id })),
    clocks: withClocks(part, threat),
  };
}

/**
 * Close the things with these ids and with a status that fits.
 * @param {Things} things @param {Set<string>} ids @param {(status: string) => boolean} fits
 */
function closedIn(things, ids, fits) {
  return mapped(things, (thing) => (ids.has(thing.id) && fits(thing.status) ? { ...thing, status: "closed" } : thing));
}

/**
 * Close the open challenges of situations that ended, and remove their waiting efforts.
 * @param {Part} part
 * @param {Set<string>} situations
 * @returns {Changes}
 */
function closed(part, situations) {
  const inside = idsOf(part.challenges, (challenge) => situations.has(challenge.situation_id));
  return {
    challenges: closedIn(part.challenges, inside, (status) => status === "open"),
    efforts: dropped(part.efforts, (effort) => inside.has(effort.challenge_id)),
  };
}

/** @type {Fold} */
function challengeOvercome(part, { challenge_id }) {
  return {
    ...changed(part, "challenges", challenge_id, { status: "overcome" }),
    efforts: dropped(part.efforts, (effort) => effort.challenge_id === challenge_id),
  };
}

/** @type {Fold} */
function sceneEnded(part, { scene_id, outcome }) {
  const inside = idsOf(part.situations, (situation) => situation.scene_id === scene_id);
  return {
    ...changed(part, "scenes", scene_id, { status: outcome }),
    situations: closedIn(part.situations, inside, (status) => NOT_OVER.has(status)),
    ...closed(part, inside),
  };
}

/** @type {Fold} */
function clockResized(part, { clock_id, size, value, typical }) {
  const resized = changed(part, "clocks", clock_id, { size, value });
  const scene = typical === undefined ? undefined : thingIn(part, "clocks", clock_id).of;
  return scene === undefined ? resized : { ...resized, ...changed(part, "scenes", scene, { typical }) };
}

/** @type {{ [type: string]: Fold }} */
const SCENES = {
  scene_opened: sceneOpened,
  situation_started: situationStarted,
  clock_resized: clockResized,
  challenge_overcome: challengeOvercome,
  scene_ended: sceneEnded,
  situation_begun: situationBegun,
  scene_turn_ended: (part, { scene_id, turn }) => changed(part, "scenes", scene_id, { turn: turn + 1 }),
};

// Checks

/** Return the changes of a check that replace the part of a character. @returns {{ parts: T.Part[] }} */
function partSet(/** @type {Part} */ part, /** @type {string} */ checkId, /** @type {string} */ id, /** @type {(part: T.Part) => T.Part} */ change) {
  /** @type {T.Part[]} */
  const parts = thingIn(part, "checks", checkId).parts;
  return { parts: parts.map((rolled) => (rolled.character_id === id ? change(rolled) : rolled)) };
}

/** @type {Fold} */
function costSet(part, { check_id, character_id: id, cost }) {
  return changed(part, "checks", check_id, id === undefined ? { cost } : partSet(part, check_id, id, (rolled) => ({ ...rolled, cost })));
}

/** @type {{ [type: string]: Fold }} */
const CHECKS = {
  check_rolled: (part, { check_id, part: rolled }) =>
    changed(part, "checks", check_id, { ...partSet(part, check_id, rolled.character_id, () => rolled), status: "rolling" }),
  cost_proposed: costSet,
  cost_answered: costSet,
  failure_settled: costSet,
};

// Totals and pushes

/** @type {Fold} */
function secretSet(part, { secret, forgotten }) {
  const needed = dropped(part.secrets, (_, id) => forgotten.includes(id));
  return { secrets: withThing(needed, secret, secret.total_id) };
}

/** @type {Fold} */
function luckPushed(part, { total_id, push, until = 0, odds }) {
  const { pushes } = thingIn(part, "totals", total_id);
  const { kept, total, enough } = push;
  const status = until ? "offered" : "rolled";
  const changes = { kept, total, enough, push_odds: odds, status, until, pushes: [...pushes, push] };
  return changed(part, "totals", total_id, changes);
}

/** @type {{ [type: string]: Fold }} */
const TOTALS = { secret_set: secretSet, luck_pushed: luckPushed };

// Sealed and hidden things: their start, their reveal, and undo

/** @type {Fold} */
function revealed(part, { kind, id, things }) {
  /** @type {Changes} */
  const changes = part.sealed.has(id) ? {} : counted(part, kind, id);
  changes.sealed = without(part.sealed, id);
  for (const field of FIELDS) {
    if (!things[field].length) continue;
    /** @type {Things} */
    let all = part[field];
    for (const thing of things[field]) all = withThing(all, thing);
    changes[field] = remembered(field, all); // revealed things count towards the limits of ended things
  }
  return { ...changes, ...laneClosed(part, kind, id) };
}

/** @type {Fold} */
function sealedStarted(part, { thing }) {
  const sealed = latest(withThing(part.sealed, thing), ({ kind }) => kind === "roll", ROLLS_KEPT);
  return { sealed, lanes: sealedLanes(part, sealed, thing), ...counted(part, thing.kind, thing.id) };
}

/** @type {{ [type: string]: Fold }} */
const SECRETS = {
  sealed_started: sealedStarted,
  revealed,
  made_public: (part, { kind, id }) => ({
    ...withoutFamily(part, familyOf(part, kind, id, true)),
    ...laneClosed(part, kind, id),
  }),
  cancelled: (part, { kind, id }) => withoutFamily(part, familyOf(part, kind, id)),
};

// Consequences

/** @type {{ [type: string]: Fold }} */
const CONSEQUENCES = {
  consequence_attached: (part, { consequence, dropped: gone }) => ({
    consequences: withThing(dropped(part.consequences, (_, id) => gone.includes(id)), consequence),
    ...counted(part, "consequence", consequence.id),
  }),
};

// Undoing a command

/** @type {Fold} */
function commandVoided(part, { restored }) {
  /** @type {Changes} */
  const changes = {};
  if (restored.policy !== undefined) changes.policy = restored.policy;
  if (restored.turn !== undefined) changes.turn = restored.turn;
  for (const family of FAMILIES) {
    const { [family]: things, removed: gone, places } = restored;
    const removed = gone[family] ?? [];
    if (things.length || removed.length) {
      changes[family] = asBefore(part[family], things, removed, places[family] ?? []);
    }
  }
  return changes;
}

/**
 * Restore things. Things in `places` go to their places, in order.
 * @param {Things} present
 * @param {any[]} things
 * @param {string[]} removed
 * @param {T.Place[]} places
 * @returns {Things}
 */
function asBefore(present, things, removed, places) {
  const moved = new Map(places.map(({ id, after }) => [id, after]));
  let all = dropped(present, (_, id) => removed.includes(id) || moved.has(id));
  for (const thing of things) {
    const id = thing.id ?? thing.total_id;
    all = moved.has(id) ? placed(all, id, thing, moved.get(id)) : withThing(all, thing, id);
  }
  return all;
}

/**
 * Put a thing right after the thing `after`, or first if there is no such thing.
 * @param {Things} things
 * @param {string} id
 * @param {any} thing
 * @param {string | undefined} after
 * @returns {Things}
 */
function placed(things, id, thing, after) {
  const pairs = [...things];
  const at = pairs.findIndex(([key]) => key === after) + 1;
  return new Map([...pairs.slice(0, at), [id, thing], ...pairs.slice(at)]);
}

/** @type {{ [type: string]: Fold }} */
const FOLDS = {
  ...Object.fromEntries(Object.entries(FOLDED).map(([type, row]) => [type, inWords(row)])),
  ...ROOM,
  ...CHARACTERS,
  ...COUNTDOWNS,
  ...SCENES,
  ...CHECKS,
  ...TOTALS,
  ...SECRETS,
  ...CONSEQUENCES,
  command_voided: commandVoided,
};
