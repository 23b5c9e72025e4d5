"""The story of demo rooms: whatever the dice show, all of it can be done."""

import re
from typing import get_args

import pytest

from dreadclock.wire.base import Role
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import Language
from dreadclock.wire.things import TotalStatus
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.demo.lighthouse import MIRA, STORY, TAM, tell, words
from dreadclock_server.dice import Ledger
from dreadclock_server.in_play.shows import SCOPES
from kit.tables import ANN, BO, GM, ROOM, Table

DRAWS = 40
TELLER = Actor("integration-7", Role.INTEGRATION, SCOPES)


class Telling:
    """A story that is told at once, with dice of its own."""

    def __init__(self, draw: int) -> None:
        self.table, self.said, self.refused = Table(), list[str](), list[tuple[str, Code]]()
        self._told = 0
        self._dice = Ledger(ROOM, draw.to_bytes(32, "big"))
        self._actors = {"gm": GM, MIRA: ANN, TAM: BO, STORY: TELLER}
        self.table.do(JoinSeat(TELLER.role, "Teller", SCOPES))

    @property
    def view(self) -> View:
        return self.table.view

    def text(self, key: str) -> str:
        return words("en")[key]

    async def say(self, key: str, about: str | None = None) -> None:
        assert key in words("en")
        assert len(self.table.records) > self._told, f"{key} tells of what has not happened"
        self._told = len(self.table.records)
        if about:
            kind, _, thing = about.partition(":")
            assert thing in getattr(self.view, f"{kind}s"), f"{key} points at nothing"
        self.said.append(key)

    async def do(self, who: str, kind: str, /, **fields: object) -> bool:
        if "owner" in fields:
            fields["owner"] = self._actors[str(fields["owner"])].seat_id
        try:
            self.table.do({"type": kind, **fields}, by=self._actors[who], dice=self._dice)
        except Refused as refused:
            self.refused.append((kind, refused.code))
            return False
        rolled = {record.by for record in self.table.records if hasattr(record.event, "proof")}
        assert not rolled & {GM.seat_id, ANN.seat_id}, "who watches from there is warned of such a roll"
        return True


async def test_whatever_falls_nothing_is_refused_but_a_price_for_what_came_off() -> None:
    said = set[str]()
    for draw in range(DRAWS):
        telling = Telling(draw)
        await tell(telling)

        assert set(telling.refused) <= {("propose_cost", Code.NOT_FAILED)}
        assert telling.said[-1] == "end"
        assert telling.view.totals["lamp"].status in (TotalStatus.SUCCEEDED, TotalStatus.FAILED)
        assert all(scene.typical for scene in telling.view.scenes.values())  # nobody asks why one is not
        said.update(telling.said)
    assert {"bargain", "pay", "push", "crisis", "check_3", "reveal", "contest", "round", "next_turn"} <= said


@pytest.mark.parametrize("language", get_args(Language))
def test_both_languages_have_the_same_texts(language: Language) -> None:
    texts = words(language)

    assert texts.keys() == words("en").keys()
    assert all(re.fullmatch(r"\S.*\S", text) and len(text) <= 280 for text in texts.values())
