"""Clocks over time."""

import re
from datetime import UTC, timedelta, timezone
from fractions import Fraction
from importlib.resources import files
from itertools import product

import pytest

from dreadclock.rules.countdown import Speed
from dreadclock.rules.odds import countdown as odds
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Visibility
from dreadclock.wire.events import Cause
from dreadclock.wire.things import Clock, ClockKind, CountdownStatus, HiddenRoll, SceneStatus, Things
from dreadclock_server.evening.recap import chances
from dreadclock_server.evening.recap.dice import Tally
from dreadclock_server.evening.recap.drawing import CountdownWords, draw_clocks, draw_countdown, draw_tally, lines
from dreadclock_server.evening.recap.markup import Markup, items, tag
from dreadclock_server.evening.recap.things import Course, Panel, Stretch, Survival, panels, survivals
from dreadclock_server.evening.recap.times import Axis, Times
from kit.evenings.played import EIGHT_PM_MS, spread, steps_of
from kit.scenery import DOOR, DOOR_CLOCK, FEVER, GM, RACE, RACE_CLOCK, SCENE, SCENE_CLOCK, SEALED, THREAT, WATER, rolled
from kit.table import BOTH, Log

LONG_DOOR = DOOR_CLOCK.model_copy(update={"size": 3, "value": 3})
TIDE = Clock(id="tide", kind=ClockKind.FREE, name="Tide", size=4, value=4, visibility=Visibility.SEALED)


def ticked(clock: Clock, value: int) -> e.ClockTicked:
    return e.ClockTicked(clock_id=clock.id, kind=clock.kind, cause=Cause.RULING, value=value)


def scene() -> list[e.Event]:
    return [
        e.SeatJoined(seat=GM),
        e.SceneOpened(scene=SCENE, clock=SCENE_CLOCK),
        e.SituationStarted(situation=RACE, clock=RACE_CLOCK, threat=THREAT),
        e.ChallengeAdded(challenge=DOOR, clock=LONG_DOOR),
    ]


def drawn(*events: e.Event) -> tuple[Panel, ...]:
    """Return the panels of an evening with an event a minute."""
    log = Log(Channel.PUBLIC)
    for event in events:
        log.write(event)
    return panels(steps_of(spread(log.records, *range(len(events))), Channel.PUBLIC))


def names(shown: tuple[Panel, ...]) -> list[tuple[str | None, list[str]]]:
    return [(panel.name, [course.clock.id for course in panel.courses]) for panel in shown]


def minutes(*moves: tuple[int, int]) -> list[tuple[int, int]]:
    return [(EIGHT_PM_MS + 60_000 * minute, value) for minute, value in moves]


def test_a_scene_is_drawn_with_its_threat_and_situations_and_a_situation_with_its_long_challenges() -> None:
    assert names(drawn(*scene(), ticked(THREAT, 14), ticked(LONG_DOOR, 2))) == [
        ("Out of the vault", ["vault-clock", "vault-threat", "run-clock"]),
        ("The way out", ["run-clock", "door-clock"]),
    ]


def test_a_challenge_of_one_effort_needs_no_drawing() -> None:
    short = [
        event if not isinstance(event, e.ChallengeAdded) else e.ChallengeAdded(challenge=DOOR, clock=DOOR_CLOCK)
        for event in scene()
    ]

    assert names(drawn(*short, ticked(DOOR_CLOCK, 0), ticked(THREAT, 14)))[1:] == []


def test_a_course_tells_when_its_clock_stood_where_and_ends_with_the_scene() -> None:
    ended = e.SceneEnded(scene_id="vault", outcome=SceneStatus.UNFINISHED)
    (panel, *_) = drawn(*scene(), ticked(THREAT, 14), ticked(THREAT, 12), ended, e.TurnEnded(turn=1))

    threat = panel.courses[1]
    assert threat.moves == minutes((2, 15), (4, 14), (5, 12))
    assert threat.until == EIGHT_PM_MS + 60_000 * 6


def test_a_clock_that_is_done_ends_there() -> None:
    (panel,) = drawn(e.SeatJoined(seat=GM), e.ClockStarted(clock=WATER), ticked(WATER, 8), e.TurnEnded(turn=1))

    assert panel.name is None
    assert panel.courses[0].until == EIGHT_PM_MS + 60_000 * 2


def test_free_standing_clocks_share_a_drawing_by_fours_and_those_that_never_moved_have_none() -> None:
    clocks = [WATER.model_copy(update={"id": f"water-{number}"}) for number in range(6)]
    started = [e.ClockStarted(clock=clock) for clock in clocks]

    shown = drawn(e.SeatJoined(seat=GM), *started, *(ticked(clock, 4) for clock in clocks[:5]))

    assert [len(panel.courses) for panel in shown] == [4, 1]


def test_a_scene_in_which_no_clock_moved_is_not_drawn() -> None:
    assert drawn(*scene()) == ()


def test_what_was_taken_back_is_not_drawn() -> None:
    taken_back = e.Cancelled(kind=Kind.CLOCK, id="water", reason="a slip")

    assert drawn(e.SeatJoined(seat=GM), e.ClockStarted(clock=WATER), ticked(WATER, 4), taken_back) == ()


def test_a_clock_that_comes_to_light_is_drawn_from_there_for_those_who_did_not_see_it() -> None:
    log = Log(*BOTH)
    log.write(e.SeatJoined(seat=GM))
    log.write(e.ClockStarted(clock=TIDE), Channel.GM)
    log.write(ticked(TIDE, 3), Channel.GM)
    now = TIDE.model_copy(update={"value": 3})
    log.write(e.Revealed(kind=Kind.CLOCK, id="tide", things=Things(clocks=(now,))))
    log.write(e.MadePublic(kind=Kind.CLOCK, id="tide"), Channel.GM)
    log.write(ticked(TIDE, 1))
    records = spread(log.records, *range(6))

    (of_gm,), (of_others,) = panels(steps_of(records)), panels(steps_of(records, Channel.PUBLIC))

    assert of_gm.courses[0].moves == minutes((1, 4), (2, 3), (5, 1))
    assert of_others.courses[0].moves == minutes((3, 3), (5, 1))


# Drawings: what is in them can be read off their text and their lines


HOUR_MS = 3_600_000
AXIS = Axis(EIGHT_PM_MS + minute * 60_000 for minute in range(0, 61, 10))


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def course(*values: int) -> Course:
    moves = [(EIGHT_PM_MS + 600_000 * place, value) for place, value in enumerate(values)]
    return Course(WATER, moves, EIGHT_PM_MS + HOUR_MS)


def test_clocks_stand_over_the_times_of_the_evening() -> None:
    svg = draw_clocks(Panel(None, (course(3, 5, 8),)), AXIS, Times(UTC), "clocks")

    assert texts(svg) == ["20:00", "20:20", "20:40", "21:00", "0", "2", "4", "6", "8"]


def test_a_minute_is_named_once() -> None:
    short = Axis(EIGHT_PM_MS + 20_000 * step for step in range(5))
    one = Course(WATER, [(EIGHT_PM_MS, 3), (EIGHT_PM_MS + 80_000, 4)], EIGHT_PM_MS + 80_000)

    assert texts(draw_clocks(Panel(None, (one,)), short, Times(UTC), "clocks"))[:3] == ["20:00", "20:01", "0"]


def test_over_several_days_times_have_dates() -> None:
    far = Axis([EIGHT_PM_MS, EIGHT_PM_MS + 24 * HOUR_MS])
    one = Course(WATER, [(EIGHT_PM_MS, 3), (EIGHT_PM_MS + 24 * HOUR_MS, 4)], EIGHT_PM_MS + 24 * HOUR_MS)

    shown = texts(draw_clocks(Panel(None, (one,)), far, Times(UTC), "clocks"))

    assert shown[:4] == ["20:00", "2027-01-26", "20:00", "2027-01-27"]


def test_scene_and_threat_have_lines_of_their_own_and_no_two_others_look_alike() -> None:
    others = [WATER.model_copy(update={"id": f"water-{number}"}) for number in range(12)]
    clocks = [SCENE_CLOCK, THREAT, RACE_CLOCK, *others[:11]]

    drawn = lines([Course(clock) for clock in clocks])

    assert drawn[:2] == ("ink", "blood")
    assert len(set(drawn)) == len(clocks)


def test_a_countdown_shows_its_rolls_beside_its_odds_and_further_where_it_ended_early() -> None:
    words = CountdownWords("rolls", "dice")

    drawn = draw_countdown(Survival(FEVER, [(4, 0)]), words, "a pool")

    horizon = chances.horizon(4, FEVER.speed)
    assert horizon == 6
    assert texts(drawn) == ["0", "1", "2", "3", "4", *map(str, range(horizon + 1)), "rolls", "dice"]
    assert re.findall(r'<circle class="dot brass" cx="([\d.]+)" cy="([\d.]+)"', drawn) == [
        ("46.0", "10.0"),
        (f"{46 + 304 / horizon:.1f}", "145.0"),
    ]


def test_a_tally_names_each_face_with_its_count() -> None:
    drawn = draw_tally(Tally(None, physical=False, counts=(3, 0, 11, 1, 2, 7)), "dice")

    assert texts(drawn) == ["3×", "0×", "11×", "1×", "2×", "7×"]
    assert [die.count('class="pip"') for die in drawn.split('class="die"')] == [0, 1, 2, 3, 4, 5, 6]


def test_a_drawing_says_what_it_shows_and_has_no_colour_but_the_classes_of_the_pages_style() -> None:
    twelve = [WATER.model_copy(update={"id": f"water-{number}"}) for number in range(12)]
    ways = [Course(each, [(EIGHT_PM_MS, 1)], EIGHT_PM_MS) for each in (SCENE_CLOCK, THREAT, *twelve)]
    drawn = (
        draw_clocks(Panel(None, tuple(ways)), AXIS, Times(UTC), 'what "it" <shows>'),
        draw_countdown(Survival(FEVER, [(4, 2), (5, 0)]), CountdownWords("rolls", "dice"), "a pool"),
        draw_tally(Tally(None, physical=False, counts=(1,) * 6), "dice"),
    )

    style = files("dreadclock_server.evening.recap").joinpath("evening.css").read_text(encoding="utf-8")
    used = {name for each in re.findall(r'class="([^"]*)"', "".join(drawn)) for name in each.split()}
    assert len(used) > 15
    assert used <= set(re.findall(r"\.([a-z-]+)", style))
    assert not re.search(r"#[0-9a-f]{3}|style=|fill=|stroke=", "".join(drawn))
    assert drawn[0].startswith('<svg class="drawing" role="img" aria-label="what &quot;it&quot; &lt;shows&gt;" ')


# Countdowns roll by roll


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


# What chance says of a countdown, against every way that its dice can fall


def survivors(pool: int, speed: Speed, rolls: int) -> list[int]:
    """Throw every die its rolls in every way there is, and return how many dice are left each time."""
    ways = list(product(range(1, 7), repeat=rolls))
    stays = [not any(face in speed.expiring for face in way) for way in ways]
    return [sum(each) for each in product(stays, repeat=pool)]


@pytest.mark.parametrize("speed", list(Speed))
@pytest.mark.parametrize("rolls", [1, 2])
def test_a_countdown_that_ended_lasted_as_long_as_those_with_dice_before_its_last_roll(speed: Speed, rolls: int):
    before = survivors(2, speed, rolls - 1)

    ended = chances.lasted_so_long(Stretch((2, *(1,) * (rolls - 1), 0)), speed)

    assert ended == Fraction(sum(left > 0 for left in before), len(before))


@pytest.mark.parametrize("speed", list(Speed))
def test_a_countdown_that_goes_on_lasted_longer_than_those_without_dice(speed: Speed) -> None:
    now = survivors(2, speed, 2)

    assert chances.lasted_so_long(Stretch((2, 2, 1)), speed) == Fraction(sum(left > 0 for left in now), len(now))


@pytest.mark.parametrize("speed", list(Speed))
@pytest.mark.parametrize("pool", [1, 4, 60])
@pytest.mark.parametrize("rolls", [0, 1, 7])
def test_the_band_leaves_out_at_most_a_tenth_at_either_end_and_few_dice(speed: Speed, pool: int, rolls: int):
    low, high = chances.band(pool, speed, rolls)

    left = odds.distribution(pool, speed, rolls)
    assert sum(left[:low]) < Fraction(1, 10) <= sum(left[: low + 1])
    assert sum(left[:high]) < Fraction(9, 10) <= sum(left[: high + 1])
    assert chances.mean(pool, speed, rolls) == pytest.approx(float(sum(n * chance for n, chance in enumerate(left))))


# Times in a zone, and the axis on which long pauses are short


INDIA = timezone(timedelta(hours=5, minutes=30))
MINUTE_MS = 60_000


def test_times_are_written_in_the_zone_that_was_named() -> None:
    times = Times(INDIA)

    assert times.of_day(EIGHT_PM_MS) == "01:30"
    assert times.to_the_second(EIGHT_PM_MS + 7_000) == "01:30:07"
    assert times.date(EIGHT_PM_MS) == "2027-01-27"
    assert times.offset(EIGHT_PM_MS) == "UTC+05:30"


def test_a_time_beyond_the_calendar_is_at_its_end() -> None:
    assert Times(INDIA).date(10**30).startswith("9999-")


def test_a_long_pause_takes_a_quarter_of_an_hour_on_the_axis() -> None:
    minutes = [0, 10, 10 + 24 * 60, 10 + 24 * 60 + 5]
    axis = Axis(EIGHT_PM_MS + minute * MINUTE_MS for minute in minutes)

    assert [axis.place(EIGHT_PM_MS + minute * MINUTE_MS) for minute in minutes] == [0, 10, 25, 30]


def test_a_clock_that_was_set_back_takes_no_time() -> None:
    axis = Axis([EIGHT_PM_MS, EIGHT_PM_MS - MINUTE_MS, EIGHT_PM_MS + MINUTE_MS])

    assert axis.place(EIGHT_PM_MS - MINUTE_MS) == 0
    assert axis.place(EIGHT_PM_MS + MINUTE_MS) == 1


@pytest.mark.parametrize(
    ("first", "last", "minutes"),
    [(0, 30, [0, 10, 20, 30]), (10, 20, [10, 13, 20]), (7, 7, [7])],
    ids=["all of it", "a part of it", "one moment"],
)
def test_marks_are_records_that_lie_well_apart(first: int, last: int, minutes: list[int]) -> None:
    records = (0, 1, 7, 10, 13, 20, 21, 30)
    axis = Axis(EIGHT_PM_MS + minute * MINUTE_MS for minute in records)

    marks = axis.marks(first, last, 4)

    assert marks == [(minute, EIGHT_PM_MS + minute * MINUTE_MS) for minute in minutes]


# Markup: only what we write ourselves is any


def test_whatever_is_not_made_here_is_escaped_within_elements_and_attributes() -> None:
    assert tag("p", "<b>&", tag("b", "bold"), title='"quoted"') == (
        '<p title="&quot;quoted&quot;">&lt;b&gt;&amp;<b>bold</b></p>'
    )


def test_attributes_are_named_as_python_can_and_may_be_absent() -> None:
    assert tag("path", class_="line", aria_hidden="true", name="x", id=None) == (
        '<path class="line" aria-hidden="true" name="x"></path>'
    )
    assert tag("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_what_is_no_item_of_a_list_becomes_one_even_where_it_only_looks_like_one() -> None:
    assert items([tag("li", "one"), "<li>two"], "those") == (
        '<ul class="those"><li>one</li><li>&lt;li&gt;two</li></ul>'
    )


def test_markup_that_is_put_together_as_text_is_none_any_more() -> None:
    assert tag("p", Markup("<b>") + "<i>") == "<p>&lt;b&gt;&lt;i&gt;</p>"
