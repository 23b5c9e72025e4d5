"""What the gm writes at random into what she keeps to herself: a marker in every text and id that is secret."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dreadclock.wire.base import Channel
from dreadclock.wire.things import Challenge, Clock, Effort, Situation
from dreadclock.wire.views import ChannelView, View
from kit.leaks.book import Book, Fields, Secret

_Option = TypeVar("_Option")


@dataclass
class Order:
    """A command of the gm about what she keeps to herself."""

    fields: Fields
    secrets: list[Secret]  # in the command
    root: str | None  # the outermost hidden thing that it is about


@dataclass
class Pen:
    """Writes one command. `root`: the outermost hidden thing that it is about, once that is known."""

    chance: random.Random
    view: View
    book: Book
    number: int  # of the command
    visibilities: tuple[str, ...] = ("sealed", "gm")
    traceless: bool = False  # whether nothing may come of it that everyone sees
    root: str | None = None
    secrets: list[Secret] = field(default_factory=list)

    @property
    def hidden(self) -> ChannelView:
        """What only the gm sees."""
        return self.view.channels[Channel.GM]

    @property
    def public(self) -> ChannelView:
        """What everyone sees."""
        return self.view.public

    def one(self, options: Sequence[_Option]) -> _Option:
        """Choose one of these. Raises LookupError if there is none."""
        return self.chance.choice(options)

    def thing(self, family: str, *statuses: str) -> Any:
        """Choose a hidden thing of a family to be what the command is about, in one of these statuses if any are named.

        Raises LookupError if there is none.
        """
        chosen = self.one(having(self.hidden, family, *statuses))
        self.root = self.root_of(chosen)
        return chosen

    def root_of(self, thing: Any) -> str:
        """Return the outermost hidden thing that a hidden thing is part of."""
        hidden = self.hidden
        if isinstance(thing, Effort):
            return self.root_of(hidden.challenges[thing.challenge_id])
        if isinstance(thing, Challenge):
            return self.root_of(hidden.situations[thing.situation_id])
        if isinstance(thing, Situation):
            return thing.scene_id if thing.scene_id in hidden.scenes else thing.id
        if isinstance(thing, Clock) and thing.of is not None:
            owner = hidden.challenges.get(thing.of) or hidden.situations.get(thing.of)
            return self.root_of(owner) if owner else thing.of
        return str(thing.id)

    def text(self) -> str:
        """Write a text that is part of the thing, and comes to light with it."""
        return self._marked(self.root)

    def kept(self) -> str:
        """Write a text that stays with the gm for good, whatever she shows."""
        return self._marked(None)

    def note(self) -> Fields:
        """Write a note, or none."""
        return {"note": self.kept()} if self.chance.random() < 0.6 else {}

    def _marked(self, of: str | None) -> str:
        secret = self.book.mint(of)
        self.secrets.append(secret)
        before, after = self.one((("", ""), ("Øl ", ""), ("", " 🜂 fin"), ('"', '\\"')))
        return f"{before}{secret.text}{after}"

    def new_root(self) -> Fields:
        """Choose the visibility and the id of a new hidden thing."""
        visibility = self.one(self.visibilities)
        return {**self._root_id(visibility), "visibility": visibility}

    def named_root(self) -> Fields:
        """Choose the name of a new hidden thing, too; of a sealed one everyone knows it."""
        chosen = self.new_root()
        return {**chosen, "name": "Something" if chosen["visibility"] == "sealed" else self.text()}

    def _root_id(self, visibility: str) -> Fields:
        """Choose the id of a new hidden thing, or leave it to the server."""
        if visibility == "sealed":
            self.root = f"sealed-{self.number}"
            return {"id": self.root}
        self.root = f"gm-plain-{self.number}"  # one that others can guess
        if self.chance.random() < 0.5:
            return {"id": self.root}
        if self.chance.random() < 0.3:
            return {}
        marker = self.book.mint(None)
        self.root = marker.of = f"gm-{marker.text}"
        self.secrets.append(marker)
        return {"id": self.root}

    def inner(self) -> Fields:
        """Choose the id of something new inside a hidden thing, or leave it to the server."""
        if self.chance.random() < 0.4:
            return {}
        marker = self.book.mint(self.root)
        self.secrets.append(marker)
        return {"id": f"gm-{marker.text}"}


def having(part: ChannelView, family: str, *statuses: str) -> list[Any]:
    """List the things of a family, in one of these statuses if any are named."""
    return [each for each in getattr(part, family).values() if not statuses or each.status in statuses]


Move = Callable[[Pen], Fields]


def written(pen: Pen, move: Move) -> Order | None:
    """Write a command, maybe with a secret note; None if there is nothing that it could be about."""
    try:
        fields = move(pen)
    except (LookupError, ValueError):
        pen.book.drop(pen.secrets)
        return None
    noted = fields if "note" in fields else {**fields, **pen.note()}
    return Order(noted, pen.secrets, pen.root)
