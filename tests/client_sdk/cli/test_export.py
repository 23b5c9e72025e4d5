"""The file that `dreadclock export` writes when none is named; the rest is tried on a real server."""

import pytest

from dreadclock.cli.export import named_like


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("The Vault!", "the-vault.jsonl"),
        ("../etc/x", "etc-x.jsonl"),
        ("💣", "room.jsonl"),
        ("Größe 1", "größe-1.jsonl"),
    ],
)
def test_a_room_gives_its_file_a_harmless_name(title: str, name: str) -> None:
    assert named_like(title) == name
