"""What the gm writes at random into what she keeps to herself: a marker in every text and id that is secret."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from dreadclock.wire.base import Channel, Id
from dreadclock.wire.things import Challenge, Clock, Effort, Situation
from dreadclock.wire.views import ChannelView, View
from kit.leaks import Book, Fields, Secret

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
        """Choose one of these."""
        return self.chance.choice(options)

    def any_of(self, things: Sequence[_Option]) -> _Option:
        """Choose one of the things that there may be. Raises LookupError if there is none."""
        return self.one(things)

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

    def new_root(self, visibility: str) -> Fields:
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

    def inner_id(self) -> Fields:
        """Choose the id of something new inside a hidden thing, or leave it to the server."""
        if self.chance.random() < 0.4:
            return {}
        marker = self.book.mint(self.root)
        self.secrets.append(marker)
        return {"id": f"gm-{marker.text}"}

    def name(self, visibility: str) -> str:
        """Name a new hidden thing; of a sealed one everyone knows the name."""
        return "Something" if visibility == "sealed" else self.text()

    def about(self, root: str) -> None:
        """Say which outermost hidden thing the command is about."""
        self.root = root

    def about_situation(self, one: Situation) -> None:
        """Say that the command is about a hidden situation or something in it."""
        self.root = one.scene_id if one.scene_id in self.hidden.scenes else one.id

    def about_challenge(self, one: Challenge) -> None:
        """Say that the command is about a challenge of a hidden situation."""
        self.about_situation(self.hidden.situations[one.situation_id])

    def about_effort(self, one: Effort) -> None:
        """Say that the command is about an effort against such a challenge."""
        self.about_challenge(self.hidden.challenges[one.challenge_id])

    def about_clock(self, one: Clock) -> None:
        """Say that the command is about a hidden clock, or that of something hidden."""
        owner: Id = one.of or one.id
        if owner in self.hidden.challenges:
            self.about_challenge(self.hidden.challenges[owner])
        elif owner in self.hidden.situations:
            self.about_situation(self.hidden.situations[owner])
        else:
            self.root = owner


Move = Callable[[Pen], Fields]


def written(pen: Pen, move: Move) -> Order | None:
    """Write a command, None if there is nothing that it could be about."""
    try:
        fields = move(pen)
    except (LookupError, ValueError):
        pen.book.drop(pen.secrets)
        return None
    return Order(fields, pen.secrets, pen.root)
