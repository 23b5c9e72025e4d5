// Written by scripts/generate_js_types.py: change the models, not this file.

/**
 * What is known of a field: whether it has to be there, what stands for it if it is not, and what it is made of.
 * @typedef {{ needed?: boolean, value?: any, of?: string, as?: "dict" | "map" }} Field
 * @typedef {{ [name: string]: Field }} Shape
 */

/** @type {Field} */
const needed = { needed: true };
/** @type {Field} */
const perhaps = {};
/** @type {(value: any) => Field} */
const or = (value) => ({ value });
/** @type {(of: string, field: Field) => Field} */
const part = (of, field) => ({ ...field, of });
/** @type {(of: string | undefined, field: Field) => Field} */
const dict = (of, field) => ({ ...field, of, as: "dict" });
/** @type {(of: string | undefined, field: Field) => Field} */
const map = (of, field) => ({ ...field, of, as: "map" });

/**
 * The parts of messages, by name.
 * @type {{ [name: string]: Shape }}
 */
export const MODELS = {
  Head: { seq: needed, hash: needed },
  Policy: { physical_dice: or("off"), check_approval: or("gm"), player_countdowns: or(true) },
  Seat: { id: needed, role: needed, name: needed, scopes: or([]) },
  Special: { name: needed, starred: or(false) },
  Bonus: { check_id: needed, dice: needed, benefits: needed, what: needed },
  Choice: { check_id: needed, instead_of: needed, offered: needed },
  Crisis: { total_id: needed, kind: needed, box: needed, description: perhaps },
  Character: { id: needed, name: needed, owner: perhaps, level: or(1), attributes: dict(undefined, or({})), specials: part("Special", or([])), reflex: perhaps, status: or("in_play"), momentum: or(false), interference: or(false), bonuses: part("Bonus", or([])), choices: part("Choice", or([])), crises: part("Crisis", or([])), crisis_due: perhaps },
  Stage: { at: needed, effect: needed },
  RollProof: { lane: needed, n: needed, start: or(0), key: perhaps, token: perhaps, witnesses: perhaps },
  HiddenRoll: { faces: needed, removed: needed, physical: or(false), proof: part("RollProof", perhaps) },
  Countdown: { id: needed, name: needed, pool: needed, speed: needed, stages: part("Stage", or([])), ending: perhaps, owner: perhaps, stabilizable: or(false), replenishable: or(false), bound_to: or("nothing"), visibility: or("public"), status: or("running"), started: needed, rolled_turn: or(0), last_faces: or([]), hidden_rolls: part("HiddenRoll", or([])) },
  Clock: { id: needed, kind: needed, name: needed, of: perhaps, size: needed, value: needed, direction: or("down"), owner: perhaps, visibility: or("public") },
  Scene: { id: needed, name: needed, clock_id: needed, threat_id: perhaps, typical: or(true), visibility: or("public"), status: or("open") },
  Situation: { id: needed, scene_id: needed, name: needed, kind: needed, content: needed, clock_id: needed, level: perhaps, difficulty: perhaps, visibility: or("public"), round: or(0), status: or("open"), outcome: perhaps },
  Challenge: { id: needed, situation_id: needed, name: needed, kind: needed, clock_id: needed, status: or("open") },
  Effort: { id: needed, challenge_id: needed, seat_id: needed, character_id: perhaps },
  Sealed: { kind: needed, id: needed, name: needed, seat_id: perhaps, lane: perhaps, key: perhaps },
  Roll: { id: needed, seat_id: needed, faces: needed, paid: or(0), name: perhaps, character_id: perhaps, purpose: or("other"), visibility: or("public"), physical: or(false), proof: part("RollProof", perhaps) },
  Venture: { level: needed, benefits: or("check"), beneficiary: perhaps, what: needed },
  PartRoll: { pool: needed, removed: needed, momentum: or(false), interference: or(false), paid: or(0), faces: needed, remaining: needed, outcome: needed, highest: perhaps, margin: needed, capped: or(false), physical: or(false), proof: part("RollProof", perhaps) },
  Part: { character_id: needed, side: or("acting"), score: needed, attribute: perhaps, bonus: or(0), penalty: or(0), venture: part("Venture", perhaps), claim: or(true), roll: part("PartRoll", perhaps) },
  CheckOdds: { fumble: needed, fail: needed, success: needed, triumph: needed, interference: needed, wins: perhaps, succeeds: perhaps },
  SideResult: { outcome: needed, highest: perhaps, margin: needed },
  CheckResult: { acting: part("SideResult", needed), opposing: part("SideResult", perhaps), winner: perhaps, decided_by: perhaps, deals: or([]), proof: part("RollProof", perhaps) },
  Cost: { stage: needed, cost: perhaps, terms: perhaps },
  Check: { id: needed, seat_id: needed, purpose: perhaps, parts: part("Part", needed), contest: or(false), stunts: or([]), fumble_effects: or([]), effort: perhaps, visibility: or("public"), status: or("ready"), odds: part("CheckOdds", perhaps), result: part("CheckResult", perhaps), cost: part("Cost", perhaps) },
  Tool: { name: needed, quality: needed },
  Push: { face: needed, kept: needed, total: needed, enough: needed, crisis: needed, physical: or(false), proof: part("RollProof", perhaps) },
  TotalOdds: { mean: needed, reaches: perhaps, reaches_pushing: perhaps },
  PushOdds: { crisis: needed, reaches: perhaps, reaches_pushing: perhaps },
  Total: { id: needed, seat_id: needed, character_id: needed, purpose: perhaps, score: needed, attribute: perhaps, tool: part("Tool", perhaps), special: part("Special", perhaps), pool: needed, effort: perhaps, status: or("ready"), required: perhaps, secret: or(false), crisis: perhaps, description: perhaps, faces: or([]), kept: or([]), total: or(0), enough: perhaps, pushes: part("Push", or([])), physical: or(false), proof: part("RollProof", perhaps), odds: part("TotalOdds", perhaps), push_odds: part("PushOdds", perhaps) },
  SecretRequired: { total_id: needed, required: needed, odds: part("TotalOdds", needed) },
  Lane: { label: needed, seat_id: perhaps, started_by: perhaps, anchor: perhaps, key: needed, used: or(0), token: perhaps, tokens_before: or(0), witness: perhaps, witnesses: or(0), tokens: perhaps, next_witness: perhaps, next_witnesses: or(0) },
  EventRecord: { v: or(1), channel: needed, seq: needed, at: needed, by: needed, after: perhaps, event: part("Event", needed) },
  ChannelView: { title: perhaps, closed: or(false), policy: part("Policy", or({"physical_dice": "off", "check_approval": "gm", "player_countdowns": true})), turn: or(1), seats: map("Seat", or({})), characters: map("Character", or({})), countdowns: map("Countdown", or({})), clocks: map("Clock", or({})), scenes: map("Scene", or({})), situations: map("Situation", or({})), challenges: map("Challenge", or({})), efforts: map("Effort", or({})), sealed: map("Sealed", or({})), rolls: map("Roll", or({})), checks: map("Check", or({})), totals: map("Total", or({})), secrets: map("SecretRequired", or({})), lanes: map("Lane", or({})), shown: map(undefined, or({})), made: map(undefined, or({})), taken: or([]), recent: part("EventRecord", or([])) },
  ViewParts: { channels: dict("ChannelView", needed) },
  Place: { id: needed, after: perhaps },
  Restored: { policy: part("Policy", perhaps), turn: perhaps, characters: part("Character", or([])), countdowns: part("Countdown", or([])), clocks: part("Clock", or([])), scenes: part("Scene", or([])), situations: part("Situation", or([])), challenges: part("Challenge", or([])), efforts: part("Effort", or([])), checks: part("Check", or([])), totals: part("Total", or([])), secrets: part("SecretRequired", or([])), removed: dict(undefined, or({})), places: dict("Place", or({})) },
  Origin: { room: needed, log_id: needed, seq: needed, hash: needed },
  Carried: { countdowns: part("Countdown", or([])), clocks: part("Clock", or([])), scenes: part("Scene", or([])), situations: part("Situation", or([])), challenges: part("Challenge", or([])), efforts: part("Effort", or([])), rolls: part("Roll", or([])), checks: part("Check", or([])), characters: part("Character", or([])), totals: part("Total", or([])), secrets: part("SecretRequired", or([])), made: dict(undefined, or({})), taken: or([]) },
  Things: { countdowns: part("Countdown", or([])), clocks: part("Clock", or([])), scenes: part("Scene", or([])), situations: part("Situation", or([])), challenges: part("Challenge", or([])), efforts: part("Effort", or([])), rolls: part("Roll", or([])), checks: part("Check", or([])) },
};

/**
 * The events, by type.
 * @type {{ [name: string]: Shape }}
 */
export const EVENTS = {
  room_opened: { note: perhaps, type: or("room_opened"), title: needed, policy: part("Policy", needed) },
  room_closed: { note: perhaps, type: or("room_closed") },
  policy_set: { note: perhaps, type: or("policy_set"), policy: part("Policy", needed) },
  seat_joined: { note: perhaps, type: or("seat_joined"), seat: part("Seat", needed) },
  seat_renamed: { note: perhaps, type: or("seat_renamed"), seat_id: needed, name: needed },
  seat_removed: { note: perhaps, type: or("seat_removed"), seat_id: needed, reason: needed },
  character_added: { note: perhaps, type: or("character_added"), character: part("Character", needed) },
  character_updated: { note: perhaps, type: or("character_updated"), character: part("Character", needed) },
  cancelled: { note: perhaps, type: or("cancelled"), kind: needed, id: needed, reason: needed },
  command_voided: { note: perhaps, type: or("command_voided"), first: needed, last: needed, what: needed, reason: needed, restored: part("Restored", needed) },
  room_continued: { note: perhaps, type: or("room_continued"), origin: part("Origin", needed), turn: needed, carried: part("Carried", needed) },
  lane_opened: { note: perhaps, type: or("lane_opened"), lane: part("Lane", needed) },
  dice_rolled: { note: perhaps, type: or("dice_rolled"), roll: part("Roll", needed) },
  sealed_started: { note: perhaps, type: or("sealed_started"), thing: part("Sealed", needed) },
  sealed_changed: { note: perhaps, type: or("sealed_changed"), kind: needed, id: needed, name: needed },
  revealed: { note: perhaps, type: or("revealed"), kind: needed, id: needed, things: part("Things", needed) },
  made_public: { note: perhaps, type: or("made_public"), kind: needed, id: needed },
  countdown_started: { note: perhaps, type: or("countdown_started"), countdown: part("Countdown", needed) },
  countdown_rolled: { note: perhaps, type: or("countdown_rolled"), countdown_id: needed, faces: needed, removed: needed, remaining: needed, turn: needed, physical: or(false), proof: part("RollProof", perhaps) },
  stage_reached: { note: perhaps, type: or("stage_reached"), countdown_id: needed, at: needed, effect: needed },
  stage_left: { note: perhaps, type: or("stage_left"), countdown_id: needed, at: needed },
  countdown_stabilized: { note: perhaps, type: or("countdown_stabilized"), countdown_id: needed },
  countdown_resumed: { note: perhaps, type: or("countdown_resumed"), countdown_id: needed },
  countdown_replenished: { note: perhaps, type: or("countdown_replenished"), countdown_id: needed, added: needed, remaining: needed },
  countdown_expired: { note: perhaps, type: or("countdown_expired"), countdown_id: needed, ending: perhaps },
  countdown_cancelled: { note: perhaps, type: or("countdown_cancelled"), countdown_id: needed, reason: perhaps },
  turn_ended: { note: perhaps, type: or("turn_ended"), turn: needed },
  scene_opened: { note: perhaps, type: or("scene_opened"), scene: part("Scene", needed), clock: part("Clock", needed) },
  scene_ended: { note: perhaps, type: or("scene_ended"), scene_id: needed, outcome: needed },
  situation_started: { note: perhaps, type: or("situation_started"), situation: part("Situation", needed), clock: part("Clock", needed), threat: part("Clock", perhaps) },
  situation_won: { note: perhaps, type: or("situation_won"), situation_id: needed },
  situation_resolved: { note: perhaps, type: or("situation_resolved"), situation_id: needed, how: needed },
  situation_failed: { note: perhaps, type: or("situation_failed"), situation_id: needed, reason: needed },
  situation_closed: { note: perhaps, type: or("situation_closed"), situation_id: needed },
  round_ended: { note: perhaps, type: or("round_ended"), situation_id: needed, round: needed },
  race_ended: { note: perhaps, type: or("race_ended"), situation_id: needed, outcome: needed, situation: needed, threat: needed, scene: needed },
  complication_introduced: { note: perhaps, type: or("complication_introduced"), situation_id: needed, text: needed },
  challenge_added: { note: perhaps, type: or("challenge_added"), challenge: part("Challenge", needed), clock: part("Clock", needed) },
  effort_made: { note: perhaps, type: or("effort_made"), effort: part("Effort", needed) },
  effort_ruled: { note: perhaps, type: or("effort_ruled"), effort_id: needed, challenge_id: needed, success: needed, amount: needed },
  challenge_overcome: { note: perhaps, type: or("challenge_overcome"), challenge_id: needed },
  clock_started: { note: perhaps, type: or("clock_started"), clock: part("Clock", needed) },
  clock_ticked: { note: perhaps, type: or("clock_ticked"), clock_id: needed, kind: needed, cause: needed, value: needed },
  clock_amended: { note: perhaps, type: or("clock_amended"), clock_id: needed, kind: needed, value: needed, reason: needed },
  check_proposed: { note: perhaps, type: or("check_proposed"), check: part("Check", needed) },
  check_adjusted: { note: perhaps, type: or("check_adjusted"), check: part("Check", needed) },
  check_resolved: { note: perhaps, type: or("check_resolved"), check_id: needed, result: part("CheckResult", needed) },
  check_withdrawn: { note: perhaps, type: or("check_withdrawn"), check_id: needed },
  help_joined: { note: perhaps, type: or("help_joined"), check_id: needed, part: part("Part", needed), status: needed, odds: part("CheckOdds", perhaps) },
  opposition_joined: { note: perhaps, type: or("opposition_joined"), check_id: needed, part: part("Part", needed), status: needed, odds: part("CheckOdds", perhaps) },
  check_rolled: { note: perhaps, type: or("check_rolled"), check_id: needed, part: part("Part", needed) },
  effects_offered: { note: perhaps, type: or("effects_offered"), character_id: needed, choice: part("Choice", needed), choices: part("Choice", needed) },
  effect_chosen: { note: perhaps, type: or("effect_chosen"), character_id: needed, check_id: needed, effect: needed, choices: part("Choice", needed) },
  momentum_gained: { note: perhaps, character_id: needed, check_id: needed, momentum: needed, interference: needed, type: or("momentum_gained") },
  momentum_spent: { note: perhaps, character_id: needed, check_id: needed, momentum: needed, interference: needed, type: or("momentum_spent") },
  interference_gained: { note: perhaps, character_id: needed, check_id: needed, momentum: needed, interference: needed, type: or("interference_gained") },
  interference_spent: { note: perhaps, character_id: needed, check_id: needed, momentum: needed, interference: needed, type: or("interference_spent") },
  venture_earned: { note: perhaps, type: or("venture_earned"), character_id: needed, bonus: part("Bonus", needed), bonuses: part("Bonus", needed) },
  venture_paid: { note: perhaps, type: or("venture_paid"), character_id: needed, into: needed, paid: part("Bonus", needed), bonuses: part("Bonus", needed) },
  venture_lapsed: { note: perhaps, type: or("venture_lapsed"), character_id: needed, lapsed: part("Bonus", needed), bonuses: part("Bonus", needed) },
  cost_proposed: { note: perhaps, type: or("cost_proposed"), check_id: needed, cost: part("Cost", needed) },
  cost_answered: { note: perhaps, type: or("cost_answered"), check_id: needed, cost: part("Cost", needed) },
  failure_settled: { note: perhaps, type: or("failure_settled"), check_id: needed, cost: part("Cost", needed) },
  total_proposed: { note: perhaps, type: or("total_proposed"), total: part("Total", needed) },
  total_adjusted: { note: perhaps, type: or("total_adjusted"), total: part("Total", needed) },
  total_withdrawn: { note: perhaps, type: or("total_withdrawn"), total_id: needed },
  required_set: { note: perhaps, type: or("required_set"), total_id: needed, required: perhaps, secret: or(false), crisis: perhaps, status: needed, enough: perhaps, odds: part("TotalOdds", needed) },
  secret_set: { note: perhaps, type: or("secret_set"), secret: part("SecretRequired", needed), forgotten: or([]) },
  required_revealed: { note: perhaps, type: or("required_revealed"), total_id: needed, required: needed, odds: part("TotalOdds", needed), push_odds: part("PushOdds", perhaps) },
  total_rolled: { note: perhaps, type: or("total_rolled"), total_id: needed, faces: needed, kept: needed, total: needed, enough: perhaps, physical: or(false), proof: part("RollProof", perhaps) },
  total_succeeded: { note: perhaps, type: or("total_succeeded"), total_id: needed },
  total_failed: { note: perhaps, type: or("total_failed"), total_id: needed, reason: needed },
  push_offered: { note: perhaps, type: or("push_offered"), total_id: needed, crisis: perhaps, description: perhaps, odds: part("PushOdds", needed) },
  luck_pushed: { note: perhaps, type: or("luck_pushed"), total_id: needed, push: part("Push", needed) },
  crisis_due: { note: perhaps, type: or("crisis_due"), character_id: needed, total_id: needed },
  crisis_suffered: { note: perhaps, type: or("crisis_suffered"), character_id: needed, crisis: part("Crisis", needed) },
  crisis_described: { note: perhaps, type: or("crisis_described"), character_id: needed, crisis: part("Crisis", needed) },
  character_died: { note: perhaps, type: or("character_died"), character_id: needed },
  character_retired: { note: perhaps, type: or("character_retired"), character_id: needed },
};

/**
 * What a server says, by type; of an events frame its first line.
 * @type {{ [name: string]: Shape }}
 */
export const FRAMES = {
  welcome: { type: or("welcome"), v: or(1), room: needed, log_id: needed, seat: needed, role: needed, session: needed, durability: needed, positions: dict("Head", needed), resumed: needed, view: part("ViewParts", perhaps) },
  ack: { type: or("ack"), n: needed, positions: dict(undefined, needed), events: dict(undefined, needed) },
  refused: { type: or("refused"), n: needed, code: needed, sentence: needed, details: dict(undefined, needed) },
  pending: { type: or("pending"), n: needed },
  reset: { type: or("reset"), reason: needed, log_id: needed, positions: dict("Head", needed), view: part("ViewParts", needed), differs: dict(undefined, perhaps) },
  presence: { type: or("presence"), here: dict(undefined, needed) },
  events: { type: or("events"), heads: dict("Head", needed) },
};
