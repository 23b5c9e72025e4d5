"""What a room holds, who sees it, and how dice come to it."""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace as Thing
from typing import Any

NO_EFFECTS: dict[str, Any] = {"stunts": (), "fumble_effects": (), "or_interference": (), "fumble_does": ()}
Walk = Callable[[Iterable[int]], int]  # how many faces a roll takes, as far as the first ones tell


class No(Exception):
    """A command is refused."""


def need(condition: object) -> None:
    """Refuse the command unless this holds."""
    if not condition:
        raise No


@dataclass
class Shown:
    """What the server showed of a command: the faces of each roll, and the ids of what it started."""

    faces: deque[tuple[int, ...]] = field(default_factory=deque)
    ids: deque[str] = field(default_factory=deque)


class Things:
    """A room's things by id, and what is said in the command under way."""

    def __init__(self) -> None:
        self.seats = {"gm": "gm"}
        self.anchors: set[str] = set()  # of lanes with tokens
        self.policy = Thing(
            physical_dice="off", check_approval="gm", player_countdowns=True, care="gm", sheets="gm", specials="one"
        )
        self.turn = 1
        self.closed = False
        self.things: dict[str, Any] = {}
        self.stages: list[tuple[str, int]] = []  # reached (-) and left (+) in the command under way
        self.moments: list[tuple[str, str, Any]] = []  # that came in it, and may bring something about
        self.dice: list[bool] = []  # of the rolls in it, whether they were typed in
        self.told_all = False  # whether it sealed something, or showed it
        self.by = ""
        self.scopes: tuple[str, ...] = ()  # of who gives the command under way
        self.accepted = 0  # commands
        self.texts = Counter[tuple[str | None, int]]()  # bytes by maker, and by limit in KiB
        self.proxies: set[str] = set()  # integrations that may act for players
        self.lent: dict[str, str] = {}  # by player: the integration that may act for her
        self.sees_secrets = False
        self.shown = Shown()
        self.is_following = False  # whether what happens now follows from the command under way

    @property
    def is_gm(self) -> bool:
        """Whether the command under way is the gm's."""
        return self.seats.get(self.by) == "gm"

    def may(self, scope: str) -> bool:
        """Tell whether the sender may do for everybody what a scope names."""
        return self.is_gm or scope in self.scopes

    @property
    def is_player(self) -> bool:
        """Whether it is a player's, or done for one."""
        return self.seats.get(self.by) == "player"

    def all(self, kind: str, **fields: object) -> list[Any]:
        """Return the things of a kind with these fields, in the order they were started."""
        alike = [each for each in self.things.values() if each.kind == kind]
        return [each for each in alike if all(getattr(each, name) == value for name, value in fields.items())]

    def find(self, kind: str, thing_id: str | None) -> Any:
        """Return a thing that the sender sees."""
        one = self.things.get(thing_id or "")
        need(one is not None and one.kind == kind and (self.sees_secrets or self.seen_by(one) == "public"))
        return one

    def seen_by(self, one: Any) -> str:
        """Say who knows of a thing: all (`public`), nobody of its inside (`sealed`), or only the `gm`."""
        of = self.things.get(getattr(one, "of", None) or "")
        return str(one.visibility if of is None or one.visibility != "public" else self.seen_by(of))

    def comes(self, one: Any, when: str, at: int | None = None) -> None:
        """Note a moment of a thing. E5."""
        self.moments.append((one.id, when, at))

    def start(self, kind: str, visibility: str = "public", **fields: Any) -> Any:
        """Start a thing under the id that was shown for it; only the gm keeps secrets."""
        need(visibility == "public" or self.is_gm)
        self.told_all = self.told_all or visibility == "sealed"
        key = self.shown.ids.popleft() if self.shown.ids else "?"
        texts: dict[str, Any] = {"words": {}, "over_since": 0}
        made_by = None if self.is_gm or self.is_following else self.by
        self.things[key] = Thing(id=key, kind=kind, visibility=visibility, made_by=made_by, **texts, **fields)
        return self.things[key]

    def owner_of_new(self, asked: str | None) -> str | None:
        """Return who owns a new thing: a player herself, or whom the gm or an integration names."""
        need(asked in (None, self.by) or (not self.is_player and asked in self.seats))
        return self.by if self.is_player else asked

    def show(self, one: Any) -> None:
        """Let everyone see a thing and what is in it; of a check not the hidden thing it was an effort against."""
        one.visibility, self.told_all = "public", True
        against = self.things.get(getattr(one, "effort", None) or "")
        if against is not None and self.seen_by(against) != "public":
            one.effort = None
        for inside in [each for each in self.things.values() if getattr(each, "of", None) == one.id]:
            if inside.visibility == "public":  # what is hidden in its own right stays so
                self.show(inside)

    def end_sealed(self, one: Any) -> None:
        """Show a sealed thing that has ended."""
        if one.visibility == "sealed":
            self.show(one)

    def remove(self, one: Any) -> None:
        """Take a thing away, with all that is in it."""
        for inside in [each for each in self.things.values() if getattr(each, "of", None) == one.id]:
            self.remove(inside)
        del self.things[one.id]

    def roll(self, walk: Walk, typed: tuple[int, ...] | None) -> tuple[int, ...]:
        """Return the faces of a roll; those that were typed in must be allowed, and as many as it takes."""
        if typed is not None:
            allowed = self.policy.physical_dice
            need(allowed == "everyone" or (allowed == "gm" and self.is_gm))
            need(walk(typed) == len(typed))
        assert self.shown.faces, "the model rolls here"
        faces = self.shown.faces.popleft()
        assert walk(faces) == len(faces), f"{walk(faces)} dice, not {faces}"
        assert typed in (None, faces)
        self.dice.append(typed is not None)
        return faces
