"""Which knocks have made room for later ones, remembered within bounds."""

from dreadclock_server.gateway.knocks import EXPIRES_S, MOST_KNOCKS, MOST_LAPSED, MOST_ROOMS, LapsedKnocks

NOW = 1_000_000


def knocked(lapsed: LapsedKnocks, room_id: str, names: list[str], now_ms: int = NOW) -> None:
    """Knock one after the other, a second apart."""
    for number, name in enumerate(names):
        lapsed.put(room_id, name, now_ms + number * 1000 + EXPIRES_S * 1000, now_ms + number * 1000)


def test_the_first_of_too_many_lapses_and_no_other_room_is_touched():
    lapsed = LapsedKnocks()
    knocked(lapsed, "other", ["elsewhere"])
    names = [f"knock-{number:02}" for number in range(MOST_KNOCKS + 2)]

    knocked(lapsed, "room", names)

    assert [name for name in (*names, "elsewhere") if name in lapsed] == names[:2]


def test_what_was_withdrawn_takes_no_place_and_what_was_answered_lapses_after_what_waits():
    lapsed = LapsedKnocks()
    knocked(lapsed, "room", ["answered", "withdrawn", "waits"])
    lapsed.withdrawn("room", "withdrawn")
    lapsed.answered("room", "answered")

    knocked(lapsed, "room", [f"knock-{number:02}" for number in range(MOST_KNOCKS - 2)], NOW + 5_000)
    assert "waits" not in lapsed, "there was room for all"
    knocked(lapsed, "room", ["one-more"], NOW + 30_000)
    assert [name for name in ("answered", "withdrawn", "waits") if name in lapsed] == ["waits"]


def test_what_is_over_makes_room():
    lapsed = LapsedKnocks()
    knocked(lapsed, "room", ["over"])

    knocked(lapsed, "room", [f"knock-{number:02}" for number in range(MOST_KNOCKS)], NOW + EXPIRES_S * 1000)

    assert "over" not in lapsed


def test_only_so_many_rooms_and_lapsed_knocks_are_remembered():
    lapsed = LapsedKnocks()
    first = [f"first-{number:02}" for number in range(MOST_KNOCKS)]
    knocked(lapsed, "forgotten", first)
    for number in range(MOST_ROOMS):
        knocked(lapsed, f"room-{number}", [f"guest-{number}"])
    knocked(lapsed, "forgotten", ["later"])
    assert "first-00" not in lapsed

    knocked(lapsed, "busy", [f"knock-{number:05}" for number in range(MOST_LAPSED + MOST_KNOCKS + 1)])
    assert ("knock-00000" in lapsed, "knock-00001" in lapsed) == (False, True)
