"""What the server writes to its log, and takes from its flags."""

import pytest
import structlog

from dreadclock_server.cli import capped, log_to_stderr
from dreadclock_server.gateway.caps import Caps


def stumble(token: str) -> None:
    raise RuntimeError("stumbled")


def test_a_logged_bug_shows_where_it_happened_and_no_local_variable(capsys: pytest.CaptureFixture[str]):
    log_to_stderr()
    try:
        stumble("".join(["a secret ", "token"]))
    except RuntimeError:
        structlog.get_logger().exception("bug", room="a room")
    finally:
        structlog.reset_defaults()

    written = capsys.readouterr().err
    assert "in stumble" in written
    assert "a room" in written
    assert "a secret token" not in written


def test_caps_given_as_flags_win():
    assert capped(Caps(in_all=7, per_room=8), in_all=None, per_room=9, per_seat=1) == Caps(
        in_all=7, per_room=9, per_seat=1
    )
