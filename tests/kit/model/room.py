"""The room: who may do what, its people and its secrets. Rulings B16, C24, E4, E6 and E8."""

import pickle
from collections import Counter
from typing import Any

from kit.model.checks import drawn
from kit.model.consequences import Consequences
from kit.model.things import NO_EFFECTS, No, Shown, need

CARE = {"stabilize_countdown", "resume_countdown", "replenish_countdown"}
LENDING = {"lend_seat", "take_back_seat"}
FOR_PLAYERS = {"add_character", "start_countdown", "start_clock", "open_lane", "narrate", *CARE, *LENDING}
OWN_HAND = {"leave_seat", "rename_seat", "open_lane", *LENDING}
SHEET = ("level", "attributes", "specials", "reflex")
MAKING = ("start_countdown", "start_clock", "add_character", "propose_check", "propose_total")
CHANGING = {"update_character": "character_id", "amend_countdown": "countdown_id"}
KEPT = {"countdown": 32, "clock": 32, "check": 32, "total": 32, "character": 64}  # of what is over
SAID = ("name", "ending", "effect", "from_attribute", "purpose", "what", "attribute", "special")
OWNED = {  # what the owner of a thing may do, by the field that names the thing
    "countdown_id": ("roll_countdown", "stabilize_countdown", "resume_countdown", "replenish_countdown"),
    "clock_id": ("tick_clock",),
    "check_id": ("withdraw_check",),
    "total_id": ("withdraw_total", "roll_total", "push_luck", "stop_pushing"),
    "character_id": (
        "update_character",
        "give_state",
        "drop_state",
        "set_track",
        "move_track",
        "drop_track",
        "propose_check",
        "help_check",
        "oppose_check",
        "choose_effect",
        "propose_total",
    ),
}
FOR_SCOPES = {  # what integrations may do, whosever it is
    "turns": {"end_turn", "end_round"},
    "narrate": {"narrate"},
    "clocks": {"start_clock", "tick_clock", "amend_clock"},
    "countdowns": {"start_countdown", "roll_countdown", *CARE},
    "characters": {"add_character", *OWNED["character_id"][:6]},
    "rolls": {
        *{"roll_dice", "attempt_effort", "roll_check", "propose_cost", "settle_failure"},
        *(*OWNED["check_id"], *OWNED["total_id"], *OWNED["character_id"][6:]),
    },
}


class Model(Consequences):
    """A room as the rules have it."""

    def join(self, seat_id: str, role: str, scopes: tuple[str, ...] = ()) -> None:
        """Make a seat."""
        self.seats[seat_id] = role
        if "act_for" in scopes:
            self.proxies.add(seat_id)

    def do(self, command: Any, by: str, scopes: tuple[str, ...], shown: Shown) -> bool:
        """Do a command and tell whether it is accepted; if it is not, nothing has changed."""
        self.past = b""
        before = pickle.dumps(self.__dict__)
        self.by, self.shown, self.stages, self.moments = by, shown, [], []
        self.dice, self.told_all = [], False
        self.sees_secrets = self.is_gm or "secrets" in scopes
        try:
            need(by in self.seats and self.closed == (command.type == "reopen_room"))
            if command.act_for is not None:
                need(self.lent.get(command.act_for) == by and command.type not in OWN_HAND)
                self.by, self.sees_secrets, scopes = command.act_for, False, ()
            self.scopes = scopes
            need(self._may(command))
            getattr(self, command.type)(command)
            self._count_text(command)
            self.is_following = True
            self.follow()
            self.is_following = False
            self.accepted += 1
            self.texts = self._texts()
        except No:
            self.__dict__ = pickle.loads(before)
            return False
        assert not shown.faces, f"the model does not roll {shown.faces}"
        self.past = before
        return True

    def _count_text(self, c: Any) -> None:
        """Refuse text with which what one seat made says more than 256 KiB, or 512 KiB with what is over. E2.

        Left out is what joins a check or total after its start, and what checks offer to characters.
        """
        if c.type in MAKING or c.type in CHANGING:
            one = self.things[getattr(c, CHANGING[c.type])] if c.type in CHANGING else list(self.things.values())[-1]
            said = c.model_dump(mode="json", exclude={"note", "attributes", "specials"}, exclude_none=True)
            one.words |= {name: _bytes_said(value, name) for name, value in said.items()}
            one.words |= dict.fromkeys(getattr(c, "clear", ()), 0)
        for (maker, kib), size in self._texts().items():
            need(self.is_gm or maker is None or size <= max(kib * 1024, self.texts[maker, kib]))

    def _texts(self) -> Counter[tuple[str | None, int]]:
        """Return how many bytes of text each maker's things say: the open ones (256), all that are remembered (512)."""
        texts = Counter[tuple[str | None, int]]()
        for kind, most in KEPT.items():
            known = [each for each in self.all(kind) if each.visibility != "gm"]
            over = [each for each in known if not self._is_open(each) and getattr(each, "sort", "free") == "free"]
            for one in over if kind not in ("countdown", "clock") else ():  # which stay where they began
                one.over_since = one.over_since or self.accepted
            forgotten = sorted(over, key=lambda one: one.over_since)[:-most]
            for one in (each for each in known if each not in forgotten):
                size = sum(one.words.values()) + _sheet_bytes(one)
                texts[one.made_by, 512] += size
                texts[one.made_by, 256] += size if self._is_open(one) else 0
        return texts

    def _is_open(self, one: Any) -> bool:
        if one.kind == "clock":
            return bool(one.value != (one.size if one.up else 0))
        over = ("resolved", "dead", "retired", "succeeded", "failed", "expired", "cancelled", "ended")
        return getattr(one, "status", "") not in over

    def may_be_taken_back(self) -> bool | None:
        """Tell whether the last command may be taken back at once; None where it threw no dice. E3, E7."""
        if not self.dice:
            return None
        return all(self.dice) and not self.told_all

    def take_back(self) -> None:
        """Let the last command not have happened."""
        self.__dict__ = pickle.loads(self.past)

    def _may(self, c: Any) -> bool:
        """Tell whether the sender may give such a command about such a thing."""
        if self.is_gm or c.type == "leave_seat" or self._owner(c) == self.by:
            return True
        if any(c.type in FOR_SCOPES.get(scope, ()) for scope in self.scopes):
            return self.seats[self.by] == "integration"
        return c.type in FOR_PLAYERS and self.is_player

    def _owner(self, c: Any) -> str | None:
        """Return whose thing a command is about."""
        if c.type == "rename_seat":
            return str(c.seat_id) if c.seat_id in self.seats else None
        if c.type in ("roll_dice", "attempt_effort"):
            if c.character_id is None:
                return self.by if self.is_player else None
            return self._owner_of("character_id", c.character_id)
        if c.type == "roll_check":
            return self._owner_of("character_id", self.part_to_roll(c).who)
        if c.type in ("propose_cost", "settle_failure"):
            return self._owner_of("character_id", self.payer(c).who)
        named = [name for name, types in OWNED.items() if c.type in types]
        return self._owner_of(named[0], getattr(c, named[0])) if named else None

    def _owner_of(self, name: str, thing_id: str) -> str | None:
        one = self.find(name.removesuffix("_id"), thing_id)
        if one.kind == "check":
            one = self.things[next(part.who for part in one.parts if part.side == "acting")]
        if one.kind == "total":
            one = self.things[one.who]
        return None if one.owner is None else str(one.owner)

    # People and what they tell

    def narrate(self, c: Any) -> None:
        need(c.channel == "public" or self.is_gm)  # E8

    def set_policy(self, c: Any) -> None:
        names = [name for name in vars(self.policy) if getattr(c, name) is not None]
        need(names)
        for name in names:
            setattr(self.policy, name, getattr(c, name))

    def rename_seat(self, c: Any) -> None:
        need(c.seat_id in self.seats)

    def remove_seat(self, c: Any) -> None:
        need(self.seats.get(c.seat_id) not in (None, "gm"))
        self._go(c.seat_id)

    def leave_seat(self, c: Any) -> None:
        need(not self.is_gm)
        self._go(self.by)

    def _go(self, seat_id: str) -> None:
        del self.seats[seat_id]
        self.lent = {player: to for player, to in self.lent.items() if seat_id not in (player, to)}

    def lend_seat(self, c: Any) -> None:
        need(self.is_player and c.to in self.seats and c.to in self.proxies)
        self.lent[self.by] = c.to

    def take_back_seat(self, c: Any) -> None:
        need(self.is_player)
        self.lent.pop(self.by, None)

    def close_room(self, c: Any) -> None:
        self.closed = True

    def reopen_room(self, c: Any) -> None:
        self.closed = False

    def open_lane(self, c: Any) -> None:
        need(c.anchor != "A" * 43 and c.anchor not in self.anchors)
        self.anchors.add(c.anchor)

    def add_character(self, c: Any) -> None:
        sheet = {"level": c.level, "attributes": c.attributes, "specials": c.specials, "reflex": c.reflex}
        carried = {"momentum": False, "interference": False, "bonuses": [], "choices": []}
        carried |= {"newcomer": not self.is_gm, "approved": None, "wish": None}  # B18
        fields = {
            **sheet,
            **carried,
            **NO_EFFECTS,
            "crises": {},
            "due": None,
            "status": "in_play",
            "states": [],
            "tracks": {},
        }
        self.start("character", owner=self.owner_of_new(c.owner), **fields)

    def update_character(self, c: Any) -> None:
        who = self.find("character", c.character_id)
        said = {name: getattr(c, name) for name in SHEET if getattr(c, name) is not None}
        need(said or c.name is not None or c.owner is not None)
        need(c.owner is None or (self.is_gm and c.owner in self.seats))
        who.owner = c.owner or who.owner
        if not self.is_gm and self.policy.sheets == "gm":
            self._wish(who, said)
            return
        if "level" in said:
            known = who.approved or who.level
            who.approved = None if self.is_gm or who.newcomer or said["level"] == known else known
        vars(who).update(said)
        if who.wish is not None:
            self._wish(who, said)

    def _wish(self, who: Any, said: dict[str, Any]) -> None:
        """Let changes wait, together with those that do already; for the sheet as it is, nothing waits. B18."""
        as_is = {name: getattr(who, name) for name in SHEET}
        wish = {**(who.wish or as_is), **said}
        who.wish = None if wish == as_is else wish

    def approve_sheet(self, c: Any) -> None:
        who = self.find("character", c.character_id)
        need(who.wish is not None or who.approved is not None or (who.newcomer and c.approve))
        leads_to = who.wish or {name: getattr(who, name) for name in SHEET}
        need(c.expect is None or {name: getattr(c.expect, name) for name in SHEET} == leads_to)
        if c.approve:
            vars(who).update(leads_to, newcomer=False)
        else:
            who.level = who.approved or who.level
        who.wish = who.approved = None

    def take_out_of_play(self, c: Any) -> None:
        self.leave(self.find("character", c.character_id), c.fate)

    def leave(self, who: Any, fate: str) -> None:
        """Take a character out of play. E6."""
        need(who.status == "in_play")
        who.status = {"dies": "dead", "retires": "retired", "leaves": "left"}[fate]

    def return_to_play(self, c: Any) -> None:
        who = self.find("character", c.character_id)
        need(who.status == "left")
        who.status = "in_play"

    def give_state(self, c: Any) -> None:
        states = self.find("character", c.character_id).states
        need(c.state not in states)
        states.append(c.state)

    def drop_state(self, c: Any) -> None:
        states = self.find("character", c.character_id).states
        need(c.state in states)
        states.remove(c.state)

    def set_track(self, c: Any) -> None:
        value = c.most if c.value is None else c.value
        need(value <= c.most)
        self.find("character", c.character_id).tracks[c.track] = (value, c.most)

    def move_track(self, c: Any) -> None:
        tracks = self.find("character", c.character_id).tracks
        need(c.track in tracks)
        value, most = tracks[c.track]
        need(0 <= value + c.by <= most)
        tracks[c.track] = (value + c.by, most)

    def drop_track(self, c: Any) -> None:
        tracks = self.find("character", c.character_id).tracks
        need(c.track in tracks)
        del tracks[c.track]

    def roll_dice(self, c: Any) -> None:
        roll = self.start("roll", c.visibility)
        dice = c.pool
        explodes = self._sixes_add(c)
        if c.character_id is not None:
            who = self.able(c.character_id)
            if roll.visibility == "public":
                self.settle(who)
                dice = min(60, dice + self.spend(who, self.claim(who, "damage", c.claims or ())))
        need(not (c.claims or c.action) or (c.character_id is not None and roll.visibility == "public"))
        self.roll(lambda faces: drawn(dice, False, explodes, tuple(faces))[0], c.faces)
        if c.action:
            self.act(c.character_id)

    def _sixes_add(self, c: Any) -> bool:
        """Tell whether each 6 of a plain roll adds a die: of damage in a scene that says so. C27."""
        is_damage = c.purpose == "damage" and c.visibility == "public"
        need(is_damage or c.within_id is None)
        place = self.place(c.within_id, None) if is_damage else None
        if place is None:
            return False
        one = self.things[place]
        return bool(self.things[one.of].sixes_add if one.kind == "situation" else one.sixes_add)

    def reveal(self, c: Any) -> None:
        one: Any = self.things.get(c.thing_id)
        need(one is not None)
        if one.kind == "total":
            need(one.secret)
            one.secret = False
        else:
            need(getattr(one, "visibility", "public") != "public" and getattr(one, "status", "") != "prepared")
            around = self.things.get(getattr(one, "of", None) or "")
            need(around is None or self.seen_by(around) == "public")
            self.show(one)

    def introduce_complication(self, c: Any) -> None:
        need((c.situation_id is None) != (c.scene_id is None))  # B16
        situation = c.situation_id and self.find("situation", c.situation_id)
        self.still_open("scene", situation.of if situation else c.scene_id)
        if c.clock is not None:
            self.complicate(c.clock)
        if c.countdown is not None:
            self.begin_countdown(c.countdown)


def _bytes_said(value: Any, name: str = "") -> int:
    """Count the names and texts in a command in UTF-8."""
    if isinstance(value, dict):
        return sum(_bytes_said(each, key) for key, each in value.items())
    if isinstance(value, list):
        return sum(_bytes_said(each, name) for each in value)
    return len(value.encode()) if isinstance(value, str) and name in SAID else 0


def _sheet_bytes(one: Any) -> int:
    """Count what is named on a character's sheet as it is, and on the one that it waits to become."""
    if one.kind != "character":
        return 0
    sheets = [vars(one), *([one.wish] if one.wish else [])]
    names = [name for sheet in sheets for name in (*sheet["attributes"], *(each.name for each in sheet["specials"]))]
    return sum(len(name.encode()) for name in (*names, *one.states, *one.tracks))
