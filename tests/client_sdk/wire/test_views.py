"""Views: what the channels of a viewer hold together."""

import pickle

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.views import View
from kit.folds import countdown
from kit.table import BOTH, Log


def asked_and_unasked() -> tuple[View, View]:
    """Return two equal views, of which one was asked for what its channels hold together."""
    log = Log(*BOTH)
    log.write(e.CountdownStarted(countdown=countdown(2, started=2)), Channel.PUBLIC)
    log.write(e.CountdownStarted(countdown=countdown(1, started=1)), Channel.GM)
    unasked = log.view.model_copy()
    assert list(log.view.countdowns) == ["c1", "c2"]
    return log.view, unasked


def test_channels_are_merged_once_for_each_view() -> None:
    view, _ = asked_and_unasked()

    assert view.countdowns is view.countdowns
    assert view.clocks is view.clocks
    assert view.clocks == {}


def test_a_view_that_follows_merges_its_own_channels() -> None:
    view, _ = asked_and_unasked()
    public = view.public.model_copy(update={"countdowns": {}})

    after = view.model_copy(update={"channels": {**view.channels, Channel.PUBLIC: public}})

    assert list(after.countdowns) == ["c1"]
    assert list(view.countdowns) == ["c1", "c2"]


def test_nobody_can_tell_from_outside_what_a_view_was_asked() -> None:
    asked, unasked = asked_and_unasked()

    assert asked == unasked
    assert repr(asked) == repr(unasked)
    assert asked.model_dump_json() == unasked.model_dump_json()
    assert pickle.dumps(asked) == pickle.dumps(unasked)
    assert list(View.model_json_schema()["properties"]) == ["channels"]


def test_copies_do_not_carry_what_was_merged() -> None:
    asked, _ = asked_and_unasked()

    for copied in (asked.model_copy(), asked.model_copy(deep=True), pickle.loads(pickle.dumps(asked))):
        assert copied.countdowns == asked.countdowns
        assert copied.countdowns is not asked.countdowns
