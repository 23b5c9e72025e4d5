// Written by scripts/generate_js_limits.py: change the Python that it reads, not this file.

export const PROTOCOL_VERSION = 1;
export const MAX_FRAME_BYTES = 65536;
export const MAX_UNANSWERED = 64;
export const MOST_WITHIN_MS = 60000;
export const CLOSE = {"SLOW_CONSUMER": 4000, "RESTART": 4001, "FULL": 4002, "BAD_FRAME": 4500, "UNAUTHORISED": 4501, "REVOKED": 4502, "ROOM_DELETED": 4503};
export const LANE_LENGTH = 1024;
export const EDITION = 2;
export const MAX_POOL = 60;
export const MAX_ROLL_DICE = 200;
export const MAX_CLOCK = 99;
export const MAX_COUNTDOWNS = 64;
export const MAX_SITUATIONS = 32;
export const MAX_CHARACTERS = 64;
export const MAX_LEFT = 128;
export const MAX_STAGES = 24;
export const MIN_LEVEL = 1;
export const MAX_LEVEL = 9;
export const MAX_NAME = 64;
export const MAX_TEXT = 280;
export const MAX_ON_SHEET = 32;
export const MAX_ODDS_DICE = 40;
export const MAX_ODDS_PARTS = 8;
export const MAX_LANES = 256;
export const MAX_EFFECTS = 8;
export const MAX_FUMBLE_DEPTH = 4;
export const MAX_CONSEQUENCES = 256;
export const MAX_CONSEQUENCE_BYTES = 200000;
export const MAX_CONSEQUENCE_DEPTH = 8;
export const MAX_CONSEQUENCE_EVENTS = 64;
export const REOPEN_MS = 2592000000;
export const RECENT = 20;
export const COUNTDOWNS_KEPT = 32;
export const ROLLS_KEPT = 32;
export const CHECKS_KEPT = 32;
export const TOTALS_KEPT = 32;
export const CLOCKS_KEPT = 32;
export const CHARACTERS_KEPT = 64;
export const SCENES_KEPT = 8;
export const SITUATIONS_KEPT = 32;
export const LANES_KEPT = 8;
export const MAX_VENTURE = 3;
export const MAX_TOTAL_DICE = 8;
export const MAX_REQUIRED = 99;
export const BOXES = 3;
export const NAMED_OPPONENT = "an-opponent-named-for-one-check-alone";
export const GM_SEAT = "gm";
export const UNNAMED_GM = "Gm";
export const MAX_ROLLS_AHEAD = 100;
export const EXPIRES_FROM = {"slow": 6, "medium": 5, "fast": 4};
export const TYPICAL = {"least": 8, "most": 15};
export const DIFFICULTY = {"-2": "easy", "-1": "easy", "0": "normal", "1": "hard", "2": "hard"};
export const THREAT = {"hard": [8, 8, 8, 12, 12, 12, 16, 16, 16], "normal": [15, 15, 15, 20, 20, 20, 25, 25, 25], "easy": [20, 20, 20, 30, 30, 30, 40, 40, 40]};
export const KINDS = /** @type {const} */ (["countdown", "clock", "scene", "situation", "challenge", "effort", "character", "roll", "check", "total", "consequence"]);
export const FIELDS = /** @type {const} */ (["countdowns", "clocks", "scenes", "situations", "challenges", "efforts", "rolls", "checks", "characters"]);
export const FAMILIES = /** @type {const} */ (["characters", "countdowns", "clocks", "scenes", "situations", "challenges", "efforts", "rolls", "checks", "totals", "secrets", "consequences"]);
export const UNCOUNTED = /** @type {const} */ (["out_of_order", "rate_limited", "unavailable"]);
export const SPEEDS = /** @type {const} */ (["slow", "medium", "fast"]);
export const DIFFICULTIES = /** @type {const} */ (["hard", "normal", "easy"]);
export const DIRECTIONS = /** @type {const} */ (["down", "up"]);
export const CHALLENGES = /** @type {const} */ (["barrier", "puzzle", "foe"]);
export const SITUATIONS = /** @type {const} */ (["standard", "race"]);
export const OUTCOMES = /** @type {const} */ (["fumble", "fail", "success", "triumph"]);
export const CRISES = /** @type {const} */ (["physical", "mental"]);
export const BENEFITS = /** @type {const} */ (["check", "damage"]);
export const PHYSICAL_DICE = /** @type {const} */ (["off", "gm", "everyone"]);
export const SCOPES = /** @type {const} */ (["turns", "secrets", "narrate", "clocks", "countdowns", "characters", "rolls", "act_for"]);

/** @type {{ [event: string]: any[] }} What most events do: a word of fold.js, with what */
export const FOLDED = {
  room_opened: ["assigns", "title policy edition", {"edition": 1}],
  edition_changed: ["assigns", "edition"],
  room_closed: ["assigns", "", {"closed": true}],
  room_reopened: ["assigns", "", {"closed": false}],
  policy_set: ["assigns", "policy"],
  seat_renamed: ["sets", "seats", "name"],
  seat_lent: ["sets", "seats", "lent_to:to"],
  seat_taken_back: ["sets", "seats", "", {"lent_to": null}],
  character_added: ["adds", "characters"],
  character_updated: ["puts", "characters"],
  sheet_proposed: ["sets", "characters", "proposed"],
  sheet_approved: ["puts", "characters"],
  sheet_refused: ["puts", "characters"],
  state_gained: ["sets", "characters", "states"],
  state_lost: ["sets", "characters", "states"],
  character_died: ["ends", "characters", "", {"status": "dead"}, true],
  character_retired: ["ends", "characters", "", {"status": "retired"}, true],
  character_left: ["sets", "characters", "", {"status": "left"}],
  character_returned: ["sets", "characters", "", {"status": "in_play"}],
  narrated: ["keeps"],
  dice_rolled: ["joins", [["adds", "rolls"], ["closes", "roll"]]],
  sealed_changed: ["keeps"],
  countdown_started: ["adds", "countdowns"],
  stage_reached: ["keeps"],
  stage_left: ["keeps"],
  countdown_stabilized: ["sets", "countdowns", "", {"status": "stabilized"}],
  countdown_resumed: ["sets", "countdowns", "", {"status": "running"}],
  countdown_replenished: ["sets", "countdowns", "pool:remaining"],
  countdown_expired: ["joins", [["sets", "countdowns", "", {"status": "expired"}], ["closes", "countdown"]]],
  countdown_cancelled: ["joins", [["sets", "countdowns", "", {"status": "cancelled"}], ["closes", "countdown"]]],
  situation_won: ["joins", [["sets", "situations", "", {"status": "won"}], ["shuts"]]],
  situation_resolved: ["joins", [["sets", "situations", "", {"status": "resolved"}], ["shuts"]]],
  situation_failed: ["joins", [["sets", "situations", "", {"status": "failed"}], ["shuts"]]],
  situation_closed: ["joins", [["sets", "situations", "", {"status": "closed"}], ["shuts"]]],
  round_ended: ["sets", "situations", "round"],
  race_ended: ["sets", "situations", "outcome"],
  complication_introduced: ["keeps"],
  scene_set_aside: ["sets", "scenes", "", {"aside": true}],
  scene_taken_up: ["sets", "scenes", "", {"aside": false}],
  challenge_added: ["joins", [["adds", "challenges"], ["puts", "clocks"]]],
  effort_made: ["adds", "efforts"],
  effort_ruled: ["drops", "efforts"],
  clock_started: ["adds", "clocks"],
  clock_ticked: ["sets", "clocks", "value"],
  clock_amended: ["sets", "clocks", "value"],
  check_proposed: ["adds", "checks"],
  check_adjusted: ["puts", "checks"],
  check_resolved: ["joins", [["ends", "checks", "result", {"status": "resolved"}], ["closes", "check"]]],
  check_withdrawn: ["joins", [["drops", "checks"], ["closes", "check"]]],
  help_joined: ["sets", "checks", "parts+part status odds"],
  opposition_joined: ["sets", "checks", "parts+part status odds", {"contest": true}],
  check_odds_changed: ["sets", "checks", "parts odds"],
  effects_offered: ["sets", "characters", "choices"],
  effect_chosen: ["sets", "characters", "choices"],
  effect_happened: ["keeps"],
  momentum_gained: ["sets", "characters", "momentum interference"],
  momentum_spent: ["sets", "characters", "momentum interference"],
  interference_gained: ["sets", "characters", "momentum interference"],
  interference_spent: ["sets", "characters", "momentum interference"],
  venture_earned: ["sets", "characters", "bonuses"],
  venture_paid: ["sets", "characters", "bonuses"],
  venture_lapsed: ["sets", "characters", "bonuses"],
  total_proposed: ["adds", "totals"],
  total_adjusted: ["puts", "totals"],
  total_withdrawn: ["drops", "totals"],
  required_set: ["sets", "totals", "required secret crisis status enough odds"],
  required_revealed: ["sets", "totals", "required odds push_odds", {"secret": false}],
  total_rolled: ["sets", "totals", "faces kept total enough physical proof", {"status": "rolled"}],
  total_judged: ["sets", "totals", "enough"],
  total_succeeded: ["ends", "totals", "", {"status": "succeeded", "push_odds": null, "until": 0}],
  total_failed: ["ends", "totals", "", {"status": "failed", "push_odds": null, "until": 0}],
  push_offered: ["sets", "totals", "crisis description push_odds:odds until", {"status": "offered"}],
  crisis_due: ["sets", "characters", "crisis_due:total_id"],
  crisis_suffered: ["sets", "characters", "crises+crisis", {"crisis_due": null}],
  consequence_detached: ["drops", "consequences"],
  consequence_happened: ["keeps"],
  consequence_told: ["keeps"],
  consequence_skipped: ["keeps"],
  consequences_stopped: ["keeps"],
};
