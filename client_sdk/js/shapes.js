// Written by scripts/generate_js_types.py: change the models, not this file.

/**
 * What is known of a field: whether it has to be there, what stands for it if it is not, and what it is made of.
 * @typedef {{ needed: boolean, value?: any, of?: string, as?: string }} Field
 * @typedef {{ [name: string]: Field }} Shape
 */

/**
 * Read shapes. Of a field, `:Of` says what it is made of, `{}` that it is a dictionary of those, and `<>` a Map; it
 * has to be there, unless `?` says that it may be left out, or `=` what stands for it then.
 * @param {{ [name: string]: string }} shapes
 * @param {string} [first] fields of all of them; `*` stands for the name of each
 * @returns {{ [name: string]: Shape }}
 */
const read = (shapes, first = "") => Object.fromEntries(Object.entries(shapes).map(([name, fields]) =>
  [name, Object.fromEntries((first.replace("*", name) + fields).trim().split(" ").map(field))]));

/** @param {string} text @returns {[string, Field]} */
function field(text) {
  const [, name, of, as, or] = /** @type {string[]} */ (/^(\w+)(?::(\w+))?({}|<>)?(.*)/.exec(text));
  return [name, { needed: !or, value: or[1] && JSON.parse(or.slice(1)), of, as }];
}

/** The parts of messages, by name. */
export const MODELS = read({
  Head: "seq hash",
  Policy: 'physical_dice="off" check_approval="gm" player_countdowns=true',
  Seat: "id role name scopes=[]",
  Special: "name starred=false",
  Bonus: "check_id dice benefits what id? declarer?",
  Choice: "check_id instead_of offered or_token=true",
  StandingEffects: "stunts=[] fumble_effects=[] or_interference=[]",
  Crisis: "total_id? kind box description?",
  Track: "value most",
  Character: 'id name owner? level=1 attributes{}={} specials:Special=[] reflex? status="in_play" momentum=false interference=false bonuses:Bonus=[] choices:Choice=[] effects:StandingEffects? crises:Crisis=[] crisis_due? states=[] tracks:Track{}={} visibility="public"',
  Stage: "at effect",
  RollProof: "lane n start=0 key? token? witnesses?",
  HiddenRoll: "faces removed physical=false proof:RollProof?",
  Countdown: 'id name pool speed stages:Stage=[] ending? owner? stabilizable=false replenishable=false bound_to="nothing" visibility="public" status="running" started rolled_turn=0 last_faces=[] hidden_rolls:HiddenRoll=[]',
  Clock: 'id kind name of? size value direction="down" owner? visibility="public"',
  Scene: 'id name clock_id threat_id? typical=true visibility="public" status="open" effects:StandingEffects?',
  Situation: 'id scene_id name kind content clock_id level? difficulty? visibility="public" round=0 status="open" outcome? effects:StandingEffects?',
  Challenge: 'id situation_id name kind clock_id status="open"',
  Effort: "id challenge_id seat_id character_id?",
  Sealed: "kind id name seat_id? lane? key?",
  Roll: 'id seat_id faces paid=0 name? character_id? purpose="other" action=false visibility="public" physical=false proof:RollProof?',
  Venture: 'level benefits="check" beneficiary? what',
  PartRoll: "pool removed momentum=false interference=false paid=0 faces remaining outcome highest? margin capped=false physical=false proof:RollProof?",
  Cost: "stage cost? terms?",
  Part: 'character_id name? side="acting" score attribute? bonus=0 penalty=0 venture:Venture? claim=true claims? roll:PartRoll? cost:Cost?',
  CheckOdds: "fumble fail success triumph interference wins? succeeds?",
  SideResult: "outcome highest? margin",
  CheckResult: "acting:SideResult opposing:SideResult? winner? decided_by? deals=[] proof:RollProof?",
  Check: 'id seat_id purpose? parts:Part contest=false stunts=[] fumble_effects=[] or_interference=[] within_id? standing=true effort? visibility="public" status="ready" odds:CheckOdds? result:CheckResult? cost:Cost?',
  Tool: "name quality",
  Push: "face kept total crisis enough? physical=false proof:RollProof?",
  TotalOdds: "mean reaches? reaches_pushing?",
  PushOdds: "crisis reaches? reaches_pushing?",
  Total: 'id seat_id character_id purpose? score attribute? tool:Tool? special:Special? pool effort? status="ready" required? secret=false crisis? description? faces=[] kept=[] total=0 enough? pushes:Push=[] physical=false proof:RollProof? odds:TotalOdds? push_odds:PushOdds? until=0',
  SecretRequired: "total_id required odds:TotalOdds",
  Lane: "label seat_id? started_by? anchor? key used=0 token? tokens_before=0 witness? witnesses=0 tokens? next_witness? next_witnesses=0",
  EventRecord: "v=1 channel seq at by after? event:Event",
  ChannelView: 'title? closed=false edition=1 policy:Policy={"physical_dice":"off","check_approval":"gm","player_countdowns":true} turn=1 seats:Seat<>={} characters:Character<>={} countdowns:Countdown<>={} clocks:Clock<>={} scenes:Scene<>={} situations:Situation<>={} challenges:Challenge<>={} efforts:Effort<>={} sealed:Sealed<>={} rolls:Roll<>={} checks:Check<>={} totals:Total<>={} secrets:SecretRequired<>={} lanes:Lane<>={} shown<>={} made<>={} taken=[] recent:EventRecord=[]',
  ViewParts: "channels:ChannelView{}",
  Place: "id after?",
  Restored: "policy:Policy? turn? characters:Character=[] countdowns:Countdown=[] clocks:Clock=[] scenes:Scene=[] situations:Situation=[] challenges:Challenge=[] efforts:Effort=[] rolls:Roll=[] checks:Check=[] totals:Total=[] secrets:SecretRequired=[] removed{}={} places:Place{}={}",
  Origin: "room log_id seq hash",
  Carried: "countdowns:Countdown=[] clocks:Clock=[] scenes:Scene=[] situations:Situation=[] challenges:Challenge=[] efforts:Effort=[] rolls:Roll=[] checks:Check=[] characters:Character=[] totals:Total=[] secrets:SecretRequired=[] made{}={} taken=[]",
  Things: "countdowns:Countdown=[] clocks:Clock=[] scenes:Scene=[] situations:Situation=[] challenges:Challenge=[] efforts:Effort=[] rolls:Roll=[] checks:Check=[] characters:Character=[]",
});

/** The events, by type. */
export const EVENTS = read({
  room_opened: "title policy:Policy edition=1",
  edition_changed: "edition",
  room_closed: "",
  policy_set: "policy:Policy",
  seat_joined: "seat:Seat",
  seat_renamed: "seat_id name",
  seat_removed: "seat_id reason",
  character_added: "character:Character",
  character_updated: "character:Character",
  state_gained: "character_id state states",
  state_lost: "character_id state states",
  track_set: "character_id track value most",
  track_moved: "character_id track value",
  track_dropped: "character_id track",
  character_died: "character_id reason?",
  character_retired: "character_id reason?",
  character_left: "character_id reason?",
  character_returned: "character_id reason?",
  cancelled: "kind id reason",
  command_voided: "first last what reason physical=false restored:Restored",
  narrated: "text outcome?",
  room_continued: "origin:Origin turn carried:Carried",
  lane_opened: "lane:Lane",
  dice_rolled: "roll:Roll",
  sealed_started: "thing:Sealed",
  sealed_changed: "kind id name",
  revealed: "kind id things:Things",
  made_public: "kind id",
  countdown_started: "countdown:Countdown",
  countdown_rolled: "countdown_id faces removed remaining turn physical=false proof:RollProof?",
  stage_reached: "countdown_id at effect",
  stage_left: "countdown_id at",
  countdown_stabilized: "countdown_id",
  countdown_resumed: "countdown_id",
  countdown_replenished: "countdown_id added remaining",
  countdown_expired: "countdown_id ending?",
  countdown_cancelled: "countdown_id reason?",
  turn_ended: "turn",
  scene_opened: "scene:Scene clock:Clock",
  scene_ended: "scene_id outcome",
  situation_started: "situation:Situation clock:Clock threat:Clock?",
  situation_won: "situation_id",
  situation_resolved: "situation_id how",
  situation_failed: "situation_id reason",
  situation_closed: "situation_id",
  round_ended: "situation_id round",
  race_ended: "situation_id outcome situation threat scene",
  complication_introduced: "situation_id? scene_id? text",
  challenge_added: "challenge:Challenge clock:Clock",
  effort_made: "effort:Effort",
  effort_ruled: "effort_id challenge_id success amount",
  challenge_overcome: "challenge_id",
  clock_started: "clock:Clock",
  clock_ticked: "clock_id kind cause value back?",
  clock_resized: "clock_id kind cause size value typical?",
  clock_amended: "clock_id kind value reason",
  check_proposed: "check:Check",
  check_adjusted: "check:Check",
  check_resolved: "check_id result:CheckResult",
  check_withdrawn: "check_id",
  help_joined: "check_id part:Part status odds:CheckOdds?",
  opposition_joined: "check_id part:Part status odds:CheckOdds?",
  check_rolled: "check_id part:Part",
  check_odds_changed: "check_id parts:Part odds:CheckOdds?",
  effects_offered: "character_id choice:Choice choices:Choice",
  effect_chosen: "character_id check_id effect choices:Choice",
  effect_happened: "character_id check_id effect",
  effects_set: "kind id effects:StandingEffects",
  momentum_gained: "character_id check_id momentum interference",
  momentum_spent: "character_id check_id momentum interference",
  interference_gained: "character_id check_id momentum interference",
  interference_spent: "character_id check_id momentum interference",
  venture_earned: "character_id bonus:Bonus bonuses:Bonus",
  venture_paid: "character_id into paid:Bonus bonuses:Bonus",
  venture_lapsed: "character_id lapsed:Bonus bonuses:Bonus",
  cost_proposed: "check_id character_id? cost:Cost",
  cost_answered: "check_id character_id? cost:Cost",
  failure_settled: "check_id character_id? cost:Cost",
  total_proposed: "total:Total",
  total_adjusted: "total:Total",
  total_withdrawn: "total_id",
  required_set: "total_id required? secret=false crisis? status enough? odds:TotalOdds",
  secret_set: "secret:SecretRequired forgotten=[]",
  required_revealed: "total_id required odds:TotalOdds push_odds:PushOdds?",
  total_rolled: "total_id faces kept total enough? physical=false proof:RollProof?",
  total_judged: "total_id enough",
  total_succeeded: "total_id",
  total_failed: "total_id reason",
  push_offered: "total_id crisis? description? odds:PushOdds until=1",
  luck_pushed: "total_id push:Push until=0 odds:PushOdds?",
  crisis_due: "character_id total_id",
  crisis_suffered: "character_id crisis:Crisis",
  crisis_described: "character_id crisis:Crisis",
}, 'note? type="*" ');

/** What a server says, by type; of an events frame its first line. */
export const FRAMES = read({
  welcome: "v=1 room log_id seat role session durability positions:Head{} resumed view:ViewParts?",
  ack: "n positions{} events{}",
  refused: "n code sentence details{}",
  pending: "n",
  reset: "reason log_id positions:Head{} view:ViewParts differs{}?",
  presence: "here{}",
  events: "heads:Head{}",
}, 'type="*" ');
