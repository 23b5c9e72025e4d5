"""The story: what stands in which chapter and turn."""

from typing import get_args

from dreadclock.narration import Narrator
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.things import ClockKind, Lane, Policy, SceneStatus
from dreadclock_server.evening.recap.story import _NO_STORY, Chapter, Played, chapters, scenes
from kit.evenings.played import steps_of
from kit.scenery import GM, HIDDEN, SCENE, SCENE_CLOCK, clock
from kit.table import BOTH, Log, rolled
from kit.tables import ANN, Table

ATTIC = SCENE.model_copy(update={"id": "attic", "name": "The attic", "clock_id": "attic-clock"})
ATTIC_CLOCK = clock(ClockKind.SCENE, "attic", "The attic", 4)


def outline(*events: e.Event) -> list[tuple[str | None, list[tuple[int, int]]]]:
    """Tell a room with these events, and return of each chapter its scene, and its turns with their sentences."""
    log = Log(Channel.PUBLIC)
    for event in (e.SeatJoined(seat=GM), *events):
        log.write(event)
    told = chapters(steps_of(log.records, Channel.PUBLIC), Narrator())
    return [(one.scene, [(turn.number, len(turn.told)) for turn in one.turns]) for one in told]


def test_what_carries_no_story_are_events_that_there_are() -> None:
    known = {model.model_fields["type"].default for model in get_args(get_args(e.Event)[0])}
    assert known >= _NO_STORY
    assert {"dice_rolled", "narrated", "clock_ticked"} <= known - _NO_STORY


def test_a_scene_is_a_chapter_from_its_opening_to_its_end() -> None:
    opened, ended = (
        e.SceneOpened(scene=SCENE, clock=SCENE_CLOCK),
        e.SceneEnded(scene_id="vault", outcome=SceneStatus.SUCCESS),
    )

    assert outline(opened, rolled(1), ended, rolled(2)) == [("Out of the vault", [(1, 3)]), (None, [(1, 1)])]


def test_the_scene_that_was_opened_last_takes_over_until_it_ends() -> None:
    story = outline(
        e.SceneOpened(scene=SCENE, clock=SCENE_CLOCK),
        e.SceneOpened(scene=ATTIC, clock=ATTIC_CLOCK),
        rolled(1),
        e.SceneEnded(scene_id="attic", outcome=SceneStatus.UNFINISHED),
        rolled(2),
    )

    assert [scene for scene, _ in story] == ["Out of the vault", "The attic", "Out of the vault"]


def test_a_turn_is_a_part_of_its_own_and_its_end_no_sentence() -> None:
    assert outline(rolled(1), e.TurnEnded(turn=1), rolled(2), rolled(3)) == [(None, [(1, 1), (2, 2)])]


def test_what_only_keeps_the_books_is_left_out() -> None:
    lane = e.LaneOpened(lane=Lane(label="seat/gm/1", key="A" * 43))

    assert outline(lane, e.PolicySet(policy=Policy()), e.SeatRenamed(seat_id="gm", name="Mo")) == []


def test_a_check_is_one_sentence_however_many_steps_led_to_it() -> None:
    table = Table(physical_dice="everyone")
    table.do({"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id, "attributes": {"Wits": 3}})
    table.do({"type": "propose_check", "id": "leap", "character_id": "ada", "attribute": "Wits"}, by=ANN)
    table.do({"type": "adjust_check", "check_id": "leap", "penalty": 1, "approve": True})
    table.do({"type": "roll_check", "check_id": "leap", "faces": [5, 2]}, by=ANN)

    (chapter,) = chapters(steps_of(table.records, Channel.PUBLIC), Narrator())

    (turn,) = chapter.turns
    assert [told.sentence for told in turn.told] == ["Ann rolled the check of Ada with real dice: 5 2; success."]


def test_what_comes_of_a_roll_stands_in_a_line_of_its_own_below_it() -> None:
    table = Table(physical_dice="everyone")
    table.do({"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id, "attributes": {"Wits": 2}})
    table.do({"type": "propose_check", "id": "leap", "character_id": "ada", "attribute": "Wits"}, by=ANN)
    table.do({"type": "adjust_check", "check_id": "leap", "approve": True})
    table.do({"type": "roll_check", "check_id": "leap", "faces": [6, 6, 5, 2]}, by=ANN)

    (chapter,) = chapters(steps_of(table.records, Channel.PUBLIC), Narrator())

    rolled, gained = chapter.turns[0].told[0].sentence.splitlines()
    assert (rolled.endswith("triumph."), gained) == (True, "Ada gains momentum.")


def test_what_only_the_gm_was_told_is_marked_and_stays_with_those_who_hold_it() -> None:
    log = Log(*BOTH)
    log.write(e.SeatJoined(seat=GM))
    log.write(e.CountdownStarted(countdown=HIDDEN), Channel.GM)
    log.write(rolled(1))

    def secrets(*channels: Channel) -> list[bool]:
        (chapter,) = chapters(steps_of(log.records, *channels), Narrator())
        return [told.secret for told in chapter.turns[0].told]

    assert secrets() == [True, False]
    assert secrets(Channel.PUBLIC) == [False]


def test_an_empty_evening_has_no_story() -> None:
    assert chapters(steps_of([]), Narrator()) == ()


def test_sentences_are_told_with_the_names_of_their_moment() -> None:
    log = Log(Channel.PUBLIC)
    for event in (e.SeatJoined(seat=GM), rolled(1), e.SeatRenamed(seat_id="gm", name="Mara the Bold"), rolled(2)):
        log.write(event)

    (chapter,) = chapters(steps_of(log.records, Channel.PUBLIC), Narrator("de"))

    assert isinstance(chapter, Chapter)
    assert [told.sentence for told in chapter.turns[0].told] == [
        "Mara würfelt mit 3 echten Würfeln: 1 2 3.",
        "Mara the Bold würfelt mit 3 echten Würfeln: 1 2 3.",
    ]


def test_a_scene_is_one_line_with_its_end_and_the_rolls_that_were_made_in_it() -> None:
    table = Table(physical_dice="everyone")
    table.now_ms = 60_000
    table.do({"type": "open_scene", "id": "vault", "name": "The vault", "clock": 8})
    table.do({"type": "roll_dice", "pool": 1, "faces": [3]})
    table.do({"type": "end_scene", "scene_id": "vault"})
    table.do({"type": "roll_dice", "pool": 1, "faces": [3]})
    table.now_ms = 120_000
    table.do({"type": "open_scene", "id": "attic", "name": "The attic", "clock": 8})

    assert scenes(steps_of(table.records, Channel.PUBLIC)) == (
        Played(60_000, "The vault", SceneStatus.UNFINISHED, 1),
        Played(120_000, "The attic", SceneStatus.OPEN, 0),
    )
