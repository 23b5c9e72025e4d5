"""What must hold of every room, and of every two rooms of which one follows the other."""

from collections.abc import Iterable, Mapping
from typing import Any

from dreadclock.rules.contest import Side
from dreadclock.rules.total import BOXES, CrisisKind
from dreadclock.wire import things as t
from dreadclock.wire.base import Id, Visibility
from dreadclock.wire.families.checks import check_odds
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.views import ChannelView, View

_FOR_GOOD = (t.CharacterStatus.DEAD, t.CharacterStatus.RETIRED)
BEFORE_A_ROLL = (None, "proposed", "ready")
NEXT: Mapping[type, Mapping[str, str]] = {  # what a status may turn into, and what things start as
    t.CheckStatus: {
        "": "proposed ready",
        "proposed": "ready",
        "ready": "proposed rolling resolved",
        "rolling": "resolved",
    },
    t.CostStage: {
        "": "proposed declined",
        "proposed": "accepted refused countered declined",
        **dict.fromkeys(("accepted", "countered"), "proposed applied declined"),
        "refused": "proposed declined",
    },
    t.TotalStatus: {
        "": "proposed ready",
        "proposed": "ready",
        "ready": "proposed rolled succeeded",
        "rolled": "offered succeeded failed",
        "offered": "rolled succeeded failed",
    },
    t.CharacterStatus: {"": "in_play", "in_play": "dead retired left", "left": "in_play dead retired"},
}


def assert_sound(view: View) -> None:
    """Assert what holds of every room."""
    assert_clocks_are_sound(view)
    for countdown in view.countdowns.values():
        assert 0 <= countdown.pool <= 60
        assert (countdown.pool == 0) == (countdown.status is t.CountdownStatus.EXPIRED)
    for check in view.checks.values():
        assert_check_is_sound(check)
        if check.visibility is Visibility.PUBLIC and check.status in (t.CheckStatus.PROPOSED, t.CheckStatus.READY):
            assert check.odds == check_odds(view, check), "its odds are those of a roll made now"
    for total in view.totals.values():
        assert_total_is_sound(total)
    for character in view.characters.values():
        assert_character_is_sound(character)


def assert_clocks_are_sound(view: View) -> None:
    """Assert that no clock leaves its size, and that nothing under way is empty or in something that is over."""
    for clock in view.clocks.values():
        assert 0 <= clock.value <= clock.size
    for situation in view.situations.values():
        is_open = situation.status in NOT_OVER
        assert not is_open or view.clocks[situation.clock_id].value > 0
        assert not is_open or view.scenes[situation.scene_id].status is t.SceneStatus.OPEN
    for challenge in view.challenges.values():
        is_open = challenge.status is t.ChallengeStatus.OPEN
        assert not is_open or view.clocks[challenge.clock_id].value > 0
        assert not is_open or view.situations[challenge.situation_id].status in NOT_OVER
    for effort in view.efforts.values():
        assert view.challenges[effort.challenge_id].status is t.ChallengeStatus.OPEN


def assert_check_is_sound(check: t.Check) -> None:
    """Assert that a check is resolved exactly when all its parts are rolled, and of each character once."""
    rolled = [part.roll is not None for part in check.parts]
    assert all(rolled) == (check.status is t.CheckStatus.RESOLVED) == (check.result is not None)
    assert any(rolled) == (check.status in (t.CheckStatus.ROLLING, t.CheckStatus.RESOLVED))
    assert len({part.character_id for part in check.parts}) == len(check.parts)
    for part in check.parts:
        assert part.roll is None or len(part.roll.remaining) <= len(part.roll.faces) <= 200
    if check.result is not None:
        opposed = bool(check.side(Side.OPPOSING))
        assert (check.result.opposing is not None, check.result.winner is not None) == (opposed, opposed)
    assert check.cost is None or check.result is not None


def assert_total_is_sound(total: t.Total) -> None:
    """Assert that a total keeps one die of each number, and was pushed only as long as it missed."""
    kept = set(total.faces)
    for push in total.pushes:
        assert push.crisis == (push.face in kept)
        kept.add(push.face)
    assert list(total.kept) == sorted(kept)
    assert total.total == sum(total.kept)
    assert (total.faces == ()) == (total.status in BEFORE_A_ROLL)
    assert not (total.secret and total.required is not None)
    assert [push.crisis for push in total.pushes[:-1]] == [False] * len(total.pushes[:-1])
    assert not any(push.enough for push in total.pushes[:-1])
    assert total.enough is not True or total.status is t.TotalStatus.SUCCEEDED
    if any(push.crisis for push in total.pushes):
        assert total.status is t.TotalStatus.FAILED


def assert_character_is_sound(character: t.Character) -> None:
    """Assert that no box is marked twice, none is a fourth, and that a third one takes a character out of play."""
    boxes = {kind: [crisis.box for crisis in character.crises if crisis.kind is kind] for kind in CrisisKind}
    for marked in boxes.values():
        assert marked == list(range(1, len(marked) + 1))
        assert len(marked) <= BOXES
    assert max(map(len, boxes.values())) < BOXES or character.status in _FOR_GOOD
    assert not (character.momentum and character.interference)
    assert sum(bonus.dice for bonus in character.bonuses) <= 2 * 62
    assert {choice.instead_of for choice in character.choices} <= set(t.EffectKind)


def assert_follows(before: View, after: View) -> None:
    """Assert that one room may come after another: crises stay, and each status turns into one that may follow."""
    for key, character in before.characters.items():
        kinds = [(crisis.kind, crisis.box, crisis.total_id) for crisis in after.characters[key].crises]
        assert kinds[: len(character.crises)] == [(each.kind, each.box, each.total_id) for each in character.crises]
        assert after.characters[key].status is character.status or character.status is t.CharacterStatus.IN_PLAY
    _assert_steps(t.CheckStatus, _statuses(before.checks), _statuses(after.checks))
    _assert_steps(t.TotalStatus, _statuses(before.totals), _statuses(after.totals))
    _assert_steps(t.CharacterStatus, _statuses(before.characters), _statuses(after.characters))
    _assert_steps(t.CostStage, _costs(before.checks), _costs(after.checks))
    for key, total in before.totals.items():
        assert total.faces == () or key not in after.totals or after.totals[key].faces == total.faces


def _statuses(things: Mapping[Id, Any]) -> dict[Id, str]:
    return {key: thing.status for key, thing in things.items()}


def _costs(checks: Mapping[Id, t.Check]) -> dict[Id, str]:
    return {key: check.cost.stage for key, check in checks.items() if check.cost is not None}


def _assert_steps(sort: type, before: Mapping[Id, str], after: Mapping[Id, str]) -> None:
    for key, status in after.items():
        was = before.get(key, "")
        assert status == was or status in NEXT[sort].get(was, "").split(), f"{key}: {was}, {status}"


def assert_told_apart(public: ChannelView, hidden: ChannelView) -> None:
    """Assert that every thing is of its channel's visibility, and that a sealed one has its stub in public."""
    for part, expected in ((public, {Visibility.PUBLIC}), (hidden, {Visibility.SEALED, Visibility.GM})):
        assert {thing.visibility for thing in _with_visibility(part)} <= expected
    roots: list[Any]
    roots = [*hidden.countdowns.values(), *hidden.scenes.values(), *hidden.rolls.values(), *hidden.checks.values()]
    roots += [clock for clock in hidden.clocks.values() if clock.of is None]
    roots += [situation for situation in hidden.situations.values() if situation.scene_id not in hidden.scenes]
    assert public.sealed.keys() == {thing.id for thing in roots if thing.visibility is Visibility.SEALED}
    assert (hidden.characters, hidden.totals, public.secrets) == ({}, {}, {})
    for total in public.totals.values():
        assert not total.secret or (total.required is None and total.id in hidden.secrets)


def _with_visibility(part: ChannelView) -> Iterable[Any]:
    fields = ("countdowns", "clocks", "scenes", "situations", "rolls", "checks")
    return (thing for field in fields for thing in getattr(part, field).values())
