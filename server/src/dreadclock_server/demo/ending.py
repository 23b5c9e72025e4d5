"""The checks at the end of the demo, and its summary."""

from collections.abc import Iterator, Sequence

from dreadclock import RestRoom, Room
from dreadclock.rules import CrisisKind, DecidedBy, Outcome, Side
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire.base import Channel, Faces
from dreadclock.wire.records import Head
from dreadclock.wire.things import TotalStatus
from dreadclock.wire.views import View
from dreadclock_server.demo.table import DemoFailed, Table
from dreadclock_server.demo.worked import DIVE, DYING, FLOOD, HIDDEN_NAME, KICK, RACE, ROOK, SCENE, WALL

SCENE_LEFT, THREAT_LEFT = 4, 10
SAME_WITHIN_S = 10
WORKED = (
    (Outcome.SUCCESS, 5),
    (Side.OPPOSING, DecidedBy.HIGHEST),
    (7, TotalStatus.SUCCEEDED),
    (12, TotalStatus.FAILED),
    1,
)


def check_race(table: Table) -> None:
    """Raise DemoFailed if the race did not end as in the worked example."""
    view = table.gm.view
    ended = view.situations[RACE].outcome, *clocks_left(view)
    if ended != (RaceOutcome.SUCCESS, SCENE_LEFT, THREAT_LEFT):
        raise DemoFailed(f"The race ended as {ended[0]} with the scene at {ended[1]} and the threat at {ended[2]}.")


def clocks_left(view: View) -> tuple[int, int]:
    """Return the points left on the scene clock and the threat clock."""
    scene = view.scenes[SCENE]
    return view.clocks[scene.clock_id].value, view.clocks[str(scene.threat_id)].value


def check_dice(table: Table) -> None:
    """Raise DemoFailed if the results of the rolls differ from those in the worked examples."""
    view = table.gm.view
    dive, kick = view.checks[DIVE].result, view.checks[KICK].result
    wall, flood = view.totals[WALL], view.totals[FLOOD]
    rolled = (
        dive and (dive.acting.outcome, dive.acting.highest),
        kick and (kick.winner, kick.decided_by),
        (wall.total, wall.status),
        (flood.total, flood.status),
        view.characters[ROOK].boxes(CrisisKind.PHYSICAL),
    )
    if rolled != WORKED:
        raise DemoFailed(f"The results are {rolled}, but those of the worked examples are {WORKED}.")


async def check_everyone(table: Table) -> None:
    """Check the view of each seat.

    Raises DemoFailed if a seat did not receive all public events, or if its view differs from the server's view. Also
    raises DemoFailed if anyone except the gm sees the name of the hidden countdown.
    """
    head = table.gm.positions[Channel.PUBLIC]
    for room in table:
        name = room.view.seats[room.seat].name
        if not await _has_heard(room, head):
            raise DemoFailed(f"{name} did not receive all public events.")
        if room.view != await RestRoom.of(str(room.link)).view():
            raise DemoFailed(f"What {name} sees differs from what the server shows.")
        if room is not table.gm and HIDDEN_NAME in room.view.model_dump_json():
            raise DemoFailed(f"{name} sees what only the gm may see.")


async def _has_heard(room: Room, head: Head) -> bool:
    try:
        await room.wait_for(lambda _: room.positions[Channel.PUBLIC] == head, SAME_WITHIN_S)
    except TimeoutError:
        return False
    return True


def summary(table: Table, rolls: Sequence[Faces]) -> Iterator[str]:
    """Yield the lines of a summary. `rolls`: the faces of each roll of the countdown DYING."""
    view = table.spectator.view
    race, dying = view.situations[RACE], view.countdowns[DYING]
    scene, threat = clocks_left(view)
    faces = " / ".join(" ".join(map(str, roll)) for roll in rolls)
    rolled = "1 roll" if len(rolls) == 1 else f"{len(rolls)} rolls"
    head = table.spectator.positions[Channel.PUBLIC]
    yield f"The race ended in {race.outcome}: scene {scene}, threat {threat}."
    yield f"{dying.name}: {dying.status} after {rolled} ({faces}). {dying.ending}."
    yield "The checks and totals came out as in the worked examples, and Rook has a crisis for good."
    yield "All four views equal the server's, and what only the gm sees reached nobody else."
    yield f"The spectator's chain: {head.seq} records, head {head.hash}."
