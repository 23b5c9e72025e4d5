"""What an audit finds: each roll with what is proven of it, and each fault with the record that it is in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dreadclock.evening.export import Header
from dreadclock.evening.fingerprint import six_words
from dreadclock.wire.base import Channel, Faces, HeadHash, Id
from dreadclock.wire.records import Positions


class Standing(StrEnum):
    """What is known of a roll."""

    PROVEN = "proven"  # its faces follow from what both sides had fixed before
    NO_TOKEN = "no_token"  # its faces follow from the server's key alone: the roller's client showed no token
    PHYSICAL = "physical"  # somebody typed in what dice on a table showed
    HIDDEN = "hidden"  # of a sealed thing that was not revealed; the file does not hold it
    UNCOMMITTED = "uncommitted"  # of a thing that only the gm knew: nothing was published before


class FaultKind(StrEnum):
    """What sort of thing is wrong."""

    HEADER = "header"  # with the file's first line, or with where the file ends
    CHAIN = "chain"  # a record is not the one that was told
    ORDER = "order"  # a record's time
    DICE = "dice"
    RULES = "rules"
    HEAD = "head"  # the log is not the one that somebody noted


@dataclass(frozen=True, slots=True)
class RollReport:
    """One roll, or what is known of rolls that are hidden.

    `seq`: of the record that shows it, or that sealed it; `n`: its slot in the lane. `lane` and `n` are None where no
    lane was used. `witnesses`: of how many other seats a token went into it; with none, server and roller
    together could have chosen it.
    """

    channel: Channel
    seq: int
    lane: str | None
    n: int | None
    standing: Standing
    witnesses: int = 0
    faces: Faces = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong: `line` counts from 1; `channel` and `seq` name the record, if it is in one."""

    line: int
    channel: Channel | None
    seq: int | None
    sentence: str
    kind: FaultKind
    flaw: str | None = None  # of dice: a `dreadclock.dice.flaws.Flaw`

    def __str__(self) -> str:
        where = (
            f"line {self.line}" if self.channel is None else f"line {self.line}, record {self.seq} of {self.channel}"
        )
        return f"{where}: {self.sentence}"


_WORD: Final = "[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]"
_NOTED: Final = re.compile(
    r"(record\s+)?(?P<seq>[0-9]{1,15})(\s+of the public log reads)?[:\s]+"
    rf"(?P<head>[0-9a-f]{{64}}|{_WORD}([\s,-]+{_WORD}){{5}})"
)


@dataclass(frozen=True, slots=True)
class NotedHead:
    """Where somebody saw a channel stand: `head` is 64 hex digits, or six words with spaces between them."""

    seq: int
    head: str
    channel: Channel = Channel.PUBLIC

    @staticmethod
    def read(text: str) -> NotedHead:
        """Read "512:lusab babad ..." or "512:7f00...". Raises ValueError if it is neither."""
        noted = _NOTED.fullmatch(text.strip().lower())
        if noted is None:
            raise ValueError("a noted head looks like 512:HEAD, with the 64 digits or the six words of the head")
        return NotedHead(int(noted["seq"]), " ".join(re.split(r"[\s,-]+", noted["head"])))

    def fits(self, head: HeadHash) -> bool:
        """Tell whether this is the head that was noted."""
        return self.head in (head, " ".join(six_words(head)))


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit found. `records`: how many could be read; `positions`: where the channels stand after them."""

    header: Header | None
    records: int
    positions: Positions
    rolls: tuple[RollReport, ...]
    faults: tuple[Fault, ...]
    unjudged: int = 0  # records of another edition of the rules, of which chain and dice alone were checked
    remarks: tuple[str, ...] = ()  # sentences about what is no fault

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    @property
    def words(self) -> tuple[str, ...]:
        """The six words of the public channel's end; none if nothing could be read."""
        head = self.positions.get(Channel.PUBLIC)
        return six_words(head.hash) if head else ()

    @property
    def unvouched(self) -> Mapping[Id, tuple[RollReport, ...]]:
        """The public rolls that nobody can vouch for, by the seat that they are said to be of.

        They show no token of their roller and no witness: the server alone could have chosen them, and made them.
        """
        found: dict[Id, tuple[RollReport, ...]] = {}
        for roll in self.rolls:
            if roll.standing is Standing.NO_TOKEN and not roll.witnesses and roll.lane is not None:
                seat = roll.lane.split("/")[1]
                found[seat] = (*found.get(seat, ()), roll)
        return found

    @property
    def counts(self) -> Mapping[Standing, int]:
        """How many rolls have each standing."""
        return {each: sum(roll.standing is each for roll in self.rolls) for each in Standing}
