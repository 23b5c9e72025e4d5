"""What holds of any graph of consequences: it ends, tells no secret, and is judged sound. Source: rules.md E5."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given

from dreadclock.rules.limits import MAX_CONSEQUENCE_DEPTH, MAX_CONSEQUENCE_EVENTS
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Record
from dreadclock.wire.things import ClockKind, Consequence, When
from dreadclock.wire.views import View, empty_view
from dreadclock_server.evening.verify import verify
from kit.evenings.audited import BOTH, PUBLIC, export_of
from kit.examples import examples
from kit.strategies.graphs import MOST, OF_CONSEQUENCES, Graph, attach, give, graph_of, quiet, table_of
from kit.strategies.scripts import chances
from kit.tables import Table

pytestmark = pytest.mark.rule("E5")

few = examples(8)
Drawn = tuple[Random, list[bool]]
Moment = tuple[Kind, str, When, int | None]


@dataclass
class Brought:
    """A consequence that came about, and what it told."""

    one: Consequence
    told: list[tuple[Channel, e.Event]] = field(default_factory=list)

    @property
    def counted(self) -> int:
        """How much of its channel's limit it used: a hidden one all it told, a public one public events and skips."""
        skips = sum(isinstance(event, e.ConsequenceSkipped) for _, event in self.told)
        if self.one.channel is Channel.PUBLIC:
            return skips + sum(channel is Channel.PUBLIC for channel, _ in self.told)
        return len(self.told)


def parted(records: list[Record], known: dict[str, Consequence]) -> tuple[list[e.Event], list[Brought]]:
    """Part what a command told into what it did itself, and what each consequence did."""
    own: list[e.Event] = []
    brought: dict[str, Brought] = {}
    now: Brought | None = None
    for record in records:
        named = getattr(record.event, "consequence_id", None)
        if named is not None:
            now = brought.setdefault(named, Brought(known[named]))
        if now is None:
            own.append(record.event)
        elif not isinstance(record.event, e.ConsequencesStopped):
            now.told.append((record.channel, record.event))
    return own, list(brought.values())


def moments_in(events: Iterable[e.Event]) -> list[Moment]:
    """Read off events which moments of clocks and countdowns came; all clocks here run down."""
    found: list[Moment] = []
    for event in events:
        match event:
            case e.ClockTicked(value=0) if event.kind is not ClockKind.SITUATION:
                found.append((Kind.CLOCK, event.clock_id, When.END, None))
            case e.SituationWon() | e.SituationResolved():
                found.append((Kind.CLOCK, f"{event.situation_id}-clock", When.END, None))
            case e.StageReached():
                found.append((Kind.COUNTDOWN, event.countdown_id, When.STAGE, event.at))
            case e.CountdownExpired() | e.CountdownRepeated():
                found.append((Kind.COUNTDOWN, event.countdown_id, When.END, None))
    return found


def moment_of(one: Consequence) -> Moment:
    return one.of.kind, one.of.id, one.when.when, one.when.at


def depths(own: list[e.Event], brought: list[Brought]) -> dict[str, int]:
    """Return how deep each consequence came about, as its channel counts."""
    came: dict[Moment, tuple[int, int]] = dict.fromkeys(moments_in(own), (0, 0))
    found: dict[str, int] = {}
    for each in brought:
        public, gm = came.get(moment_of(each.one), (0, 0))
        is_public = each.one.channel is Channel.PUBLIC
        after = (public + 1, gm) if is_public else (0, gm + 1)
        found[each.one.id] = after[0] if is_public else after[1]
        for moment in moments_in(event for _, event in each.told):
            came.setdefault(moment, after)
    return found


def played(graph: Graph) -> tuple[Table, list[tuple[dict[str, Consequence], list[Record]]]]:
    """Attach what can be attached, and set it off; return what each command told of the consequences before it."""
    table = table_of(graph)
    for place, order in graph.attached.items():
        attach(table, place, order)
    told = []
    for place, order in graph.commands.items():
        known = dict(table.view.consequences)
        told.append((known, give(table, place, order, graph.setting_off)))
    return table, told


def test_what_follows_ends_within_its_limits_or_says_that_it_stopped(figures: list[str]):
    seen: Counter[str] = Counter()

    @few
    @given(chances(MOST, given=200))
    def every_graph(drawn: Drawn) -> None:
        for known, records in played(graph_of(*drawn))[1]:
            within_limits(known, records, seen)

    every_graph()
    figures.append(f"graphs of consequences: {', '.join(f'{seen[name]} {name}' for name in sorted(seen))}")


def within_limits(known: dict[str, Consequence], records: list[Record], seen: Counter[str]) -> None:
    own, brought = parted(records, known)
    stops = {each.channel: each.event.reason for each in records if isinstance(each.event, e.ConsequencesStopped)}
    deep = depths(own, brought)
    for channel in Channel:
        mine = [each for each in brought if each.one.channel is channel]
        assert max((deep[each.one.id] for each in mine), default=0) <= MAX_CONSEQUENCE_DEPTH
        assert sum(each.counted for each in mine[:-1]) < MAX_CONSEQUENCE_EVENTS  # the last one may go beyond
        if channel in stops:
            seen[f"{channel} stopped ({stops[channel]})"] += 1
    came = set(moments_in(own))
    for each in brought:
        came.update(moments_in(event for _, event in each.told))
    unbrought = [one for name, one in known.items() if name not in deep]
    left_out = [one for one in unbrought if moment_of(one) in came]
    assert [one.id for one in left_out if one.channel not in stops] == []
    seen["brought about"] += len(brought)
    seen["commands"] += 1


@few
@given(chances(MOST, given=200))
def test_of_a_hidden_consequence_others_hear_that_there_is_one_and_what_it_does_in_public(drawn: Drawn):
    table, _ = played(graph_of(*drawn))

    assert [text for text in table.public() if OF_CONSEQUENCES in text] == []
    shown: set[str] = set()
    for record, text in zip(table.records, table.texts, strict=True):
        if record.channel is not Channel.PUBLIC:
            continue
        if isinstance(record.event, e.Revealed):
            shown.add(record.event.id)
        assert "gm-zz-" not in text or any(each in text for each in shown)
        if isinstance(record.event, e.ConsequenceHappened) and record.event.of is None:
            assert record.event == e.ConsequenceHappened()


@few
@given(chances(MOST, given=128))
def test_a_hidden_consequence_that_does_nothing_in_public_leaves_no_trace_there(drawn: Drawn):
    chance, given = drawn
    graph = graph_of(chance, given)
    public = {place: order for place, order in graph.attached.items() if order.get("visibility") != "gm"}
    more = {place: quiet(chance.getrandbits(320), place) for place in range(MOST) if place not in public}
    plain, other = (table_of(graph, quietly=True) for _ in range(2))

    for table, orders in ((plain, public), (other, {**public, **more})):
        for place, order in sorted(orders.items()):
            attach(table, place, order, or_hidden=False)
        for place, order in graph.commands.items():
            give(table, place, order, graph.setting_off)

    assert plain.public() == other.public()


@few
@given(chances(MOST, given=200))
def test_the_same_state_command_and_dice_give_the_same_events_and_anyone_folds_them_to_the_same_view(drawn: Drawn):
    graph = graph_of(*drawn)
    table, again = played(graph)[0], played(graph)[0]

    assert table.texts == again.texts
    assert folded(table.public(), Channel.PUBLIC).public == table.view.public
    assert folded(table.texts, *Channel) == table.view


def folded(texts: list[str], *channels: Channel) -> View:
    view = empty_view(*channels)
    for text in texts:
        view = fold(view, Record.model_validate_json(text))
    return view


@few
@given(chances(MOST, given=200))
def test_the_referee_derives_all_that_followed_from_either_export(drawn: Drawn):
    table, _ = played(graph_of(*drawn))

    for channels in (BOTH, PUBLIC):
        report = verify(export_of(table.texts, *channels))
        assert ([str(fault) for fault in report.faults], report.unjudged) == ([], 0)
