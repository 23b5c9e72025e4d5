// Written by scripts/generate_js_types.py: change the models, not this file.
//
// Dictionaries in a view are Maps: objects would not keep the order of ids like `10`.

/** The role of a seat at the table. */
export type Role =
  | "gm"
  | "player"
  | "spectator"
  | "integration";

/** A numbered, hash-chained sequence of events. Everyone sees `public`. Only the gm and integrations with the scope `secrets` see `gm`. */
export type Channel =
  | "public"
  | "gm";

/** The end of a channel: the number of its last record, and the hash over all its records. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** Who may type in the faces of real dice. Source: rules.md E1. */
export type PhysicalDice =
  | "off"
  | "gm"
  | "everyone";

/** Whether the gm must approve checks and totals that others propose. OPEN: no approval is needed. */
export type CheckApproval =
  | "open"
  | "gm";

/** Who besides the gm may stabilize, resume and replenish countdowns. Source: rules.md A11. */
export type Care =
  | "gm"
  | "owner"
  | "players";

/** Whether the gm must approve a player's changes of a sheet. */
export type Sheets =
  | "gm"
  | "players";

/** How many special attributes may add dice to a total. Source: rules.md D11. */
export type Specials =
  | "one"
  | "several";

/** A room's house rules. */
export interface Policy {
  readonly physical_dice: PhysicalDice;
  readonly check_approval: CheckApproval;
  readonly player_countdowns: boolean;
  readonly care: Care;
  readonly sheets: Sheets;
  readonly specials: Specials;
}

/** What an integration's token allows beside reading. */
export type Scope =
  | "turns"
  | "secrets"
  | "narrate"
  | "clocks"
  | "countdowns"
  | "characters"
  | "rolls"
  | "act_for";

/** A place at the table. */
export interface Seat {
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly scopes: ReadonlyArray<Scope>;
  readonly lent_to?: string;
}

/** A special attribute. A starred special attribute counts twice. */
export interface Special {
  readonly name: string;
  readonly starred: boolean;
}

/** Whether a character is still in play. Only characters in play roll. Source: rules.md D7 and E6. */
export type CharacterStatus =
  | "in_play"
  | "dead"
  | "retired"
  | "left";

/** The kind of roll that a venture improves. */
export type Benefit =
  | "check"
  | "damage";

/** Dice from a successful venture. */
export interface Bonus {
  readonly check_id: string;
  readonly dice: number;
  readonly benefits: Benefit;
  readonly what: string;
  readonly id?: string;
  readonly declarer?: string;
}

/** What a character may gain by a check: momentum by a triumph, interference by a fumble. */
export type EffectKind =
  | "momentum"
  | "interference";

/** What an effect does. */
export type Does =
  | "tick"
  | "stabilize"
  | "resume"
  | "replenish"
  | "roll"
  | "start"
  | "take_off"
  | "leave"
  | "give_state"
  | "drop_state"
  | "move_track"
  | "give_token"
  | "set_fumble"
  | "drop_fumble"
  | "reveal"
  | "tell";

/** How a character leaves play. The third physical crisis makes a character die, the third mental crisis retire. */
export type Fate =
  | "dies"
  | "retires"
  | "leaves";

/** What the end of a countdown does to its character. Source: rules.md A9. */
export type CountdownFate =
  | "dies"
  | "leaves";

/** The speed of a countdown: it decides which faces leave the pool. The default is slow. */
export type Speed =
  | "slow"
  | "medium"
  | "fast";

/** An effect that happens when a countdown's pool falls to `at` dice or fewer. */
export interface Stage {
  readonly at: number;
  readonly effect: string;
}

/** The period at whose end a countdown is rolled. NOTHING: only commands and consequences roll it. */
export type BoundTo =
  | "turn"
  | "rounds"
  | "scene"
  | "nothing";

/** The number of dice with which a countdown starts again when its pool is empty. Source: rules.md A15. */
export type Repeats =
  | "same"
  | "d6";

/** Who sees a thing. Source: rules.md E4. */
export type Visibility =
  | "public"
  | "sealed"
  | "gm";

/** The fields of a new countdown that a consequence (an automatic effect) will start. */
export interface NewCountdown {
  readonly id?: string;
  readonly name: string;
  readonly pool?: number;
  readonly from_attribute?: string;
  readonly about?: string;
  readonly fate?: CountdownFate;
  readonly speed: Speed;
  readonly stages: ReadonlyArray<Stage>;
  readonly ending?: string;
  readonly owner?: string;
  readonly stabilizable: boolean;
  readonly replenishable: boolean;
  readonly bound_to: BoundTo;
  readonly bound_id?: string;
  readonly repeats?: Repeats;
  readonly visibility: Visibility;
}

/** An effect of a consequence. `does` decides which other fields it has. */
export interface Effect {
  readonly does: Does;
  readonly thing_id?: string;
  readonly by?: number;
  readonly fate?: Fate;
  readonly name?: string;
  readonly token?: EffectKind;
  readonly text?: string;
  readonly countdown?: NewCountdown;
  readonly do?: ReadonlyArray<Effect>;
}

/** What a fumble effect does when it happens, besides showing its text. Source: rules.md C26. */
export interface FumbleDoes {
  readonly effect: string;
  readonly do: ReadonlyArray<Effect>;
}

/** A choice of a character: one of the `offered` effects, or (with `or_token`) the token `instead_of`. */
export interface Choice {
  readonly check_id: string;
  readonly instead_of: EffectKind;
  readonly offered: ReadonlyArray<string>;
  readonly or_token: boolean;
  readonly does: ReadonlyArray<FumbleDoes>;
}

/** Stunts and fumble effects of a character, scene or situation. Source: rules.md C21 and C22. */
export interface StandingEffects {
  readonly stunts: ReadonlyArray<string>;
  readonly fumble_effects: ReadonlyArray<string>;
  readonly or_interference: ReadonlyArray<string>;
  readonly fumble_does: ReadonlyArray<FumbleDoes>;
}

/** The lasting result of a crisis: physical is an injury, mental a derangement. */
export type CrisisKind =
  | "physical"
  | "mental";

/** A permanent injury or derangement; it is never removed. Source: rules.md D8. */
export interface Crisis {
  readonly total_id?: string;
  readonly kind: CrisisKind;
  readonly box: number;
  readonly description?: string;
}

/** The part of a character that its player may write: level, attributes, special attributes and reflex. */
export interface Sheet {
  readonly level: number;
  readonly attributes: { readonly [key: string]: number };
  readonly specials: ReadonlyArray<Special>;
  readonly reflex?: number;
}

/** A number of a character that goes up and down: hits, wits, arrows. */
export interface Track {
  readonly value: number;
  readonly most: number;
}

/** A character of the story, with the scores for rolls. */
export interface Character {
  readonly id: string;
  readonly name: string;
  readonly owner?: string;
  readonly level: number;
  readonly attributes: { readonly [key: string]: number };
  readonly specials: ReadonlyArray<Special>;
  readonly reflex?: number;
  readonly status: CharacterStatus;
  readonly momentum: boolean;
  readonly interference: boolean;
  readonly bonuses: ReadonlyArray<Bonus>;
  readonly choices: ReadonlyArray<Choice>;
  readonly effects?: StandingEffects;
  readonly crises: ReadonlyArray<Crisis>;
  readonly crisis_due?: string;
  readonly newcomer?: true;
  readonly approved_level?: number;
  readonly proposed?: Sheet;
  readonly states: ReadonlyArray<string>;
  readonly tracks: { readonly [key: string]: Track };
  readonly visibility: Visibility;
  readonly made_by?: string;
}

/** The status of a countdown. */
export type CountdownStatus =
  | "running"
  | "stabilized"
  | "expired"
  | "cancelled";

/** The data from which anyone can recompute faces that the server rolled. */
export interface RollProof {
  readonly lane: string;
  readonly n: number;
  readonly start: number;
  readonly key?: string;
  readonly token?: string;
  readonly witnesses?: number;
}

/** A roll of a hidden countdown, or another change of its pool. Hidden rolls become public with the countdown. */
export interface HiddenRoll {
  readonly faces: ReadonlyArray<number>;
  readonly removed: number;
  readonly physical: boolean;
  readonly proof?: RollProof;
  readonly speed?: Speed;
  readonly pool?: number;
  readonly amended: boolean;
}

/** A dice pool that empties. */
export interface Countdown {
  readonly id: string;
  readonly name: string;
  readonly pool: number;
  readonly speed: Speed;
  readonly stages: ReadonlyArray<Stage>;
  readonly ending?: string;
  readonly owner?: string;
  readonly stabilizable: boolean;
  readonly replenishable: boolean;
  readonly bound_to: BoundTo;
  readonly bound_id?: string;
  readonly about?: string;
  readonly fate?: CountdownFate;
  readonly from_attribute?: string;
  readonly repeats?: Repeats;
  readonly visibility: Visibility;
  readonly status: CountdownStatus;
  readonly started: number;
  readonly started_with: number;
  readonly rolled_turn: number;
  readonly rolled_period: number;
  readonly last_faces: ReadonlyArray<number>;
  readonly hidden_rolls: ReadonlyArray<HiddenRoll>;
  readonly start_stage?: true;
  readonly made_by?: string;
}

/** What a clock measures. */
export type ClockKind =
  | "scene"
  | "situation"
  | "threat"
  | "challenge"
  | "free";

/** The direction of a clock: down to 0, or up to its size. */
export type Direction =
  | "down"
  | "up";

/** A numeric clock in the story. */
export interface Clock {
  readonly id: string;
  readonly kind: ClockKind;
  readonly name: string;
  readonly of?: string;
  readonly size: number;
  readonly value: number;
  readonly direction: Direction;
  readonly owner?: string;
  readonly visibility: Visibility;
  readonly made_by?: string;
}

/** The status of a scene. `unfinished`: it ended before its clock was empty. */
export type SceneStatus =
  | "open"
  | "success"
  | "unfinished";

/** The party's main objective. */
export interface Scene {
  readonly id: string;
  readonly name: string;
  readonly clock_id: string;
  readonly threat_id?: string;
  readonly typical: boolean;
  readonly turn: number;
  readonly visibility: Visibility;
  readonly status: SceneStatus;
  readonly aside: boolean;
  readonly effects?: StandingEffects;
  readonly sixes_add: boolean;
}

/** Whether a situation races against the threat clock. */
export type SituationKind =
  | "standard"
  | "race";

/** What a situation is about. */
export type Content =
  | "combat"
  | "exploration"
  | "social";

/** The difficulty of a race: it decides how many points the threat clock gets. */
export type Difficulty =
  | "hard"
  | "normal"
  | "easy";

/** The status of a situation. `closed`: it ended with its scene. */
export type SituationStatus =
  | "prepared"
  | "open"
  | "won"
  | "resolved"
  | "failed"
  | "closed";

/** How a race ended. */
export type RaceOutcome =
  | "success"
  | "partial_success"
  | "failure";

/** A part of a scene with its own clock and challenges. */
export interface Situation {
  readonly id: string;
  readonly scene_id: string;
  readonly name: string;
  readonly kind: SituationKind;
  readonly content: Content;
  readonly clock_id: string;
  readonly level?: number;
  readonly difficulty?: Difficulty;
  readonly visibility: Visibility;
  readonly round: number;
  readonly status: SituationStatus;
  readonly outcome?: RaceOutcome;
  readonly party?: ReadonlyArray<string>;
  readonly within?: string;
  readonly kept_back: boolean;
  readonly effects?: StandingEffects;
}

/** The kind of a challenge. In a race, efforts against a foe do not tick the threat clock. Source: rules.md B7. */
export type ChallengeKind =
  | "barrier"
  | "puzzle"
  | "foe";

/** The status of a challenge. `closed`: it ended with its situation. */
export type ChallengeStatus =
  | "open"
  | "overcome"
  | "closed";

/** A barrier, puzzle or foe. */
export interface Challenge {
  readonly id: string;
  readonly situation_id: string;
  readonly name: string;
  readonly kind: ChallengeKind;
  readonly clock_id: string;
  readonly status: ChallengeStatus;
}

/** An effort that waits for the gm's ruling. */
export interface Effort {
  readonly id: string;
  readonly challenge_id: string;
  readonly seat_id: string;
  readonly character_id?: string;
}

/** The kinds of things with an id. */
export type Kind =
  | "countdown"
  | "clock"
  | "scene"
  | "situation"
  | "challenge"
  | "effort"
  | "character"
  | "roll"
  | "check"
  | "total"
  | "consequence";

/** What everyone sees of a sealed thing. */
export interface Sealed {
  readonly kind: "countdown" | "clock" | "scene" | "situation" | "roll" | "check" | "character";
  readonly id: string;
  readonly name: string;
  readonly seat_id?: string;
  readonly lane?: string;
  readonly key?: string;
}

/** The purpose of a plain roll. */
export type RollPurpose =
  | "damage"
  | "other";

/** A plain roll: a roll of a pool that belongs to no countdown, check or total. */
export interface Roll {
  readonly id: string;
  readonly seat_id: string;
  readonly faces: ReadonlyArray<number>;
  readonly paid: number;
  readonly added?: number;
  readonly name?: string;
  readonly character_id?: string;
  readonly purpose: RollPurpose;
  readonly action: boolean;
  readonly within_id?: string;
  readonly visibility: Visibility;
  readonly physical: boolean;
  readonly proof?: RollProof;
}

/** A side of a contest: ACTING is the side of the check's character, OPPOSING the other side. */
export type Side =
  | "acting"
  | "opposing";

/** Dice that a character gives up in this check, for more dice in a later roll. Source: rules.md C. */
export interface Venture {
  readonly level: number;
  readonly benefits: Benefit;
  readonly beneficiary?: string;
  readonly what: string;
}

/** The outcome of a check. */
export type Outcome =
  | "fumble"
  | "fail"
  | "success"
  | "triumph";

/** The dice of one part of a check. */
export interface PartRoll {
  readonly pool: number;
  readonly removed: number;
  readonly momentum: boolean;
  readonly interference: boolean;
  readonly paid: number;
  readonly faces: ReadonlyArray<number>;
  readonly remaining: ReadonlyArray<number>;
  readonly outcome: Outcome;
  readonly highest?: number;
  readonly margin: number;
  readonly capped: boolean;
  readonly physical: boolean;
  readonly proof?: RollProof;
}

/** The status of a bargain over a failure. */
export type CostStage =
  | "proposed"
  | "accepted"
  | "refused"
  | "countered"
  | "applied"
  | "declined";

/** A payment by the proposer's own character: a `state` that the character gets, or a `track` (a number such as hits) that moves by `by`. */
export interface Payment {
  readonly state?: string;
  readonly track?: string;
  readonly by: number;
}

/** A bargain over a failure: if the cost is paid, the failure counts as a success. */
export interface Cost {
  readonly stage: CostStage;
  readonly cost?: string;
  readonly terms?: string;
  readonly pays: ReadonlyArray<Payment>;
}

/** One character's dice in a check. The first part of a side belongs to its leader. */
export interface Part {
  readonly character_id: string;
  readonly name?: string;
  readonly side: Side;
  readonly score: number;
  readonly attribute?: string;
  readonly bonus: number;
  readonly penalty: number;
  readonly venture?: Venture;
  readonly claim: boolean;
  readonly claims?: ReadonlyArray<string>;
  readonly roll?: PartRoll;
  readonly cost?: Cost;
}

/** The status of a check. */
export type CheckStatus =
  | "proposed"
  | "ready"
  | "rolling"
  | "resolved";

/** The exact chances of the acting side, with the dice of all its parts together. */
export interface CheckOdds {
  readonly fumble: string;
  readonly fail: string;
  readonly success: string;
  readonly triumph: string;
  readonly interference: string;
  readonly wins?: string;
  readonly succeeds?: string;
}

/** The result of the pooled dice of a side. */
export interface SideResult {
  readonly outcome: Outcome;
  readonly highest?: number;
  readonly margin: number;
}

/** What decides a contest. A criterion counts only if all earlier criteria are equal. */
export type DecidedBy =
  | "highest"
  | "count"
  | "reflex"
  | "deal";

/** The result of a check. All fields except `acting` belong to a contest. */
export interface CheckResult {
  readonly acting: SideResult;
  readonly opposing?: SideResult;
  readonly winner?: Side;
  readonly decided_by?: DecidedBy;
  readonly deals: ReadonlyArray<number>;
  readonly proof?: RollProof;
}

/** A roll for an outcome, by a character, several characters, or two sides. */
export interface Check {
  readonly id: string;
  readonly seat_id: string;
  readonly purpose?: string;
  readonly parts: ReadonlyArray<Part>;
  readonly contest: boolean;
  readonly stunts: ReadonlyArray<string>;
  readonly fumble_effects: ReadonlyArray<string>;
  readonly or_interference: ReadonlyArray<string>;
  readonly fumble_does: ReadonlyArray<FumbleDoes>;
  readonly within_id?: string;
  readonly standing: boolean;
  readonly effort?: string;
  readonly visibility: Visibility;
  readonly status: CheckStatus;
  readonly odds?: CheckOdds;
  readonly result?: CheckResult;
  readonly cost?: Cost;
  readonly made_by?: string;
}

/** A tool that helps with a task. `quality`: how many dice the tool adds. */
export interface Tool {
  readonly name: string;
  readonly quality: number;
}

/** The status of a total. */
export type TotalStatus =
  | "proposed"
  | "ready"
  | "rolled"
  | "offered"
  | "succeeded"
  | "failed";

/** A push: one more die. `kept` (one die of each number), `total` and `enough` are the values after it. */
export interface Push {
  readonly face: number;
  readonly kept: ReadonlyArray<number>;
  readonly total: number;
  readonly crisis: boolean;
  readonly enough?: boolean;
  readonly physical: boolean;
  readonly proof?: RollProof;
}

/** The exact mean and chances of a total. The chances are None if the required number is secret or not set. */
export interface TotalOdds {
  readonly mean: string;
  readonly reaches?: string;
  readonly reaches_pushing?: string;
}

/** Exact chances of a push. */
export interface PushOdds {
  readonly crisis: string;
  readonly reaches?: string;
  readonly reaches_pushing?: string;
}

/** A roll that counts each number once. The gm sets the sum to reach, or judges whether the sum is enough. */
export interface Total {
  readonly id: string;
  readonly seat_id: string;
  readonly character_id: string;
  readonly purpose?: string;
  readonly score: number;
  readonly attribute?: string;
  readonly tool?: Tool;
  readonly special?: Special;
  readonly more_specials: ReadonlyArray<Special>;
  readonly pool: number;
  readonly effort?: string;
  readonly status: TotalStatus;
  readonly required?: number;
  readonly secret: boolean;
  readonly crisis?: CrisisKind;
  readonly description?: string;
  readonly faces: ReadonlyArray<number>;
  readonly kept: ReadonlyArray<number>;
  readonly total: number;
  readonly enough?: boolean;
  readonly pushes: ReadonlyArray<Push>;
  readonly physical: boolean;
  readonly proof?: RollProof;
  readonly odds?: TotalOdds;
  readonly push_odds?: PushOdds;
  readonly until: number;
  readonly made_by?: string;
}

/** The secret number of a total, for the gm. It applies while the total is `secret`. */
export interface SecretRequired {
  readonly total_id: string;
  readonly required: number;
  readonly odds: TotalOdds;
}

/** The thing that triggers a consequence. */
export interface Subject {
  readonly kind: "countdown" | "clock" | "check" | "total" | "character";
  readonly id: string;
}

/** What must happen to a thing to trigger a consequence. */
export type When =
  | "stage"
  | "end"
  | "fumble"
  | "fail"
  | "success"
  | "triumph"
  | "won"
  | "lost"
  | "succeeded"
  | "failed"
  | "crisis";

/** The trigger of a consequence. `at`: for `stage`, the number of dice of the stage. */
export interface Moment {
  readonly when: When;
  readonly at?: number;
}

/** Effects that happen at a trigger. With the visibility `gm`, only the gm sees the consequence. */
export interface Consequence {
  readonly id: string;
  readonly of: Subject;
  readonly when: Moment;
  readonly do: ReadonlyArray<Effect>;
  readonly visibility: "public" | "gm";
}

/** A lane of the dice ledger: before its first roll, client and server commit to their secrets for all its rolls. */
export interface Lane {
  readonly label: string;
  readonly seat_id?: string;
  readonly started_by?: string;
  readonly anchor?: string;
  readonly key: string;
  readonly used: number;
  readonly token?: string;
  readonly tokens_before: number;
  readonly witness?: string;
  readonly witnesses: number;
  readonly tokens?: ReadonlyArray<string>;
  readonly next_witness?: string;
  readonly next_witnesses: number;
}

/** An event with its number in its channel. */
export interface EventRecord {
  readonly v: 1;
  readonly channel: Channel;
  readonly seq: number;
  readonly at: number;
  readonly by: string;
  readonly acted_for?: string;
  readonly after?: number;
  readonly event: Event;
}

/** The state of a channel, computed from its records alone. */
export interface ChannelView {
  readonly title?: string;
  readonly closed: boolean;
  readonly edition: number;
  readonly policy: Policy;
  readonly turn: number;
  readonly seats: ReadonlyMap<string, Seat>;
  readonly characters: ReadonlyMap<string, Character>;
  readonly countdowns: ReadonlyMap<string, Countdown>;
  readonly clocks: ReadonlyMap<string, Clock>;
  readonly scenes: ReadonlyMap<string, Scene>;
  readonly situations: ReadonlyMap<string, Situation>;
  readonly challenges: ReadonlyMap<string, Challenge>;
  readonly efforts: ReadonlyMap<string, Effort>;
  readonly sealed: ReadonlyMap<string, Sealed>;
  readonly rolls: ReadonlyMap<string, Roll>;
  readonly checks: ReadonlyMap<string, Check>;
  readonly totals: ReadonlyMap<string, Total>;
  readonly secrets: ReadonlyMap<string, SecretRequired>;
  readonly consequences: ReadonlyMap<string, Consequence>;
  readonly lanes: ReadonlyMap<string, Lane>;
  readonly shown: ReadonlyMap<string, number>;
  readonly made: ReadonlyMap<string, number>;
  readonly taken: ReadonlyArray<string>;
  readonly recent: ReadonlyArray<EventRecord>;
}

/** What a viewer sees: the state of each channel that the viewer may see. */
export interface ViewParts {
  readonly channels: { readonly [channel in Channel]?: ChannelView };
}

/** The answer to `hello`. */
export interface Welcome {
  readonly type: "welcome";
  readonly v: number;
  readonly room: string;
  readonly log_id: string;
  readonly seat: string;
  readonly role: Role;
  readonly session: string;
  readonly durability: string;
  readonly positions: { readonly [channel in Channel]?: Head };
  readonly resumed: boolean;
  readonly view?: ViewParts;
}

/** A command was applied, and is stored as durably as the welcome promised. */
export interface Ack {
  readonly type: "ack";
  readonly n: number;
  readonly positions: { readonly [channel in Channel]?: number };
  readonly events: { readonly [channel in Channel]?: readonly [number, number] };
}

/** The reason why a command or a REST call was refused. */
export type Code =
  | "bad_command"
  | "not_allowed"
  | "not_lent"
  | "not_available"
  | "room_closed"
  | "room_open"
  | "closed_long_ago"
  | "unknown"
  | "id_taken"
  | "id_reserved"
  | "too_many"
  | "gm_stays"
  | "looks_on"
  | "not_hidden"
  | "nothing_to_change"
  | "cannot_be_voided"
  | "changed_since"
  | "long_ago"
  | "physical_dice_off"
  | "wrong_faces"
  | "dice_lost"
  | "anchor_used"
  | "lane_used_up"
  | "slot_taken"
  | "bad_token"
  | "changed"
  | "not_running"
  | "not_stabilized"
  | "not_stabilizable"
  | "not_replenishable"
  | "already_rolled"
  | "other_turn"
  | "pool_too_large"
  | "stage_twice"
  | "pool_needed"
  | "about_needed"
  | "binding_unsaid"
  | "names_hidden"
  | "ended"
  | "level_needed"
  | "party_unknown"
  | "modifier_too_large"
  | "threat_spent"
  | "hidden_with_scene"
  | "race_in_the_open"
  | "race_kept_back"
  | "race_within"
  | "not_a_race"
  | "not_begun"
  | "begun"
  | "scene_aside"
  | "not_aside"
  | "outcome_changed"
  | "outcome_unexpected"
  | "not_free_standing"
  | "scene_clock"
  | "one_special"
  | "beyond_size"
  | "clock_too_large"
  | "clock_stands"
  | "threat_stands"
  | "place_needed"
  | "character_needed"
  | "party_twice"
  | "out_of_play"
  | "gone_for_good"
  | "has_not_left"
  | "has_left"
  | "state_held"
  | "beyond_track"
  | "third_at_entry"
  | "not_the_gms"
  | "crisis_waits"
  | "not_on_sheet"
  | "nothing_waits"
  | "score_needed"
  | "pool_out_of_range"
  | "not_approved"
  | "roll_stands"
  | "effort_hidden"
  | "no_such_moment"
  | "never_happens"
  | "secret_named"
  | "already_in_check"
  | "not_in_check"
  | "leader_stays"
  | "part_unsaid"
  | "already_opposed"
  | "opponent_needed"
  | "not_opposed"
  | "effects_alike"
  | "not_ready"
  | "already_claimed"
  | "no_choice"
  | "not_offered"
  | "not_failed"
  | "no_cost"
  | "not_agreed"
  | "cannot_pay"
  | "terms_needed"
  | "not_missed"
  | "no_offer"
  | "offer_stands"
  | "number_needed"
  | "not_rolled"
  | "required_stands"
  | "no_crisis"
  | "crisis_kind_needed"
  | "crisis_stands"
  | "duplicate"
  | "session_expired"
  | "out_of_order"
  | "rate_limited"
  | "unavailable"
  | "unsettled"
  | "bug"
  | "unauthorised"
  | "knock_answered"
  | "turned_away"
  | "knock_expired"
  | "bad_request";

/** A command was refused. `sentence`: the reason. `details`: the values in this sentence. */
export interface RefusedFrame {
  readonly type: "refused";
  readonly n: number;
  readonly code: Code;
  readonly sentence: string;
  readonly details: { readonly [key: string]: string | number };
}

/** The outcome of a command is not known yet, because the store is slow. */
export interface Pending {
  readonly type: "pending";
  readonly n: number;
}

/** Why a client has to start from a fresh view. */
export type ResetReason =
  | "too_old"
  | "forked"
  | "asked";

/** The whole view, in place of the view that the client has. */
export interface Reset {
  readonly type: "reset";
  readonly reason: ResetReason;
  readonly log_id: string;
  readonly positions: { readonly [channel in Channel]?: Head };
  readonly view: ViewParts;
  readonly differs?: { readonly [channel in Channel]?: number };
}

/** Who is connected: each seat, and the number of its connections. Not part of the log. */
export interface Presence {
  readonly type: "presence";
  readonly here: { readonly [key: string]: number };
}

/** Somebody who asks for a seat and waits for the gm's answer. `name` and `client` are not verified. */
export interface WaitingKnock {
  readonly knock: string;
  readonly name: string;
  readonly wants: "player" | "spectator" | "integration";
  readonly client?: string;
  readonly code: string;
  readonly expires_at: number;
  readonly resembles?: string;
}

/** All waiting knocks, for a gm whose hello asked for them. Not part of the log. */
export interface Knocks {
  readonly type: "knocks";
  readonly waiting: ReadonlyArray<WaitingKnock>;
}

/** A heartbeat, every 20 s, for a client whose hello asked for it. Any other frame counts as a heartbeat, too. */
export interface Beat {
  readonly type: "beat";
}

/** The first line of an events frame: each channel's head after its records. */
export interface EventsHeader {
  readonly type: "events";
  readonly heads: { readonly [channel in Channel]?: Head };
}

/** A room was opened. `policy`: its house rules. `edition`: the edition of the rules. */
export interface RoomOpened {
  readonly note?: string;
  readonly type: "room_opened";
  readonly title: string;
  readonly policy: Policy;
  readonly edition: number;
}

/** A room continues under a newer edition of the rules; `edition` is the new edition. */
export interface EditionChanged {
  readonly note?: string;
  readonly type: "edition_changed";
  readonly edition: number;
}

/** A room was closed: it cannot be changed until it is opened again. */
export interface RoomClosed {
  readonly note?: string;
  readonly type: "room_closed";
}

/** A closed room was opened again. Nothing else changed. */
export interface RoomReopened {
  readonly note?: string;
  readonly type: "room_reopened";
}

/** The house rules changed; `policy` has all house rules after the change. */
export interface PolicySet {
  readonly note?: string;
  readonly type: "policy_set";
  readonly policy: Policy;
}

/** A seat was made. */
export interface SeatJoined {
  readonly note?: string;
  readonly type: "seat_joined";
  readonly seat: Seat;
}

/** A seat has another name. */
export interface SeatRenamed {
  readonly note?: string;
  readonly type: "seat_renamed";
  readonly seat_id: string;
  readonly name: string;
}

/** Why a seat was removed. */
export type Departure =
  | "removed"
  | "left";

/** A seat was removed, or its holder left. The seat's links and tokens no longer work. */
export interface SeatRemoved {
  readonly note?: string;
  readonly type: "seat_removed";
  readonly seat_id: string;
  readonly reason: Departure;
}

/** A player lent the seat `seat_id`. */
export interface SeatLent {
  readonly note?: string;
  readonly type: "seat_lent";
  readonly seat_id: string;
  readonly to: string;
}

/** A player no longer lends the seat `seat_id`: nobody may act for this player any more. */
export interface SeatTakenBack {
  readonly note?: string;
  readonly type: "seat_taken_back";
  readonly seat_id: string;
}

/** A character came into play. */
export interface CharacterAdded {
  readonly note?: string;
  readonly type: "character_added";
  readonly character: Character;
}

/** The part of a sheet that changed. */
export type SheetPart =
  | "level"
  | "attribute"
  | "special"
  | "reflex";

/** A difference between two sheets. */
export interface SheetChange {
  readonly what: SheetPart;
  readonly name?: string;
  readonly was?: number;
  readonly now?: number;
}

/** The sheet, name or owner of a character changed. `character`: the character after the change. */
export interface CharacterUpdated {
  readonly note?: string;
  readonly type: "character_updated";
  readonly character: Character;
  readonly changed?: ReadonlyArray<SheetChange>;
}

/** Somebody asked the gm to approve changes of a sheet. */
export interface SheetProposed {
  readonly note?: string;
  readonly type: "sheet_proposed";
  readonly character_id: string;
  readonly proposed?: Sheet;
  readonly changed?: ReadonlyArray<SheetChange>;
}

/** The gm approved a new character, or changes of a sheet. `character`: the approved character. */
export interface SheetApproved {
  readonly note?: string;
  readonly type: "sheet_approved";
  readonly character: Character;
  readonly changed?: ReadonlyArray<SheetChange>;
}

/** The gm refused the waiting changes of a sheet. `character`: the character without these changes. */
export interface SheetRefused {
  readonly note?: string;
  readonly type: "sheet_refused";
  readonly character: Character;
}

/** A character got a state. `states`: all states of the character now. */
export interface StateGained {
  readonly note?: string;
  readonly type: "state_gained";
  readonly character_id: string;
  readonly state: string;
  readonly states: ReadonlyArray<string>;
}

/** A state of a character ended. `states`: the remaining states of the character. */
export interface StateLost {
  readonly note?: string;
  readonly type: "state_lost";
  readonly character_id: string;
  readonly state: string;
  readonly states: ReadonlyArray<string>;
}

/** A character got a new track, or an existing track got other numbers. `most`: the maximum of `value`. */
export interface TrackSet {
  readonly note?: string;
  readonly type: "track_set";
  readonly character_id: string;
  readonly track: string;
  readonly value: number;
  readonly most: number;
}

/** A track of a character moved to `value`. */
export interface TrackMoved {
  readonly note?: string;
  readonly type: "track_moved";
  readonly character_id: string;
  readonly track: string;
  readonly value: number;
}

/** A character no longer has a track. */
export interface TrackDropped {
  readonly note?: string;
  readonly type: "track_dropped";
  readonly character_id: string;
  readonly track: string;
}

/** A character died, by the third physical crisis or otherwise. */
export interface CharacterDied {
  readonly note?: string;
  readonly type: "character_died";
  readonly character_id: string;
  readonly reason?: string;
}

/** A character retired for good, by the third mental crisis or otherwise. */
export interface CharacterRetired {
  readonly note?: string;
  readonly type: "character_retired";
  readonly character_id: string;
  readonly reason?: string;
}

/** A character left play and may come back. */
export interface CharacterLeft {
  readonly note?: string;
  readonly type: "character_left";
  readonly character_id: string;
  readonly reason?: string;
}

/** A character that had left play came back. */
export interface CharacterReturned {
  readonly note?: string;
  readonly type: "character_returned";
  readonly character_id: string;
  readonly reason?: string;
}

/** A thing that was started by mistake was cancelled, with everything in it. */
export interface Cancelled {
  readonly note?: string;
  readonly type: "cancelled";
  readonly kind: "scene" | "situation" | "challenge" | "clock";
  readonly id: string;
  readonly reason: string;
}

/** The place of a restored thing in its dictionary: right after the thing `after`, or first if that is None. */
export interface Place {
  readonly id: string;
  readonly after?: string;
}

/** The state that an undo restores in a channel's view: the things, house rules and turn that the command changed. */
export interface Restored {
  readonly policy?: Policy;
  readonly turn?: number;
  readonly characters: ReadonlyArray<Character>;
  readonly countdowns: ReadonlyArray<Countdown>;
  readonly clocks: ReadonlyArray<Clock>;
  readonly scenes: ReadonlyArray<Scene>;
  readonly situations: ReadonlyArray<Situation>;
  readonly challenges: ReadonlyArray<Challenge>;
  readonly efforts: ReadonlyArray<Effort>;
  readonly rolls: ReadonlyArray<Roll>;
  readonly checks: ReadonlyArray<Check>;
  readonly totals: ReadonlyArray<Total>;
  readonly secrets: ReadonlyArray<SecretRequired>;
  readonly consequences: ReadonlyArray<Consequence>;
  readonly removed: { readonly [key: string]: ReadonlyArray<string> };
  readonly places: { readonly [key: string]: ReadonlyArray<Place> };
}

/** An earlier command was undone: the command that caused the records `first` to `last` of this channel. */
export interface CommandVoided {
  readonly note?: string;
  readonly type: "command_voided";
  readonly first: number;
  readonly last: number;
  readonly what: string;
  readonly reason: string;
  readonly physical: boolean;
  readonly restored: Restored;
}

/** The outcome that a narration describes: a success or a failure that needed no roll. */
export type NarratedOutcome =
  | "success"
  | "failure";

/** Somebody wrote a text into the story. */
export interface Narrated {
  readonly note?: string;
  readonly type: "narrated";
  readonly text: string;
  readonly outcome?: NarratedOutcome;
}

/** The end of a channel in the earlier room's export: the number of its last record, and a hash over all records. */
export interface Origin {
  readonly room: string;
  readonly log_id: string;
  readonly seq: number;
  readonly hash: string;
}

/** The things that a channel takes over: all characters, and all other things that have not ended. */
export interface Carried {
  readonly countdowns: ReadonlyArray<Countdown>;
  readonly clocks: ReadonlyArray<Clock>;
  readonly scenes: ReadonlyArray<Scene>;
  readonly situations: ReadonlyArray<Situation>;
  readonly challenges: ReadonlyArray<Challenge>;
  readonly efforts: ReadonlyArray<Effort>;
  readonly rolls: ReadonlyArray<Roll>;
  readonly checks: ReadonlyArray<Check>;
  readonly characters: ReadonlyArray<Character>;
  readonly totals: ReadonlyArray<Total>;
  readonly secrets: ReadonlyArray<SecretRequired>;
  readonly consequences: ReadonlyArray<Consequence>;
  readonly made: { readonly [key: string]: number };
  readonly taken: ReadonlyArray<string>;
}

/** This new room continues an earlier room. Each channel of the imported export has this event. */
export interface RoomContinued {
  readonly note?: string;
  readonly type: "room_continued";
  readonly origin: Origin;
  readonly turn: number;
  readonly carried: Carried;
}

/** The server opened a lane: a series of 1,024 rolls for whose dice the server fixes secret keys now. */
export interface LaneOpened {
  readonly note?: string;
  readonly type: "lane_opened";
  readonly lane: Lane;
}

/** Dice were rolled that belong to no countdown, check or total. */
export interface DiceRolled {
  readonly note?: string;
  readonly type: "dice_rolled";
  readonly roll: Roll;
}

/** A sealed thing was started. */
export interface SealedStarted {
  readonly note?: string;
  readonly type: "sealed_started";
  readonly thing: Sealed;
}

/** A sealed thing may have changed, because a command was about this thing. `kind`: never `character`. */
export interface SealedChanged {
  readonly note?: string;
  readonly type: "sealed_changed";
  readonly kind: "countdown" | "clock" | "scene" | "situation" | "roll" | "check" | "character";
  readonly id: string;
  readonly name: string;
}

/** Things that are revealed together. */
export interface Things {
  readonly countdowns: ReadonlyArray<Countdown>;
  readonly clocks: ReadonlyArray<Clock>;
  readonly scenes: ReadonlyArray<Scene>;
  readonly situations: ReadonlyArray<Situation>;
  readonly challenges: ReadonlyArray<Challenge>;
  readonly efforts: ReadonlyArray<Effort>;
  readonly rolls: ReadonlyArray<Roll>;
  readonly checks: ReadonlyArray<Check>;
  readonly characters: ReadonlyArray<Character>;
}

/** A hidden thing was revealed to everyone, with everything in it. */
export interface Revealed {
  readonly note?: string;
  readonly type: "revealed";
  readonly kind: "countdown" | "clock" | "scene" | "situation" | "roll" | "check" | "character";
  readonly id: string;
  readonly things: Things;
}

/** A thing moved from the gm's channel to the public channel. The public event `revealed` has the thing. */
export interface MadePublic {
  readonly note?: string;
  readonly type: "made_public";
  readonly kind: "countdown" | "clock" | "scene" | "situation" | "roll" | "check" | "character";
  readonly id: string;
}

/** A countdown was started. */
export interface CountdownStarted {
  readonly note?: string;
  readonly type: "countdown_started";
  readonly countdown: Countdown;
}

/** A countdown was rolled: `removed` dice left the pool, and `remaining` dice are left. */
export interface CountdownRolled {
  readonly note?: string;
  readonly type: "countdown_rolled";
  readonly countdown_id: string;
  readonly faces: ReadonlyArray<number>;
  readonly removed: number;
  readonly remaining: number;
  readonly turn: number;
  readonly period: number;
  readonly physical: boolean;
  readonly proof?: RollProof;
}

/** A stage of a countdown happened: the pool fell to `at` dice or fewer, or started with `at` dice. */
export interface StageReached {
  readonly note?: string;
  readonly type: "stage_reached";
  readonly countdown_id: string;
  readonly at: number;
  readonly effect: string;
  readonly starts?: true;
}

/** A countdown has more than `at` dice again. Its stage at `at` dice can happen again. Source: rules.md A4. */
export interface StageLeft {
  readonly note?: string;
  readonly type: "stage_left";
  readonly countdown_id: string;
  readonly at: number;
}

/** A countdown was stabilized: it is not rolled until it is resumed. */
export interface CountdownStabilized {
  readonly note?: string;
  readonly type: "countdown_stabilized";
  readonly countdown_id: string;
}

/** A stabilized countdown was resumed: it is rolled again. */
export interface CountdownResumed {
  readonly note?: string;
  readonly type: "countdown_resumed";
  readonly countdown_id: string;
}

/** `added` dice were added to a countdown, which has `remaining` dice now. */
export interface CountdownReplenished {
  readonly note?: string;
  readonly type: "countdown_replenished";
  readonly countdown_id: string;
  readonly added: number;
  readonly remaining: number;
}

/** A countdown's last die left its pool: the countdown is over. `ending`: what happens now. */
export interface CountdownExpired {
  readonly note?: string;
  readonly type: "countdown_expired";
  readonly countdown_id: string;
  readonly ending?: string;
}

/** The gm cancelled a countdown: it is over, and its ending does not happen. */
export interface CountdownCancelled {
  readonly note?: string;
  readonly type: "countdown_cancelled";
  readonly countdown_id: string;
  readonly reason?: string;
}

/** A turn ended; `turn` is its number, from 1. */
export interface TurnEnded {
  readonly note?: string;
  readonly type: "turn_ended";
  readonly turn: number;
}

/** The gm changed a countdown. `pool` and all following fields are the countdown's values now. */
export interface CountdownAmended {
  readonly note?: string;
  readonly type: "countdown_amended";
  readonly countdown_id: string;
  readonly reason: string;
  readonly pool: number;
  readonly speed: Speed;
  readonly stages: ReadonlyArray<Stage>;
  readonly ending?: string;
  readonly owner?: string;
  readonly stabilizable: boolean;
  readonly replenishable: boolean;
  readonly bound_to: BoundTo;
  readonly bound_id?: string;
  readonly about?: string;
  readonly fate?: CountdownFate;
  readonly repeats?: Repeats;
}

/** A countdown's last die left its pool. The `ending` happened, and the countdown began again. */
export interface CountdownRepeated {
  readonly note?: string;
  readonly type: "countdown_repeated";
  readonly countdown_id: string;
  readonly ending?: string;
  readonly pool: number;
  readonly faces: ReadonlyArray<number>;
  readonly proof?: RollProof;
}

/** A scene was opened. */
export interface SceneOpened {
  readonly note?: string;
  readonly type: "scene_opened";
  readonly scene: Scene;
  readonly clock: Clock;
}

/** A scene ended, with everything in it. */
export interface SceneEnded {
  readonly note?: string;
  readonly type: "scene_ended";
  readonly scene_id: string;
  readonly outcome: SceneStatus;
}

/** A situation of a scene was started, or prepared. Only the gm sees a prepared situation. */
export interface SituationStarted {
  readonly note?: string;
  readonly type: "situation_started";
  readonly situation: Situation;
  readonly clock: Clock;
  readonly threat?: Clock;
}

/** A situation was won, because its clock is empty. */
export interface SituationWon {
  readonly note?: string;
  readonly type: "situation_won";
  readonly situation_id: string;
}

/** The gm declared a situation resolved: it counts as won. `how`: what happened in the story. */
export interface SituationResolved {
  readonly note?: string;
  readonly type: "situation_resolved";
  readonly situation_id: string;
  readonly how: string;
}

/** Why a situation failed. */
export type SituationFailure =
  | "defeated"
  | "retreated"
  | "threat";

/** A situation failed; its scene continues. The `reason` is `threat` if the threat clock is empty. */
export interface SituationFailed {
  readonly note?: string;
  readonly type: "situation_failed";
  readonly situation_id: string;
  readonly reason: SituationFailure;
}

/** A hidden situation ended, because its public scene ended. */
export interface SituationClosed {
  readonly note?: string;
  readonly type: "situation_closed";
  readonly situation_id: string;
}

/** A round of a situation ended; `round` is its number, from 1. */
export interface RoundEnded {
  readonly note?: string;
  readonly type: "round_ended";
  readonly situation_id: string;
  readonly round: number;
}

/** A race ended. `situation`, `threat`, `scene`: the values of these three clocks at the end. */
export interface RaceEnded {
  readonly note?: string;
  readonly type: "race_ended";
  readonly situation_id: string;
  readonly outcome: RaceOutcome;
  readonly situation: number;
  readonly threat: number;
  readonly scene: number;
}

/** The gm introduced a complication into a situation or into a scene. */
export interface ComplicationIntroduced {
  readonly note?: string;
  readonly type: "complication_introduced";
  readonly situation_id?: string;
  readonly scene_id?: string;
  readonly text: string;
}

/** A prepared situation began. `situation`: the situation as it is now. */
export interface SituationBegun {
  readonly note?: string;
  readonly type: "situation_begun";
  readonly situation: Situation;
  readonly threat?: Clock;
}

/** A scene was set aside: nothing in it rolls or ticks until it is taken up again. */
export interface SceneSetAside {
  readonly note?: string;
  readonly type: "scene_set_aside";
  readonly scene_id: string;
}

/** A scene that was set aside continues. */
export interface SceneTakenUp {
  readonly note?: string;
  readonly type: "scene_taken_up";
  readonly scene_id: string;
}

/** A turn ended for one scene only. `turn`: its number in this scene, from 1. */
export interface SceneTurnEnded {
  readonly note?: string;
  readonly type: "scene_turn_ended";
  readonly scene_id: string;
  readonly turn: number;
}

/** A challenge was put into a situation. `clock`: the challenge's clock. */
export interface ChallengeAdded {
  readonly note?: string;
  readonly type: "challenge_added";
  readonly challenge: Challenge;
  readonly clock: Clock;
}

/** Somebody tried to overcome a challenge without a check or a total. */
export interface EffortMade {
  readonly note?: string;
  readonly type: "effort_made";
  readonly effort: Effort;
}

/** The gm ruled on an effort. `amount`: the points that the effort takes off the challenge; 0 if it failed. */
export interface EffortRuled {
  readonly note?: string;
  readonly type: "effort_ruled";
  readonly effort_id: string;
  readonly challenge_id: string;
  readonly success: boolean;
  readonly amount: number;
}

/** A challenge was overcome. */
export interface ChallengeOvercome {
  readonly note?: string;
  readonly type: "challenge_overcome";
  readonly challenge_id: string;
}

/** A free-standing clock was started. */
export interface ClockStarted {
  readonly note?: string;
  readonly type: "clock_started";
  readonly clock: Clock;
}

/** Why a clock moved or was resized. */
export type Cause =
  | "effort"
  | "round"
  | "challenge"
  | "situation"
  | "travel"
  | "rest"
  | "ruling"
  | "tick"
  | "complication"
  | "consequence"
  | "hidden";

/** A clock moved to `value`. `back`: whether the clock moved away from its end. */
export interface ClockTicked {
  readonly note?: string;
  readonly type: "clock_ticked";
  readonly clock_id: string;
  readonly kind: ClockKind;
  readonly cause: Cause;
  readonly value: number;
  readonly back?: true;
}

/** A clock got another size. `size`, `value`: its size and value now. */
export interface ClockResized {
  readonly note?: string;
  readonly type: "clock_resized";
  readonly clock_id: string;
  readonly kind: ClockKind;
  readonly cause: Cause;
  readonly size: number;
  readonly value: number;
  readonly typical?: boolean;
}

/** A clock was corrected: it was set to `value`. */
export interface ClockAmended {
  readonly note?: string;
  readonly type: "clock_amended";
  readonly clock_id: string;
  readonly kind: ClockKind;
  readonly value: number;
  readonly reason: string;
}

/** A check was proposed, with its odds. */
export interface CheckProposed {
  readonly note?: string;
  readonly type: "check_proposed";
  readonly check: Check;
}

/** The gm changed or approved a check. `check`: the check after the change. */
export interface CheckAdjusted {
  readonly note?: string;
  readonly type: "check_adjusted";
  readonly check: Check;
}

/** All parts of a check are rolled. `result`: the result of the check. */
export interface CheckResolved {
  readonly note?: string;
  readonly type: "check_resolved";
  readonly check_id: string;
  readonly result: CheckResult;
}

/** A check was withdrawn. */
export interface CheckWithdrawn {
  readonly note?: string;
  readonly type: "check_withdrawn";
  readonly check_id: string;
}

/** A helper joined a side of a check. */
export interface HelpJoined {
  readonly note?: string;
  readonly type: "help_joined";
  readonly check_id: string;
  readonly part: Part;
  readonly status: CheckStatus;
  readonly odds?: CheckOdds;
}

/** An opponent joined a check and leads its other side: the check is a contest now. */
export interface OppositionJoined {
  readonly note?: string;
  readonly type: "opposition_joined";
  readonly check_id: string;
  readonly part: Part;
  readonly status: CheckStatus;
  readonly odds?: CheckOdds;
}

/** A part of a check was rolled. `part`: the part with its roll. */
export interface CheckRolled {
  readonly note?: string;
  readonly type: "check_rolled";
  readonly check_id: string;
  readonly part: Part;
}

/** For a waiting check, the odds changed, or the venture dice that its rolls will use changed. */
export interface CheckOddsChanged {
  readonly note?: string;
  readonly type: "check_odds_changed";
  readonly check_id: string;
  readonly parts: ReadonlyArray<Part>;
  readonly odds?: CheckOdds;
}

/** After a triumph or a fumble, a character may choose one of the effects in `choice`. */
export interface EffectsOffered {
  readonly note?: string;
  readonly type: "effects_offered";
  readonly character_id: string;
  readonly choice: Choice;
  readonly choices: ReadonlyArray<Choice>;
}

/** The result of a triumph or a fumble was chosen. */
export interface EffectChosen {
  readonly note?: string;
  readonly type: "effect_chosen";
  readonly character_id: string;
  readonly check_id: string;
  readonly effect: string;
  readonly choices: ReadonlyArray<Choice>;
}

/** A fumble had only one possible effect. The effect happened instead of interference. */
export interface EffectHappened {
  readonly note?: string;
  readonly type: "effect_happened";
  readonly character_id: string;
  readonly check_id: string;
  readonly effect: string;
}

/** The stunts and fumble effects of a character, scene or situation changed. */
export interface EffectsSet {
  readonly note?: string;
  readonly type: "effects_set";
  readonly kind: "character" | "scene" | "situation";
  readonly id: string;
  readonly effects: StandingEffects;
  readonly sixes_add?: boolean;
}

/** A character gained momentum. */
export interface MomentumGained {
  readonly note?: string;
  readonly character_id: string;
  readonly check_id?: string;
  readonly momentum: boolean;
  readonly interference: boolean;
  readonly type: "momentum_gained";
}

/** A character rolled with momentum, which is spent now. */
export interface MomentumSpent {
  readonly note?: string;
  readonly character_id: string;
  readonly check_id?: string;
  readonly momentum: boolean;
  readonly interference: boolean;
  readonly type: "momentum_spent";
}

/** A character gained interference. */
export interface InterferenceGained {
  readonly note?: string;
  readonly character_id: string;
  readonly check_id?: string;
  readonly momentum: boolean;
  readonly interference: boolean;
  readonly type: "interference_gained";
}

/** A character rolled with interference, which is spent now. */
export interface InterferenceSpent {
  readonly note?: string;
  readonly character_id: string;
  readonly check_id?: string;
  readonly momentum: boolean;
  readonly interference: boolean;
  readonly type: "interference_spent";
}

/** A venture succeeded, so that a character gets dice for a later roll. `bonus`: these dice. */
export interface VentureEarned {
  readonly note?: string;
  readonly type: "venture_earned";
  readonly character_id: string;
  readonly bonus: Bonus;
  readonly bonuses: ReadonlyArray<Bonus>;
}

/** Venture dice of a character were added to the check or roll `into`. `paid`: these dice. */
export interface VenturePaid {
  readonly note?: string;
  readonly type: "venture_paid";
  readonly character_id: string;
  readonly into: string;
  readonly paid: ReadonlyArray<Bonus>;
  readonly bonuses: ReadonlyArray<Bonus>;
}

/** A character lost venture dice. `lapsed`: these dice. */
export interface VentureLapsed {
  readonly note?: string;
  readonly type: "venture_lapsed";
  readonly character_id: string;
  readonly lapsed: ReadonlyArray<Bonus>;
  readonly bonuses: ReadonlyArray<Bonus>;
}

/** A cost was proposed. If the cost is paid, a failed check counts as a success. */
export interface CostProposed {
  readonly note?: string;
  readonly check_id: string;
  readonly character_id?: string;
  readonly cost: Cost;
  readonly type: "cost_proposed";
}

/** The gm accepted or refused the proposed cost, or named other terms. */
export interface CostAnswered {
  readonly note?: string;
  readonly check_id: string;
  readonly character_id?: string;
  readonly cost: Cost;
  readonly type: "cost_answered";
}

/** The agreed cost was paid, and the check counts as a success; or the failure stands. */
export interface FailureSettled {
  readonly note?: string;
  readonly check_id: string;
  readonly character_id?: string;
  readonly cost: Cost;
  readonly type: "failure_settled";
}

/** A total was proposed, with its odds. */
export interface TotalProposed {
  readonly note?: string;
  readonly type: "total_proposed";
  readonly total: Total;
}

/** The gm changed or approved a total. `total`: the total after the change. */
export interface TotalAdjusted {
  readonly note?: string;
  readonly type: "total_adjusted";
  readonly total: Total;
}

/** A total was withdrawn. */
export interface TotalWithdrawn {
  readonly note?: string;
  readonly type: "total_withdrawn";
  readonly total_id: string;
}

/** The gm set the number that a total must reach. `required`: absent if the number is secret. */
export interface RequiredSet {
  readonly note?: string;
  readonly type: "required_set";
  readonly total_id: string;
  readonly required?: number;
  readonly secret: boolean;
  readonly crisis?: CrisisKind;
  readonly status: TotalStatus;
  readonly enough?: boolean;
  readonly odds: TotalOdds;
}

/** The gm set a secret number that a total must reach, or the odds of an earlier secret number changed. */
export interface SecretSet {
  readonly note?: string;
  readonly type: "secret_set";
  readonly secret: SecretRequired;
  readonly forgotten: ReadonlyArray<string>;
}

/** A secret number that a total must reach was revealed to everyone. */
export interface RequiredRevealed {
  readonly note?: string;
  readonly type: "required_revealed";
  readonly total_id: string;
  readonly required: number;
  readonly odds: TotalOdds;
  readonly push_odds?: PushOdds;
}

/** A total was rolled. `kept`: one die of each number. `total`: the sum of these dice. */
export interface TotalRolled {
  readonly note?: string;
  readonly type: "total_rolled";
  readonly total_id: string;
  readonly faces: ReadonlyArray<number>;
  readonly kept: ReadonlyArray<number>;
  readonly total: number;
  readonly enough?: boolean;
  readonly physical: boolean;
  readonly proof?: RollProof;
}

/** The gm judged whether a total is enough, without setting a number. */
export interface TotalJudged {
  readonly note?: string;
  readonly type: "total_judged";
  readonly total_id: string;
  readonly enough: boolean;
}

/** A total reached its number, or was judged to be enough. */
export interface TotalSucceeded {
  readonly note?: string;
  readonly type: "total_succeeded";
  readonly total_id: string;
}

/** Why a total failed. */
export type TotalFailure =
  | "stopped"
  | "crisis";

/** A total failed: somebody gave it up (`stopped`), or a push brought a crisis (`crisis`). */
export interface TotalFailed {
  readonly note?: string;
  readonly type: "total_failed";
  readonly total_id: string;
  readonly reason: TotalFailure;
}

/** The gm offered a push, or `until` pushes one after the other. */
export interface PushOffered {
  readonly note?: string;
  readonly type: "push_offered";
  readonly total_id: string;
  readonly crisis?: CrisisKind;
  readonly description?: string;
  readonly odds: PushOdds;
  readonly until: number;
}

/** A push was rolled. `until`: how many more pushes are still offered. */
export interface LuckPushed {
  readonly note?: string;
  readonly type: "luck_pushed";
  readonly total_id: string;
  readonly push: Push;
  readonly until: number;
  readonly odds?: PushOdds;
}

/** A push brought a crisis whose kind the gm must name. */
export interface CrisisDue {
  readonly note?: string;
  readonly type: "crisis_due";
  readonly character_id: string;
  readonly total_id: string;
}

/** A character suffered a crisis. */
export interface CrisisSuffered {
  readonly note?: string;
  readonly type: "crisis_suffered";
  readonly character_id: string;
  readonly crisis: Crisis;
}

/** The gm described a crisis. `crisis`: the crisis with its description. */
export interface CrisisDescribed {
  readonly note?: string;
  readonly type: "crisis_described";
  readonly character_id: string;
  readonly crisis: Crisis;
}

/** A consequence was attached. */
export interface ConsequenceAttached {
  readonly note?: string;
  readonly type: "consequence_attached";
  readonly consequence: Consequence;
  readonly dropped: ReadonlyArray<string>;
}

/** A consequence was removed: it cannot happen any more. */
export interface ConsequenceDetached {
  readonly note?: string;
  readonly type: "consequence_detached";
  readonly consequence_id: string;
}

/** A consequence was triggered. The events of its effects follow. */
export interface ConsequenceHappened {
  readonly note?: string;
  readonly type: "consequence_happened";
  readonly consequence_id?: string;
  readonly of?: Subject;
  readonly when?: Moment;
  readonly effect?: string;
}

/** A consequence shows `text`. `effect`: the fumble effect, if the text belongs to one. */
export interface ConsequenceTold {
  readonly note?: string;
  readonly type: "consequence_told";
  readonly consequence_id?: string;
  readonly text: string;
  readonly effect?: string;
}

/** Why an effect could not happen. */
export type SkipReason =
  | "gone"
  | "over"
  | "unchanged"
  | "cap"
  | "dice";

/** An effect of a consequence could not happen. */
export interface ConsequenceSkipped {
  readonly note?: string;
  readonly type: "consequence_skipped";
  readonly consequence_id?: string;
  readonly place: number;
  readonly reason: SkipReason;
  readonly effect?: string;
}

/** Why consequences stopped. */
export type StopReason =
  | "depth"
  | "events";

/** A command triggered too many consequences: the rest do not happen in this channel. */
export interface ConsequencesStopped {
  readonly note?: string;
  readonly type: "consequences_stopped";
  readonly reason: StopReason;
}

/** A token and its seat. The token is shown only here, because the server stores only its hash. */
export interface Grant {
  readonly seat_id: string;
  readonly token_id: string;
  readonly token: string;
  readonly link: string;
  readonly qr?: ReadonlyArray<string>;
}

/** The answer to `POST /api/rooms`. */
export interface RoomOpening {
  readonly room_id: string;
  readonly gm: Grant;
}

/** A link as a QR code, as in a `Grant`. `qr` is absent if the link is too long. */
export interface QrCode {
  readonly qr?: ReadonlyArray<string>;
}

/** The answer to a knock. Only the knocker may know `secret`. The gm sees the same `code`. */
export interface Knocking {
  readonly knock: string;
  readonly code: string;
  readonly secret: string;
  readonly expires_s: number;
}

/** The data of a token, for the gm. `made_by`: "operator" if the server's operator made it. */
export interface TokenInfo {
  readonly token_id: string;
  readonly seat_id: string;
  readonly role: Role;
  readonly scopes: ReadonlyArray<Scope>;
  readonly expires_at?: number;
  readonly created_at: number;
  readonly last_use?: number;
  readonly made_by?: "operator";
}

/** The size of a room's log, up to a second old. */
export interface RoomSize {
  readonly bytes: number;
  readonly limit_bytes?: number;
  readonly hidden_bytes: number;
  readonly hidden_limit_bytes?: number;
}

/** Addresses at which other devices may reach this server, the best first. */
export interface Addresses {
  readonly addresses: ReadonlyArray<string>;
  readonly start?: string;
}

/** A command that the caller may undo now: its records in a channel, and the seat that sent it. */
export interface Undoable {
  readonly channel: Channel;
  readonly first: number;
  readonly last: number;
  readonly by?: string;
}

/** A new link to a recap. */
export interface RecapGrant {
  readonly recap_id: string;
  readonly seq: number;
  readonly created_at: number;
  readonly link: string;
}

/** The data of a shared recap, for the gm. `seq`: the last public record in the recap. */
export interface SharedRecap {
  readonly recap_id: string;
  readonly seq: number;
  readonly created_at: number;
}

/** The status of a knock. */
export type KnockStatus =
  | "pending"
  | "seated"
  | "turned_away"
  | "expired";

/** The state of a knock. Only the knocker gets the `grant`. */
export interface KnockState {
  readonly state: KnockStatus;
  readonly expires_s?: number;
  readonly seat_id?: string;
  readonly role?: "player" | "spectator" | "integration";
  readonly grant?: Grant;
}

/** Change the room's house rules. Absent fields change nothing. */
export interface SetPolicy {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "set_policy";
  readonly physical_dice?: PhysicalDice | null;
  readonly check_approval?: CheckApproval | null;
  readonly player_countdowns?: boolean | null;
  readonly care?: Care | null;
  readonly sheets?: Sheets | null;
  readonly specials?: Specials | null;
}

/** Give a seat another name. */
export interface RenameSeat {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "rename_seat";
  readonly seat_id: string;
  readonly name: string;
}

/** Remove a seat from the table. The seat's tokens stop working at once. */
export interface RemoveSeat {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "remove_seat";
  readonly seat_id: string;
}

/** Give up the sender's own seat. */
export interface LeaveSeat {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "leave_seat";
}

/** Let the integration in the seat `to` act for the sender, with the sender's rights. */
export interface LendSeat {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "lend_seat";
  readonly to: string;
}

/** Take the sender's lent seat back: no integration may act for the sender any more. */
export interface TakeBackSeat {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "take_back_seat";
}

/** Close the room. From then on, the room can only be read. For 30 days, the gm can open it again. */
export interface CloseRoom {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "close_room";
}

/** Open a closed room again, at most 30 days after it was closed. Everything is as it was then. */
export interface ReopenRoom {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "reopen_room";
}

/** A special attribute. A starred special attribute counts twice. */
export interface SpecialGiven {
  readonly name: string;
  readonly starred?: boolean | null;
}

/** A crisis that a character enters play with. */
export interface EarlierCrisis {
  readonly kind: CrisisKind;
  readonly description?: string | null;
}

/** Bring a character into play. A player's new character belongs to that player. */
export interface AddCharacter {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "add_character";
  readonly id?: string | null;
  readonly name: string;
  readonly owner?: string | null;
  readonly level?: number | null;
  readonly attributes?: { readonly [key: string]: number } | null;
  readonly specials?: ReadonlyArray<SpecialGiven> | null;
  readonly reflex?: number | null;
  readonly crises?: ReadonlyArray<EarlierCrisis> | null;
  readonly visibility?: "public" | "gm" | null;
}

/** Change a character's sheet. Absent fields change nothing. */
export interface UpdateCharacter {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "update_character";
  readonly character_id: string;
  readonly name?: string | null;
  readonly owner?: string | null;
  readonly level?: number | null;
  readonly attributes?: { readonly [key: string]: number } | null;
  readonly specials?: ReadonlyArray<SpecialGiven> | null;
  readonly reflex?: number | null;
}

/** The sheet that the gm saw and approves. */
export interface ExpectedSheet {
  readonly level: number;
  readonly attributes?: { readonly [key: string]: number } | null;
  readonly specials?: ReadonlyArray<SpecialGiven> | null;
  readonly reflex?: number | null;
}

/** Approve a new character or the proposed changes of a sheet, or refuse the changes. */
export interface ApproveSheet {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "approve_sheet";
  readonly character_id: string;
  readonly approve?: boolean | null;
  readonly expect?: ExpectedSheet | null;
}

/** Give a character a state, such as "exhausted" or "on the ledge". */
export interface GiveState {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "give_state";
  readonly character_id: string;
  readonly state: string;
}

/** End a state of a character. */
export interface DropState {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "drop_state";
  readonly character_id: string;
  readonly state: string;
}

/** Give a character a track (a number such as hits), or replace a track of the same name. */
export interface SetTrack {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "set_track";
  readonly character_id: string;
  readonly track: string;
  readonly most: number;
  readonly value?: number | null;
}

/** Move a track of a character up, or down if `by` is negative. */
export interface MoveTrack {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "move_track";
  readonly character_id: string;
  readonly track: string;
  readonly by: number;
}

/** Remove a track from a character. */
export interface DropTrack {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "drop_track";
  readonly character_id: string;
  readonly track: string;
}

/** Let a character die, retire or leave. */
export interface TakeOutOfPlay {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "take_out_of_play";
  readonly character_id: string;
  readonly fate: Fate;
  readonly reason?: string | null;
}

/** Bring back a character who left. */
export interface ReturnToPlay {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "return_to_play";
  readonly character_id: string;
  readonly reason?: string | null;
}

/** Cancel a scene, situation, challenge or free-standing clock that was started by mistake. */
export interface Cancel {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "cancel";
  readonly thing_id: string;
  readonly reason: string;
}

/** Undo an earlier command. `seq` is the number of any record of this command in `channel`. */
export interface VoidCommand {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "void_command";
  readonly seq: number;
  readonly channel?: Channel | null;
  readonly reason: string;
  readonly public_reason?: string | null;
}

/** Write into the story without a roll. The gm may write for the gm alone, in the channel `gm`. */
export interface Narrate {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "narrate";
  readonly text: string;
  readonly outcome?: NarratedOutcome | null;
  readonly channel?: Channel | null;
}

/** The slot that a client uses for a roll by the server, and the slot's token if the lane has tokens. */
export interface DiceToken {
  readonly lane: string;
  readonly n: number;
  readonly token?: string | null;
  readonly seen: number;
}

/** Roll a pool of dice that belongs to no countdown, check or total. */
export interface RollDice {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly dice?: DiceToken | null;
  readonly faces?: ReadonlyArray<number> | null;
  readonly type: "roll_dice";
  readonly id?: string | null;
  readonly pool: number;
  readonly name?: string | null;
  readonly character_id?: string | null;
  readonly purpose?: RollPurpose | null;
  readonly claims?: ReadonlyArray<string> | null;
  readonly action?: boolean | null;
  readonly within_id?: string | null;
  readonly visibility?: Visibility | null;
}

/** Open a lane: a series of rolls for whose dice the client and the server fix their secrets now. */
export interface OpenLane {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "open_lane";
  readonly anchor: string;
}

/** Show everyone a hidden thing, with everything in it. */
export interface Reveal {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "reveal";
  readonly thing_id: string;
}

/** The fields of a new countdown in a command. By default, it is bound to the turn. */
export interface CountdownToStart {
  readonly id?: string | null;
  readonly name: string;
  readonly pool?: number | null;
  readonly from_attribute?: string | null;
  readonly about?: string | null;
  readonly fate?: CountdownFate | null;
  readonly speed?: Speed | null;
  readonly stages?: ReadonlyArray<Stage> | null;
  readonly ending?: string | null;
  readonly owner?: string | null;
  readonly stabilizable?: boolean | null;
  readonly replenishable?: boolean | null;
  readonly bound_to?: BoundTo | null;
  readonly bound_id?: string | null;
  readonly repeats?: Repeats | null;
  readonly visibility?: Visibility | null;
}

/** An effect in a command. Unlike in a stored effect, its countdown is bound to the turn by default. */
export interface NewEffect {
  readonly does: Does;
  readonly thing_id?: string | null;
  readonly by?: number | null;
  readonly fate?: Fate | null;
  readonly name?: string | null;
  readonly token?: EffectKind | null;
  readonly text?: string | null;
  readonly countdown?: CountdownToStart | null;
  readonly do?: ReadonlyArray<NewEffect> | null;
}

/** Start a countdown. */
export interface StartCountdown {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly id?: string | null;
  readonly name: string;
  readonly pool?: number | null;
  readonly from_attribute?: string | null;
  readonly about?: string | null;
  readonly fate?: CountdownFate | null;
  readonly speed?: Speed | null;
  readonly stages?: ReadonlyArray<Stage> | null;
  readonly ending?: string | null;
  readonly owner?: string | null;
  readonly stabilizable?: boolean | null;
  readonly replenishable?: boolean | null;
  readonly bound_to?: BoundTo | null;
  readonly bound_id?: string | null;
  readonly repeats?: Repeats | null;
  readonly visibility?: Visibility | null;
  readonly type: "start_countdown";
  readonly at_start?: ReadonlyArray<NewEffect> | null;
}

/** Roll a countdown's pool. A die leaves at 6; with medium speed also at 5, with fast speed also at 4 and 5. */
export interface RollCountdown {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly dice?: DiceToken | null;
  readonly faces?: ReadonlyArray<number> | null;
  readonly type: "roll_countdown";
  readonly countdown_id: string;
}

/** Stabilize a countdown that is `stabilizable`: it is not rolled until it is resumed. */
export interface StabilizeCountdown {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "stabilize_countdown";
  readonly countdown_id: string;
}

/** Resume a stabilized countdown: it is rolled again. */
export interface ResumeCountdown {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "resume_countdown";
  readonly countdown_id: string;
}

/** Add `dice` to a countdown that is `replenishable`, up to 60 dice in its pool. */
export interface ReplenishCountdown {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "replenish_countdown";
  readonly countdown_id: string;
  readonly dice: number;
}

/** End a countdown. Its `ending` does not happen. */
export interface CancelCountdown {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "cancel_countdown";
  readonly countdown_id: string;
  readonly reason?: string | null;
}

/** End the turn. Running countdowns bound to the turn or a scene are rolled, unless rolled in this turn already. */
export interface EndTurn {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly dice?: DiceToken | null;
  readonly faces?: ReadonlyArray<number> | null;
  readonly type: "end_turn";
  readonly scene_id?: string | null;
  readonly turn?: number | null;
}

/** Change a running or stabilized countdown. Absent fields change nothing. */
export interface AmendCountdown {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "amend_countdown";
  readonly countdown_id: string;
  readonly reason: string;
  readonly pool?: number | null;
  readonly speed?: Speed | null;
  readonly stages?: ReadonlyArray<Stage> | null;
  readonly ending?: string | null;
  readonly owner?: string | null;
  readonly stabilizable?: boolean | null;
  readonly replenishable?: boolean | null;
  readonly bound_to?: BoundTo | null;
  readonly bound_id?: string | null;
  readonly about?: string | null;
  readonly fate?: CountdownFate | null;
  readonly repeats?: Repeats | null;
  readonly clear?: ReadonlyArray<"owner" | "ending" | "about" | "fate" | "repeats"> | null;
}

/** Open a scene with its clock. */
export interface OpenScene {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "open_scene";
  readonly id?: string | null;
  readonly name: string;
  readonly clock: number;
  readonly sixes_add?: boolean | null;
  readonly visibility?: Visibility | null;
}

/** Let the party travel: the scene clock loses a point. */
export interface Travel {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "travel";
  readonly scene_id: string;
}

/** Let the party rest: the scene clock loses a point. */
export interface Rest {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "rest";
  readonly scene_id: string;
}

/** End a scene, with everything that is still open in it. */
export interface EndScene {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "end_scene";
  readonly scene_id: string;
  readonly expect?: { readonly [key: string]: RaceOutcome } | null;
}

/** Start a situation. A race needs a `level`. Without `difficulty`, the party's levels set the difficulty. */
export interface StartSituation {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "start_situation";
  readonly id?: string | null;
  readonly scene_id: string;
  readonly name: string;
  readonly kind: SituationKind;
  readonly content: Content;
  readonly clock: number;
  readonly level?: number | null;
  readonly party?: ReadonlyArray<string> | null;
  readonly party_levels?: ReadonlyArray<number> | null;
  readonly difficulty?: Difficulty | null;
  readonly visibility?: Visibility | null;
  readonly within?: string | null;
  readonly prepared?: boolean | null;
}

/** Declare a situation resolved by the story. The situation counts as won. */
export interface ResolveSituation {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "resolve_situation";
  readonly situation_id: string;
  readonly how: string;
}

/** Why the gm declares a situation failed. */
export type RetreatReason =
  | "defeated"
  | "retreated";

/** Declare a situation failed: everyone is defeated, or forced to retreat. */
export interface FailSituation {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "fail_situation";
  readonly situation_id: string;
  readonly reason: RetreatReason;
}

/** End a situation's round. Countdowns bound to its rounds are rolled, unless they were rolled in this round. */
export interface EndRound {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly dice?: DiceToken | null;
  readonly faces?: ReadonlyArray<number> | null;
  readonly type: "end_round";
  readonly situation_id: string;
}

/** The effect of a complication on a clock: enlarge the clock, then move it `by` points towards its end (negative: back). */
export interface ClockEffect {
  readonly clock_id: string;
  readonly by?: number | null;
  readonly enlarge?: number | null;
}

/** Introduce a complication (a setback), which may change a clock and start a countdown. */
export interface IntroduceComplication {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "introduce_complication";
  readonly situation_id?: string | null;
  readonly scene_id?: string | null;
  readonly text: string;
  readonly clock?: ClockEffect | null;
  readonly countdown?: CountdownToStart | null;
}

/** Begin a prepared situation. From now on, everyone who sees its scene sees the situation and everything in it. */
export interface BeginSituation {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "begin_situation";
  readonly situation_id: string;
  readonly party_levels?: ReadonlyArray<number> | null;
  readonly difficulty?: Difficulty | null;
}

/** Set a scene aside: nothing in it rolls or ticks until it is taken up again. */
export interface SetSceneAside {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "set_scene_aside";
  readonly scene_id: string;
}

/** Continue a scene that was set aside. */
export interface TakeUpScene {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "take_up_scene";
  readonly scene_id: string;
}

/** Add a challenge (a barrier, a puzzle or a foe) to a situation. */
export interface AddChallenge {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "add_challenge";
  readonly id?: string | null;
  readonly situation_id: string;
  readonly name: string;
  readonly kind: ChallengeKind;
  readonly clock?: number | null;
}

/** Attempt an effort against a challenge. The gm decides whether the effort succeeds. In a race, the threat clock ticks at once, except for an effort against a foe. */
export interface AttemptEffort {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "attempt_effort";
  readonly id?: string | null;
  readonly challenge_id: string;
  readonly character_id?: string | null;
  readonly success?: boolean | null;
  readonly amount?: number | null;
}

/** Decide whether an effort succeeds. A success takes `amount` points off the challenge's clock. */
export interface RuleEffort {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "rule_effort";
  readonly effort_id: string;
  readonly success: boolean;
  readonly amount?: number | null;
}

/** Declare a challenge overcome. */
export interface OvercomeChallenge {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "overcome_challenge";
  readonly challenge_id: string;
}

/** Start a free-standing clock. */
export interface StartClock {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "start_clock";
  readonly id?: string | null;
  readonly name: string;
  readonly size: number;
  readonly direction?: Direction | null;
  readonly owner?: string | null;
  readonly visibility?: Visibility | null;
}

/** Move a free-standing clock towards its end. The gm may move any clock `back`, except a threat clock. */
export interface TickClock {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "tick_clock";
  readonly clock_id: string;
  readonly by?: number | null;
  readonly back?: boolean | null;
}

/** Enlarge a clock, except a threat clock. */
export interface EnlargeClock {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "enlarge_clock";
  readonly clock_id: string;
  readonly by?: number | null;
}

/** Correct a clock's value. */
export interface AmendClock {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "amend_clock";
  readonly clock_id: string;
  readonly value: number;
  readonly reason: string;
}

/** Dice to give up in this check, for more dice in a later roll of the character `beneficiary` or the declarer. */
export interface NewVenture {
  readonly level: number;
  readonly benefits?: Benefit | null;
  readonly beneficiary?: string | null;
  readonly what: string;
}

/** Makes a roll an effort against a challenge. */
export interface EffortOn {
  readonly challenge_id: string;
}

/** Propose a check for a character. A `contest` cannot be rolled before somebody opposes it. */
export interface ProposeCheck {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly character_id: string;
  readonly score?: number | null;
  readonly attribute?: string | null;
  readonly bonus?: number | null;
  readonly penalty?: number | null;
  readonly venture?: NewVenture | null;
  readonly claim?: boolean | null;
  readonly claims?: ReadonlyArray<string> | null;
  readonly type: "propose_check";
  readonly id?: string | null;
  readonly purpose?: string | null;
  readonly contest?: boolean | null;
  readonly effort?: EffortOn | null;
  readonly within_id?: string | null;
  readonly visibility?: Visibility | null;
}

/** What a fumble effect does, in a command. Here countdowns are bound to the turn by default. */
export interface NewFumbleDoes {
  readonly effect: string;
  readonly do: ReadonlyArray<NewEffect>;
}

/** Change a check before its first roll, or approve it. */
export interface AdjustCheck {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "adjust_check";
  readonly check_id: string;
  readonly character_id?: string | null;
  readonly score?: number | null;
  readonly attribute?: string | null;
  readonly bonus?: number | null;
  readonly penalty?: number | null;
  readonly claims?: ReadonlyArray<string> | null;
  readonly remove?: string | null;
  readonly contest?: boolean | null;
  readonly stunts?: ReadonlyArray<string> | null;
  readonly fumble_effects?: ReadonlyArray<string> | null;
  readonly or_interference?: ReadonlyArray<string> | null;
  readonly fumble_does?: ReadonlyArray<NewFumbleDoes> | null;
  readonly standing?: boolean | null;
  readonly within_id?: string | null;
  readonly approve?: boolean | null;
}

/** Withdraw a check before its first roll. */
export interface WithdrawCheck {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "withdraw_check";
  readonly check_id: string;
}

/** Add a character's dice to a side of a check. */
export interface HelpCheck {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly character_id: string;
  readonly score?: number | null;
  readonly attribute?: string | null;
  readonly bonus?: number | null;
  readonly penalty?: number | null;
  readonly venture?: NewVenture | null;
  readonly claim?: boolean | null;
  readonly claims?: ReadonlyArray<string> | null;
  readonly type: "help_check";
  readonly check_id: string;
  readonly side?: Side | null;
}

/** Make a check a contest. The character becomes the leader of the other side. */
export interface OpposeCheck {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly character_id?: string | null;
  readonly score?: number | null;
  readonly attribute?: string | null;
  readonly bonus?: number | null;
  readonly penalty?: number | null;
  readonly venture?: NewVenture | null;
  readonly claim?: boolean | null;
  readonly claims?: ReadonlyArray<string> | null;
  readonly type: "oppose_check";
  readonly check_id: string;
  readonly name?: string | null;
}

/** Roll a part of a check: the part of `character_id`, or by default the sender's first part that is not rolled. */
export interface RollCheck {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly dice?: DiceToken | null;
  readonly faces?: ReadonlyArray<number> | null;
  readonly type: "roll_check";
  readonly check_id: string;
  readonly character_id?: string | null;
}

/** Choose the result of a triumph or a fumble: `momentum`, `interference`, or an offered stunt or fumble effect. */
export interface ChooseEffect {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "choose_effect";
  readonly check_id: string;
  readonly character_id: string;
  readonly effect: string;
}

/** Attach stunts and fumble effects to a character, a scene or a situation. Absent fields change nothing. */
export interface SetEffects {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "set_effects";
  readonly thing_id: string;
  readonly stunts?: ReadonlyArray<string> | null;
  readonly fumble_effects?: ReadonlyArray<string> | null;
  readonly or_interference?: ReadonlyArray<string> | null;
  readonly fumble_does?: ReadonlyArray<NewFumbleDoes> | null;
  readonly sixes_add?: boolean | null;
}

/** A payment by the proposer's own character: a `state` that the character gets, or a `track` (a number such as hits) that moves by `by`. */
export interface PaymentGiven {
  readonly state?: string | null;
  readonly track?: string | null;
  readonly by?: number | null;
}

/** Propose a cost. If the cost is paid, a character's failed, fumbled or lost roll in a check counts as success. */
export interface ProposeCost {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "propose_cost";
  readonly check_id: string;
  readonly character_id?: string | null;
  readonly cost: string;
  readonly pays?: ReadonlyArray<PaymentGiven> | null;
}

/** The gm's answer to a proposed cost. */
export type CostAnswer =
  | "accept"
  | "refuse"
  | "counter";

/** Answer a cost: `accept`, `refuse`, or `counter` with other `terms` and payments (`pays`). */
export interface AnswerCost {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "answer_cost";
  readonly check_id: string;
  readonly character_id?: string | null;
  readonly answer: CostAnswer;
  readonly terms?: string | null;
  readonly pays?: ReadonlyArray<PaymentGiven> | null;
}

/** Settle a failure in a check. If `apply` is true, pay the agreed cost; otherwise accept the failure. */
export interface SettleFailure {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "settle_failure";
  readonly check_id: string;
  readonly character_id?: string | null;
  readonly apply: boolean;
}

/** Propose a total for a character. */
export interface ProposeTotal {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "propose_total";
  readonly id?: string | null;
  readonly character_id: string;
  readonly attribute: string | number;
  readonly tool?: Tool | null;
  readonly special?: string | null;
  readonly more_specials?: ReadonlyArray<string> | null;
  readonly purpose?: string | null;
  readonly effort?: EffortOn | null;
}

/** Sources of dice beside an attribute. */
export type Aid =
  | "tool"
  | "special";

/** Change a total before it is rolled, or approve it. Absent fields change nothing. */
export interface AdjustTotal {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "adjust_total";
  readonly total_id: string;
  readonly attribute?: string | number | null;
  readonly tool?: Tool | null;
  readonly special?: string | null;
  readonly more_specials?: ReadonlyArray<string> | null;
  readonly without?: ReadonlyArray<Aid> | null;
  readonly approve?: boolean | null;
}

/** Withdraw a total before it is rolled. */
export interface WithdrawTotal {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "withdraw_total";
  readonly total_id: string;
}

/** Set the number that a total must reach, in public or in `secret`. The command also approves the total. */
export interface SetRequired {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "set_required";
  readonly total_id: string;
  readonly required: number;
  readonly secret?: boolean | null;
  readonly crisis?: CrisisKind | null;
}

/** Judge whether a rolled total is enough, if no number is set for it. After a push, the gm judges again. */
export interface JudgeTotal {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "judge_total";
  readonly total_id: string;
  readonly enough: boolean;
}

/** Roll a total. */
export interface RollTotal {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly dice?: DiceToken | null;
  readonly faces?: ReadonlyArray<number> | null;
  readonly type: "roll_total";
  readonly total_id: string;
}

/** Offer a push of a total that is too low: one more die, at the risk of a crisis. */
export interface OfferPush {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "offer_push";
  readonly total_id: string;
  readonly crisis?: CrisisKind | null;
  readonly description?: string | null;
  readonly until?: number | null;
}

/** Take the offered push: roll one more die, at the risk of a crisis. */
export interface PushLuck {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly dice?: DiceToken | null;
  readonly faces?: ReadonlyArray<number> | null;
  readonly type: "push_luck";
  readonly total_id: string;
}

/** Stop pushing a total that is too low: the total fails. */
export interface StopPushing {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "stop_pushing";
  readonly total_id: string;
}

/** Describe a crisis that has no description yet. */
export interface DescribeCrisis {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "describe_crisis";
  readonly total_id: string;
  readonly kind?: CrisisKind | null;
  readonly description: string;
}

/** Make effects happen by themselves at a trigger. A public consequence must not name hidden things. */
export interface AttachConsequence {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "attach_consequence";
  readonly id?: string | null;
  readonly of: Subject;
  readonly when: Moment;
  readonly do: ReadonlyArray<NewEffect>;
  readonly visibility?: "public" | "gm" | null;
}

/** Remove a consequence, even if it has happened before. */
export interface DetachConsequence {
  readonly note?: string | null;
  readonly act_for?: string | null;
  readonly type: "detach_consequence";
  readonly consequence_id: string;
}

/** The client's program and version. */
export interface Client {
  readonly name: string;
  readonly version?: string | null;
}

/** The first frame of a client: its token, and on a reconnect its session and positions. */
export interface Hello {
  readonly type: "hello";
  readonly v?: number | null;
  readonly token: string;
  readonly client?: Client | null;
  readonly session?: string | null;
  readonly positions?: { readonly [channel in Channel]?: Head } | null;
  readonly knocks?: boolean | null;
  readonly beat?: boolean | null;
}

/** A command with its number in the session. The command itself is parsed separately. */
export interface CommandFrame {
  readonly type: "command";
  readonly n: number;
  readonly command: { readonly [key: string]: unknown };
}

/** A request for the whole view, because the client received something that it does not understand. */
export interface Resync {
  readonly type: "resync";
}

/** A room's house rules. */
export interface PolicyGiven {
  readonly physical_dice?: PhysicalDice | null;
  readonly check_approval?: CheckApproval | null;
  readonly player_countdowns?: boolean | null;
  readonly care?: Care | null;
  readonly sheets?: Sheets | null;
  readonly specials?: Specials | null;
}

/** The body of `POST /api/rooms`. */
export interface OpenRoom {
  readonly title: string;
  readonly policy?: PolicyGiven | null;
}

/** The body of `POST /api/rooms/{room}/knocks`. */
export interface Knock {
  readonly name: string;
  readonly wants?: "player" | "spectator" | "integration" | null;
  readonly client?: string | null;
}

/** The body of `POST /api/rooms/{room}/invites`. */
export interface Invite {
  readonly role: Role;
  readonly name?: string | null;
  readonly scopes?: ReadonlyArray<Scope> | null;
  readonly expires_s?: number | null;
  readonly seat_id?: string | null;
  readonly qr?: boolean | null;
}

/** The body of `POST /api/rooms/{room}/knocks/{knock}/answer`. */
export interface KnockAnswer {
  readonly accept: boolean;
  readonly role?: "player" | "spectator" | "integration" | null;
  readonly name?: string | null;
  readonly scopes?: ReadonlyArray<Scope> | null;
  readonly seat_id?: string | null;
}

/** A past fact of a room. */
export type Event =
  | RoomOpened
  | EditionChanged
  | RoomClosed
  | RoomReopened
  | PolicySet
  | SeatJoined
  | SeatRenamed
  | SeatRemoved
  | SeatLent
  | SeatTakenBack
  | CharacterAdded
  | CharacterUpdated
  | SheetProposed
  | SheetApproved
  | SheetRefused
  | StateGained
  | StateLost
  | TrackSet
  | TrackMoved
  | TrackDropped
  | CharacterDied
  | CharacterRetired
  | CharacterLeft
  | CharacterReturned
  | Cancelled
  | CommandVoided
  | Narrated
  | RoomContinued
  | LaneOpened
  | DiceRolled
  | SealedStarted
  | SealedChanged
  | Revealed
  | MadePublic
  | CountdownStarted
  | CountdownRolled
  | StageReached
  | StageLeft
  | CountdownStabilized
  | CountdownResumed
  | CountdownReplenished
  | CountdownExpired
  | CountdownCancelled
  | TurnEnded
  | CountdownAmended
  | CountdownRepeated
  | SceneOpened
  | SceneEnded
  | SituationStarted
  | SituationWon
  | SituationResolved
  | SituationFailed
  | SituationClosed
  | RoundEnded
  | RaceEnded
  | ComplicationIntroduced
  | SituationBegun
  | SceneSetAside
  | SceneTakenUp
  | SceneTurnEnded
  | ChallengeAdded
  | EffortMade
  | EffortRuled
  | ChallengeOvercome
  | ClockStarted
  | ClockTicked
  | ClockResized
  | ClockAmended
  | CheckProposed
  | CheckAdjusted
  | CheckResolved
  | CheckWithdrawn
  | HelpJoined
  | OppositionJoined
  | CheckRolled
  | CheckOddsChanged
  | EffectsOffered
  | EffectChosen
  | EffectHappened
  | EffectsSet
  | MomentumGained
  | MomentumSpent
  | InterferenceGained
  | InterferenceSpent
  | VentureEarned
  | VenturePaid
  | VentureLapsed
  | CostProposed
  | CostAnswered
  | FailureSettled
  | TotalProposed
  | TotalAdjusted
  | TotalWithdrawn
  | RequiredSet
  | SecretSet
  | RequiredRevealed
  | TotalRolled
  | TotalJudged
  | TotalSucceeded
  | TotalFailed
  | PushOffered
  | LuckPushed
  | CrisisDue
  | CrisisSuffered
  | CrisisDescribed
  | ConsequenceAttached
  | ConsequenceDetached
  | ConsequenceHappened
  | ConsequenceTold
  | ConsequenceSkipped
  | ConsequencesStopped;

/** A wish of a seat; it may be refused. */
export type Command =
  | SetPolicy
  | RenameSeat
  | RemoveSeat
  | LeaveSeat
  | LendSeat
  | TakeBackSeat
  | CloseRoom
  | ReopenRoom
  | AddCharacter
  | UpdateCharacter
  | ApproveSheet
  | GiveState
  | DropState
  | SetTrack
  | MoveTrack
  | DropTrack
  | TakeOutOfPlay
  | ReturnToPlay
  | Cancel
  | VoidCommand
  | Narrate
  | RollDice
  | OpenLane
  | Reveal
  | StartCountdown
  | RollCountdown
  | StabilizeCountdown
  | ResumeCountdown
  | ReplenishCountdown
  | CancelCountdown
  | EndTurn
  | AmendCountdown
  | OpenScene
  | Travel
  | Rest
  | EndScene
  | StartSituation
  | ResolveSituation
  | FailSituation
  | EndRound
  | IntroduceComplication
  | BeginSituation
  | SetSceneAside
  | TakeUpScene
  | AddChallenge
  | AttemptEffort
  | RuleEffort
  | OvercomeChallenge
  | StartClock
  | TickClock
  | EnlargeClock
  | AmendClock
  | ProposeCheck
  | AdjustCheck
  | WithdrawCheck
  | HelpCheck
  | OpposeCheck
  | RollCheck
  | ChooseEffect
  | SetEffects
  | ProposeCost
  | AnswerCost
  | SettleFailure
  | ProposeTotal
  | AdjustTotal
  | WithdrawTotal
  | SetRequired
  | JudgeTotal
  | RollTotal
  | OfferPush
  | PushLuck
  | StopPushing
  | DescribeCrisis
  | AttachConsequence
  | DetachConsequence;

/** What a server says. */
export type ServerFrame =
  | Welcome
  | Ack
  | RefusedFrame
  | Pending
  | Reset
  | Presence
  | Knocks
  | Beat
  | EventsHeader;
