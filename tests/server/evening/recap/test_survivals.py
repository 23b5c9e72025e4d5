"""Countdowns roll by roll."""

from __future__ import annotations

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.things import CountdownStatus, HiddenRoll, Things
from dreadclock_server.evening.recap.things import Stretch, Survival, survivals
from kit.evenings.played import steps_of
from kit.scenery import FEVER, GM, SEALED, rolled
from kit.table import BOTH, Log


def followed(*events: e.Event) -> tuple[Survival, ...]:
    log = Log(Channel.PUBLIC)
    for event in (e.SeatJoined(seat=GM), *events):
        log.write(event)
    return survivals(steps_of(log.records, Channel.PUBLIC))


def test_a_countdown_is_followed_from_its_first_pool_through_every_roll() -> None:
    (fever,) = followed(
        e.CountdownStarted(countdown=FEVER),
        rolled(1, 2, 6, 6, remaining=2),
        rolled(1, 2, remaining=2),
        rolled(5, 6, remaining=0),
        e.CountdownExpired(countdown_id="fever", ending="death"),
    )

    assert fever.stretches == (Stretch((4, 2, 2, 0)),)
    assert fever.stretches[0].rolls == 3
    assert fever.countdown.status is CountdownStatus.EXPIRED


def test_dice_that_were_added_begin_another_stretch() -> None:
    (fever,) = followed(
        e.CountdownStarted(countdown=FEVER),
        rolled(1, 2, 6, 6, remaining=2),
        e.CountdownReplenished(countdown_id="fever", added=3, remaining=5),
        rolled(1, 1, 1, 1, 6, remaining=4),
    )

    assert fever.stretches == (Stretch((4, 2)), Stretch((5, 4)))


def test_a_countdown_that_was_never_rolled_is_left_out() -> None:
    assert followed(e.CountdownStarted(countdown=FEVER)) == ()


def test_a_sealed_countdown_is_followed_once_by_the_gm_and_from_its_reveal_by_the_others() -> None:
    log = Log(*BOTH)
    log.write(e.SeatJoined(seat=GM))
    log.write(e.CountdownStarted(countdown=SEALED), Channel.GM)
    log.write(rolled(1, 2, 6, 6, remaining=2, countdown_id="below"), Channel.GM)
    hidden = (HiddenRoll(faces=(1, 2, 6, 6), removed=2),)
    now = SEALED.model_copy(update={"pool": 2, "hidden_rolls": hidden})
    log.write(e.Revealed(kind=Kind.COUNTDOWN, id="below", things=Things(countdowns=(now,))))
    log.write(e.MadePublic(kind=Kind.COUNTDOWN, id="below"), Channel.GM)
    log.write(rolled(3, 6, remaining=1, countdown_id="below"))

    for channels in (BOTH, (Channel.PUBLIC,)):
        (below,) = survivals(steps_of(log.records, *channels))
        assert below.rolls == [(4, 2), (2, 1)]
