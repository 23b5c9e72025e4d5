"""Taking a command back in a view: what the event carries is copied, and nothing is worked out."""

from typing import Any

import pytest

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.things import Clock, ClockKind, Place, Policy, Restored, SecretRequired, TotalOdds
from kit.folds import after
from kit.table import Log

ODDS = TotalOdds(mean="7/2")


def clock(name: str, value: int = 4) -> Clock:
    return Clock(id=name, kind=ClockKind.FREE, name=name, size=4, value=value)


def started(*names: str) -> list[e.Event]:
    return [e.ClockStarted(clock=clock(name)) for name in names]


def voided(**restored: Any) -> e.CommandVoided:
    return e.CommandVoided(first=1, last=1, what="clock_ticked", reason="a slip", restored=Restored(**restored))


def test_what_changed_is_as_it_was_and_stays_in_its_place():
    view = after(*started("one", "two", "three"), voided(clocks=(clock("two", 3),)))

    assert list(view.clocks.items()) == [("one", clock("one")), ("two", clock("two", 3)), ("three", clock("three"))]


def test_what_was_started_goes_and_its_id_stays_taken():
    view = after(*started("one", "two"), voided(removed={"clocks": ("two",)}))

    assert (list(view.clocks), view.taken, view.made) == (["one"], ("one", "two"), {"clock": 2})


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ((Place(id="new"),), ["new", "one", "two"]),
        ((Place(id="new", after="one"),), ["one", "new", "two"]),
        ((Place(id="new", after="two"),), ["one", "two", "new"]),
        ((Place(id="new", after="gone"),), ["new", "one", "two"]),
        ((), ["one", "two", "new"]),
    ],
    ids=["first", "between", "last", "behind what is gone", "nowhere in particular"],
)
def test_what_had_gone_comes_back_to_its_place(places: tuple[Place, ...], order: list[str]):
    view = after(*started("one", "two"), voided(clocks=(clock("new"),), places={"clocks": places} if places else {}))

    assert list(view.clocks) == order


def test_what_had_moved_goes_back_and_what_follows_it_behind_it():
    back = (Place(id="three"), Place(id="two", after="three"))

    view = after(
        *started("one", "two", "three"), voided(clocks=(clock("three"), clock("two")), places={"clocks": back})
    )

    assert list(view.clocks) == ["three", "two", "one"]


def test_the_turn_and_the_house_rules_go_back():
    policy = Policy(player_countdowns=False)

    view = after(e.TurnEnded(turn=3), voided(policy=policy, turn=3))

    assert (view.turn, view.policy) == (3, policy)


def test_secret_numbers_are_kept_by_their_total():
    secret = SecretRequired(total_id="climb", required=9, odds=ODDS)

    view = after(voided(secrets=(secret,)), channel=Channel.GM)

    assert view.secrets == {"climb": secret}
    assert after(e.SecretSet(secret=secret), voided(removed={"secrets": ("climb",)}), channel=Channel.GM).secrets == {}


def test_what_is_not_named_is_left_the_very_object_that_it_was():
    log = Log(Channel.PUBLIC, Channel.GM)
    for event in (*started("one", "two"), e.TurnEnded(turn=1)):
        log.write(event, Channel.PUBLIC)
    before = log.view.public
    log.write(voided(clocks=(clock("two", 1),)), Channel.PUBLIC)

    assert log.view.public.clocks["one"] is before.clocks["one"]
    assert log.view.public.characters is before.characters
    assert before.clocks["two"] == clock("two")
