"""The page: whole, alone in the world, and deaf to what people call themselves."""

import base64
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dreadclock.dice.audit import Fault, FaultKind, audit
from dreadclock.export import read_export
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from dreadclock_server.evening.recap.page import page
from kit.evenings.played import BOTH, export_of, played, renamed
from kit.evenings.prepared import evening_orders
from kit.scenery import GM
from kit.strategies.scripts import LEDGER
from kit.table import Log
from kit.tables import Table

PUBLIC = (Channel.PUBLIC,)
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style><b>",
    r"$\frac{1}{0}$ & $x_{",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;i&gt;",
    "W" * 64,
    "שלום 👩‍🚀",
)


def recap(records: Iterable[Record], *channels: Channel, language: str = "en") -> str:
    return page(read_export(export_of(records, *channels)), language, UTC)


@pytest.fixture(scope="module")
def evening() -> list[Record]:
    return played(500)


@pytest.fixture(scope="module")
def whole(evening: list[Record]) -> str:
    return recap(evening)


class Outline(HTMLParser):
    """The elements of a page with the names of their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.headings: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.headings += [value or "" for name, value in attrs if tag == "h2" and name == "id"]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_it_holds_every_section_of_an_evening_that_had_everything(whole: str) -> None:
    outline = Outline(whole)

    poster, folded = (
        ["ending", "moments", "scars", "scenes", "people"],
        ["story", "races", "clocks", "countdowns", "dice"],
    )
    assert outline.headings == [*poster, *folded]
    assert re.findall(r'<details><summary><h2 id="(\w+)"', whole) == folded
    assert "such rolls end like this" in outline.text
    assert "2027-01-26, 20:00 to " in outline.text
    assert "The vault 1" in outline.text
    assert "such countdowns last" in outline.text
    assert "Fair dice differ this much or more in" in outline.text


def test_an_evening_of_500_events_is_a_page_of_less_than_half_a_mebibyte(whole: str) -> None:
    assert 50_000 < len(whole.encode()) < 500 * 1024


def test_it_loads_nothing_and_runs_nothing(whole: str) -> None:
    outline = Outline(whole)

    assert {"script", "link", "img", "iframe", "object", "embed", "base", "form"}.isdisjoint(
        tag for tag, _ in outline.elements
    )
    assert not any(name.startswith("on") or name in ("style", "src") for _, names in outline.elements for name in names)
    assert re.findall(r"(?:https?:)?//|@import|url\((?!#)", whole) == []
    assert all(address.startswith("#") for address in re.findall(r'href="([^"]*)"', whole))


def test_its_policy_allows_its_own_style_and_no_more(whole: str) -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", whole, re.DOTALL)
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    policy = f"default-src 'none'; style-src 'sha256-{allowed}'"
    assert f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">' in whole


def test_no_id_is_given_twice(whole: str) -> None:
    ids = re.findall(r'\bid="([^"]*)"', whole)

    assert ids == Outline(whole).headings
    assert len(set(ids)) == len(ids) == 10


def test_names_change_no_element_of_the_page() -> None:
    records = played(90)
    hostile, tame = renamed(records, *HOSTILE), renamed(records, *(f"Name {place}" for place in range(len(HOSTILE))))

    outline, other = Outline(recap(hostile)), Outline(recap(tame))

    assert outline.elements == other.elements
    assert [name for name in HOSTILE if name not in outline.text] == []


def test_what_only_the_gm_knew_is_on_no_page_of_the_others() -> None:
    log = Log(*BOTH)
    log.write(e.SeatJoined(seat=GM))
    opened = [each for each in played(60) if isinstance(each.event, e.CountdownStarted)]
    secret = [each.event for each in opened if each.channel is Channel.GM]
    assert secret
    log.write(renamed(opened, "Mole")[-1].event, Channel.GM)

    of_gm, of_others = recap(log.records), recap(log.records, *PUBLIC)

    assert "Mole" in of_gm
    assert "what only the gm knew" in of_gm
    assert "Mole" not in of_others
    assert "but not what only the gm knew" in of_others


def test_what_an_audit_found_stands_with_the_dice_and_an_export_that_does_not_hold_is_said_to_above_all() -> None:
    data = export_of(played(60))
    export, found = read_export(data), audit(data)
    fault = Fault(7, Channel.PUBLIC, 6, "no", FaultKind.DICE)

    sound, unsound = (page(export, "en", UTC, report=each) for each in (found, replace(found, faults=(fault,))))

    assert "checked from the export:" in sound.partition('<h2 id="dice">')[2]
    assert "is not valid" not in sound
    assert "This export is not valid: 1 fault" in unsound.partition("<main")[0]


@pytest.mark.parametrize(("channels", "language"), [(BOTH, "en"), (PUBLIC, "de")], ids=["gm", "others"])
def test_everything_at_a_table_has_its_place_in_every_language(channels: tuple[Channel, ...], language: str):
    table = Table(dice=LEDGER, physical_dice="everyone")
    for order in evening_orders():
        table.do(order, dice=LEDGER)

    outline = Outline(recap(table.records, *channels, language=language))

    assert outline.headings[:4] == ["ending", "moments", "scars", "scenes"]
    assert ("Mole zz" in outline.text or "Den zz" in outline.text) is (Channel.GM in channels)
    assert "?" not in outline.text


def test_sections_that_would_be_empty_are_left_out() -> None:
    log = Log(*PUBLIC)
    log.write(e.SeatJoined(seat=GM))

    assert Outline(recap(log.records, *PUBLIC)).headings == ["people"]


def test_a_room_in_which_nothing_ever_happened_has_a_page() -> None:
    outline = Outline(recap([], *PUBLIC))

    assert outline.headings == []
    assert "A room without a name" in outline.text


def test_it_is_told_in_german(evening: list[Record]) -> None:
    text = Outline(recap(evening[:80], language="de")).text

    assert "Wer dabei war" in text
    assert "Zug 1" in text
    assert "ist vorbei" not in text
    assert "Turn" not in text


def test_it_is_the_same_every_time(tmp_path: Path) -> None:
    export = export_of(played(60))
    (tmp_path / "evening.jsonl").write_bytes(export)
    script = """
import sys
from datetime import UTC
from pathlib import Path
from dreadclock.dice.audit import Fault, FaultKind, audit
from dreadclock.export import read_export
from dreadclock_server.evening.recap.page import page
sys.stdout.buffer.write(page(read_export(Path(sys.argv[1]).read_bytes()), "en", UTC).encode())
"""
    command = [sys.executable, "-c", script, str(tmp_path / "evening.jsonl")]

    elsewhere = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "7"}, stdout=subprocess.PIPE, check=True)

    assert elsewhere.stdout.decode() == page(read_export(export), "en", UTC)


def test_the_turn_that_goes_on_is_counted_too() -> None:
    log = Log(Channel.PUBLIC)
    for event in (e.SeatJoined(seat=GM), e.TurnEnded(turn=1), e.Narrated(text="It rains.")):
        log.write(event)

    assert "2 turns." in recap(log.records)
    assert "1 turn." in recap(log.records[:-1])
