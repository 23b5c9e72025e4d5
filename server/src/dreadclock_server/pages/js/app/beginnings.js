// Written by scripts/generate_beginnings.py, from the server's core.

/**
 * The types of events that begin an action of the log (what a command did). A command writes them first, or only after
 * events of types in `BEFORE`.
 */
export const BEGINNINGS = new Set(["challenge_added", "character_added", "character_returned", "character_updated", "check_proposed", "check_rolled", "check_withdrawn", "clock_amended", "clock_started", "complication_introduced", "consequence_detached", "cost_answered", "cost_proposed", "countdown_amended", "countdown_cancelled", "crisis_described", "dice_rolled", "effort_made", "failure_settled", "help_joined", "luck_pushed", "narrated", "opposition_joined", "policy_set", "push_offered", "required_revealed", "required_set", "room_closed", "room_opened", "room_reopened", "scene_opened", "scene_set_aside", "scene_taken_up", "seat_lent", "seat_removed", "seat_renamed", "seat_taken_back", "sheet_approved", "sheet_refused", "situation_begun", "situation_resolved", "situation_started", "total_adjusted", "total_judged", "total_proposed", "total_rolled", "total_withdrawn", "track_dropped", "track_set"]);

/** The types of the events that a command may write before an event of a type in `BEGINNINGS`. */
export const BEFORE = new Set(["check_odds_changed", "clock_resized", "clock_ticked", "edition_changed", "effect_chosen", "interference_gained", "interference_spent", "lane_opened", "made_public", "momentum_gained", "momentum_spent", "race_ended", "revealed", "sealed_changed", "sealed_started", "situation_failed", "venture_lapsed", "venture_paid"]);

/** The types of events that do not say what a command did, such as the public record of a secret start. */
export const ANNOUNCING = new Set(["edition_changed", "lane_opened", "sealed_changed", "sealed_started"]);
